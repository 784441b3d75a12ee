"""Noise for releases: every draw is an OpenDP measurement fed by the operating system's entropy."""

from __future__ import annotations

import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, Protocol
from weakref import finalize

import numpy as np

from ripost.arrays import Floats, Ints, Mask
from ripost.errors import BudgetExceeded
from ripost.privacy.budget import scale_for
from ripost.privacy.chunked import map_chunks
from ripost.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace, LeastPartition, Mechanism
from ripost.privacy.opendp_measurements import gaussian_measurement, laplace_measurement, noisy_max_measurement
from ripost.privacy.subsampling import subsample_counts
from ripost.space.runs import Runs

AT_ONCE = 16  # proposals drawn together for few blocks: a call takes as long as drawing this many
FEW_CANDIDATES = 32  # of a block, on average: a call of OpenDP takes as long as this many coin flips
FEW = 2048  # values for which one processor is faster than several
AHEAD = 512  # values prefetched at a time; a draw may have to wait for this many
LARGE = 2**61  # values up to which prefetched noise can be added without overflow
PROPOSALS = 12  # rounds for many blocks at once before the rest are drawn one by one


class Noise(Protocol):
    """A source of randomness. Values and scores are whole numbers; `start` bounds each block's scores."""

    entropy: str

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints: ...

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        """Announce that about this many values will need this noise. It may be drawn in the background from now on."""
        ...

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints: ...

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask: ...

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints: ...

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        """The runs of the cheapest cover, by number; only these numbers may be released. Prices are of pieces."""
        ...

    def sample(self, number: int, share: float) -> Mask:
        """Public coin flips, independent of the data."""
        ...

    def uniforms(self, number: int) -> Floats:
        """Public random numbers from 0 to below 1, independent of the data."""
        ...

    def below(self, bounds: Ints) -> Ints:
        """Public whole numbers, uniform from 0 to below each bound, independent of the data."""
        ...

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        """How many of each count of rows are in a secret sample with this rate, k / 2^16."""
        ...


