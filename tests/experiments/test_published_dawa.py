"""published-dawa: the public code's partition, written anew, and the command that compares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from experiments.__main__ import app
from experiments.published_dawa import PUBLIC, deviations, partition, with_its_noise
from typer.testing import CliRunner

HEAD = "case,k,method,eps,runs,rmse,sd,blocks,seconds"


@pytest.mark.parametrize("size", [1, 2, 7, 16])
def test_deviations_are_those_of_every_run(size: int) -> None:
    line = np.random.default_rng(size).poisson(2, size)
    found = deviations(line)
    assert list(found) == [2**k for k in range(size.bit_length())]
    for length, costs in found.items():
        parts = [line[first : first + length] for first in range(size - length + 1)]
        np.testing.assert_allclose(costs, [abs(part - part.mean()).sum() for part in parts], atol=1e-9)


def test_with_hardly_any_noise_even_runs_are_found_at_any_offset() -> None:
    line = np.array([9, 4, 4, 4, 4, 0, 0, 7])
    assert partition(line, 1e9, 1.0, seed=0).tolist() == [0, 1, 5, 7, 8]


def test_single_places_have_no_noise_and_no_cost_is_below_the_price() -> None:
    """Even the longest run of an empty line is never dearer by a lucky split: two buckets cost two prices at least."""
    numbers = [len(partition(np.zeros(64, np.int64), 0.01, 0.001, seed)) - 1 for seed in range(50)]
    assert min(numbers) == 1 and np.mean(numbers) < 4


def test_errors_stand_beside_each_other(cases: Path, tmp_path: Path) -> None:
    figures = tmp_path / "peers.csv"
    figures.write_text(f'{HEAD}\nsmall,2,"{PUBLIC}",1.0,1,10.0,0,1,2.5\n', "utf-8")
    arguments = ["published-dawa", "--runs", "2", "--cases", str(cases), "--figures", str(figures)]
    done = CliRunner().invoke(app, [*arguments, "--store", str(tmp_path / "store.jsonl")], catch_exceptions=False)
    assert done.exit_code == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("| small | 1 | 10 |")]
    twin = np.mean([with_its_noise(("small", 2, 1.0), seed, cases) for seed in range(2)])
    assert float(line.split("|")[7]) == pytest.approx(twin / 10, abs=0.01)
