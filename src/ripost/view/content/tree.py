"""Blocks that tile a domain, each with a noisy total, measured along the tree that made them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.estimate.least_squares import Floats, Spread, add_up
from ripost.estimate.smoother import Smoothing
from ripost.estimate.weighted import variances_of_sums
from ripost.space.region import Intervals
from ripost.space.tree import Tree
from ripost.view import nodes
from ripost.view.answer import Z_SMOOTHED, Answers
from ripost.view.asked import Asked
from ripost.view.clumps import Parts, clumped, strayed
from ripost.view.content.content import LARGEST, Content, ValuedBlocks, fixed
from ripost.view.density import Density, Marginals
from ripost.view.meetings import Line, in_batches, meet
from ripost.view.overlaps import Stretches
from ripost.view.projection import Projections, by_axes
from ripost.view.traverse import Traverse


class TreeContent(Content):
    """The blocks of a tree.

    A tree and its variances may be given as functions: a view from a file makes them when they are first needed.
    """

    kind = "blocks"
    noun = "blocks"

    def __init__(
        self,
        shape: Sequence[int],
        *,
        tree: Tree | Callable[[], Tree],
        values: ArrayLike,
        variances: ArrayLike | Callable[[Tree], Floats],
        density: Sequence[ArrayLike | None] | None = None,
        smoothing: Smoothing | None = None,
        record: float = 1.0,
    ) -> None:
        super().__init__(shape, values)
        self.density = _marginals(density, self.shape)  # mass per code of each axis; None lies evenly in a block
        self.smoothing = smoothing  # what is known of the error of values that are not noise alone
        self.record = record  # the most that one record adds to a value
        if smoothing is not None:
            _check_smoothing(smoothing, len(self.shape))
        self._tree, self._variances = tree, variances
        if not callable(tree) and (tree.shape != self.shape or len(tree.leaves) != len(self.values)):
            raise ValueError("the tree must have the shape of the domain and a leaf per value")
        if not callable(variances):
            _ = self.spread

    @cached_property
    def tree(self) -> Tree:
        return self._tree() if callable(self._tree) else self._tree

    @property
    def total(self) -> float:
        _ = self.tree  # what a file says of its blocks is checked before any of it is believed
        return super().total

    @cached_property
    def node_variances(self) -> Floats:
        """Variance of each node's own measurement, infinite where there was none, (nodes,)."""
        return fixed(self._variances(self.tree) if callable(self._variances) else self._variances)

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        answers, left = np.zeros(len(lower)), np.ones(len(lower), bool)
        for axes, boxes in by_axes(lower, upper, self.shape):
            found = self.projections.totals(lower[boxes], upper[boxes], axes)
            if found is not None:
                answers[boxes], left[boxes] = found, False
        answers[left] = self.traverse.totals(lower[left], upper[left], self.totals)
        return answers

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        """For smoothed values it is that of least squares, which smoothing makes smaller."""
        return self.traverse.variances(lower, upper, self.spread)

    def answer_asked(self, asked: Asked) -> Answers:
        return in_batches(asked, self._answer_batch)

    def _answer_batch(self, asked: Asked) -> tuple[Answers, int]:
        lines = {axis: self.line(axis) for axis in asked.axes}
        met = meet(asked, lines, len(self.values))
        parts = Parts.of(met, asked, lines, len(self.values))
        value = parts.sums(self.values[parts.row] * parts.share)
        noise = variances_of_sums(self.spread, parts.region, parts.row, parts.share, parts.count)
        if self.smoothing is None:
            return Answers.of(value, noise=noise, model=clumped(parts, self.values)), len(met)
        roughness = self.smoothing.roughness
        model = strayed(parts, self.values / self.record, roughness=roughness) * self.record**2
        known = self._known_by_marginals(asked)
        noise, model = np.minimum(noise, known), np.minimum(model, np.maximum(known - noise, 0.0))
        return Answers.of(value, noise=noise, model=model, z=Z_SMOOTHED), len(met)

    def _known_by_marginals(self, asked: Asked) -> Floats:
        """The variance of regions that are about one axis alone, as its histogram tells it; infinite for others."""
        known = np.full(asked.count, np.inf)
        boxes = np.bincount(asked.owner, minlength=asked.count)
        alone = boxes[asked.owner] == 1
        for i, axis in enumerate(asked.axes):
            here = np.flatnonzero(alone & (asked.only == axis))
            numbers, same = np.unique(asked.which[here, i], return_inverse=True)
            variances = [self._of_marginal(axis, asked.lists[i][number]) for number in numbers.tolist()]
            known[asked.owner[here]] = np.array(variances)[same]
        return known

    def _of_marginal(self, axis: int, intervals: Intervals) -> float:
        """The variance of a question about one axis by itself, as the histogram of that axis tells it."""
        variance = self.smoothing.marginal_variances[axis] if self.smoothing else None
        if variance is None or any(end % 1 for interval in intervals for end in interval):
            return math.inf
        codes = sum(high - low for low, high in intervals)
        rest = self.shape[axis] - codes
        return min(codes * variance, rest * variance + self.spread.root)

    @cached_property
    def blocks(self) -> ValuedBlocks:
        boxes = self.tree.boxes.take(self.tree.leaves)
        return ValuedBlocks(boxes.lower, boxes.upper, self.values, self.spread.posterior[self.tree.leaves])

    def columns(self) -> dict[str, NDArray[Any]]:
        return {
            "value": self.values,
            "variance": self.blocks.variance,
            "depth": self.tree.depth[self.tree.leaves],
        }

    def facts(self) -> dict[str, Any]:
        return {
            "marginals": self.density and [None if axis is None else axis.tolist() for axis in self.density],
            "tree": {"measured": measured_facts(self.tree, self.node_variances)},
            **({} if self.smoothing is None else {"smoothing": asdict(self.smoothing)}),
        }

    @cached_property
    def _density(self) -> Density:
        return Density.of(self.shape, self.tree.boxes.take(self.tree.leaves), self.density)

    def line(self, axis: int) -> Line:
        """One axis of the blocks; those on the same stretch are looked at once."""
        if axis not in self._lines:
            density, blocks = self._density, self._density.blocks
            key = blocks.lower[:, axis] * (self.shape[axis] + 1) + blocks.upper[:, axis]
            _, first, which = np.unique(key, return_index=True, return_inverse=True)
            ends = (blocks.lower[first, axis].astype(np.float64), blocks.upper[first, axis].astype(np.float64))
            self._lines[axis] = Line(Stretches(density.rulers[axis], *ends, density.flat[axis][first]), which.ravel())
        return self._lines[axis]

    @cached_property
    def _lines(self) -> dict[int, Line]:
        return {}

    @cached_property
    def spread(self) -> Spread:
        return Spread.of(self.tree, self.node_variances)

    @cached_property
    def totals(self) -> Floats:
        """The value of every node."""
        return add_up(self.tree, self.values)

    @cached_property
    def projections(self) -> Projections:
        return Projections(self._density, self.values)

    @cached_property
    def traverse(self) -> Traverse:
        return Traverse(self.tree, self._density)


