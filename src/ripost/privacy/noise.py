"""Noise for releases: every draw is an OpenDP measurement fed by the operating system's entropy."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from hashlib import shake_256
from itertools import count
from typing import Any, Protocol
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints, Mask
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.budget import scale_for
from ripost.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace, LeastPartition, Mechanism, PermuteAndFlip
from ripost.space.runs import Runs

AT_ONCE = 16  # proposals drawn together for few blocks: a call costs as much as so many
RATE_BITS = 16  # of the probability with which a record is sampled
MANY_RECORDS = 16  # of a cell, on average: then tossing coins for cells is cheaper than for records
MANY = 2**17  # cells that one processor thins sooner than several
AT_A_TIME = 2**22  # records
FEW_CANDIDATES = 32  # of a block, on average: a call of OpenDP for each block costs as much as so many coins
FEW = 2048  # values that one processor serves sooner than several
AHEAD = 512  # values drawn ahead at a time: who needs them may have to wait for so many
LARGE = 2**61  # values up to which noise that was drawn ahead can be added without overflow
PROPOSALS = 12  # rounds of many blocks at once before the rest are drawn one by one


class Noise(Protocol):
    """Where randomness comes from. Values and scores are whole numbers; `start` bounds each block's scores."""

    entropy: str

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints: ...

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        """About so many values will need this noise: it may be drawn from now on, beside other work."""
        ...

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints: ...

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask: ...

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints: ...

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        """Runs of the cheapest cover, by number; only which they are may be told. Prices are of pieces."""
        ...

    def sample(self, number: int, share: float) -> Mask:
        """Public coin flips, independent of the data."""
        ...

    def uniforms(self, number: int) -> Floats:
        """Public random numbers from 0 to below 1, independent of the data."""
        ...

    def below(self, bounds: Ints) -> Ints:
        """Public whole numbers from 0 up to each bound, all alike likely, independent of the data."""
        ...

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        """How many of so many records are in a part that takes each with this probability, k / 2^16. Secret."""
        ...


