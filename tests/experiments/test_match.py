"""match: our peers beside public figures, on a folder of tiny cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from experiments.__main__ import app
from experiments.peers import OURS
from experiments.spec import parse_spec
from typer.testing import CliRunner

from experiments import trial
from ripost import METHODS, View, publish

HEAD = "case,k,method,eps,runs,rmse,sd,blocks,seconds"


def test_every_public_name_stands_for_a_method_with_these_options() -> None:
    for spec in OURS.values():
        name, options = parse_spec(spec)
        if not METHODS[name].missing():
            METHODS[name].configure(options)


@pytest.mark.parametrize(("public", "verdict"), [(1e9, "1 (100%)"), (1e-9, "0 (0%)")])
def test_a_figure_is_met_or_not(cases: Path, tmp_path: Path, public: float, verdict: str) -> None:
    case = sorted(path.name for path in cases.iterdir())[0]
    figures = tmp_path / "peers.csv"
    figures.write_text(f"{HEAD}\n{case},2,identity,1.0,1,{public},0,1,2.5\n", "utf-8")
    arguments = ["match", "--runs", "2", "--cases", str(cases), "--figures", str(figures), "--jobs", "1"]
    done = CliRunner().invoke(app, [*arguments, "--store", str(tmp_path / "store.jsonl")], catch_exceptions=False)
    assert done.exit_code == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("| identity | identity")]
    assert verdict in line and "1 of 1" in line
    rows = [line for line in done.stdout.splitlines() if line.startswith(f"| identity | {case} | 2 | 1 |")]
    assert len(rows) == 1  # far off either way


def test_unknown_names_are_refused(cases: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["match", "--peers", "identiti", "--cases", str(cases)])
    assert done.exception is not None and "identiti" in str(done.exception)


def test_a_method_that_can_be_tuned_gets_each_workload(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def record_workload(*given: Any, workload: Any = None, **options: Any) -> View:
        asked.append(workload)
        return publish(*given, workload=workload, **options)

    monkeypatch.setattr(trial, "publish", record_workload)
    for method, workloads in (("hdmm", 3), ("identity", 0)):
        asked.clear()
        inputs = {"case": "small", "method": method, "epsilon": 1.0, "seed": 0}
        found = trial.run_trial(inputs, cases)
        assert set(found["rmse"]) == {"2", "1", "0"} and found["seconds"] > 0
        assert sum(workload is not None for workload in asked) == workloads
