"""Graphical models: a joint distribution that fits noisy marginals, as tables on overlapping sets of axes.

The fit is that of McKenna et al. 2019: least squares over the marginals of a distribution of maximum entropy. Small
domains are fitted as one table, independent axes in closed form, and everything else by the library mbi.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ripost.arrays import Codes, Floats

Axes = tuple[int, ...]

FEW_CELLS = 2**13  # smaller domains are fitted as one table: the library would compile longer than it runs
LEAST = 1e-300  # replaces a probability of 0 in logarithms
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
    potentials: Any = None  # the library can continue from these

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
    sizes: tuple[int, ...], measured: Sequence[MarginalMeasurement], start: Network | None = None, *, rounds: int
) -> Network:
    """The model of maximum entropy that fits the measured marginals best; every axis must be measured."""
    total = max(1.0, guess_total(measured))
    if all(len(one.axes) == 1 for one in measured):
        return _independent(sizes, measured, total)
    if math.prod(sizes) <= FEW_CELLS:
        return _dense(sizes, measured, total, start, rounds)
    return _by_library(sizes, measured, total, start, rounds)


def model_cells(sizes: tuple[int, ...], cliques: Sequence[Axes]) -> int:
    """Cells of the tables that a model with these marginals needs."""
    if math.prod(sizes) <= FEW_CELLS:
        return math.prod(sizes)
    mbi = library()
    domain = mbi.Domain(list(range(len(sizes))), sizes)
    tree, _ = mbi.junction_tree.make_junction_tree(domain, list(cliques))
    return sum(math.prod(sizes[axis] for axis in clique) for clique in tree.nodes)


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
    return Network(sizes, total, alone, (-1,) * len(sizes), tuple(tables))


def on_simplex(values: Floats, precision: Floats, total: float) -> Floats:
    """The nearest nonnegative numbers, weighted by precision, that add up to the total."""
    spread = precision.max() / precision  # numbers move by `spread` times a common shift, until they reach 0
    order = np.argsort(-values / spread)
    excess = (np.cumsum(values[order]) - total) / np.cumsum(spread[order])
    last = int(np.flatnonzero(values[order] / spread[order] > excess)[-1])
    found: Floats = np.maximum(values - excess[last] * spread, 0)
    return found


def _dense(
    sizes: tuple[int, ...], measured: Sequence[MarginalMeasurement], total: float, start: Network | None, rounds: int
) -> Network:
    """Mirror descent over the whole table, with a step that is halved when the loss does not fall."""
    axes = tuple(range(len(sizes)))
    others = [tuple(a for a in axes if a not in one.axes) for one in measured]
    shapes = [[n if a in one.axes else 1 for a, n in enumerate(sizes)] for one in measured]
    values = [one.values.reshape(shape) for one, shape in zip(measured, shapes, strict=True)]
    weights = [one.precision.reshape(shape) for one, shape in zip(measured, shapes, strict=True)]

    def misfit(table: Floats) -> tuple[float, list[Floats]]:
        gaps = [table.sum(axis=away, keepdims=True) - y for away, y in zip(others, values, strict=True)]
        pulls = [gap * weight for gap, weight in zip(gaps, weights, strict=True)]
        return 0.5 * sum(float((gap * pull).sum()) for gap, pull in zip(gaps, pulls, strict=True)), pulls

    logs = np.zeros(sizes) if start is None else np.log(np.maximum(start.table(axes) / start.total, LEAST))
    table = _softmax(logs) * total
    loss, pulls = misfit(table)
    steep = sum(float(w.max()) * math.prod(sizes) / w.size for w in weights)
    step, before = 2 / (steep * total), math.inf
    for turn in range(rounds):
        slope = sum(pulls[1:], start=pulls[0]) + np.zeros(sizes)
        ahead = logs - step * slope
        tried = _softmax(ahead) * total
        tried_loss, tried_pulls = misfit(tried)
        if loss - tried_loss >= 0.5 * step * float((slope * (table - tried)).sum()):
            logs, table, loss, pulls, step = ahead, tried, tried_loss, tried_pulls, 1.1 * step
        else:
            step /= 2
        if turn % BLOCK == BLOCK - 1:
            if before - loss <= SETTLED * max(loss, 1.0):
                break
            before = loss
    return Network(sizes, total, (axes,), (-1,), (table,))


def _by_library(
    sizes: tuple[int, ...], measured: Sequence[MarginalMeasurement], total: float, start: Network | None, rounds: int
) -> Network:
    mbi = library()
    import jax

    with jax.enable_x64(True):
        domain = mbi.Domain(list(range(len(sizes))), sizes)
        found = mbi.estimation.MirrorDescent().estimate(
            domain,
            [_linear(one) for one in measured],
            known_total=total,
            iters=rounds,
            warm_start=None if start is None else start.potentials,
            tol=SETTLED,
        )
        tree, _ = mbi.junction_tree.make_junction_tree(domain, [tuple(clique) for clique in found.cliques])
        nodes = mbi.junction_tree.maximal_cliques(tree)
        every = mbi.marginal_oracles.message_passing_stable(found.potentials.expand(nodes), total)
        cliques = [tuple(sorted(node)) for node in nodes]
        tables = tuple(np.array(every[node].values, np.float64).transpose(np.argsort(node)) for node in nodes)
    place = {node: number for number, node in enumerate(nodes)}
    before = [[place[other] for other in tree.neighbors(node) if place[other] < place[node]] for node in nodes]
    return Network(sizes, total, tuple(cliques), tuple((*b, -1)[0] for b in before), tables, found.potentials)


_queries: dict[bytes, Any] = {}  # the library compiles again for each object


def _linear(one: MarginalMeasurement) -> Any:
    """A measurement in the library's form; weights bring entries of different variance to one."""
    mbi = library()
    best = float(one.precision.max())
    weights = np.sqrt(one.precision / best).ravel()
    if (weights == 1).all():
        return mbi.LinearMeasurement(one.values.ravel(), one.axes, stddev=best**-0.5)
    query = _queries.setdefault(weights.tobytes(), mbi.WeightedQuery(weights))
    return mbi.LinearMeasurement(one.values.ravel() * weights, one.axes, stddev=best**-0.5, query=query)


def library() -> Any:
    """Import mbi when it is first needed: with JAX it is larger than ripost."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of single precision, which is not used, and of a cache
        import mbi
    return mbi


def _softmax(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max())
    shares: Floats = raised / raised.sum()
    return shares


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
