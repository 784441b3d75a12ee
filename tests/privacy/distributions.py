"""The exact distributions of the mechanisms, as arrays of log probabilities."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def laplace(noise: Ints, scale: float) -> Floats:
    """Log probability of discrete Laplace noise: q^|k| (1 - q) / (1 + q) with q = exp(-1 / scale)."""
    q = np.exp(-1 / scale)
    return np.log1p(-q) - np.log1p(q) - np.abs(noise) / scale


def gaussian(noise: Ints, scale: float) -> Floats:
    """Log probability of discrete Gaussian noise: exp(-k^2 / (2 scale^2)), normalised over all whole numbers."""
    far = np.arange(1, int(40 * scale) + 3)
    total = 1 + 2 * np.exp(-((far / scale) ** 2) / 2).sum()
    return -((noise / scale) ** 2) / 2 - np.log(total)


def laplace_at_most(noise: Ints, scale: float) -> Floats:
    """Log probability of noise at most this: q^-k / (1 + q) below 0, and one less the other tail from 0."""
    of_one = np.log1p(np.exp(-1 / scale))
    tail = -np.where(noise < 0, -noise, noise + 1) / scale - of_one
    return np.where(noise < 0, tail, np.log1p(-np.exp(tail)))


def laplace_above(noise: Ints, scale: float) -> Floats:
    """Log probability of noise above this; the distribution is even."""
    return laplace_at_most(-noise - 1, scale)


def exponential(scores: Ints, scale: float) -> Floats:
    """Log probabilities of candidates, given along the first axis: exp(score / scale), normalised."""
    below = (scores - scores.max(axis=0)) / scale
    return below - np.log(np.exp(below).sum(axis=0))


def permute_and_flip(scores: Ints, scale: float) -> Floats:
    """The same for permute and flip, where candidates come at random times from 0 to 1 and the first that is kept wins.

    A candidate that comes at time t wins if it is kept and none that came before was: that is taken * integral of the
    product of 1 - t * taken over the others, a polynomial that so many points of Gauss integrate exactly.
    """
    taken = np.exp((scores - scores.max(axis=0)) / scale)
    at, weights = np.polynomial.legendre.leggauss(len(scores) // 2 + 1)
    at, weights = (at + 1) / 2, weights / 2
    passed = 1 - np.multiply.outer(at, taken)
    others = np.stack([np.delete(passed, one, axis=1).prod(axis=1) for one in range(len(scores))], axis=1)
    chosen: Floats = np.log(taken * np.tensordot(weights, others, axes=1))
    return chosen


def permute_and_flip_by_orders(scores: Ints, scale: float) -> Floats:
    """The same, by every order in which candidates may come: for few candidates."""
    taken = np.exp((scores - scores.max(axis=0)) / scale)
    chosen, orders = np.zeros_like(taken), list(itertools.permutations(range(len(scores))))
    for order in orders:
        waiting = np.ones_like(taken[0])
        for candidate in order:
            chosen[candidate] += waiting * taken[candidate]
            waiting = waiting * (1 - taken[candidate])
    return np.log(chosen / len(orders))
