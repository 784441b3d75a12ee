"""demo: the demo's questions over several releases."""

from __future__ import annotations

import re

import pytest
from experiments.demo import demo

from experiments import demo as experiment
from ripost.cli.demo import QUESTIONS


@pytest.mark.slow
def test_every_question_is_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """At epsilon 20 the total is nearly exact, and its interval holds it."""
    monkeypatch.setattr(experiment, "EPSILON", "20")
    demo(runs=1, seed_from=5)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2 + len(QUESTIONS)
    assert re.fullmatch(r"\| \(all flights\) \| 336,776 \| 1 \| [+-]\d \| \d\d? \|", printed[2])
