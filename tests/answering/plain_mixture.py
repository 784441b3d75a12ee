"""Answers of a view with a mixture, from the formulas of docs/format.md one after the other: the slow twin."""

from __future__ import annotations

import itertools
import math

from ripost.answering.content.tree import TreeContent
from ripost.space.region import Intervals, Region, Selection


def masses(content: TreeContent, axis: int, intervals: Intervals) -> list[float]:
    """The mass of each component inside some intervals of an axis, code by code."""
    assert content.mixture is not None
    levels, found = content.mixture.levels[axis].astype(float), []
    shares = _bin_shares(content, axis, intervals)
    for row in levels:
        squares = [level * level for level in row.tolist()]
        found.append(sum(square / sum(squares) * f for square, f in zip(squares, shares, strict=True)))
    return found


def mixture_sum(content: TreeContent, selection: Selection) -> float:
    """The mixture's sum over one box."""
    assert content.mixture is not None
    mass = {axis: masses(content, axis, spans) for axis, spans in selection.items()}
    products = [
        weight * math.prod(mass[axis][k] for axis in mass) for k, weight in enumerate(content.mixture.weights.tolist())
    ]
    return content.mixture.total * sum(products)


def variance(
    content: TreeContent, region: Region, value: float, blocks: float, correction: float
) -> tuple[float, bool]:
    """The variance of a region, from its value and that of its blocks, and whether a box has no measured pair."""
    boxes = [_bounded(content, selection) for selection in region]
    if len(boxes) == 1 and len(boxes[0]) == 0:
        return blocks, False
    if len(boxes) == 1 and len(boxes[0]) == 1:
        known, clipped = by_histogram(content, *next(iter(boxes[0].items())), value)
        return min(blocks + clipped, known), False
    found = [_pair_terms(content, box) for box in boxes]
    fitted = sum(math.sqrt(one[0]) for one in found) ** 2
    beyond = sum(math.sqrt(one[1] + one[2]) for one in found) ** 2
    unmeasured = any(len(box) > 1 and math.isinf(one[0]) for box, one in zip(boxes, found, strict=True))
    if all(len(box) == 2 and math.isfinite(one[0]) for box, one in zip(boxes, found, strict=True)):
        blocks = math.inf  # the pairs tell all
        assert content.error_model is not None
        beyond += content.error_model.correction_weight * correction**2
    return min(blocks, fitted) + beyond, unmeasured


def _pair_terms(content: TreeContent, box: Selection) -> tuple[float, float, float]:
    """min V_ij, max D_ij, and the histogram term of a box."""
    error, mixture = content.error_model, content.mixture
    assert error is not None and mixture is not None
    s, e, u = {}, {}, {}
    for axis, spans in box.items():
        f, m = _bin_shares(content, axis, spans), _bin_masses(content, axis)
        s[axis] = sum(x * y for x, y in zip(m, f, strict=True))
        e[axis] = max(0.0, sum(y * y for y in f) - error.centering * sum(f) ** 2 / len(f))
        u[axis] = sum(x * y * (1 - y) for x, y in zip(m, f, strict=True))
    least, most = math.inf, 0.0
    for pair in error.pairs:
        i, j = pair.axes
        if i not in box or j not in box:
            continue
        rest = math.prod(s[axis] for axis in box if axis not in (i, j))
        v = mixture_sum(content, {i: box[i], j: box[j]})
        inside = pair.misfit * pair.variance * (e[i] * e[j]) ** error.sum_power
        if inside > 0:
            far = abs(v - mixture.total * s[i] * s[j])
            far /= far + math.sqrt(inside)
            inside *= error.least_noise * (1 - far) + error.most_noise * far
        inside += _scatter(content, mixture.total * (u[i] * s[j] + u[j] * s[i]))
        least = min(least, rest**2 * inside + _scatter(content, v) * rest * (1 - rest))
        if s[i] > 0 and s[j] > 0:
            cut = min(1.0, u[i] / s[i] + u[j] / s[j]) ** 2 * s[i] * s[j] * (1 - s[i]) * (1 - s[j])
            most = max(most, rest**2 * error.dependence_weight * pair.dependence * mixture.total**2 * cut)
    noise = 0.0
    for axis, spans in box.items():
        codes = sum(high - low for low, high in spans)
        each = (error.histogram_variances[axis] or 0.0) * min(codes, content.shape[axis] - codes)
        noise += each * math.prod(s[other] ** 2 for other in box if other != axis)
    return least, most, error.histogram_weight * noise


def by_histogram(content: TreeContent, axis: int, spans: Intervals, value: float) -> tuple[float, float]:
    """What the histogram of an axis tells of a question about it alone, and what its noise adds to the blocks'."""
    assert content.error_model is not None
    each = content.error_model.histogram_variances[axis]
    if each is None:
        return math.inf, 0.0
    codes = sum(high - low for low, high in spans)
    rest = content.shape[axis] - codes
    whole = all(end % 1 == 0 for span in spans for end in span)
    known = min(codes * each, rest * each + content.covariance.root) if whole else math.inf
    noise = max(0.0, each * min(codes, rest))
    return known, content.error_model.histogram_weight * max(0.0, noise - max(0.0, value) ** 2)


def _bounded(content: TreeContent, selection: Selection) -> Selection:
    """The axes that a box bounds."""
    whole = {axis: [(0.0, float(content.shape[axis]))] for axis in selection}
    return {axis: spans for axis, spans in selection.items() if [tuple(span) for span in spans] != whole[axis]}


def _bin_shares(content: TreeContent, axis: int, spans: Intervals) -> list[float]:
    """f: the share of each bin inside some intervals, by the density or evenly where the bin has no mass."""
    assert content.mixture is not None
    edges, found = content.mixture.edges[axis].tolist(), []
    density = None if content.density is None else content.density[axis]
    for start, stop in itertools.pairwise(edges):
        mass = [1.0] * (stop - start) if density is None else density[start:stop].tolist()
        mass = mass if sum(mass) > 0 else [1.0] * (stop - start)
        inside = [
            sum(max(0.0, min(high, code + 1) - max(low, code)) for low, high in spans) for code in range(start, stop)
        ]
        found.append(sum(x * y for x, y in zip(mass, inside, strict=True)) / sum(mass))
    return found


def _bin_masses(content: TreeContent, axis: int) -> list[float]:
    """m: the share of the attribute's whole density in each bin, by codes where there is none."""
    assert content.mixture is not None
    edges = content.mixture.edges[axis].tolist()
    density = None if content.density is None else content.density[axis]
    mass = [1.0] * content.shape[axis] if density is None or density.sum() == 0 else density.tolist()
    return [sum(mass[start:stop]) / sum(mass) for start, stop in itertools.pairwise(edges)]


def _scatter(content: TreeContent, n: float) -> float:
    assert content.error_model is not None
    rows = max(n, 0.0) / content.row_bound
    weight = content.error_model.pair_scatter * content.row_bound**2
    return weight * (rows + content.error_model.scatter * rows**content.error_model.power)
