"""Dependence variance: errors of a view in which only the blocks measure dependence, beyond the noise of the blocks.

Inside a block attributes count as independent, each lying as its histogram says. The part P of an answer that comes
from blocks which lie partly in the question relies on both (docs/format.md). A block that lies nearly whole in the
question hardly does: it adds its value times its share f inside, or times outside_weight (1 - f) if that is less.

    noise of the histograms   margin_weight * sum_a h_a (P / max(P, N s_a))^2
    dependence                unmeasured_weight * scatter(N) p^unmeasured_power (1 - p),   p = P / N

The second is about questions that bound several attributes.
"""

from __future__ import annotations

import numpy as np

from ripost.answering.axis_index import Ruler
from ripost.answering.query_batch import QueryBatch
from ripost.answering.tree_index import TreeIndex
from ripost.answering.within_block_variance import Overlaps
from ripost.arrays import Floats
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.weighted import sums_by


def unmeasured_variance(
    overlaps: Overlaps,
    batch: QueryBatch,
    index: TreeIndex,
    values: Floats,
    *,
    model: ErrorModel,
    total: float,
    row_bound: float,
) -> Floats:
    """The variance of each region; `values` are those of nodes.

    The boxes of a region may err alike, and then by no larger a part than the worst of them.
    """
    if not (model.margin_weight or model.unmeasured_weight):
        return np.zeros(batch.count)
    some, relied = overlaps.partly, overlaps.share[overlaps.partly]
    if model.outside_weight is not None:
        relied = np.minimum(relied, model.outside_weight * (1 - relied))
    part = sums_by(overlaps.region[some], values[overlaps.row[some]] * relied, overlaps.count).clip(min=0)
    noise = np.zeros(len(batch.owner))
    for i, axis in enumerate(batch.axes):
        noise += np.where(batch.bounded[:, i], _of_axis(batch, i, axis, index, model, total, part), 0.0)
    margins = np.zeros(batch.count)
    np.maximum.at(margins, batch.owner, noise)
    share = np.minimum(part / total, 1.0) if total > 0 else np.zeros(batch.count)
    whole = float(model.split_variance_factor(np.array([total / row_bound]))[0]) * row_bound**2
    dependence = whole * share**model.unmeasured_power * (1 - share) * (part > 0)
    several = np.bincount(batch.owner, batch.bounded.sum(axis=1) > 1, batch.count) > 0
    found: Floats = model.margin_weight * margins + np.where(several, model.unmeasured_weight * dependence, 0.0)
    return found


def _of_axis(
    batch: QueryBatch, i: int, axis: int, index: TreeIndex, model: ErrorModel, total: float, part: Floats
) -> Floats:
    """What the noise of one histogram adds to the part of each box's region, (boxes,)."""
    lists, size, variance = batch.lists[i], index.tree.shape[axis], model.histogram_variances[axis]
    if variance is None:
        return np.zeros(len(batch.owner))
    codes = sums_by(lists.owner, lists.high - lists.low, len(lists))
    rows = (total * _shares(index.index(axis).ruler, batch, i, size))[batch.which[:, i]]
    here = part[batch.owner]
    relied = np.divide(here, np.maximum(here, rows), out=np.zeros(len(here)), where=here > 0)
    noise: Floats = (variance * np.minimum(codes, size - codes).clip(min=0))[batch.which[:, i]] * relied**2
    return noise


def _shares(ruler: Ruler, batch: QueryBatch, i: int, size: int) -> Floats:
    """The share of an axis's density that each of its lists holds; 0 where the axis has none."""
    lists = batch.lists[i]
    whole = float(ruler.at(np.array([float(size)]))[0])
    inside = sums_by(lists.owner, ruler.at(lists.high) - ruler.at(lists.low), len(lists))
    return inside / whole if whole > 0 else np.zeros(len(lists))
