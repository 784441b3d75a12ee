"""Secret samples of the rows: each row is in the sample with the same probability, independently."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import shake_256
from itertools import count
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Ints
from ripost.errors import PrivacyError
from ripost.privacy.chunked import map_chunks
from ripost.privacy.ledger import OPERATING_SYSTEM

RATE_BITS = 16  # of the probability with which a record is sampled
MANY_RECORDS = 16  # of a cell, on average: then tossing coins for cells is cheaper than for records
MANY = 2**17  # cells that one processor thins sooner than several
AT_A_TIME = 2**22  # records


class SampleSource(Protocol):
    """The noise that draws samples, in one place."""

    entropy: str

    def subsample(self, counts: Ints, rate: Fraction) -> Ints: ...


@dataclass(frozen=True, slots=True)
class RowSampler:
    """Draws, for cells, how many of their records are in a part that takes each with this probability. Secret."""

    noise: SampleSource
    rate: Fraction

    def __call__(self, counts: Ints) -> Ints:
        return self.noise.subsample(counts, self.rate)

    def with_key(self) -> KeyedSampler | None:
        """The same for cells that lie elsewhere, in many places; None if this noise is drawn in one place only."""
        return KeyedSampler(self.rate, secrets.token_bytes(32)) if self.noise.entropy == OPERATING_SYSTEM else None


@dataclass(frozen=True, slots=True)
class KeyedSampler:
    """A RowSampler whose coins follow from a key, drawn once, and a place: tossed again they fall alike."""

    rate: Fraction
    key: bytes = field(repr=False)

    def __call__(self, counts: Ints, place: str) -> Ints:
        """As RowSampler; cells that share a place must be thinned in one call."""
        number = count()

        def tossed(size: int) -> bytes:
            return shake_256(self.key + f"{place}/{next(number)}".encode()).digest(size)

        return subsample_counts(counts, self.rate, tossed)


def subsample_counts(counts: Ints, rate: Fraction, tossed: Callable[[int], bytes] | None = None) -> Ints:
    """A record is in the part if a fraction of 16 random bits is below the rate; its first bits often tell.

    Bits are those of the operating system unless they come from elsewhere, and then they are asked for in order.
    """
    limit = rate * 2**RATE_BITS
    if limit.denominator != 1 or not 0 <= rate <= 1:
        raise PrivacyError(f"a rate must be a multiple of 2^-{RATE_BITS} from 0 to 1, got {rate}")
    if rate == 1:
        return counts
    below = int(limit)
    while below <= 2 ** (RATE_BITS - 1) and counts.sum(dtype=np.float64) > MANY_RECORDS * len(counts):
        counts, below = _heads(counts, tossed or secrets.token_bytes), 2 * below  # those whose first bit is 0
    if below == 2**RATE_BITS:
        return counts
    if tossed is not None:
        return _below_limit(counts, below, tossed)
    return map_chunks(lambda some: _below_limit(some, below, secrets.token_bytes), counts, MANY)


def _heads(tosses: Ints, tossed: Callable[[int], bytes]) -> Ints:
    """Heads among so many tosses of a fair coin, of which there is at least one."""
    some = np.flatnonzero(tosses)
    size = (tosses[some] + 7) // 8
    end = np.cumsum(size)
    bits = np.frombuffer(tossed(int(end[-1])), np.uint8).copy()
    bits[end - 1] &= (0xFF >> (8 * size - tosses[some])).astype(np.uint8)
    heads = np.zeros_like(tosses)
    heads[some] = np.add.reduceat(np.bitwise_count(bits), end - size, dtype=np.int64)
    return heads


def _below_limit(counts: Ints, limit: int, tossed: Callable[[int], bytes]) -> Ints:
    """How many of so many records draw a number of 16 bits below the limit; 8 do if the others would not matter."""
    width = 1 if limit % 256 == 0 else 2
    limit //= 256 ** (2 - width)
    kept, end = np.zeros(len(counts), np.int64), np.cumsum(counts)
    records = int(counts.sum())
    for first in range(0, records, AT_A_TIME):
        drawn: NDArray[Any] = np.frombuffer(tossed(min(AT_A_TIME, records - first) * width), f"<u{width}")
        cell = np.searchsorted(end, np.flatnonzero(drawn < limit) + first, side="right")
        where, some = np.unique(cell, return_counts=True)
        kept[where] += some
    return kept
