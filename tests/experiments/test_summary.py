"""What the command prints about trials: rows with ratios, means by kind of workload, seconds; and the plot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from experiments.peers import Peers
from experiments.plot import draw
from experiments.rows import groups_of, ratio, rows_of
from experiments.summary import geometric_mean, print_seconds, print_summary
from experiments.table import print_rows, times

Trials = list[tuple[dict[str, Any], dict[str, Any]]]
METHODS = ["ripost", "ripost+"]
PEERS = Peers(
    best={("c", 4, 0.1): ("peer", 5.5), ("d", 2, 0.1): ("other", 2.0), ("c", 2, 0.1): ("peer", 40.0)},
    zero={("c", 4, 0.1): 99.0},
    seconds={("c", 0.1): 4.0},
)


@pytest.fixture
def trials() -> Trials:
    """Two cases: c has 4 dimensions, d has 2, so that a workload of 2 is of another kind in each."""
    found: Trials = []
    for seed in range(3):
        for method, factor in (("ripost", 1.0), ("ripost+", 0.5)):
            inputs = {"method": method, "epsilon": 0.1, "seed": seed}
            c = {"4": 10.0 + seed, "2": 80.0, "1": 16.0, "0": 0.0}
            d = {"2": 8.0, "1": 4.0, "0": 2.0}
            for case, errors, dimensions in (("c", c, 4), ("d", d, 2)):
                rmse = {bounded: error * factor for bounded, error in errors.items()}
                outcome = {"rmse": rmse, "dimensions": dimensions, "blocks": 3, "seconds": dimensions * factor + seed}
                found.append((inputs | {"case": case}, outcome))
    return found


def test_a_row_names_the_ratios_and_the_best_peer(trials: Trials, capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(rows_of(trials), METHODS, PEERS)
    told = capsys.readouterr().out
    assert "| ripost | ripost+ | ripost / ripost+ | ripost+ / best peer | best public peer | answer zero |" in told
    assert "| c | 4 | 0.1 | 11 ± 0.8 | 5.5 ± 0.4 | 2.00 | 1.00 | peer 5.5 | 99 |" in told
    assert "| c | 1 | 0.1 | 16 ± 0.0 | 8.0 ± 0.0 | 2.00 | - |  |  |" in told


def test_a_method_that_refused_has_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    trial = {"case": "c", "method": "ripost", "epsilon": 0.1, "seed": 0}
    refused = (trial | {"method": "identity"}, {"refused": "too large"})
    print_rows(rows_of([(trial, {"rmse": {"2": 12.0}, "dimensions": 2}), refused]), ["ripost", "identity"], Peers())
    assert "| c | 2 | 0.1 | 12 ± 0.0 | - | - | - |  |  |" in capsys.readouterr().out


def test_the_summary_keeps_kinds_of_workload_apart(trials: Trials, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(trials)
    assert groups_of(rows) == ["all dimensions", "2 and 3 dimensions", "one dimension", "total"]
    print_summary(rows, METHODS, PEERS)
    lines = capsys.readouterr().out.splitlines()
    assert "| 0.1 | all dimensions | ripost | 2 | 1.00 | 0.35 | 4.00 (d, 2 bounded) | 2 of 2 |" in lines
    assert "| 0.1 | all dimensions | ripost+ | 2 | 2.00 | 0.71 | 2.00 (d, 2 bounded) | 1 of 2 |" in lines
    assert "| 0.1 | 2 and 3 dimensions | ripost+ | 1 | 2.00 | 1.00 | 1.00 (c, 2 bounded) | 0 of 1 |" in lines
    assert "| 0.1 | one dimension | ripost+ | 2 | 2.00 | - | - | - |" in lines
    assert "| 0.1 | total | ripost+ | 2 | 2.00 | - | - | - |" in lines


def test_means_leave_out_what_is_missing_or_zero() -> None:
    assert geometric_mean([2.0, None, 8.0]) == pytest.approx(4.0)
    assert geometric_mean([None]) is None
    assert (times(None), times(12.0), times(0.00312)) == ("-", "12.00", "0.0031")
    assert ratio(6.0, 3.0) == 2.0 and ratio(0.0, 3.0) is None and ratio(3.0, 0.0) is None and ratio(None, 1.0) is None


def test_seconds_are_compared_where_the_peer_was_run(trials: Trials, capsys: pytest.CaptureFixture[str]) -> None:
    print_seconds([*trials, ({"case": "e", "method": "ripost", "epsilon": 0.1}, {"refused": "no"})], PEERS)
    told = capsys.readouterr().out
    assert "| ripost | 6 | 4.00 | 6.00 (c, epsilon 0.1) | 1.25 (c, epsilon 0.1) |" in told
    assert "| ripost+ | 6 | 2.50 | 4.00 (c, epsilon 0.1) | 0.75 (c, epsilon 0.1) |" in told
    print_seconds(trials, Peers())
    assert "| 6.00 (c, epsilon 0.1) | - |" in capsys.readouterr().out


def test_without_matplotlib_a_sentence_says_what_to_install(
    trials: Trials, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install ripost[explore]" in draw(rows_of(trials), METHODS, PEERS, tmp_path / "plot")
    assert list(tmp_path.iterdir()) == []


def test_the_plot_is_written_twice_and_repeats_itself(trials: Trials, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    later = [(trial | {"epsilon": 1.0}, outcome) for trial, outcome in trials]
    rows = rows_of(trials + later)
    assert "plot.svg" in draw(rows, [*METHODS, "another"], PEERS, tmp_path / "plot.svg")
    first = (tmp_path / "plot.svg").read_bytes()
    draw(rows, [*METHODS, "another"], PEERS, tmp_path / "plot")
    assert (tmp_path / "plot.svg").read_bytes() == first and (tmp_path / "plot.png").stat().st_size > 0
    assert "no plot" in draw([], METHODS, PEERS, tmp_path / "none")