class SystemNoise:
    """OpenDP's samplers."""

    entropy = "operating system"

    def __init__(self) -> None:
        self._ahead: dict[float, NoisePrefetcher] = {}  # by scale

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        scale = mechanism.scale(bound)
        return _noisy(values, _laplace(scale), mechanism, bound, self._ahead.pop(scale, None))

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        scale = mechanism.scale(bound)
        if number >= 2 * FEW and scale not in self._ahead:
            self._ahead[scale] = NoisePrefetcher(_laplace(scale), number)

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        return _noisy(values, gaussian_of(mechanism.scale(bound)), mechanism, bound)

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        return self.laplace(values, mechanism, bound) <= threshold

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        scale, sensitivity = mechanism.scale(bound), mechanism.statistic.sensitivity(bound)
        picks = np.zeros(len(start) - 1, np.int64)
        waiting = np.arange(len(picks))
        if isinstance(mechanism, Exponential):
            _confirm(_laplace(scale).map(2 * sensitivity), mechanism.cost)
            waiting = self._propose(scores, start, scale, picks)
        else:
            _confirm(_noisy_max(scale, PermuteAndFlip).map(sensitivity), mechanism.cost)
            if 0 < len(scores) <= FEW_CANDIDATES * len(picks):
                return _flipped(scores, start, scale)
        kind = Exponential if isinstance(mechanism, Exponential) else PermuteAndFlip
        for block in waiting.tolist():
            picks[block] = _noisy_max(scale, kind)(scores[start[block] : start[block + 1]])
        return picks

    def _propose(self, scores: Ints, start: Ints, scale: float, picks: Ints) -> Ints:
        """Fill in the exponential mechanism's picks for many blocks at once; the blocks left over.

        A candidate proposed at random and kept with probability exp((score - best) / scale) is a draw of the
        exponential mechanism, and so is whatever is drawn anew after a refusal (proofs/exponential.md). A best
        candidate is always kept, so it needs no coin. One call serves all blocks; those refused too often are cheaper
        to draw one by one.
        """
        waiting = np.arange(len(picks))
        if not len(waiting):
            return waiting
        gap = np.repeat(np.maximum.reduceat(scores, start[:-1]), np.diff(start)) - scores
        for _ in range(PROPOSALS):
            tries = max(1, AT_ONCE // len(waiting))
            block = np.repeat(waiting, tries)
            proposal = _below(np.diff(start)[block])
            distance = gap[start[block] + proposal]
            kept = distance == 0
            kept[~kept] = _geometric(_laplace(scale), (~kept).sum()) >= distance[~kept]
            kept, proposal = kept.reshape(-1, tries), proposal.reshape(-1, tries)
            done = kept.any(axis=1)
            picks[waiting[done]] = proposal[done, kept.argmax(axis=1)[done]]  # the first that was kept
            waiting = waiting[~done]
            if not len(waiting):
                break
        return waiting

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        noisy, class_of = runs.pieces(costs) + price, np.minimum(runs.longest, 3)
        for length in (1, 2, 3):  # longer runs are as runs of three
            shift, alike = mechanism.shift(length, bound), class_of == length
            draw = _laplace(scale_for(shift, mechanism.cost))
            _confirm(draw.map(shift), mechanism.cost)
            noisy[alike] -= _geometric(draw, alike.sum())
        return runs.cheapest(noisy)[1]

    def sample(self, number: int, share: float) -> Mask:
        bits = np.frombuffer(secrets.token_bytes(8 * number), np.uint64) >> np.uint64(11)
        return bits < share * 2.0**53

    def uniforms(self, number: int) -> Floats:
        bits = np.frombuffer(secrets.token_bytes(8 * number), np.uint64) >> np.uint64(11)
        drawn: Floats = bits.astype(np.float64) * 2.0**-53
        return drawn

    def below(self, bounds: Ints) -> Ints:
        return _below(bounds)

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        return _thinned(counts, rate)


@dataclass(frozen=True, slots=True)
class RowSampler:
    """Draws, for cells, how many of their records are in a part that takes each with this probability. Secret."""

    noise: Noise
    rate: Fraction

    def __call__(self, counts: Ints) -> Ints:
        return self.noise.subsample(counts, self.rate)

    def with_key(self) -> KeyedSampler | None:
        """The same for cells that lie elsewhere, in many places; None if this noise is drawn in one place only."""
        return KeyedSampler(self.rate, secrets.token_bytes(32)) if isinstance(self.noise, SystemNoise) else None


@dataclass(frozen=True, slots=True)
class KeyedSampler:
    """KeyedSampler that follow from a key, drawn once, and a place: whoever tosses them again sees them fall alike."""

    rate: Fraction
    key: bytes = field(repr=False)

    def __call__(self, counts: Ints, place: str) -> Ints:
        """As RowSampler; cells that share a place must be thinned in one call."""
        number = count()

        def tossed(size: int) -> bytes:
            return shake_256(self.key + f"{place}/{next(number)}".encode()).digest(size)

        return _thinned(counts, self.rate, tossed)


def _thinned(counts: Ints, rate: Fraction, tossed: Callable[[int], bytes] | None = None) -> Ints:
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
    return _in_stretches(lambda some: _below_limit(some, below, secrets.token_bytes), counts, MANY)


def _flipped(scores: Ints, start: Ints, scale: float) -> Ints:
    """Permute and flip for many blocks at once (proofs/permute_and_flip.md).

    It looks at candidates in random order and takes the first that is kept, each being kept with probability
    exp((score - best) / scale). Whether one is kept does not depend on the order, so that is any of those kept, all
    alike likely. A best candidate always is.
    """
    gap = np.repeat(np.maximum.reduceat(scores, start[:-1]), np.diff(start)) - scores
    kept = gap == 0
    kept[~kept] = _geometric(_laplace(scale), (~kept).sum()) >= gap[~kept]
    before = np.concatenate([[0], np.cumsum(kept)])[start]
    taken: Ints = np.flatnonzero(kept)[before[:-1] + _below(np.diff(before))] - start[:-1]
    return taken


def _noisy(values: Ints, draw: Any, mechanism: Mechanism, bound: int, ahead: NoisePrefetcher | None = None) -> Ints:
    """The values with noise of this OpenDP measurement, if it agrees with what was paid."""
    if len(values) == 0:
        return values
    _confirm(draw.map(mechanism.statistic.sensitivity(bound)), mechanism.cost)
    return _added(draw, values) if ahead is None else ahead.added(draw, values)


class NoisePrefetcher:
    """Noise of an OpenDP measurement, drawn beside other work before the values that it is for are known.

    Whatever was begun is waited for and used, in order. To leave out what takes long would favour small noise, which
    takes less (proofs/laplace.md).
    """

    def __init__(self, draw: Any, number: int) -> None:
        self._pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1))
        zeros = np.zeros(AHEAD, np.int64)
        self._stretches = [self._pool.submit(_added, draw, zeros) for _ in range(number // AHEAD)]
        finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)  # if nobody ever needs it

    def added(self, draw: Any, values: Ints) -> Ints:
        """The values with what was drawn so far, and with noise drawn now where that is not enough."""
        self._pool.shutdown(cancel_futures=True)
        if values.min() < -LARGE or values.max() > LARGE:
            return _added(draw, values)
        drawn = [stretch.result() for stretch in self._stretches if not stretch.cancelled()]
        noise: Ints = np.concatenate([np.zeros(0, np.int64), *drawn])[: len(values)]
        some, others = values[: len(noise)], values[len(noise) :]
        near = (some + noise.clip(-2 * LARGE, 2 * LARGE)).clip(-LARGE, LARGE)
        return np.concatenate([near, _added(draw, others)])


def _added(draw: Any, values: Ints) -> Ints:
    """The values with noise of this OpenDP measurement, long vectors on all processors at once.

    Each value gets noise of its own, whatever the others are: stretches are noised as the whole would be.
    """
    return _in_stretches(lambda some: np.array(draw(some), np.int64), values, FEW)


def _in_stretches(draw: Callable[[Ints], Ints], values: Ints, size: int) -> Ints:
    """What is drawn for each value, in stretches of about this size on all processors at once if there are several.

    They are so short that Ctrl-C need not wait: the ones that were not begun are dropped.
    """
    if len(values) < 2 * size:
        return draw(values)
    stretches = np.array_split(values, len(values) // size)
    pool = ThreadPoolExecutor(min(os.cpu_count() or 1, len(stretches)))  # OpenDP and NumPy leave the interpreter's lock
    try:
        return np.concatenate(list(pool.map(draw, stretches)))
    finally:
        pool.shutdown(cancel_futures=True)


def _geometric(draw: Any, number: int) -> Ints:
    """So many whole numbers, each at least g with probability exp(-g / scale).

    They are OpenDP's discrete Laplace noise k, folded by k or -k - 1.
    """
    noise = _added(draw, np.zeros(number, np.int64))
    return np.where(noise < 0, -noise - 1, noise)


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


def _below(bound: Ints) -> Ints:
    """A whole number from 0 up to each bound, all alike likely."""
    n = bound.astype(np.uint64)
    drawn = np.zeros(len(n), np.uint64)
    waiting = np.arange(len(n))
    while len(waiting):
        bits = np.frombuffer(secrets.token_bytes(8 * len(waiting)), np.uint64)
        odd = (~n[waiting] + np.uint64(1)) % n[waiting]  # 2^64 mod n: so many values would favour the small
        drawn[waiting] = bits % n[waiting]
        waiting = waiting[bits < odd]
    return drawn.astype(np.int64)


def _confirm(loss: float, cost: Fraction) -> None:
    """OpenDP's own proof of the loss must agree with what was paid."""
    if not Fraction(loss) <= cost:
        raise BudgetExceeded(f"OpenDP states a loss of {loss!r} for a draw that paid {float(cost)!r}")


@lru_cache(maxsize=256)
def _laplace(scale: float) -> Any:
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=256)
def gaussian_of(scale: float, *, approximate: bool = False) -> Any:
    """OpenDP's Gaussian measurement, which states rho; or the same that states a profile of epsilon and delta."""
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
    draw = dp.m.make_gaussian(*space, scale=scale)
    return dp.c.make_zCDP_to_approxDP(draw) if approximate else draw


@lru_cache(maxsize=256)
def _noisy_max(scale: float, kind: type[Choice]) -> Any:
    """Permute and flip, or the exponential mechanism, of one scale.

    OpenDP states the second one's loss as zero-concentrated only; its pure loss is 2 Delta / scale
    (proofs/exponential.md), which is what OpenDP states for Laplace noise of that scale and twice the distance.
    """
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    measure = {PermuteAndFlip: dp.max_divergence, Exponential: dp.zero_concentrated_divergence}[kind]()
    return dp.m.make_noisy_max(*space, measure, scale=scale)


@lru_cache(maxsize=1)
def _opendp() -> Any:
    """OpenDP, imported when the first noise is drawn: it takes as long as everything else together."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp
