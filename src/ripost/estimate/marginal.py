"""Marginal: one axis by itself, from noisy histograms of a few widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.noisy_measurements import NoisyMeasurements, PooledMeasurements
from ripost.estimate.smoother import smooth
from ripost.space.tree import Growth, Tree


@dataclass(frozen=True)
class NoisyHistogram:
    """A noisy histogram of one axis."""

    edges: Codes  # of its stretches
    value: Floats  # (stretches,)
    variance: float  # of the noise in each value

    @property
    def stretch(self) -> Codes:
        """The stretch of each code."""
        return np.repeat(np.arange(len(self.value)), np.diff(self.edges))


@dataclass(frozen=True)
class Marginal:
    """What is known of one axis from its own histograms."""

    tables: tuple[NoisyHistogram, ...]
    tree: Tree  # halves of halves, down to the finest stretches
    measured: PooledMeasurements  # of its nodes, as if noise were normal
    share: Floats  # of each node's left half, if content lay evenly
    total: float  # of everything, as the histograms tell it
    total_variance: float
    mass: Floats  # (codes,), not negative

    @classmethod
    def of(cls, tables: Sequence[NoisyHistogram], *, shrink: bool = True, is_laplace: bool = True) -> Marginal:
        """The marginal that the histograms of one axis tell of; the first has the finest stretches."""
        size = int(tables[0].edges[-1])
        tree = dyadic(size, finest=int(np.diff(tables[0].edges).max()))
        lower, upper = tree.boxes.lower[:, 0], tree.boxes.upper[:, 0]
        readings = NoisyMeasurements.nothing()
        for table in tables:
            nodes = _nodes(lower, upper, table.edges)
            readings = readings.also(nodes, table.value, table.variance, is_laplace=is_laplace)
        share = (tree.cut - lower) / (upper - lower)
        found = smooth(tree, readings, share, shrink=shrink)
        value = found.model.above_zero(found.mean)[tree.leaves]
        width = (upper - lower)[tree.leaves]
        return cls(
            tuple(tables),
            tree,
            readings.pool(len(tree)),
            share,
            found.plain_total,
            1 / found.plain.total_precision,
            np.repeat(value / width, width),
        )

    def of_nodes(self, mass: Floats) -> Floats:
        """What a mass per code gives each node of the tree."""
        below = running_sums(mass)
        return below[self.tree.boxes.upper[:, 0]] - below[self.tree.boxes.lower[:, 0]]


def dyadic(size: int, *, finest: int = 1) -> Tree:
    """A tree of one axis that cuts at the largest power of two, down to stretches of at most `finest` codes."""
    growth = Growth((size,))
    nodes, lower, upper = np.array([0]), np.array([0]), np.array([size])
    while len(nodes):
        wide = upper - lower > finest
        nodes, lower, upper = nodes[wide], lower[wide], upper[wide]
        cut = lower + (1 << (np.ceil(np.log2(upper - lower)).astype(np.int64) - 1))
        nodes = growth.split(nodes, np.zeros_like(nodes), cut)
        lower, upper = np.stack([lower, cut], axis=1).ravel(), np.stack([cut, upper], axis=1).ravel()
    return growth.tree()


def running_sums(mass: Floats) -> Floats:
    """Mass before each code, and at the end all of it."""
    below = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=below[1:])
    return below


def _nodes(lower: Codes, upper: Codes, edges: Codes) -> Codes:
    """The nodes that are the stretches between these edges."""
    far = edges[-1] + 1
    key = lower * far + upper
    order = np.argsort(key)
    found: Codes = order[np.searchsorted(key[order], edges[:-1] * far + edges[1:])]
    return found
