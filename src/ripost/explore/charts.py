"""Charts as values: what a picture shows, computed from a view, whoever draws it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ripost.arrays import Floats
from ripost.errors import QueryError
from ripost.explore.chart_axis import MOST_NAMES, ChartAxis
from ripost.series import Series

if TYPE_CHECKING:
    from ripost.view import View


MOST_SIDE = 400  # bins of an axis of a map; finer axes are drawn in bins of several codes
MOST_PANELS = 12  # attributes in an overview
FEW_NAMES = 14  # of an attribute in an overview
MOST_OUTLINES = 20_000
DEPENDENCE_BINS = 16  # of an axis, where dependence is measured
MOST_DIMENSIONS = 20  # in a picture of dependence


@dataclass(frozen=True)
class MarginalChart:
    """The counts of one attribute, each with its interval; NaN where nothing is known of the error."""

    axis: ChartAxis
    measure: str
    values: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, view: View, name: str, *, names: int = MOST_NAMES) -> MarginalChart:
        """Numbers and dates in their order; names by their counts, the largest first, other and missing values last.

        The periods of a series stay in the order of time.
        """
        axis, at = ChartAxis.of_bars(view, name), view.domain.axis(name)
        bins = itertools.pairwise(axis.edges.tolist())
        answers = view.answer_regions([({at: [(float(start), float(end))]},) for start, end in bins])
        values, low, high = answers.value, answers.low, answers.high
        if not axis.is_ordered:
            largest = np.argsort(-values[: axis.regular], kind="stable")[:names]
            if isinstance(view, Series) and at == 0:
                largest.sort()
            chosen = [*largest.tolist(), *range(axis.regular, len(axis))]
            axis, values, low, high = axis.pick(chosen), values[chosen], low[chosen], high[chosen]
        return cls(axis, _measure_name(view), values, low, high)


@dataclass(frozen=True)
class MapChart:
    """Two dimensions: a figure for each pair of bins, and the outlines of blocks as they lie on the two."""

    x: ChartAxis
    y: ChartAxis
    title: str
    values: Floats | None  # (y, x); None for outlines alone
    boxes: Floats | None  # (n, 2, 2): of x and y the ends in codes; None if there are none, or too many to draw

    @classmethod
    def of(cls, view: View, x: str, y: str, kind: str = "map") -> MapChart:
        """Totals with blocks, blocks alone, or the standard error of the noise in totals."""
        if view.domain.axis(x) == view.domain.axis(y):
            raise QueryError(f"a map needs two dimensions, got {x!r} twice")
        across, up = ChartAxis.of(view, x, MOST_SIDE), ChartAxis.of(view, y, MOST_SIDE)
        boxes = outlines(view, x, y) if kind != "error" else None
        if kind == "partition":
            if boxes is None:
                raise QueryError(f"only a view of up to {MOST_OUTLINES:,} blocks has a partition to draw")
            return cls(across, up, "", None, boxes)
        lower, upper = _pairs(view, across, up)
        figures = view.stderr(lower, upper) if kind == "error" else view.answer(lower, upper)
        title = f"standard error of {_measure_name(view)}" if kind == "error" else _measure_name(view)
        return cls(across, up, title, figures.reshape(len(up), len(across)), boxes)


@dataclass(frozen=True)
class DependenceChart:
    """How strongly each two dimensions depend on each other, from 0 to 1 (Cramer's V of coarse counts)."""

    names: tuple[str, ...]
    strength: Floats  # (d, d), 1 on the diagonal

    @classmethod
    def of(cls, view: View) -> DependenceChart:
        """As the view tells it: noise alone makes independent dimensions look a little dependent."""
        names = view.domain.names[:MOST_DIMENSIONS]
        strength = np.eye(len(names))
        for (i, a), (j, b) in itertools.combinations(enumerate(names), 2):
            x, y = ChartAxis.of(view, a, DEPENDENCE_BINS), ChartAxis.of(view, b, DEPENDENCE_BINS)
            counts = np.maximum(view.answer(*_pairs(view, x, y)), 0).reshape(len(y), len(x))
            strength[i, j] = strength[j, i] = cramers_v(counts)
        return cls(names, strength)


def _measure_name(view: View) -> str:
    return "rows" if view.measure.title == "COUNT(*)" else view.measure.title


def cramers_v(counts: Floats) -> float:
    """0 where rows and columns are independent, 1 where one tells the other; 0 if there is nothing to tell."""
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    total = counts.sum()
    if min(counts.shape) < 2 or total <= 0:
        return 0.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    return float(np.sqrt(((counts - expected) ** 2 / expected).sum() / total / (min(counts.shape) - 1)))


def outlines(view: View, x: str, y: str) -> Floats | None:
    """The distinct rectangles that blocks make on two dimensions; None if there are none, or too many to draw."""
    if view.content.kind != "blocks":
        return None
    blocks = view.blocks
    ends = np.stack([blocks.lower, blocks.upper], axis=2)[:, [view.domain.axis(x), view.domain.axis(y)]]
    distinct = np.unique(ends, axis=0)
    return distinct.astype(np.float64) if len(distinct) <= MOST_OUTLINES else None


def _pairs(view: View, x: ChartAxis, y: ChartAxis) -> tuple[Floats, Floats]:
    """A box for each pair of bins, x fastest."""
    lower = np.zeros((len(y) * len(x), len(view.domain)))
    upper = np.tile(np.array(view.domain.shape, np.float64), (len(lower), 1))
    across, up = view.domain.axis(x.name), view.domain.axis(y.name)
    for boxes, ends in ((lower, slice(None, -1)), (upper, slice(1, None))):
        boxes[:, across] = np.tile(x.edges[ends], len(y))
        boxes[:, up] = np.repeat(y.edges[ends], len(x))
    return lower, upper
