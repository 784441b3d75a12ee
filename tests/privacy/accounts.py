"""Accounts and partitions for tests of accounting."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.noise import Noise
from ripost.privacy.partition import Partition
from ripost.privacy.paths import Watch
from ripost.privacy.seeded_noise import SeededNoise

SHAPE = (6, 5)


def open_account(
    epsilon: Fraction = Fraction(1),
    *,
    seed: int = 3,
    bound: int = 1,
    watch: Watch | None = None,
    currency: Currency = Currency.EPSILON,
) -> Account:
    counts = np.random.default_rng(1).poisson(1.5, SHAPE)
    tensor = Tensor.from_arrays(SHAPE, np.argwhere(counts >= 0), counts.ravel())
    noise: Noise = SeededNoise(seed)
    given = {"bound": bound, "watch": watch, "currency": currency}
    return Account(MemoryBlockData.of(tensor), shape=SHAPE, epsilon=epsilon, noise=noise, **given)


def halve(partition: Partition, axis: int = 0) -> Partition:
    """The partition after one cut in the middle of each block."""
    middle = (partition.blocks.lower[:, axis] + partition.blocks.upper[:, axis]) // 2
    return partition.split(np.full(len(middle), axis), middle)


def unspent_of(partition: Partition) -> list[Fraction]:
    """What each block's path has left."""
    amounts, which = partition.unspent
    return [amounts[number] for number in which.tolist()]
