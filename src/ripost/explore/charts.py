"""Charts as values: what a picture shows, computed from a view, whoever draws it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.errors import QueryError
from ripost.schema.attribute_base import AttributeBase, OrderedAttribute

if TYPE_CHECKING:
    from ripost.view import View


MOST_BARS = 2_000  # codes of an axis that are drawn one by one
MOST_SIDE = 400  # stretches of an axis of a map; finer axes are drawn in stretches of several codes
MOST_PANELS = 12  # dimensions in an overview
MOST_OUTLINES = 20_000
STRETCHES = 16  # of an axis, where dependence is measured
MOST_DIMENSIONS = 20  # in a picture of dependence


@dataclass(frozen=True)
class ChartAxis:
    """A dimension in print: its name, and the stretches of codes that a chart tells apart."""

    name: str
    title: str
    edges: Ints  # (n + 1,): first code of each stretch, and the end of the last
    labels: tuple[str, ...]  # (n,): what each stands for
    marks: tuple[str, ...]  # (n,): what to write on the axis: where a stretch of numbers begins, or the label
    is_ordered: bool

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, view: View, name: str, most: int) -> ChartAxis:
        attribute = view.domain.attributes[view.domain.names[view.domain.axis(name)]]
        step = -(-attribute.size // most)
        edges = np.append(np.arange(0, attribute.size, step), attribute.size).astype(np.int64)
        labels = tuple(_describe_interval(attribute, *ends) for ends in itertools.pairwise(edges.tolist()))
        title = attribute.label or name
        return cls(
            name,
            f"{title} ({attribute.unit})" if attribute.unit else title,
            edges,
            labels,
            tuple(_describe_start(attribute, code, label) for code, label in zip(edges.tolist(), labels, strict=False)),
            isinstance(attribute, OrderedAttribute),
        )


@dataclass(frozen=True)
class MarginalChart:
    """The counts of one dimension, each with its interval; NaN where nothing is known of the error."""

    axis: ChartAxis
    measure: str
    values: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, view: View, name: str) -> MarginalChart:
        axis, at = ChartAxis.of(view, name, MOST_BARS), view.domain.axis(name)
        stretches = itertools.pairwise(axis.edges.tolist())
        answers = view.answer_regions([({at: [(float(start), float(end))]},) for start, end in stretches])
        return cls(axis, view.measure.title, answers.value, answers.low, answers.high)


@dataclass(frozen=True)
class MapChart:
    """Two dimensions: a figure for each pair of stretches, and the outlines of blocks as they lie on the two."""

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
        title = f"standard error of {view.measure.title}" if kind == "error" else view.measure.title
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
            x, y = ChartAxis.of(view, a, STRETCHES), ChartAxis.of(view, b, STRETCHES)
            counts = np.maximum(view.answer(*_pairs(view, x, y)), 0).reshape(len(y), len(x))
            strength[i, j] = strength[j, i] = cramers_v(counts)
        return cls(names, strength)


def _describe_interval(attribute: AttributeBase, first: int, end: int) -> str:
    """What a stretch of codes stands for."""
    whole = attribute.describe(first)
    return whole if end == first + 1 else f"{whole} … {attribute.describe(end - 1)}"


def _describe_start(attribute: AttributeBase, code: int, label: str) -> str:
    """Where a stretch of numbers begins; the label of what is no number."""
    if isinstance(attribute, OrderedAttribute) and code < attribute.count:
        return attribute.text(attribute.bins.edge(code))
    return label


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
    """A box for each pair of stretches, x fastest."""
    lower = np.zeros((len(y) * len(x), len(view.domain)))
    upper = np.tile(np.array(view.domain.shape, np.float64), (len(lower), 1))
    across, up = view.domain.axis(x.name), view.domain.axis(y.name)
    for boxes, ends in ((lower, slice(None, -1)), (upper, slice(1, None))):
        boxes[:, across] = np.tile(x.edges[ends], len(y))
        boxes[:, up] = np.repeat(y.edges[ends], len(x))
    return lower, upper