class SystemNoise:
    """OpenDP's samplers."""

    entropy = "operating system"

    def __init__(self) -> None:
        self._ahead: dict[float, NoisePrefetcher] = {}  # by scale

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        scale = mechanism.scale(bound)
        return _noisy(values, laplace_measurement(scale), mechanism, bound, self._ahead.pop(scale, None))

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        scale = mechanism.scale(bound)
        if number >= 2 * FEW and scale not in self._ahead:
            self._ahead[scale] = NoisePrefetcher(laplace_measurement(scale), number)

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        return _noisy(values, gaussian_measurement(mechanism.scale(bound)), mechanism, bound)

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        return self.laplace(values, mechanism, bound) <= threshold

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        scale, sensitivity = mechanism.scale(bound), mechanism.statistic.sensitivity(bound)
        picks = np.zeros(len(start) - 1, np.int64)
        waiting = np.arange(len(picks))
        if isinstance(mechanism, Exponential):
            _confirm(laplace_measurement(scale).map(2 * sensitivity), mechanism.cost)
            waiting = self._propose(scores, start, scale, picks)
        else:
            _confirm(noisy_max_measurement(scale, is_exponential=False).map(sensitivity), mechanism.cost)
            if 0 < len(scores) <= FEW_CANDIDATES * len(picks):
                return _permute_and_flip(scores, start, scale)
        draw = noisy_max_measurement(scale, is_exponential=isinstance(mechanism, Exponential))
        for block in waiting.tolist():
            picks[block] = draw(scores[start[block] : start[block + 1]])
        return picks

    def _propose(self, scores: Ints, start: Ints, scale: float, picks: Ints) -> Ints:
        """Fill in the picks of the exponential mechanism for many blocks at once; return the blocks left over.

        A candidate that is proposed at random and kept with probability exp((score - best) / scale) is a draw of the
        exponential mechanism, also after refusals (proofs/exponential.md). A best candidate is always kept, so it needs
        no coin flip. One call serves all blocks. Blocks with many refusals are faster to draw one by one.
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
            kept[~kept] = _geometric(laplace_measurement(scale), (~kept).sum()) >= distance[~kept]
            kept, proposal = kept.reshape(-1, tries), proposal.reshape(-1, tries)
            done = kept.any(axis=1)
            picks[waiting[done]] = proposal[done, kept.argmax(axis=1)[done]]  # the first that was kept
            waiting = waiting[~done]
            if not len(waiting):
                break
        return waiting

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        noisy, class_of = runs.pieces(costs) + price, np.minimum(runs.longest, 3)
        for length in (1, 2, 3):  # longer runs get the scale of runs of three
            shift, alike = mechanism.shift(length, bound), class_of == length
            draw = laplace_measurement(scale_for(shift, mechanism.cost))
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
        return subsample_counts(counts, rate)


def _permute_and_flip(scores: Ints, start: Ints, scale: float) -> Ints:
    """Permute and flip for many blocks at once (proofs/permute_and_flip.md).

    It visits candidates in random order and takes the first that is kept. Each is kept with probability
    exp((score - best) / scale), a best candidate always. Whether one is kept does not depend on the order, so the pick
    is uniform among those kept.
    """
    gap = np.repeat(np.maximum.reduceat(scores, start[:-1]), np.diff(start)) - scores
    kept = gap == 0
    kept[~kept] = _geometric(laplace_measurement(scale), (~kept).sum()) >= gap[~kept]
    before = np.concatenate([[0], np.cumsum(kept)])[start]
    taken: Ints = np.flatnonzero(kept)[before[:-1] + _below(np.diff(before))] - start[:-1]
    return taken


def _noisy(values: Ints, draw: Any, mechanism: Mechanism, bound: int, ahead: NoisePrefetcher | None = None) -> Ints:
    """The values with noise of this OpenDP measurement, if its stated loss agrees with the charge."""
    if len(values) == 0:
        return values
    _confirm(draw.map(mechanism.statistic.sensitivity(bound)), mechanism.cost)
    return _add_noise(draw, values) if ahead is None else ahead.add_noise(draw, values)


class NoisePrefetcher:
    """Noise of an OpenDP measurement, drawn in the background before its values are known.

    All chunks that have begun are awaited and used, in order. Dropping slow ones would favor small noise, which is
    faster to draw (proofs/laplace.md).
    """

    def __init__(self, draw: Any, number: int) -> None:
        self._pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1))
        zeros = np.zeros(AHEAD, np.int64)
        self._chunks = [self._pool.submit(_add_noise, draw, zeros) for _ in range(number // AHEAD)]
        finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)  # if it is never used

    def add_noise(self, draw: Any, values: Ints) -> Ints:
        """The values with the prefetched noise, and with noise drawn now for the rest."""
        self._pool.shutdown(cancel_futures=True)
        if values.min() < -LARGE or values.max() > LARGE:
            return _add_noise(draw, values)
        drawn = [chunk.result() for chunk in self._chunks if not chunk.cancelled()]
        noise: Ints = np.concatenate([np.zeros(0, np.int64), *drawn])[: len(values)]
        some, others = values[: len(noise)], values[len(noise) :]
        near = (some + noise.clip(-2 * LARGE, 2 * LARGE)).clip(-LARGE, LARGE)
        return np.concatenate([near, _add_noise(draw, others)])


def _add_noise(draw: Any, values: Ints) -> Ints:
    """The values with noise of this OpenDP measurement; long vectors are split among all processors.

    Each value gets independent noise, so chunks have the same distribution as the whole vector.
    """
    return map_chunks(lambda some: np.array(draw(some), np.int64), values, FEW)


def _geometric(draw: Any, number: int) -> Ints:
    """This many whole numbers, each at least g with probability exp(-g / scale).

    They are OpenDP's discrete Laplace noise k, folded by k or -k - 1.
    """
    noise = _add_noise(draw, np.zeros(number, np.int64))
    return np.where(noise < 0, -noise - 1, noise)


def _below(bound: Ints) -> Ints:
    """A whole number for each bound, uniform from 0 to below it."""
    n = bound.astype(np.uint64)
    drawn = np.zeros(len(n), np.uint64)
    waiting = np.arange(len(n))
    while len(waiting):
        bits = np.frombuffer(secrets.token_bytes(8 * len(waiting)), np.uint64)
        odd = (~n[waiting] + np.uint64(1)) % n[waiting]  # 2^64 mod n values are refused: they would favor small numbers
        drawn[waiting] = bits % n[waiting]
        waiting = waiting[bits < odd]
    return drawn.astype(np.int64)


def _confirm(loss: float, cost: Fraction) -> None:
    """BudgetExceeded unless the loss that OpenDP states is at most the charge."""
    if not Fraction(loss) <= cost:
        raise BudgetExceeded(f"OpenDP states a loss of {loss!r} for a draw that paid {float(cost)!r}")
