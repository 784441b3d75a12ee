"""Buckets: sets of cells that share one noisy total, measured along a tree of such sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.content.cells import CellsContent, box_weights, in_batches
from ripost.answering.content.content import freeze
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats
from ripost.estimate.least_squares import TreeCovariance
from ripost.estimate.weighted import sums_by, variances_of_sums
from ripost.space.tree import Tree


class BucketContent(CellsContent):
    """The tree has the shape (buckets,): its boxes are runs of buckets. Content lies evenly on a bucket's cells."""

    kind = "buckets"

    def __init__(
        self,
        shape: Sequence[int],
        *,
        bucket: Codes,
        tree: Tree,
        values: ArrayLike,
        variances: ArrayLike | Callable[[Tree], Floats],
    ) -> None:
        super().__init__(shape, values)
        self.bucket = bucket
        self.tree = tree
        self.node_variances = freeze(variances(tree) if callable(variances) else variances)
        self.covariance = TreeCovariance.of(tree, self.node_variances)
        if bucket.shape != self.values.shape or (np.unique(bucket) != np.arange(tree.shape[0])).any():
            raise ValueError("every cell must be in one bucket, and every bucket must have a cell")
        if len(tree.leaves) != tree.shape[0]:
            raise ValueError("every bucket must be a leaf of the tree")

    @classmethod
    def of_totals(
        cls, shape: Sequence[int], bucket: Codes, tree: Tree, totals: Floats, variances: Floats
    ) -> BucketContent:
        """From the total of each bucket."""
        each = totals / np.bincount(bucket, minlength=len(totals))
        return cls(shape, bucket=bucket, tree=tree, values=each[bucket], variances=variances)

    @cached_property
    def _size(self) -> Floats:
        return np.bincount(self.bucket).astype(np.float64)

    @cached_property
    def cell_variance(self) -> Floats:  # type: ignore[override]
        return (self.covariance.posterior[self.tree.leaves] / self._size**2)[self.bucket]

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        boxes = zip(lower, upper, strict=True)
        return np.array([self.covariance.of_weights(self._share(box_weights(*box, self.shape))) for box in boxes])

    def answer_batch(self, batch: QueryBatch) -> Answers:
        """A bucket that lies partly in the question may have its rows anywhere: it counts as one cluster."""
        return in_batches(batch, self._answer_batch)

    def _answer_batch(self, batch: QueryBatch) -> tuple[Answers, int]:
        covered, buckets = self._cover_cells(batch, range(len(self.shape))), len(self._size)
        value = sums_by(covered.region, self.values[covered.cell] * covered.weight, batch.count)
        key, pair = np.unique(covered.region * buckets + self.bucket[covered.cell], return_inverse=True)
        region, bucket = key // buckets, key % buckets
        share = np.minimum(sums_by(pair, covered.weight, len(key)) / self._size[bucket], 1.0)
        noise = variances_of_sums(self.covariance, region, self.tree.leaves[bucket], share, batch.count)
        model = sums_by(region, self._totals[bucket] ** 2 * share * (1 - share), batch.count)
        return Answers.of(value, noise=noise, model=model), len(covered.region)

    @cached_property
    def _totals(self) -> Floats:
        return sums_by(self.bucket, self.values, len(self._size))

    def _share(self, weights: Sequence[Floats]) -> Floats:
        """The share of each bucket's cells that weights along the axes select."""
        inside = [np.flatnonzero(weight) for weight in weights]
        product = np.ones(())
        for weight, codes in zip(weights, inside, strict=True):
            product = product[..., None] * weight[codes]
        buckets = self.bucket.reshape(self.shape)[np.ix_(*inside)]
        share = np.bincount(buckets.ravel(), product.ravel(), minlength=len(self._size)) / self._size
        return np.minimum(share, 1.0)
