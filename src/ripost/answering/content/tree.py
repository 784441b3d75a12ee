"""Blocks that tile a domain, each with a noisy total, measured along the tree that made them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.axis_index import Marginals
from ripost.answering.content.content import LARGEST, Content, ValuedBlocks, freeze
from ripost.answering.density_mixture import DensityMixture, check_mixture
from ripost.answering.dependence_variance import Dependence, find_dependence
from ripost.answering.engine import join_regions, sum_regions
from ripost.answering.error_model import PairModel, check_error_model
from ripost.answering.impossible import find_impossible, keep_zeros
from ripost.answering.query_batch import IntervalLists, QueryBatch
from ripost.answering.tree_index import TreeIndex
from ripost.answering.within_block_variance import Overlaps, clustered_variance, scattered_variance
from ripost.arrays import Floats, Mask
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.least_squares import TreeCovariance, add_up
from ripost.estimate.mixture import Mixture
from ripost.estimate.weighted import sums_by, variances_of_sums
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree

AT_ONCE = 4096  # regions whose errors are worked out together, with a mixture


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
        row_bound: float = 1.0,
        impossible: Blocks | None = None,
    ) -> None:
        super().__init__(shape, values)
        self.density = _marginals(density, self.shape)  # mass per code of each axis; None lies evenly in a block
        self.error_model = error_model  # the parameters of errors beyond noise
        self.mixture = mixture
        self.corrections = self.values if corrections is None else freeze(corrections)  # of each block, to the mixture
        self.row_bound = row_bound  # the most that one row adds to a value
        self.impossible = impossible  # disjoint boxes that no row lies in; the values of their blocks are 0
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
            _ = self.covariance

    @cached_property
    def tree(self) -> Tree:
        return self._tree() if callable(self._tree) else self._tree

    @property
    def total(self) -> float:
        _ = self.tree  # checks the blocks of a file before they are used
        return super().total if self.mixture is None else self.mixture.total + float(self.corrections.sum())

    @cached_property
    def node_variances(self) -> Floats:
        """Variance of each node's own measurement, infinite where there was none, (nodes,)."""
        return freeze(self._variances(self.tree) if callable(self._variances) else self._variances)

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        batch = QueryBatch.of_boxes(lower, upper, self.shape)
        found = sum_regions(self.index, self._corrections, batch)
        return found if self.density_mixture is None else found + self.density_mixture.totals(batch)

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        """With a mixture that of the whole error. For smoothed values that of least squares, which smoothing makes
        smaller.
        """
        batch = QueryBatch.of_boxes(lower, upper, self.shape)
        if self.density_mixture is not None:
            return np.asarray(self.answer_batch(batch).stderr ** 2)
        found = np.zeros(batch.count)
        for numbers, some, pairs in join_regions(self.index, batch):
            node = self.index.node[pairs.row]
            found[numbers] = variances_of_sums(self.covariance, pairs.box, node, pairs.share, some.count)
        found[self.find_zeros(batch)] = 0.0
        return found

    def answer_batch(self, batch: QueryBatch) -> Answers:
        """The answers, with [0, 0] where all cells are impossible."""
        return keep_zeros(self._answer_batch(batch), self.find_zeros(batch))

    def find_zeros(self, batch: QueryBatch) -> Mask:
        if self.impossible is None:
            return super().find_zeros(batch)
        return find_impossible(batch, self.impossible, self.shape)

    def _answer_batch(self, batch: QueryBatch) -> Answers:
        answers = Answers.of(np.zeros(batch.count), noise=np.zeros(batch.count), model=np.zeros(batch.count))
        if self.density_mixture is not None and self.error_model is not None:
            for numbers in np.split(np.arange(batch.count), range(AT_ONCE, batch.count, AT_ONCE)):
                answers.put(
                    numbers, self._answer_with_mixture(batch.take(numbers), self.error_model, self.density_mixture)
                )
            return answers
        for numbers, some, pairs in join_regions(self.index, batch):
            answers.put(numbers, self._answer_overlaps(Overlaps.of(pairs, some, self.index), some))
        return answers

    def _answer_overlaps(self, overlaps: Overlaps, batch: QueryBatch) -> Answers:
        value, noise = overlaps.sums(self._corrections[overlaps.row] * overlaps.share), self._noise(overlaps)
        if self.error_model is None:
            return Answers.of(value, noise=noise, model=clustered_variance(overlaps, self._values, self._squares))
        known, clipped = self._by_histograms(batch, value, self.error_model)
        found = self._dependence(overlaps, batch, value, self.error_model)
        model = self._scattered_variance(overlaps, self.error_model) + clipped + found.variance
        noise, model = np.minimum(noise, known), np.minimum(model, np.maximum(known - noise, 0.0))
        return Answers.of(value, noise=noise, model=model, z=self.error_model.z, unmeasured=found.unmeasured)

    def _answer_with_mixture(self, batch: QueryBatch, model: ErrorModel, density_mixture: DensityMixture) -> Answers:
        """The answers with the mixture; blocks give the variances that pairs do not."""
        sides = density_mixture.sides(batch)
        value = sums_by(batch.owner, density_mixture.sums(sides, len(batch.owner)), batch.count)
        errors = self._pair_model.errors(batch, sides)
        blocks, by_pair, others = np.zeros(batch.count), np.flatnonzero(errors.by_pair), np.flatnonzero(~errors.by_pair)
        corrections = np.zeros(batch.count)
        corrections[by_pair] = sum_regions(self.index, self._corrections, batch.take(by_pair))
        value += corrections
        for numbers, some, pairs in join_regions(self.index, batch.take(others)):
            overlaps = Overlaps.of(pairs, some, self.index)
            value[others[numbers]] += overlaps.sums(self._corrections[overlaps.row] * overlaps.share)
            blocks[others[numbers]] = self._noise(overlaps) + self._scattered_variance(overlaps, model)
        known, clipped = self._by_histograms(batch, value, model)
        blocks = np.minimum(blocks + clipped, known)
        variance, none = np.where(batch.simple, blocks, errors.with_blocks(blocks)), np.zeros(batch.count)
        variance = variance + model.correction_weight * corrections**2
        return Answers.of(value, noise=variance, model=none, z=model.z, unmeasured=errors.unmeasured)

    @cached_property
    def _pair_model(self) -> PairModel:
        """The error model of the measured pairs."""
        assert self.density_mixture is not None and self.error_model is not None
        return PairModel(self.density_mixture, self.error_model, self.row_bound, self.shape)

    def _noise(self, overlaps: Overlaps) -> Floats:
        """The noise variance of each region's sum over blocks."""
        return variances_of_sums(
            self.covariance, overlaps.region, self.index.node[overlaps.row], overlaps.share, overlaps.count
        )

    def _scattered_variance(self, overlaps: Overlaps, model: ErrorModel) -> Floats:
        """The variance of each region's sum because of where content lies inside blocks."""
        found: Floats = (
            scattered_variance(overlaps, self._values / self.row_bound, self._split, model=model) * self.row_bound**2
        )
        return found

    def _dependence(self, overlaps: Overlaps, batch: QueryBatch, value: Floats, model: ErrorModel) -> Dependence:
        """What each region owes to histograms and to dependence that nothing measured."""
        return find_dependence(
            overlaps,
            batch,
            self.index,
            self._values,
            answers=value,
            model=model,
            total=self.total,
            row_bound=self.row_bound,
        )

    def _by_histograms(self, batch: QueryBatch, value: Floats, model: ErrorModel) -> tuple[Floats, Floats]:
        """Variances of regions that are about one axis alone: what its histogram tells, infinite for other regions, and
        what its noise adds to that of the blocks, 0 for others.

        A histogram has no codes below 0, and where it was cut off at 0 content is not known to be missing: up to the
        standard deviation of its noise a value counts as one that may have been cut off.
        """
        known, noise, only = np.full(batch.count, np.inf), np.zeros(batch.count), batch.only
        alone = np.bincount(batch.owner, minlength=batch.count)[batch.owner] == 1
        for i, axis in enumerate(batch.axes):
            here = np.flatnonzero(alone & (only == axis))
            numbers, same = np.unique(batch.which[here, i], return_inverse=True)
            found = self._of_histogram(axis, batch.lists[i].take(numbers), model)
            known[batch.owner[here]], noise[batch.owner[here]] = (each[same] for each in found)
        return known, model.histogram_weight * np.maximum(noise - value.clip(min=0) ** 2, 0.0)

    def _of_histogram(self, axis: int, lists: IntervalLists, model: ErrorModel) -> tuple[Floats, Floats]:
        """Variances of questions about one axis by itself, as its histogram tells them, and the histogram's noise."""
        variance = model.histogram_variances[axis]
        if variance is None:
            return np.full(len(lists), np.inf), np.zeros(len(lists))
        codes = sums_by(lists.owner, lists.high - lists.low, len(lists))
        rest = self.shape[axis] - codes
        known = np.minimum(codes * variance, rest * variance + self.covariance.root)
        inside_codes = np.bincount(lists.owner, (lists.low % 1 > 0) | (lists.high % 1 > 0), len(lists)) > 0
        return np.where(inside_codes, np.inf, known), variance * np.minimum(codes, rest).clip(min=0)

    @cached_property
    def blocks(self) -> ValuedBlocks:
        boxes = self.tree.boxes.take(self.tree.leaves)
        return ValuedBlocks(boxes.lower, boxes.upper, self.values, self.covariance.posterior[self.tree.leaves])

    @cached_property
    def index(self) -> TreeIndex:
        return TreeIndex(self.tree, self.density or (None,) * len(self.shape))

    @cached_property
    def covariance(self) -> TreeCovariance:
        return TreeCovariance.of(self.tree, self.node_variances)

    @cached_property
    def _corrections(self) -> Floats:
        """The value of every node of the index, or its correction to the mixture."""
        return self._sums(self.corrections)

    @cached_property
    def _values(self) -> Floats:
        return self._sums(self.values)

    @cached_property
    def _squares(self) -> Floats:
        return self._sums(self.values**2)

    @cached_property
    def _split(self) -> Floats:
        """The split variance factors of the blocks below each node, summed."""
        assert self.error_model is not None
        return self._sums(self.error_model.split_variance_factor(self.values / self.row_bound))

    def _sums(self, each: Floats) -> Floats:
        """Sums of one figure a block by node of the index."""
        return add_up(self.tree, each)[self.index.node]

    @cached_property
    def density_mixture(self) -> DensityMixture | None:
        return None if self.mixture is None else DensityMixture(self.mixture, self.density or (None,) * len(self.shape))


def _marginals(density: Sequence[ArrayLike | None] | None, shape: tuple[int, ...]) -> Marginals | None:
    if density is None:
        return None
    marginals = tuple(None if marginal is None else freeze(marginal) for marginal in density)
    if len(marginals) != len(shape):
        raise ValueError(f"density needs one entry per axis ({len(shape)}), got {len(marginals)}")
    for marginal, size in zip(marginals, shape, strict=True):
        if marginal is None:
            continue
        if marginal.shape != (size,) or not ((marginal >= 0) & (marginal <= LARGEST)).all():
            raise ValueError(f"the density of an axis of {size} codes needs {size} finite numbers from 0 up")
    return marginals
