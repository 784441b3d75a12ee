"""Tables at random for estimates of marginals."""

from __future__ import annotations

import numpy as np

from ripost.estimate.marginal import NoisyHistogram


def edges(size: int, width: int) -> np.ndarray:
    return np.append(np.arange(0, size, width), size)


def tables(truth: np.ndarray, widths: list[int], variance: float, rng: np.random.Generator) -> list[NoisyHistogram]:
    found = []
    for width in widths:
        cuts = edges(len(truth), width)
        exact = np.add.reduceat(truth, cuts[:-1])
        found.append(NoisyHistogram(cuts, exact + rng.laplace(0, np.sqrt(variance / 2), len(exact)), variance))
    return found
