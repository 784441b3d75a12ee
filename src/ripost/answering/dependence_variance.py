"""Dependence variance: errors of a view in which only the blocks measure dependence, beyond the noise of the blocks.

Inside a block attributes count as independent, each lying as its histogram says. The part P of an answer that comes
from blocks which lie partly in the question relies on both (docs/format.md). A block that lies nearly whole in the
question hardly does: it adds its value times its share f inside, or times outside_weight (1 - f) if that is less.

    noise of the histograms   margin_weight * sum_a h_a (P / max(P, N s_a))^2
    dependence                unmeasured_weight * scatter(N) p^unmeasured_power (1 - p),   p = P / N

The second is about questions that bound several attributes. They have a note if P exceeds note_share
of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.answering.axis_index import Ruler
from ripost.answering.query_batch import QueryBatch
from ripost.answering.tree_index import TreeIndex
from ripost.answering.within_block_variance import Overlaps
from ripost.arrays import Floats, Mask
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.weighted import sums_by


@dataclass(frozen=True)
class Dependence:
    """What regions owe to independence inside blocks, (regions,) each."""

    variance: Floats
    unmeasured: Mask  # the region bounds several attributes, and cut blocks hold most of its answer


def find_dependence(
    overlaps: Overlaps,
    batch: QueryBatch,
    index: TreeIndex,
    values: Floats,
    *,
    answers: Floats,
    model: ErrorModel,
    total: float,
    row_bound: float,
) -> Dependence:
    """The dependence of each region; `values` are those of nodes, `answers` those of regions.

    The boxes of a region may err alike, and then by no larger a part than the worst of them.
    """
    if not (model.margin_weight or model.unmeasured_weight):
        return Dependence(np.zeros(batch.count), np.zeros(batch.count, bool))
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
    variance = model.margin_weight * margins + np.where(several, model.unmeasured_weight * dependence, 0.0)
    return Dependence(variance, several & _is_most(part, answers, model))


def _is_most(part: Floats, answers: Floats, model: ErrorModel) -> Mask:
    """Whether the parts are more than the error model's share of the answers."""
    if model.note_share is None or not model.unmeasured_weight:
        return np.zeros(len(part), bool)
    found: Mask = part > model.note_share * answers.clip(min=0)
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
