"""A test of draws against a distribution, whose false-alarm rate is a bound and not an approximation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE = 1e-6


def agrees(counts: NDArray[np.int64], probabilities: NDArray[np.float64]) -> bool:
    """Whether counts of outcomes fit their probabilities; wrongly False once in a million tests.

    By Chernoff's bound a share s of n draws lies on one side of its probability p, as far out or farther, with
    probability at most exp(-n KL(s, p)). There are two sides to each outcome, so 2 x outcomes chances to be wrong.
    """
    draws = counts.sum()
    share = counts / draws
    surprise = draws * (_relative(share, probabilities) + _relative(1 - share, 1 - probabilities))
    return bool(surprise.max() <= np.log(2 * len(counts) / RATE))


def _relative(share: NDArray[np.float64], probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """share log(share / probability), 0 for no share."""
    surprise, some = np.zeros(len(share)), share > 0
    with np.errstate(divide="ignore"):
        surprise[some] = share[some] * (np.log(share[some]) - np.log(probability[some]))
    return surprise


def count_outcomes(values: NDArray[np.int64], outcomes: int) -> NDArray[np.int64]:
    """How often each of 0, 1, 2, … came, the last for all that is larger, the first for all that is less."""
    return np.bincount(np.clip(values, 0, outcomes - 1), minlength=outcomes)
