"""Graphical models: a joint distribution that fits noisy marginals, as tables on overlapping sets of axes.

The fit is that of McKenna et al. 2019: least squares over the marginals of a distribution of maximum entropy.
Independent axes are fitted in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.peers.junction_tree import Axes, JunctionTree

BLOCK = 50  # iterations between two checks of the loss
SETTLED = 1e-6  # the fit ends if the loss falls by less than this share in a block


@dataclass(frozen=True)
class MarginalMeasurement:
    """A noisy marginal and the inverse variance of each of its entries."""

    axes: Axes  # rising
    values: Floats  # of the shape of these axes
    precision: Floats

    def and_also(self, other: MarginalMeasurement) -> MarginalMeasurement:
        """The mean of two measurements of the same marginal, weighted by precision."""
        precision = self.precision + other.precision
        share = other.precision / precision
        return MarginalMeasurement(self.axes, self.values + (other.values - self.values) * share, precision)


@dataclass(frozen=True)
class Network:
    """Tables on the cliques of junction trees: what a table shares with earlier ones is contained in its parent."""

    sizes: tuple[int, ...]
    total: float
    cliques: tuple[Axes, ...]
    parents: tuple[int, ...]  # numbers of cliques; -1 for the first of a tree
    tables: tuple[Floats, ...]  # each sums to the total
    potentials: Mapping[Axes, Floats] = field(default_factory=dict)  # of marginals, from which a fit can continue

    def table(self, axes: Axes) -> Floats:
        """The marginal of some axes, in their order."""
        for clique, table in zip(self.cliques, self.tables, strict=True):
            if set(axes) <= set(clique):
                return _project(table, clique, axes)
        terms: list[Any] = []
        for number in self._relevant_cliques(axes):
            terms += [self._conditional(number), list(self.cliques[number])]
        found: Floats = np.einsum(*terms, list(axes), optimize="greedy") * self.total
        return found

    def _separator(self, number: int) -> Axes:
        """The axes that a table shares with its parent."""
        parent = self.parents[number]
        return () if parent < 0 else tuple(axis for axis in self.cliques[number] if axis in self.cliques[parent])

    def _conditional(self, number: int) -> Floats:
        """A table as conditional probabilities, given its separator."""
        table, clique, shared = self.tables[number], self.cliques[number], self._separator(number)
        below = _project(table, clique, shared).reshape([self.sizes[a] if a in shared else 1 for a in clique])
        given: Floats = np.divide(table, below, out=np.zeros_like(table), where=below > 0)
        return given

    def _relevant_cliques(self, axes: Axes) -> list[int]:
        """The tables that the marginal depends on, without branches that contain no other of the axes."""
        kept = list(range(len(self.cliques)))
        for number in reversed(kept.copy()):
            is_end = all(self.parents[other] != number for other in kept)
            if is_end and set(axes) & set(self.cliques[number]) <= set(self._separator(number)):
                kept.remove(number)
        return kept

    def draw_rows(self, number: int, uniforms: Floats) -> Codes:
        """Rows whose shares are as near to the model's as whole rows can be; uniforms are (axes, 2, number)."""
        codes = np.zeros((number, len(self.sizes)), np.int64)
        known: set[int] = set()
        for clique, table in zip(self.cliques, self.tables, strict=True):
            for axis in [a for a in clique if a not in known]:
                given = tuple(a for a in clique if a in known)
                rows = _project(table, clique, (*given, axis)).reshape(-1, self.sizes[axis])
                group = np.zeros(number, np.int64)
                for other in given:
                    group = group * self.sizes[other] + codes[:, other]
                codes[:, axis] = _draw_codes(rows, group, *uniforms[axis])
                known.add(axis)
        return codes


def fit(
    sizes: tuple[int, ...],
    measured: Sequence[MarginalMeasurement],
    start: Network | None = None,
    *,
    rounds: int,
    settled: float = SETTLED,
    order: Sequence[int] | None = None,
) -> Network:
    """The model of maximum entropy that fits the measured marginals best; every axis must be measured.

    The fit ends after so many rounds, or when the loss falls by less than the share `settled` in a block of them.
    `order` is one in which axes can be eliminated; greedy elimination is taken if its largest table is smaller.
    """
    total = max(1.0, guess_total(measured))
    if all(len(one.axes) == 1 for one in measured):
        return _independent(sizes, measured, total)
    tree = JunctionTree.of(sizes, [one.axes for one in measured], () if order is None else (order,))
    return _by_tree(measured, tree, total, start, rounds, settled)


def model_cells(sizes: tuple[int, ...], cliques: Sequence[Axes]) -> int:
    """Cells of the tables that a model with these marginals needs."""
    return JunctionTree.of(sizes, cliques).cells


def guess_total(measured: Sequence[MarginalMeasurement]) -> float:
    """The number of rows: the mean of the sums of the measured marginals, weighted by precision."""
    sums = np.array([one.values.sum() for one in measured])
    weights = np.array([1 / (1 / one.precision).sum() for one in measured])
    return float((sums * (weights / weights.sum())).sum())


