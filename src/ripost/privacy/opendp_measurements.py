"""OpenDP measurements: every draw of a release is one of these."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=256)
def laplace_measurement(scale: float) -> Any:
    """Return OpenDP's discrete Laplace measurement, which states epsilon."""
    dp = import_opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=256)
def gaussian_measurement(scale: float, *, approximate: bool = False) -> Any:
    """Return OpenDP's discrete Gaussian measurement, which states rho, or a profile of epsilon and delta."""
    dp = import_opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
    draw = dp.m.make_gaussian(*space, scale=scale)
    return dp.c.make_zCDP_to_approxDP(draw) if approximate else draw


@lru_cache(maxsize=256)
def noisy_max_measurement(scale: float, *, is_exponential: bool) -> Any:
    """Return permute and flip, or the exponential mechanism.

    OpenDP states the loss of the exponential mechanism in zCDP only. Its pure loss is 2 Delta / scale
    (proofs/exponential.md), which OpenDP states for Laplace noise of that scale and twice the distance.
    """
    dp = import_opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    measure = dp.zero_concentrated_divergence() if is_exponential else dp.max_divergence()
    return dp.m.make_noisy_max(*space, measure, scale=scale)


@lru_cache(maxsize=1)
def import_opendp() -> Any:
    """Import OpenDP when noise is first drawn: the import takes as long as all others together."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp
