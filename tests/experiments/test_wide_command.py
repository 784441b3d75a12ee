"""The command on a small table: trials are kept, compared with earlier code, and printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.store import Store
from experiments.wide import command, measure, tables
from experiments.wide.report import Against
from experiments.wide.rows import Covered, Row, covered, rows_of

from ripost import Tensor
from ripost.errors import InputError

Wide = Callable[..., None]


def small() -> Tensor:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (3000, 4))
    return Tensor.from_arrays((4, 4, 4, 4), rows, np.ones(3000, np.int64))


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wide:
    """The command on a small table, in this process."""
    monkeypatch.setitem(tables.TABLES, "small", tables.Table("small", "choosing", small))

    def call(**options: Any) -> None:
        given = {"eps": "1", "methods": "ripost+,two-way", "only": "small", "runs": 2, "seed_from": 0, "jobs": 1}
        command.wide(**(given | {"store": tmp_path / "trials.jsonl", "baseline": None} | options))

    yield call
    tables.load.cache_clear()
    measure.case_of.cache_clear()


def test_the_command_prints_errors_ratios_and_coverage(wide: Wide, capsys: pytest.CaptureFixture[str]) -> None:
    wide()
    told = capsys.readouterr().out
    workloads = ("k=1", "k=2", "k=3", "all", "two-way cells", "three-way cells")
    assert "| small | choosing | 4 | 3,000 | 2.6e+02 |" in told
    assert all(f"| small | choosing | 1 | {workload} |" in told for workload in workloads)
    assert "| ripost+ / best pure peer | ripost+ / best peer |" in told and "before" not in told
    assert "| 1 | choosing | together |" in told and "| small | 1 | ripost+ |" in told
    assert "| 1 | ripost+ | 1 |" in told and "| small | 1 | two-way |" not in told  # a baseline has no intervals


def test_a_rerun_runs_nothing_and_further_seeds_go_on(wide: Wide, tmp_path: Path) -> None:
    store = tmp_path / "trials.jsonl"
    wide()
    before = store.read_bytes()
    wide()
    assert store.read_bytes() == before
    wide(seed_from=2, runs=1)
    assert {inputs["seed"] for inputs, _ in Store(store).trials()} == {0, 1, 2}


def test_trials_of_other_code_stand_beside_as_before(
    wide: Wide, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide(methods="ripost+")
    old = Store(tmp_path / "old.jsonl")
    for inputs, outcome in Store(tmp_path / "trials.jsonl").trials():
        doubled = {name: 2 * error for name, error in outcome["error"].items()}
        if inputs["seed"] == 0:
            old.add(inputs | {"code": "old"}, outcome | {"error": doubled})
    capsys.readouterr()
    wide(methods="ripost+", runs=1, baseline=old.path)
    told = capsys.readouterr().out
    assert "| ripost+ / before |" in told and "| 0.50 (worst 0.50 small) |" in told and "| small | 1 | before |" in told
    wide(methods="ripost+", runs=2, baseline=old.path)
    assert "lacks 1 of 2 trials of ripost+" in capsys.readouterr().err


def test_a_store_of_other_questions_is_not_compared(wide: Wide, tmp_path: Path) -> None:
    wide(methods="ripost+", runs=1)
    old = Store(tmp_path / "old.jsonl")
    for inputs, outcome in Store(tmp_path / "trials.jsonl").trials():
        old.add(inputs | {"data": "other"}, outcome)
    trials = command.trials_for(["ripost+"], "1", "small", range(1))
    assert command.earlier(old.path, trials, "ripost+") == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"methods": "riposte"}, "did you mean 'ripost'"), ({"only": "smal"}, "did you mean 'small'")],
)
def test_a_wrong_name_is_told_before_anything_runs(wide: Wide, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        wide(**options)


def test_a_row_takes_the_mean_over_seeds_and_the_best_of_methods() -> None:
    trials = [{"table": "t", "epsilon": 1.0, "method": method} for method in ("a", "a", "b")]
    rows = rows_of(zip(trials, ({"error": {"k=1": error}} for error in (1.0, 3.0, 5.0)), strict=True))
    assert rows == [Row("t", 1.0, "k=1", {"a": [1.0, 3.0], "b": [5.0]})]
    assert rows[0].mean("a") == 2 == rows[0].best(["a", "b"]) and rows[0].mean("c") is rows[0].best(["c"]) is None


@pytest.mark.parametrize(
    ("workload", "errors", "expected"),
    [
        ("all", (4.0, 8.0), 0.5),
        ("all", (1e-8, 1e-6), None),  # errors below a row
        ("all", (0.5, 2.0), 0.25),
        ("two-way cells", (0.1, 0.2), 0.5),
    ],
)
def test_a_ratio_of_errors_below_a_row_does_not_count(
    workload: str, errors: tuple[float, float], expected: float | None
) -> None:
    row = Row("t", 1.0, workload, {"a": [errors[0]], "b": [errors[1]], "c": [100.0]})
    assert Against("best peer", ["b", "c"]).ratio(row, "a") == expected


def test_coverage_is_pooled_over_seeds_and_pairs_of_few_cells_do_not_count() -> None:
    def outcome(inside: int, width: float) -> dict[str, Any]:
        cells = {"asked": 10, "inside": inside, "width over truth": 0.5, "width": width, "error": 1.0}
        return {"coverage": {"k=1": cells}, "pairs": {"a x b": [inside, 10], "a x c": [0, 9]}}

    trial = {"table": "t", "epsilon": 1.0, "method": "m"}
    [found] = covered([(trial, outcome(9, 4.0)), (trial, outcome(6, 2.0)), (trial | {"method": "n"}, {"error": {}})])
    assert isinstance(found, Covered) and found.pairs == {"a x b": 0.75}
    assert found.inside("k=1") == 0.75 and found.relative_width("k=1") == 0.5
    assert found.width_by_error("k=1") == pytest.approx(3)