def _independent(sizes: tuple[int, ...], measured: Sequence[MarginalMeasurement], total: float) -> Network:
    tables = [np.full(size, total / size) for size in sizes]
    for one in measured:
        tables[one.axes[0]] = on_simplex(one.values, one.precision, total)
    alone = tuple((axis,) for axis in range(len(sizes)))
    potentials: dict[Axes, Floats] = {(axis,): np.log1p(table) for axis, table in enumerate(tables)}
    return Network(sizes, total, alone, (-1,) * len(sizes), tuple(tables), potentials)


def on_simplex(values: Floats, precision: Floats, total: float) -> Floats:
    """The nearest nonnegative numbers, weighted by precision, that add up to the total."""
    spread = precision.max() / precision  # numbers move by `spread` times a common shift, until they reach 0
    order = np.argsort(-values / spread)
    excess = (np.cumsum(values[order]) - total) / np.cumsum(spread[order])
    last = int(np.flatnonzero(values[order] / spread[order] > excess)[-1])
    found: Floats = np.maximum(values - excess[last] * spread, 0)
    return found


def _by_tree(
    measured: Sequence[MarginalMeasurement],
    tree: JunctionTree,
    total: float,
    start: Network | None,
    rounds: int,
    settled: float = SETTLED,
) -> Network:
    """Mirror descent with a step that is halved when the loss does not fall. Each marginal has a potential."""
    homes = [tree.home(one.axes) for one in measured]
    away = [tree.away(one.axes, home) for one, home in zip(measured, homes, strict=True)]
    shapes = [tree.shape_in(one.axes, home) for one, home in zip(measured, homes, strict=True)]

    def calibrate(potentials: Sequence[Floats]) -> tuple[list[Floats], list[Floats]]:
        """The tables, and how far the measured marginals are from them."""
        logs = [np.zeros([tree.sizes[axis] for axis in clique]) for clique in tree.cliques]
        for potential, home, shape in zip(potentials, homes, shapes, strict=True):
            logs[home] += potential.reshape(shape)
        tables = [table * total for table in tree.calibrate(logs)]
        sums = [tables[home].sum(axis=places) for home, places in zip(homes, away, strict=True)]
        return tables, [found - one.values for found, one in zip(sums, measured, strict=True)]

    def misfit(gaps: Sequence[Floats]) -> float:
        return 0.5 * sum(float((gap**2 * one.precision).sum()) for gap, one in zip(gaps, measured, strict=True))

    known = {} if start is None else start.potentials
    potentials = [known.get(one.axes, np.zeros(one.values.shape)) for one in measured]
    tables, gaps = calibrate(potentials)
    loss, before = misfit(gaps), math.inf
    step = 1 / (total * sum(float(one.precision.max()) for one in measured))
    for turn in range(rounds):
        pulls = [gap * one.precision for gap, one in zip(gaps, measured, strict=True)]
        ahead = [potential - step * pull for potential, pull in zip(potentials, pulls, strict=True)]
        tried, tried_gaps = calibrate(ahead)
        tried_loss = misfit(tried_gaps)
        slope = sum(float((p * (g - t)).sum()) for p, g, t in zip(pulls, gaps, tried_gaps, strict=True))
        if loss - tried_loss >= 0.5 * step * slope:
            potentials, tables, gaps, loss, step = ahead, tried, tried_gaps, tried_loss, 1.1 * step
        else:
            step /= 2
        if turn % BLOCK == BLOCK - 1:
            if before - loss <= settled * max(loss, 1.0):
                break
            before = loss
    kept = {one.axes: potential for one, potential in zip(measured, potentials, strict=True)}
    return Network(tree.sizes, total, tree.cliques, tree.parents, tuple(tables), kept)


def _project(table: Floats, clique: Axes, axes: Axes) -> Floats:
    """Sum over all axes but some, and put these in order."""
    kept = [axis for axis in clique if axis in axes]
    summed = table.sum(axis=tuple(i for i, axis in enumerate(clique) if axis not in axes))
    found: Floats = summed.transpose([kept.index(axis) for axis in axes])
    return found


def _draw_codes(rows: Floats, group: Codes, shuffle: Floats, within: Floats) -> Codes:
    """A code for each row by the shares of its group: even steps of their running sum, in random order."""
    found, place, count = np.unique(group, return_inverse=True, return_counts=True)
    order = np.lexsort((shuffle, place))
    first = np.cumsum(count) - count
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - first[place[order]]
    height = (rank + within) / count[place]
    shares = rows[found]
    shares[shares.sum(axis=1) <= 0] = 1
    running = shares.cumsum(axis=1)
    running /= running[:, -1:]
    size = rows.shape[1]
    ladder = (running + np.arange(len(found))[:, None]).ravel()
    code: Codes = np.searchsorted(ladder, height + place, side="right") - place * size
    return np.clip(code, 0, size - 1)
