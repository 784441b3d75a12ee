"""Blocks that tile a domain, each with a noisy total, measured along the tree that made them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.estimate.error_model import ErrorModel
from ripost.estimate.least_squares import Floats, Spread, add_up
from ripost.estimate.mixture import Mixture
from ripost.estimate.weighted import sums_by, variances_of_sums
from ripost.space.region import Intervals
from ripost.space.tree import Tree
from ripost.view import nodes
from ripost.view.answer import Answers
from ripost.view.asked import Asked
from ripost.view.clumps import Parts, clumped, scattered
from ripost.view.content.content import LARGEST, Content, ValuedBlocks, fixed
from ripost.view.density import Density, Marginals
from ripost.view.error_facts import check_error_model, error_facts, mixture_facts
from ripost.view.error_model import PairModel
from ripost.view.meetings import Line, in_batches, meet
from ripost.view.mixed import Mixed, check_mixture
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
        error_model: ErrorModel | None = None,
        mixture: Mixture | None = None,
        corrections: ArrayLike | None = None,
        record: float = 1.0,
    ) -> None:
        super().__init__(shape, values)
        self.density = _marginals(density, self.shape)  # mass per code of each axis; None lies evenly in a block
        self.error_model = error_model  # what is known of the error of values that are not noise alone
        self.mixture = mixture
        self.corrections = self.values if corrections is None else fixed(corrections)  # of each block, to the mixture
        self.record = record  # the most that one record adds to a value
        if error_model is not None:
            check_error_model(error_model, len(self.shape), LARGEST)
        if mixture is not None:
            check_mixture(mixture, self.shape, LARGEST)
        if (mixture is None) != (corrections is None) or (mixture is not None and error_model is None):
            raise ValueError(
                "a mixture needs an error model and a correction for each block; without one there are none"
            )
        if self.corrections.shape != self.values.shape or not (abs(self.corrections) <= LARGEST).all():
            raise ValueError("corrections must be finite numbers, one a block")
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
        return super().total if self.mixture is None else self.mixture.total + float(self.corrections.sum())

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
        return answers if self.mixed is None else answers + self.mixed.totals(lower, upper)

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        """With a mixture that of the whole error. For smoothed values that of least squares, which smoothing makes
        smaller.
        """
        if self.mixed is None:
            return self.traverse.variances(lower, upper, self.spread)
        bounded = (lower > 0) | (upper < np.array(self.shape))
        boxes = [
            {axis: [(low[axis], high[axis])] for axis in np.flatnonzero(some).tolist()}
            for low, high, some in zip(lower.tolist(), upper.tolist(), bounded, strict=True)
        ]
        variances: Floats = self.regions([(box,) for box in boxes]).stderr ** 2
        return variances

    def answer_asked(self, asked: Asked) -> Answers:
        return in_batches(asked, self._answer_batch)

    def _answer_batch(self, asked: Asked) -> tuple[Answers, int]:
        lines = {axis: self.line(axis) for axis in asked.axes}
        met = meet(asked, lines, len(self.values))
        parts = Parts.of(met, asked, lines, len(self.values))
        value = parts.sums(self.corrections[parts.row] * parts.share)
        if self.error_model is None:
            return Answers.of(value, noise=self._noise(parts), model=clumped(parts, self.values)), len(met)
        if self.mixed is not None:
            return self._answer_mixed(asked, parts, value, self.error_model, self.mixed), len(met)
        noise, model = self._noise(parts), self._scattered(parts, self.error_model)
        known = self._known_by_histograms(asked)
        noise, model = np.minimum(noise, known), np.minimum(model, np.maximum(known - noise, 0.0))
        return Answers.of(value, noise=noise, model=model, z=self.error_model.z), len(met)

    def _answer_mixed(self, asked: Asked, parts: Parts, corrected: Floats, model: ErrorModel, mixed: Mixed) -> Answers:
        """The answers with the mixture, from sums of corrections; blocks tell variances where they may count."""
        sides = mixed.sides(asked)
        value = corrected + sums_by(asked.owner, mixed.sums(sides, len(asked.owner)), asked.count)
        errors = PairModel(mixed, model, self.record, self.shape).errors(asked, sides)
        variance, none = errors.fitted + errors.beyond, np.zeros(asked.count)
        if not errors.by_pair.all():
            blocks = np.minimum(self._noise(parts) + self._scattered(parts, model), self._known_by_histograms(asked))
            variance = np.where(asked.simple, blocks, errors.with_blocks(blocks))
        return Answers.of(value, noise=variance, model=none, z=model.z, unmeasured=errors.unmeasured)

    def _noise(self, parts: Parts) -> Floats:
        """The noise variance of each region's sum over blocks."""
        return variances_of_sums(self.spread, parts.region, parts.row, parts.share, parts.count)

    def _scattered(self, parts: Parts, model: ErrorModel) -> Floats:
        """The variance of each region's sum because of where content lies inside blocks."""
        found: Floats = scattered(parts, self.values / self.record, model=model) * self.record**2
        return found

    def _known_by_histograms(self, asked: Asked) -> Floats:
        """The variance of regions that are about one axis alone, as its histogram tells it; infinite for others."""
        known = np.full(asked.count, np.inf)
        only = asked.only if self.mixture is None else asked.only_bounded
        alone = np.bincount(asked.owner, minlength=asked.count)[asked.owner] == 1
        for i, axis in enumerate(asked.axes):
            here = np.flatnonzero(alone & (only == axis))
            numbers, same = np.unique(asked.which[here, i], return_inverse=True)
            variances = [self._of_histogram(axis, asked.lists[i][number]) for number in numbers.tolist()]
            known[asked.owner[here]] = np.array(variances)[same]
        return known

    def _of_histogram(self, axis: int, intervals: Intervals) -> float:
        """The variance of a question about one axis by itself, as the histogram of that axis tells it."""
        variance = self.error_model.histogram_variances[axis] if self.error_model else None
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
            **({} if self.mixture is None else {"correction": self.corrections}),
            "variance": self.blocks.variance,
            "depth": self.tree.depth[self.tree.leaves],
        }

    def facts(self) -> dict[str, Any]:
        return {
            "marginals": self.density and [None if axis is None else axis.tolist() for axis in self.density],
            "tree": {"measured": measured_facts(self.tree, self.node_variances)},
            **({} if self.error_model is None else {"error_model": error_facts(self.error_model)}),
            **({} if self.mixture is None else {"mixture": mixture_facts(self.mixture)}),
        }

    @cached_property
    def _density(self) -> Density:
        return Density.of(self.shape, self.tree.boxes.take(self.tree.leaves), self.density)

    def line(self, axis: int) -> Line:
        """One axis of the blocks; those on the same stretch are looked at once."""
        if axis not in self._lines:
            density, spans = self._density, self._density.spans(axis)
            lower, upper = (ends[spans.first, axis] for ends in (density.blocks.lower, density.blocks.upper))
            ends = lower.astype(np.float64), upper.astype(np.float64)
            self._lines[axis] = Line(
                Stretches(density.rulers[axis], *ends, density.flat[axis][spans.first]), spans.which
            )
        return self._lines[axis]

    @cached_property
    def _lines(self) -> dict[int, Line]:
        return {}

    @cached_property
    def spread(self) -> Spread:
        return Spread.of(self.tree, self.node_variances)

    @cached_property
    def totals(self) -> Floats:
        """The value of every node, or its correction to the mixture."""
        return add_up(self.tree, self.corrections)

    @cached_property
    def projections(self) -> Projections:
        return Projections(self._density, self.corrections)

    @cached_property
    def mixed(self) -> Mixed | None:
        return None if self.mixture is None else Mixed(self.mixture, self.density or (None,) * len(self.shape))

    @cached_property
    def traverse(self) -> Traverse:
        return Traverse(self.tree, self._density)


def measured_facts(tree: Tree, variances: Floats) -> dict[str, Any] | None:
    """How nodes were measured, if more than leaves were."""
    if not np.isfinite(variances[~tree.is_leaf]).any():
        return None
    distinct, packed = nodes.pack(tree, variances)
    return {"variances": distinct, "nodes": packed}


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
