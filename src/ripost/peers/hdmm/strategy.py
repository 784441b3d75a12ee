"""Strategy: the public union of products to measure, chosen for small errors on a workload.

McKenna, Miklau, Hay, Machanavajjhala 2018: one product of p-identities (OPT_x), one product for each group of questions
(OPT_+), or weighted marginals (OPT_M). All weights are whole numbers that add up to at most `grid` for every cell.
Estimates use the rounded matrices, so rounding costs optimality only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Floats, Ints, Mask
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.estimate.lbfgs import minimize
from ripost.peers.hdmm import p_identity
from ripost.peers.hdmm.workload_gram import WorkloadGram

MOST_SUBSETS = 2**10  # sets of axes among which weights are spread
WHOLE = 1 / 32  # least share of the product that measures all axes, so that every question has an answer
CYCLES = 4
SETTLED = 1e-2  # the search ends when a cycle gains less
COARSEST = 5  # least sum of the columns of an axis, below which weighted sums of codes are not worth rounding
LOW = (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32, 40)  # levels to try if no higher one fits
FAINT = 1e-9  # least share in a search, so that not all shares become 0
UNFAVORED = 1 / 64  # first share of a product, relative to the products that the search starts from
SPARE = 1e-9  # margin for the rounding of shares


@dataclass(frozen=True)
class Effort:
    """The effort of the search for a strategy."""

    restarts: int
    steps: int


@dataclass(frozen=True)
class Strategy:
    """Products that share one integer matrix per axis."""

    factors: tuple[Ints, ...]  # of each axis, (rows, size)
    measured: Mask  # (products, d): which axes a product measures; it adds up the others
    weight: Ints  # (products,)

    @cached_property
    def stack(self) -> KroneckerUnion:
        exact = [factor.astype(np.float64) for factor in self.factors]  # products of whole numbers below 2^53 stay so
        grams = tuple(factor.T @ factor for factor in exact)
        return KroneckerUnion(grams, self.measured, self.weight.astype(np.float64) ** 2)

    @property
    def rows(self) -> int:
        lengths = [len(factor) for factor in self.factors]
        return sum(math.prod(itertools.compress(lengths, measured)) for measured in self.measured)


def kronecker(asked: WorkloadGram, extras: Sequence[int], effort: Effort, grid: int) -> Strategy:
    """One product of p-identities (OPT_x): fit each axis to its own ranges, then to the errors of the other axes."""
    extras = [p if bounds else min(p, 1) for p, bounds in zip(extras, asked.used, strict=True)]
    thetas = [
        p_identity.best(share * gram + (1 - share), p, restarts=effort.restarts, steps=effort.steps)
        for gram, p, share in zip(asked.ranges, extras, asked.share @ asked.bounded, strict=True)
    ]
    if len(asked.share) > 1:
        _, thetas = descend(asked, thetas, extras, effort)
    return _round_weights(asked, thetas, np.ones((1, len(thetas)), bool), np.ones(1), grid)


def descend(
    asked: WorkloadGram, thetas: Sequence[Floats], extras: Sequence[int], effort: Effort
) -> tuple[float, list[Floats]]:
    """Fit the p-identity of one axis after the other to the workload, given the others; return them and their error."""
    thetas = list(thetas)
    known = [p_identity.variances(theta, gram) for theta, gram in zip(thetas, asked.ranges, strict=True)]
    ranged, whole = (np.array(part) for part in zip(*known, strict=True))
    error = asked.product_error(ranged, whole)
    for _ in range(CYCLES):
        last = error
        for axis, p in enumerate(extras):
            gram = _left_for(axis, asked, ranged, whole)
            near = thetas[axis] if len(thetas[axis]) else None
            thetas[axis] = p_identity.best(gram, p, restarts=effort.restarts, steps=effort.steps, near=near)
            ranged[axis], whole[axis] = p_identity.variances(thetas[axis], asked.ranges[axis])
        error = asked.product_error(ranged, whole)
        if error > last * (1 - SETTLED):
            break
    return error, thetas


def union(asked: WorkloadGram, extras: Sequence[int], effort: Effort, grid: int) -> Strategy | None:
    """One product for each group of questions, of the best p-identities for its ranges (OPT_+), and one of all axes."""
    axes = _many(asked)
    if 2 ** int(axes.sum()) > MOST_SUBSETS:
        return None
    thetas = [
        p_identity.best(gram, p if bounds else 0, restarts=effort.restarts, steps=effort.steps)
        for gram, p, bounds in zip(asked.ranges, extras, asked.used, strict=True)
    ]
    sets = np.unique(np.vstack([asked.bounded & axes, axes]), axis=0)
    return _optimize_weights(asked, thetas, sets, effort, grid)


def marginals(asked: WorkloadGram, effort: Effort, grid: int) -> Strategy | None:
    """Every marginal table with its best weight (OPT_M)."""
    axes = np.flatnonzero(_many(asked))
    if 2 ** len(axes) > MOST_SUBSETS:
        return None
    sets = np.zeros((2 ** len(axes), len(asked.ranges)), bool)
    sets[:, axes] = (np.arange(len(sets))[:, None] >> np.arange(len(axes))) & 1
    return _optimize_weights(asked, [np.zeros((0, len(gram))) for gram in asked.ranges], sets, effort, grid)


def _many(asked: WorkloadGram) -> Mask:
    """Axes with more than one code."""
    return np.array([len(gram) > 1 for gram in asked.ranges])


def _left_for(axis: int, asked: WorkloadGram, ranged: Floats, whole: Floats) -> Floats:
    """The workload of one axis, each group weighted by its variance on the other axes."""
    others = np.where(asked.bounded, ranged, whole)
    others[:, axis] = 1
    weight = asked.share * others.prod(axis=1)
    weight = weight / weight.sum()
    bounds = asked.bounded[:, axis]
    gram: Floats = weight[bounds].sum() * asked.ranges[axis] + weight[~bounds].sum()
    return gram


def _optimize_weights(asked: WorkloadGram, thetas: Sequence[Floats], sets: Mask, effort: Effort, grid: int) -> Strategy:
    """Products of these sets of axes with the best weights for the workload."""
    single = ~_many(asked)
    sets = sets | single  # an axis of one code is the same measured or summed out
    matrices = [p_identity.strategy(theta) for theta in thetas]
    share = best_shares(
        KroneckerUnion(tuple(a.T @ a for a in matrices), sets, np.ones(len(sets))), asked, steps=effort.steps
    )
    return _round_weights(asked, thetas, sets, share, grid)


def best_shares(stack: KroneckerUnion, asked: WorkloadGram, *, steps: int) -> Floats:
    """Share of the sensitivity for each product of a stack; the one of all axes gets at least WHOLE."""
    counts = asked.spectrum(stack).ravel()
    ones = np.eye(len(stack.weight))
    by_product = [KroneckerUnion(stack.grams, stack.measured, row).eigenvalues.ravel() for row in ones]
    table = np.stack(by_product, axis=1)[counts > 0]  # (T, products)
    counts = counts[counts > 0]
    everything = stack.measured.all(axis=1)

    def error(share: Floats) -> tuple[float, Floats]:
        own = share + WHOLE * share.sum() * everything
        values = table @ own**2
        value, by_value = float((counts / values).sum()), -counts / values**2
        by_own = 2 * own * (by_value @ table)
        by_share = by_own + WHOLE * by_own[everything].sum()
        total = float(own.sum())
        return total**2 * value, total**2 * by_share + 2 * total * value * (1 + WHOLE)

    least = math.inf
    for start in _starts(stack.measured, asked):
        value, found = minimize(error, start, steps=4 * steps, lower=FAINT)
        if value < least * (1 - p_identity.WORTH):
            least, share = value, found
    own = share + WHOLE * share.sum() * everything
    best: Floats = own / own.sum()
    return best


def _starts(measured: Mask, asked: WorkloadGram) -> Floats:
    """Starting points of the search, (starts, products): all products, those of the workload, those of few axes.

    The error has many local minima, and a share that falls to 0 stays there.
    """
    groups = (measured[:, None] == (asked.bounded | ~_many(asked))).all(axis=2).any(axis=1)
    axes = (measured & _many(asked)).sum(axis=1)
    favored = np.stack([np.ones(len(measured), bool), groups, *(axes == few for few in range(4))])
    favored = np.unique(favored | measured.all(axis=1), axis=0)
    start = np.where(favored, 1.0, UNFAVORED)
    shares: Floats = start / start.sum(axis=1, keepdims=True)
    return shares


def _round_weights(asked: WorkloadGram, thetas: Sequence[Floats], measured: Mask, share: Floats, grid: int) -> Strategy:
    """Round the products to whole numbers: the columns of an axis sum to its level, and all products fit into the grid.

    Several low levels are tried, because small integers may approximate the weights better than larger ones.
    """
    rooms = np.full(1, grid) if len(share) == 1 else np.floor(grid * share * (1 - SPARE)).astype(np.int64)
    room = int(rooms[measured.all(axis=1)].sum())
    matrices = [p_identity.strategy(theta) for theta in thetas]

    def at(levels: Ints) -> Strategy:
        factors = tuple(whole_columns(matrix, level) for matrix, level in zip(matrices, levels.tolist(), strict=True))
        weight = rooms // np.where(measured, levels, 1).prod(axis=1)
        return Strategy(factors, measured[weight > 0], weight[weight > 0])

    highest = np.array(_levels(thetas, room))
    lower = [level for level in LOW if level < highest.max() <= max(LOW)]
    tries = [at(highest), *(at(np.minimum(highest, level)) for level in lower)]
    return min(tries, key=lambda found: asked.mean_variance(found.stack)) if lower else tries[0]


def _levels(thetas: Sequence[Floats], room: int) -> list[int]:
    """Candidate levels of each axis: equal for axes with weighted sums, with a product close to the room."""
    fine = [axis for axis, theta in enumerate(thetas) if len(theta)]
    fine.sort(key=lambda axis: -thetas[axis].shape[1])
    fine = fine[: int(math.log(room, COARSEST))]  # the longest axes, if not all can be had
    levels = [1] * len(thetas)
    for axis in fine:
        levels[axis] = int(room ** (1 / len(fine)))
    for axis in fine:
        levels[axis] = room * levels[axis] // math.prod(levels)
    return levels


def whole_columns(matrix: Floats, level: int) -> Ints:
    """A p-identity in whole numbers: each column sums to the level, entries are close, and no code gets 0."""
    size = matrix.shape[1]
    if level == 1:
        return np.eye(size, dtype=np.int64)
    goal = level * matrix
    found = np.floor(goal)
    code = np.arange(size)
    found[code, code] = np.maximum(found[code, code], 1)
    missing = level - found.sum(axis=0)
    order = np.argsort(found - goal, axis=0, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(len(matrix))[:, None], matrix.shape), axis=0)
    whole: Ints = (found + (rank < missing)).astype(np.int64)
    return whole
