"""Both sources draw partitions by the exact law; each comparison raises a false alarm once in a million."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.peers.dawa.statistics import DEVIATION_OF_RUN
from ripost.privacy import noise as noise_module
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import LeastPartition
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.runs import Runs
from ripost.statistics.totals import TOTAL

from .agreement import agrees
from .covers import covers, scales


@pytest.mark.parametrize("noise", [SystemNoise(), SeededNoise(5)], ids=lambda noise: noise.entropy)
@pytest.mark.parametrize(("cost", "bound"), [("2", 1), ("9", 3)])
def test_partitions_come_as_often_as_they_should(noise: Noise, cost: str, bound: int) -> None:
    runs, mechanism = Runs.along((5,), "auto"), LeastPartition(DEVIATION_OF_RUN, Fraction(cost))
    costs, price = np.array([0, 0, 0, 0, 0, 3, 1, 4, 6]), 2 * runs.buckets + 1
    foretold = covers((runs.pieces(costs) + price).tolist(), runs, scales(mechanism, runs, bound))
    assert sum(foretold.values()) == pytest.approx(1)
    seen = dict.fromkeys(foretold, 0)
    for _ in range(400):
        seen[tuple(noise.partition(costs, runs, price, mechanism, bound).tolist())] += 1
    assert agrees(np.array([*seen.values()]), np.array([*foretold.values()]))
    assert max(foretold.values()) < 0.9


def test_only_statistics_of_runs_choose_partitions() -> None:
    """The proof needs smaller changes for runs of one and two cells, which other statistics do not promise."""
    with pytest.raises(PrivacyError, match="total is no statistic of runs"):
        LeastPartition(TOTAL, Fraction(1))


def test_opendp_must_agree_with_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, mechanism = Runs.along((2,), "auto"), LeastPartition(DEVIATION_OF_RUN, Fraction(1))
    monkeypatch.setattr(noise_module, "scale_for", lambda shift, cost: 0.999 * float(shift / cost))
    with pytest.raises(BudgetExceeded, match="OpenDP states a loss of"):
        SystemNoise().partition(np.zeros(3, np.int64), runs, np.zeros(4, np.int64), mechanism, 1)


def test_shifts() -> None:
    """What a row moves: nothing of a single cell, half of two, all of more; and as much of another run."""
    mechanism = LeastPartition(DEVIATION_OF_RUN, Fraction(1, 2))
    assert [mechanism.shift(length, 1) for length in (1, 2, 3, 100)] == [2, 3, 4, 4]
    assert [mechanism.shift(length, 5) for length in (1, 2, 3, 100)] == [10, 15, 20, 20]
    assert mechanism.scale(1) == pytest.approx(8)


def test_a_partition_is_asked_of_one_block_once() -> None:
    def account() -> Account:
        cells = MemoryBlockData.of(Tensor.from_arrays((4,), [[0]], [3]))
        return Account(cells, shape=(4,), epsilon=Fraction(1), noise=SeededNoise(1))

    runs, mechanism = Runs.along((4,), "auto"), LeastPartition(DEVIATION_OF_RUN, Fraction(1, 4))
    one = account()
    term = one.charge_query("partition", mechanism, one.root)
    term.choose_partition(runs, runs.buckets)
    with pytest.raises(BudgetExceeded, match="already made"):
        term.choose_partition(runs, runs.buckets)
    two = account()
    halves = two.root.split(np.array([0]), np.array([2]))
    with pytest.raises(PrivacyError, match="of one block"):
        two.charge_query("partition", mechanism, halves).choose_partition(runs, runs.buckets)
    with pytest.raises(PrivacyError, match="cannot be drawn this way"):
        account_3 = account()
        account_3.charge_query("partition", mechanism, account_3.root).measure()
