"""demo: the demo's questions over several releases."""

from __future__ import annotations

import re

import pytest
from experiments.demo import demo

from experiments import demo as experiment
from ripost.cli.demo import QUESTIONS


def test_every_question_is_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """At epsilon 1,000 the total is exact, and its interval holds it in every release."""
    monkeypatch.setattr(experiment, "EPSILON", "1000")
    demo(runs=1, seed_from=5)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2 + len(QUESTIONS)
    assert re.fullmatch(r"\| \(all flights\) \| 336,776 \| 1 \| [+-][01] \| \d+ \|", printed[2])
