"""Samples folded to few values, for tests of distributions."""

from __future__ import annotations

import numpy as np


def fold_tails(logs: np.ndarray) -> np.ndarray:
    """Probabilities with the two tails beyond put on the ends."""
    probabilities = np.exp(logs)
    probabilities[[0, -1]] += (1 - probabilities.sum()) / 2
    return probabilities
