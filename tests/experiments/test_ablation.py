"""The ablation: a method with options is one word, and each idea is measured against the whole on the same seeds."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.ablation import WITHOUT, ablation
from experiments.cases import load_case
from experiments.rows import MARGINALS, rows_of
from experiments.spec import parse_spec
from experiments.summary import print_marginals
from experiments.trial import marginals_alone, run_trial

from ripost import METHODS
from ripost.errors import InputError


def test_a_spec_is_a_name_and_options() -> None:
    assert parse_spec("ripost+") == ("ripost+", {})
    assert parse_spec("ripost+[joint=false;depths=2]") == ("ripost+", {"joint": False, "depths": 2})
    for wrong in ("", "ripost+[", "a[b=c]", "a[b]"):
        with pytest.raises(InputError):
            parse_spec(wrong)


def test_every_idea_can_be_left_out() -> None:
    for spec in WITHOUT.values():
        name, options = parse_spec(spec)
        assert METHODS[name].configure(options) != METHODS[name].configure({})


def test_the_table_has_a_line_an_idea(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ablation(eps="100", runs=1, only="", cases=cases, store=tmp_path / "trials.jsonl", jobs=1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(WITHOUT)
    assert all(line.startswith(f"| {title} | ") for title, line in zip(WITHOUT, lines[2:], strict=True))


def test_marginals_alone_are_measured(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = load_case("small", cases)
    error = marginals_alone(case, {"epsilon": 100, "seed": 1})
    assert error is not None and 0 < error < 5
    assert marginals_alone(case, {"epsilon": 0.1, "seed": 1}) is None  # so few records: one block, no marginals
    trial = {"case": "small", "method": "ripost+", "epsilon": 100.0, "seed": 1}
    rows = rows_of([(trial, run_trial(trial, cases))])
    assert [row.errors[MARGINALS] for row in rows if row.bounded == 1] == [[error]]
    print_marginals(rows, "ripost+")
    assert "| 100 | 1 | " in capsys.readouterr().out
