"""AHP: clusters of noisy counts equal those of the plain loop, and are fast."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.ahp import method as module
from ripost.peers.ahp.method import clusters
from ripost.privacy.seeded_noise import SeededNoise
from tests.methods.silent import Silent, poisson, run


def plain(counts: np.ndarray, variance: float) -> list[int]:
    """The greedy loop as the paper tells it: one count after another, each against every cluster it could begin."""
    order = np.argsort(counts, kind="stable")
    rising = counts[order].tolist()

    def cost(first: int, last: int) -> float:
        part = np.array(rising[first:last])
        return float(((part - part.mean()) ** 2).sum() + variance / len(part))

    starts = [0]
    for at in range(1, len(rising)):
        ahead = [
            (rising[at] - np.mean(rising[at:last])) ** 2 + variance / (last - at) ** 2
            for last in range(at + 1, len(rising) + 1)
        ]
        if cost(starts[-1], at + 1) - cost(starts[-1], at) >= min(ahead):
            starts.append(at)
    number = np.zeros(len(counts), int)
    number[order] = np.searchsorted(starts, np.arange(len(rising)), side="right") - 1
    return number.tolist()


@pytest.mark.parametrize("variance", [0.5, 40.0, 3000.0])
def test_clusters_equal_the_plain_loop(variance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROWTH", 1.0)  # look ahead at every length
    monkeypatch.setattr(module, "CHUNK", 3)
    rng = np.random.default_rng(int(variance))
    for size in (1, 2, 3, 30, 60):
        counts = np.maximum(np.rint(rng.exponential(30, size) - 20), 0)
        assert clusters(counts, variance).tolist() == plain(counts, variance)


def test_looking_ahead_at_fewer_lengths_changes_little() -> None:
    rng = np.random.default_rng(1)
    counts = np.maximum(np.rint(rng.exponential(30, 300) - 20), 0)
    assert abs(clusters(counts, 100.0).max() - max(plain(counts, 100.0))) <= 2


def test_equal_counts_are_one_cluster() -> None:
    assert clusters(np.full(100, 7.0), 1.0).tolist() == [0] * 100
    assert clusters(np.array([0.0] * 50 + [1000.0] * 50), 1.0).tolist() == [0] * 50 + [1] * 50


def test_without_noise_groups_of_equal_cells_are_found() -> None:
    counts = np.array([0, 500, 0, 40, 500, 40, 0, 0])
    tensor = Tensor.from_arrays((8,), np.argwhere(counts >= 0), counts)
    found, _ = run("ahp", tensor, 1000, noise=Silent())
    np.testing.assert_allclose((found.values / np.bincount(found.bucket))[found.bucket], counts)
    assert len(found.values) == 3


def test_small_counts_become_one_cluster() -> None:
    """Most cells of an empty domain fall below the threshold."""
    found, _ = run("ahp", Tensor.from_arrays((50, 50), [], []), 1, eta=2)
    assert np.bincount(found.bucket)[0] > 2400


def test_a_million_cells_take_seconds() -> None:
    rng = np.random.default_rng(2)
    where = rng.integers(0, 1000, (5000, 2))
    before = time.process_time()
    found, account = run("ahp", Tensor.from_arrays((1000, 1000), where, np.ones(5000, int)), noise=SeededNoise(1))
    assert time.process_time() - before < 60  # of this process, however busy the machine is; a few alone
    assert account.ledger.spent == 1
    assert np.isfinite(found.values).all()


def test_budget_goes_to_counts_and_clusters() -> None:
    _, account = run("ahp", poisson((6, 5)), 2, share=0.25)
    assert [(entry.purpose, entry.epsilon) for entry in account.ledger.entries] == [
        ("cells", Fraction(1, 2)),
        ("clusters", Fraction(3, 2)),
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [({"share": 0}, "share must lie strictly"), ({"eta": -1}, "eta must be a number"), ({"eta": True}, "eta must be")],
)
def test_bad_options_are_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        METHODS["ahp"](**options)
