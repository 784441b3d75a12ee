"""The total of one region and its error, by the definitions: the slow twin of `Content.regions`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ripost.answering.answer import UNMEASURED, Answer
from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tables import TableContent
from ripost.answering.content.tree import TreeContent
from ripost.space.region import Region, Selection
from tests.answering import plain_mixture
from tests.answering.making import Array
from tests.answering.plain_tables import row_shares, table_variance

LAPLACE = 2.12


def plain_answer(content: Content, region: Region) -> Answer:
    match content:
        case TreeContent():
            return _of_blocks(content, region)
        case BucketContent():
            weights = _cells(content, region)
            size = np.bincount(content.bucket)
            share = np.minimum(np.bincount(content.bucket, weights) / size, 1)
            totals = np.bincount(content.bucket, content.values)
            noise = content.covariance.of_weights(share)
            return _answer(float(weights @ content.values), noise=noise, model=float(totals**2 @ (share * (1 - share))))
        case MatrixContent():
            weights = _cells(content, region)
            noise = float(weights @ np.linalg.solve(_normal(content), weights)) * content.variance
            return _answer(float(weights @ content.values), noise=noise, model=0.0)
        case TableContent():
            weights = _cells(content, region)
            value, variance = float(content.values @ row_shares(content, weights)), table_variance(content, weights)
            if math.isnan(variance):
                return Answer(value, math.nan, math.nan, math.nan, UNMEASURED)
            return _answer(value, noise=variance, model=0.0)
        case SampleContent():
            share = _cells(content, region)[np.ravel_multi_index(tuple(content.coords.T), content.shape)]
            return Answer(float(share @ content.values), math.nan, math.nan, math.nan)
    raise TypeError


def _answer(value: float, *, noise: float, model: float, z: float = LAPLACE) -> Answer:
    reach = z * math.sqrt(noise + model)
    return Answer(value, math.sqrt(noise), max(0.0, value - reach), max(0.0, value) + reach)


def _of_blocks(content: TreeContent, region: Region) -> Answer:
    """Blocks that all boxes of a region cut along the same intervals form one cluster, or deviate partly alike."""
    boxes = content.tree.boxes.take(content.tree.leaves)
    share, groups = np.zeros(len(boxes)), [""] * len(boxes)
    for number, selection in enumerate(region):
        for leaf in range(len(boxes)):
            parts = {axis: _part(content, axis, leaf, selection) for axis in selection}
            if (inside := math.prod(parts.values())) > 0:
                cut = [(axis, boxes.lower[leaf, axis], boxes.upper[leaf, axis]) for axis in parts if parts[axis] < 1]
                share[leaf] += inside
                groups[leaf] += f"{number}{cut}"
    share[share > 1 - 1e-12] = 1
    clusters: dict[str, list[int]] = {}
    for leaf in np.flatnonzero((share > 0) & (share < 1)).tolist():
        clusters.setdefault(groups[leaf], []).append(leaf)
    value, noise = float(content.corrections @ share), content.covariance.of_weights(share)
    if content.error_model is None:
        model = 0.0
        for cluster in clusters.values():
            x, f = content.values[cluster], share[cluster[0]]
            model += max(x.sum() ** 2, (x**2).sum()) * f * (1 - f)
        return _answer(value, noise=noise, model=model, z=LAPLACE)
    model = 0.0
    for cluster in clusters.values():
        x, f = content.values[cluster] / content.row_bound, share[cluster[0]]
        usual = [_scatter(one, content.error_model.scatter) for one in [*x, x.sum()]]
        model += (0.75 * sum(usual[:-1]) + 0.25 * usual[-1]) * f * (1 - f) * content.row_bound**2
    if content.mixture is not None:
        correction = value
        value += sum(plain_mixture.mixture_sum(content, selection) for selection in region)
        whole, unmeasured = plain_mixture.variance(content, region, value, noise + model, correction)
        found = _answer(value, noise=whole, model=0.0, z=content.error_model.z)
        return replace(found, note=UNMEASURED if unmeasured else "")
    dependence, unmeasured = _unmeasured(content, region, share, value)
    model += dependence
    bounded = [
        (axis, spans)
        for axis, spans in (region[0].items() if len(region) == 1 else ())
        if sum(high - low for low, high in spans) < content.shape[axis]
    ]
    if len(bounded) == 1:
        [(axis, intervals)] = bounded
        known, clipped = plain_mixture.by_histogram(content, axis, intervals, value)
        noise, model = min(noise, known), min(model + clipped, max(known - noise, 0.0))
    found = _answer(value, noise=noise, model=model, z=content.error_model.z)
    return replace(found, note=UNMEASURED if unmeasured else "")


def _unmeasured(content: TreeContent, region: Region, share: Array, value: float) -> tuple[float, bool]:
    """What the part of an answer from blocks that lie partly in the question owes to histograms and independence, and
    whether it is most of the answer.
    """
    told, total = content.error_model, float(content.values.sum())
    assert told is not None
    limit = np.inf if told.outside_weight is None else told.outside_weight
    relied = [min(float(f), limit * (1 - float(f))) if 0 < f < 1 else 0.0 for f in share]
    part = max(0.0, sum(float(x) * f for x, f in zip(content.values, relied, strict=True)))
    noises, several = [0.0], False
    for selection in region:
        covered = {axis: sum(high - low for low, high in selection[axis]) for axis in selection}
        bounded = {axis: codes for axis, codes in covered.items() if codes < content.shape[axis]}
        noise, several = 0.0, several or len(bounded) > 1
        for axis, codes in bounded.items():
            size, mass = content.shape[axis], None if content.density is None else content.density[axis]
            mass = np.ones(size) if mass is None else mass
            inside = sum(
                mass[c] * max(0.0, min(high, c + 1) - max(low, c)) for low, high in selection[axis] for c in range(size)
            )
            rows = total * inside / mass.sum() if mass.sum() > 0 else 0.0
            relied = part / max(part, rows) if part > 0 else 0.0
            noise += (told.histogram_variances[axis] or 0.0) * min(codes, size - codes) * relied**2
        noises.append(noise)
    if part == 0:
        return 0.0, False
    p = min(part / total, 1.0) if total > 0 else 0.0
    whole = _scatter(total / content.row_bound, told.scatter) * content.row_bound**2
    dependence = told.unmeasured_weight * whole * p**told.unmeasured_power * (1 - p) if several else 0.0
    is_most = several and told.note_share is not None and part > told.note_share * max(0.0, value)
    return told.margin_weight * max(noises) + dependence, is_most


def _part(content: TreeContent, axis: int, leaf: int, selection: Selection) -> float:
    boxes = content.tree.boxes.take(content.tree.leaves)
    start, stop = int(boxes.lower[leaf, axis]), int(boxes.upper[leaf, axis])
    if any(low <= start and stop <= high for low, high in selection[axis]):
        return 1.0
    marginal = None if content.density is None else content.density[axis]
    mass = np.ones(content.shape[axis]) if marginal is None or not marginal[start:stop].any() else marginal
    inside = 0.0
    for low, high in selection[axis]:
        inside += sum(mass[c] * max(0.0, min(high, c + 1) - max(low, c)) for c in range(start, stop))
    return min(float(inside / mass[start:stop].sum()), 1.0)


def _cells(content: Content, region: Region) -> Array:
    """The share of every cell that lies in a region, row-major."""
    found = np.zeros(content.shape)
    for selection in region:
        box = np.ones(content.shape)
        for axis, intervals in selection.items():
            size = content.shape[axis]
            part = [sum(max(0.0, min(h, c + 1) - max(lo, c)) for lo, h in intervals) for c in range(size)]
            box *= np.reshape(part, [-1 if other == axis else 1 for other in range(len(content.shape))])
        found += box
    return found.ravel()


def _normal(content: MatrixContent) -> Array:
    stack: Any = content.stack
    total = np.zeros((math.prod(content.shape),) * 2)
    for measured, weight in zip(stack.measured, stack.weight, strict=True):
        product = np.ones((1, 1))
        for gram, is_measured in zip(stack.grams, measured, strict=True):
            product = np.kron(product, gram if is_measured else np.ones_like(gram))
        total += weight * product
    return total


def _scatter(rows: float, scatter: float) -> float:
    some = max(rows, 0.0)
    return float(some + scatter * some**1.7)
