"""Joint: the blocks of a tree and the histograms of its axes, brought together.

Content lies inside a block as the density of each axis says, so a block's value adds known parts to every stretch of
every histogram: histograms are further linear measurements of the blocks. The tree's own posterior has a solver for
its precision (TreeModel.means), so the joint posterior is found by conjugate gradients on the histograms' side:

    value = tree + C A' lambda,   (R + A C A') lambda = y - A tree,   C the tree's posterior covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ripost.estimate.least_squares import Floats, add_up
from ripost.estimate.marginal import Table, laid_out, running_sums
from ripost.estimate.readings import Measured
from ripost.estimate.tree_model import TreeModel
from ripost.space.blocks import Blocks, Codes
from ripost.space.tree import Tree

STEPS = 25
CLOSE = 1e-8  # residual left, as a share of the first
TINY = 1e-300
SURELY = 2.0  # standard deviations above 0
HOLD = 2.0  # precision with which a sum is held, against that of the estimate
AT_ZERO = 1e4  # precision with which a leaf is held at 0


@dataclass(frozen=True)
class Layers:
    """The leaves of a tree on the axes: how their values add up to histograms."""

    leaves: Blocks
    density: Sequence[Floats]  # of each axis, mass per code

    _known: dict[int, tuple[Codes, Codes, Floats]] = field(default_factory=dict, repr=False)

    def side(self, axis: int) -> tuple[Codes, Codes, Floats]:
        """Lower and upper ends of the leaves on an axis, and one over their mass."""
        if axis not in self._known:
            lower, upper = (np.ascontiguousarray(end[:, axis]) for end in (self.leaves.lower, self.leaves.upper))
            below = running_sums(self.density[axis])
            self._known[axis] = lower, upper, 1 / np.maximum(below[upper] - below[lower], TINY)
        return self._known[axis]

    def marginal(self, axis: int, values: Floats) -> Floats:
        """What the leaves give each code of an axis."""
        lower, upper, thin = self.side(axis)
        return laid_out(lower, upper, values * thin, self.density[axis])

    def back(self, axis: int, weights: Floats) -> Floats:
        """The mean of weights per code over each leaf, by its density: the transpose of `marginal`."""
        below = running_sums(self.density[axis] * weights)
        lower, upper, thin = self.side(axis)
        found: Floats = (below[upper] - below[lower]) * thin
        return found


@dataclass(frozen=True)
class Histograms:
    """All histograms as linear measurements of the leaves, each row divided by its standard deviation."""

    layers: Layers
    tables: Sequence[Sequence[Table]]  # of each axis

    @property
    def values(self) -> Floats:
        return np.concatenate([t.value / np.sqrt(t.variance) for tables in self.tables for t in tables])

    def of(self, leaves: Floats) -> Floats:
        rows = []
        for axis, tables in enumerate(self.tables):
            mass = self.layers.marginal(axis, leaves)
            rows += [np.add.reduceat(mass, t.edges[:-1]) / np.sqrt(t.variance) for t in tables]
        return np.concatenate(rows)

    def back(self, rows: Floats) -> Floats:
        leaves, first = np.zeros(len(self.layers.leaves)), 0
        for axis, tables in enumerate(self.tables):
            weights = np.zeros(len(self.layers.density[axis]))
            for t in tables:
                weights += rows[first : first + len(t.value)][t.stretch] / np.sqrt(t.variance)
                first += len(t.value)
            leaves += self.layers.back(axis, weights)
        return leaves


def join(model: TreeModel, measured: Measured, histograms: Histograms) -> Floats:
    """The expected value of every node of the tree given its measurements and the histograms."""
    tree = model.tree

    def covariance(weights: Floats) -> Floats:
        information = np.zeros(len(tree))
        information[tree.leaves] = weights
        return model.means(information)[tree.leaves]

    start = model.means(measured.information)[tree.leaves]
    residual = histograms.values - histograms.of(start)
    dual, direction = np.zeros(len(residual)), residual
    length = first = float(residual @ residual)
    for _ in range(STEPS if first > 0 else 0):
        image = direction + histograms.of(covariance(histograms.back(direction)))
        step = length / float(direction @ image)
        dual = dual + step * direction
        residual = residual - step * image
        shorter = float(residual @ residual)
        if shorter < CLOSE * first:
            break
        direction = residual + (shorter / length) * direction
        length = shorter
    return add_up(tree, start + covariance(histograms.back(dual)))


def above_zero(
    tree: Tree, measured: Measured, model: TreeModel, scatter: Floats, histograms: Histograms, *, rounds: int = 2
) -> Floats:
    """Joint values without negatives: leaves that come out negative are held at 0 and all is solved again.

    That would lift the sums of many leaves that are nearly empty, so sums that are surely there are held, too.
    """
    mean = join(model, measured, histograms)
    variance = model.spread().posterior
    sure = np.flatnonzero(~tree.is_leaf & (measured.precision > 0) & (mean > SURELY * np.sqrt(variance)))
    measured = measured.also(sure, mean[sure], HOLD / variance[sure])
    for _ in range(rounds):
        negative = tree.leaves[mean[tree.leaves] < 0]
        if len(negative) == 0:
            break
        measured = measured.also(negative, np.zeros(len(negative)), AT_ZERO)
        model = TreeModel.of(tree, measured.precision, model.share, scatter)
        mean = join(model, measured, histograms)
    return model.above_zero(mean)