def measured_facts(tree: Tree, variances: Floats) -> dict[str, Any] | None:
    """How nodes were measured, if more than leaves were."""
    if not np.isfinite(variances[~tree.is_leaf]).any():
        return None
    distinct, packed = nodes.pack(tree, variances)
    return {"variances": distinct, "nodes": packed}


def _check_smoothing(smoothing: Smoothing, dimensions: int) -> None:
    known = [variance for variance in smoothing.marginal_variances if variance is not None]
    if not all(0 <= figure <= LARGEST for figure in [smoothing.roughness, *known]):
        raise ValueError("roughness and variances must be finite numbers from 0 up")
    if len(smoothing.marginal_variances) != dimensions:
        raise ValueError(f"smoothing needs one entry per axis ({dimensions})")


def _marginals(density: Sequence[ArrayLike | None] | None, shape: tuple[int, ...]) -> Marginals | None:
    if density is None:
        return None
    marginals = tuple(None if marginal is None else fixed(marginal) for marginal in density)
    if len(marginals) != len(shape):
        raise ValueError(f"density needs one entry per axis ({len(shape)}), got {len(marginals)}")
    for marginal, size in zip(marginals, shape, strict=True):
        if marginal is None:
            continue
        if marginal.shape != (size,) or not ((marginal >= 0) & (marginal <= LARGEST)).all():
            raise ValueError(f"the density of an axis of {size} codes needs {size} finite numbers from 0 up")
    return marginals
