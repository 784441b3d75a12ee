"""Noise for releases: every draw is an OpenDP measurement fed by the operating system's entropy."""

from __future__ import annotations

import secrets
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ripost.errors import BudgetExceeded
from ripost.privacy.mechanisms import Choice, Exponential, Laplace, PermuteAndFlip

Ints = NDArray[np.int64]


class Noise(Protocol):
    """Where randomness comes from. Values and scores are whole numbers; `start` bounds each block's scores."""

    entropy: str

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints: ...

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> NDArray[np.bool_]: ...

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints: ...

    def sample(self, number: int, share: float) -> NDArray[np.bool_]:
        """Public coin flips, independent of the data."""
        ...


class SystemNoise:
    """OpenDP's samplers."""

    entropy = "operating system"

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        if len(values) == 0:
            return values
        draw = _laplace(mechanism.scale(bound))
        _confirm(draw.map(mechanism.statistic.sensitivity(bound)), mechanism.cost)
        return np.array(draw(values.tolist()), np.int64)

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> NDArray[np.bool_]:
        return self.laplace(values, mechanism, bound) <= threshold

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        flip, gumbel = _noisy_max(mechanism.scale(bound))
        _confirm(flip.map(mechanism.statistic.sensitivity(bound)), mechanism.cost)
        draw = {PermuteAndFlip: flip, Exponential: gumbel}[type(mechanism)]
        listed = scores.tolist()
        bounds = start.tolist()
        picks = [draw(listed[a:b]) for a, b in zip(bounds, bounds[1:], strict=False)]
        return np.array(picks, np.int64)

    def sample(self, number: int, share: float) -> NDArray[np.bool_]:
        bits = np.frombuffer(secrets.token_bytes(8 * number), np.uint64) >> np.uint64(11)
        return bits < share * 2.0**53


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
def _noisy_max(scale: float) -> tuple[Any, Any]:
    """Permute and flip, and the exponential mechanism, of one scale.

    OpenDP states the second one's loss as zero-concentrated only; its pure loss is 2 Delta / scale, the same as
    that of the first (proofs/exponential.md), so the first one's map is the check for both.
    """
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    return (
        dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale),
        dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale),
    )


@lru_cache(maxsize=1)
def _opendp() -> Any:
    """OpenDP, imported when the first noise is drawn: it takes as long as everything else together."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp
