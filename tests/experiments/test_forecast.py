"""forecast: the plan of a case beside its outcome."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from experiments.forecast import forecasts


def test_plan_and_outcome_stand_side_by_side(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forecasts(eps="1", only="small", cases=cases, runs=1, method="ripost+")
    printed = capsys.readouterr().out
    assert "| small | everything |" in printed and "| small | 50 % |" in printed
    assert "plan / outcome is" in printed and "within a factor of 2" in printed


def test_promises_stand_side_by_side(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forecasts(eps="1", only="small", cases=cases, runs=1, method="ripost+", delta=True)
    printed = capsys.readouterr().out
    assert re.search(r"\| small \| 2 \| the \w.* \| 0\.\d\d \| [\d.]+ \| [\d.]+ \|", printed)
    assert "named by the rule on" in printed and "of 1 tables" in printed
