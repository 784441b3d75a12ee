"""Recount: epsilon of a sequence of Gaussian draws, computed without dp-accounting, for readers of a release file.

The bounds are those of gaussian_accounting.py (proofs/composed.md): Renyi divergences of whole orders if rows are
sampled, or of any order without the gain of sampling, added up and converted to epsilon at delta. Each order is sound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ripost.privacy.gaussian_accounting import ANY_ORDERS, WHOLE_ORDERS, DpEvent


def recompute_epsilon(events: Sequence[DpEvent], delta: Fraction) -> float:
    """An epsilon for which the events together are (epsilon, delta)-differentially private."""
    sampled = () if any(event.is_faint for event in events) else WHOLE_ORDERS
    bounds = [
        _epsilon(order, sum(_sampled_divergence(event, order) for event in events), float(delta)) for order in sampled
    ]
    bounds += [
        _epsilon(order, sum(_gaussian_divergence(event, order) for event in events), float(delta))
        for order in ANY_ORDERS
    ]
    return min(bounds)


def _gaussian_divergence(event: DpEvent, order: float) -> float:
    return event.times * order * float(event.rho)


def _sampled_divergence(event: DpEvent, order: int) -> float:
    """Renyi divergence of Gaussian noise on a Poisson sample (Mironov, Talwar and Zhang 2019, Section 3.3)."""
    if event.rate == 1:
        return _gaussian_divergence(event, order)
    rate, picked = float(event.rate), np.arange(order + 1)
    ways = np.array([math.lgamma(order + 1) - math.lgamma(i + 1) - math.lgamma(order - i + 1) for i in picked.tolist()])
    terms = ways + picked * math.log(rate) + (order - picked) * math.log1p(-rate)
    terms += picked * (picked - 1) * float(event.rho)  # 1 / (2 multiplier^2) is rho
    most = float(terms.max())
    return event.times * (most + math.log(float(np.exp(terms - most).sum()))) / (order - 1)


def _epsilon(order: float, divergence: float, delta: float) -> float:
    """Canonne, Kamath and Steinke 2020, Proposition 12; 0 if the divergence alone stays below delta."""
    if delta**2 + math.expm1(-divergence) > 0:
        return 0.0
    return max(0.0, divergence + math.log1p(-1 / order) - math.log(delta * order) / (order - 1))
