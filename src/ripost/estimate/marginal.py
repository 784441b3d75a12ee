"""Marginal: the distribution of one axis, estimated from its noisy histograms of a few bin widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.noisy_measurements import NoisyMeasurements, PooledMeasurements
from ripost.estimate.smoother import smooth
from ripost.space.spine import inner_edges
from ripost.space.tree import Growth, Tree


@dataclass(frozen=True)
class NoisyHistogram:
    """A noisy histogram of one axis."""

    edges: Codes  # of its bins
    value: Floats  # (bins,)
    variance: float  # of the noise in each value

    @property
    def code_bins(self) -> Codes:
        """The bin of each code."""
        return np.repeat(np.arange(len(self.value)), np.diff(self.edges))


@dataclass(frozen=True)
class Marginal:
    """The distribution of one axis, estimated from its own histograms."""

    tables: tuple[NoisyHistogram, ...]
    tree: Tree  # dyadic, down to the finest bins
    measured: PooledMeasurements  # of its nodes, as if noise were normal
    share: Floats  # of each node's left half, under a uniform distribution
    total: float  # of all rows, estimated from the histograms
    total_variance: float
    mass: Floats  # (codes,), not negative

    @classmethod
    def of(
        cls,
        tables: Sequence[NoisyHistogram],
        *,
        shrink: bool = True,
        is_laplace: bool = True,
        levels: Sequence[Codes] = (),
    ) -> Marginal:
        """Estimate the marginal from the histograms of one axis; the first has the finest bins.

        `levels` are the edges of its levels, the coarsest first; without any, bins are those of a dyadic tree.
        """
        size, finest = int(tables[0].edges[-1]), int(np.diff(tables[0].edges).max())
        tree = spine_tree(size, levels, finest=finest) if levels else dyadic(size, finest=finest)
        lower, upper = tree.boxes.lower[:, 0], tree.boxes.upper[:, 0]
        measurements = NoisyMeasurements.nothing()
        for table in tables:
            nodes = bin_nodes(lower, upper, table.edges)
            measurements = measurements.also(nodes, table.value, table.variance, is_laplace=is_laplace)
        share = (tree.cut - lower) / (upper - lower)
        found = smooth(tree, measurements, share, shrink=shrink)
        value = found.model.above_zero(found.mean)[tree.leaves]
        width = (upper - lower)[tree.leaves]
        return cls(
            tuple(tables),
            tree,
            measurements.pool(len(tree)),
            share,
            found.plain_total,
            1 / found.plain.total_precision,
            np.repeat(value / width, width),
        )

    def of_nodes(self, mass: Floats) -> Floats:
        """The sum of a mass per code over each node of the tree."""
        below = running_sums(mass)
        return below[self.tree.boxes.upper[:, 0]] - below[self.tree.boxes.lower[:, 0]]


def dyadic(size: int, *, finest: int = 1) -> Tree:
    """A tree of one axis that cuts at the largest power of two, down to bins of at most `finest` codes."""
    growth = Growth((size,))
    nodes, lower, upper = np.array([0]), np.array([0]), np.array([size])
    while len(nodes):
        wide = upper - lower > finest
        nodes, lower, upper = nodes[wide], lower[wide], upper[wide]
        cut = lower + (1 << (np.ceil(np.log2(upper - lower)).astype(np.int64) - 1))
        nodes = growth.split(nodes, np.zeros_like(nodes), cut)
        lower, upper = np.stack([lower, cut], axis=1).ravel(), np.stack([cut, upper], axis=1).ravel()
    return growth.tree()


def spine_tree(size: int, levels: Sequence[Codes], *, finest: int = 1) -> Tree:
    """A tree of one axis that cuts between groups of the coarsest level first, down to bins of at most `finest` codes.

    Every group of every level is a node.
    """
    growth, inner = Growth((size,)), inner_edges(levels, size)
    nodes, lower, upper = np.array([0]), np.array([0]), np.array([size])
    while len(nodes):
        cut = np.zeros(len(nodes), np.int64)
        for number, edges in enumerate(inner):
            first, last = np.searchsorted(edges, lower, "right"), np.searchsorted(edges, upper, "left")
            some = (cut == 0) & (first < last)
            if number == len(levels):
                some &= upper - lower > finest
            cut[some] = edges[(first + last)[some] // 2]
        some = cut > 0
        nodes, lower, upper, cut = nodes[some], lower[some], upper[some], cut[some]
        nodes = growth.split(nodes, np.zeros_like(nodes), cut)
        lower, upper = np.stack([lower, cut], axis=1).ravel(), np.stack([cut, upper], axis=1).ravel()
    return growth.tree()


def running_sums(mass: Floats) -> Floats:
    """The mass before each code, and the total mass at the end."""
    below = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=below[1:])
    return below


def bin_nodes(lower: Codes, upper: Codes, edges: Codes) -> Codes:
    """The nodes that are the bins between these edges."""
    far = edges[-1] + 1
    key = lower * far + upper
    order = np.argsort(key)
    found: Codes = order[np.searchsorted(key[order], edges[:-1] * far + edges[1:])]
    return found
