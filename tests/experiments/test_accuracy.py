"""The command: trials are run once, an interruption keeps them, a failure names its trial; the paper errs as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import experiments.accuracy as command
import experiments.running as running
import numpy as np
import pytest
import typer
from experiments.cases import load_case
from experiments.pool import TrialFailed, run_all
from experiments.trial import run_trial

from ripost.errors import InputError

Accuracy = Callable[..., None]


@pytest.fixture
def accuracy(cases: Path, figures: Path, tmp_path: Path) -> Accuracy:
    """The command on the small case, in this process."""

    def call(**options: Any) -> None:
        places = {"cases": cases, "peers": figures, "store": tmp_path / "trials.jsonl", "plot": tmp_path / "plot"}
        command.accuracy(**({"eps": "1.0", "methods": "all", "runs": 2, "jobs": 1} | places | options))

    return call


def test_a_trial_repeats_itself(cases: Path) -> None:
    trial = {"case": "small", "method": "ripost", "epsilon": 1.0, "seed": 3}
    first, again = run_trial(trial, cases), run_trial(trial, cases)
    assert first["rmse"] == again["rmse"] != run_trial(trial | {"seed": 4}, cases)["rmse"]
    assert set(first["rmse"]) == {"2", "1", "0"} and first["dimensions"] == 2


def test_identity_errs_by_its_noise_alone(cases: Path) -> None:
    trials = [{"case": "small", "method": "identity", "epsilon": 100.0, "seed": seed} for seed in range(3)]
    for trial in trials:
        assert set(run_trial(trial, cases)["rmse"].values()) == {0.0}  # noise of scale 0.01 is 0 here


@pytest.mark.slow
def test_the_command_prints_all_tables_and_a_rerun_runs_nothing(
    accuracy: Accuracy, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    accuracy()
    told = capsys.readouterr()
    assert "| small | 2 | 1 |" in told.out and "| privtree 6.0 | 0.5 |" in told.out
    assert all(f"| 1 | {group} | identity | 1 |" in told.out for group in ("all dimensions", "one dimension", "total"))
    assert "| method | trials | median seconds |" in told.out and "plot" in told.err
    kept = (tmp_path / "trials.jsonl").read_bytes()
    monkeypatch.setattr(running, "run_all", lambda run, missing, jobs: iter([missing]) if missing else iter([]))
    accuracy()
    assert capsys.readouterr().out == told.out and (tmp_path / "trials.jsonl").read_bytes() == kept


@pytest.mark.slow
def test_processes_give_the_same_outcomes(cases: Path) -> None:
    trials = [{"case": "small", "method": "ripost", "epsilon": 1.0, "seed": seed} for seed in range(3)]
    run = partial(run_trial, cases=cases)
    alone = {trial["seed"]: outcome["rmse"] for trial, outcome in run_all(run, trials, 1)}
    assert {trial["seed"]: outcome["rmse"] for trial, outcome in run_all(run, trials, 2)} == alone


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_trial_is_named(cases: Path, jobs: int) -> None:
    trial = {"case": "absent", "method": "ripost", "epsilon": 0.5, "seed": 7}
    with pytest.raises(TrialFailed, match=r"case absent, method ripost, epsilon 0\.5, seed 7 failed: FileNotFound"):
        list(run_all(partial(run_trial, cases=cases), [trial], jobs))


def test_an_interruption_keeps_what_ended_and_the_next_run_goes_on(
    accuracy: Accuracy, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop_at_third(*given: Any) -> Iterator[Any]:
        for number, item in enumerate(run_all(*given)):
            if number == 3:
                raise KeyboardInterrupt
            yield item

    store = tmp_path / "trials.jsonl"
    monkeypatch.setattr(running, "run_all", stop_at_third)
    with pytest.raises(typer.Exit) as end:
        accuracy(runs=3, methods="ripost,identity")
    assert end.value.exit_code == 130 and "stopped after 3 of 6 trials" in capsys.readouterr().err
    before = store.read_text("utf-8")
    monkeypatch.setattr(running, "run_all", run_all)
    accuracy(runs=3, methods="ripost,identity")
    after = store.read_text("utf-8")
    assert after.startswith(before) and len(before.splitlines()) == 3 and len(after.splitlines()) == 6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"eps": "1,x"}, "epsilon must be a positive number"),
        ({"methods": "riposte"}, "did you mean 'ripost'"),
        ({"only": "smal"}, "did you mean 'small'"),
    ],
)
def test_a_wrong_option_is_named_before_anything_runs(
    accuracy: Accuracy, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        accuracy(**options)


@pytest.mark.slow
def test_the_paper_errs_as_measured_before(shared_folder: Path) -> None:
    """Within 25 % of the first prototype's figure, mean of 10 seeds, on cases whose spread is small."""
    for name, before in {"adult2d_age_fnlwgt": 609, "fire4d": 4525, "fire6d": 3503, "gowalla1000": 2064}.items():
        bounded = str(len(load_case(name, shared_folder / "cases").tensor.domain))
        trial = {"case": name, "method": "ripost", "epsilon": 0.1}
        errors = [run_trial(trial | {"seed": s}, shared_folder / "cases")["rmse"][bounded] for s in range(10)]
        assert np.mean(errors) == pytest.approx(before, rel=0.25)
