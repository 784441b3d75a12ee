"""P-identity: a strategy for one axis under which the ranges of a workload have little noise.

McKenna, Miklau, Hay, Machanavajjhala 2018, section 5.2: every single code and p weighted sums of codes, each column
scaled to sum 1. With S = diag(1 + column sums of Theta) the strategy is A = [I; Theta] S^-1 and, for a workload with
the Gram matrix W, the total variance per unit of noise is tr((A'A)^-1 W) = tr((I + Theta'Theta)^-1 S W S).
"""

from __future__ import annotations

import math

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.lbfgs import minimize

PER_EXTRA = 16  # codes for each weighted sum
MOST = 32  # weighted sums of an axis; the search for more takes long
GOLDEN = (math.sqrt(5) - 1) / 2
FAINT = 1e-3  # smaller weights are dropped
HEAVY = 100.0  # largest weight of the sums relative to a single code, which rounding would otherwise hide
WORTH = 1e-6  # gain over the codes alone that makes weighted sums worth their rounding


def extras(size: int) -> int:
    """The default number of weighted sums of an axis: one per 16 codes, as published, up to MOST."""
    return min(-(-size // PER_EXTRA), MOST) if size > 1 else 0


def error(theta: Floats, gram: Floats) -> tuple[float, Floats]:
    """Total variance of the workload under p-identity, and its gradient by Theta."""
    scale = 1 + theta.sum(axis=0)
    half = np.linalg.solve(np.eye(len(theta)) + theta @ theta.T, theta)  # Theta (I + Theta'Theta)^-1
    seen = ((half * scale) @ gram) * scale
    cross = seen @ theta.T
    diagonal = np.diagonal(gram)
    value = float(diagonal @ scale**2) - float(np.trace(cross))
    by_scale = 2 * (diagonal * scale - (theta * seen).sum(axis=0) / scale)
    return value, by_scale - 2 * (seen - cross @ half)


def strategy(theta: Floats) -> Floats:
    """The matrix A (n + p, n) of Theta; every column sums to 1."""
    stacked = np.vstack([np.eye(theta.shape[1]), theta])
    matrix: Floats = stacked / stacked.sum(axis=0)
    return matrix


def variances(theta: Floats, gram: Floats) -> tuple[float, float]:
    """Variance of a workload and of the whole axis."""
    return error(theta, gram)[0], error(theta, np.ones_like(gram))[0]


def best(gram: Floats, p: int, *, restarts: int, steps: int, near: Floats | None = None) -> Floats:
    """The best Theta found from `near`, or from a few public starting points; (0, n) if none beats the codes alone."""
    size = len(gram)
    found, least = np.zeros((0, size)), float(np.trace(gram))
    starts = [start(p, size, number) for number in range(restarts)] if near is None else [near]
    for point in starts if p else []:
        value, theta = minimize(lambda theta: error(theta, gram), point, steps=steps)
        if value < least * (1 - WORTH):
            found, least = theta, value
    found = found * (found > FAINT) * np.minimum(1, HEAVY / np.maximum(found.sum(axis=0), 1))
    kept: Floats = found[found.any(axis=1)]
    return kept


def start(p: int, size: int, number: int) -> Floats:
    """The starting point of a restart: bins of equal width first, then fixed irregular patterns."""
    if number == 0:
        bin_numbers = np.arange(size) * p // size
        inside: Floats = 0.05 + 0.5 * (bin_numbers == np.arange(p)[:, None])
        return inside
    place = np.arange(1, p * size + 1, dtype=np.float64) + 7919 * number
    pattern: Floats = (place * place * GOLDEN) % 1.0
    return pattern.reshape(p, size)
