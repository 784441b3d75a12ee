"""Answers about several totals at once: differences, ratios, and simultaneous intervals of groups."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from ripost.answering.answer import Answer
from ripost.answering.contrast import RegionPair, differences, ratios
from ripost.schema.attribute import Integer
from ripost.schema.domain import Domain
from ripost.space.region import Region, intersect
from ripost.view import View

Boxes = list[list[list[list[float]] | None]]
FIGURES = ("value", "stderr", "low", "high")

GROUPS: list[tuple[list[int], dict[int, tuple[float, float]]]] = [
    ([0], {}),
    ([1], {2: (6, 12)}),
    ([2], {0: (0, 2)}),
    ([3], {}),
    ([0, 1], {2: (18, 24)}),
    ([1, 2], {2: (6, 9)}),
    ([2, 3], {0: (1, 2)}),
    ([0, 2], {}),
    ([0, 3], {1: (2.4, 9.7)}),
    ([1, 3], {1: (2.4, 9.7)}),
]
"""Axes to group by, and the positions that others, or the same, are kept to; some lie inside codes."""


def region_of(boxes: Boxes) -> Region:
    """Boxes as the library has them."""
    return tuple(
        {axis: [(low, high) for low, high in spans] for axis, spans in enumerate(box) if spans is not None}
        for box in boxes
    )


def values_between(domain: Domain, axis: int, low: float, high: float) -> list[str] | tuple[int, int]:
    """Positions as the public functions take them: names, or the first and the last whole number."""
    attribute = domain.attributes[domain.names[axis]]
    if not isinstance(attribute, Integer):
        return [attribute.describe(code) for code in range(int(low), int(high))]
    start, width = attribute.bins.edge(0), attribute.bins.edge(1) - attribute.bins.edge(0)
    return round(start + width * low), round(start + width * high) - 1


def contrasts(view: View, pairs: list[tuple[Boxes, Boxes]]) -> list[dict[str, Any]]:
    """Pairs of regions with the difference and the ratio of their totals."""
    asked = [RegionPair.of(region_of(one), region_of(other), view.domain.shape) for one, other in pairs]
    less, over = differences(view, asked), ratios(view, asked)
    return [
        {"one": one, "other": other, "difference": _figures(less[i]), "ratio": _figures(over[i])}
        for i, (one, other) in enumerate(pairs)
    ]


def groups(view: View) -> list[dict[str, Any]]:
    """Questions that group by axes, with the simultaneous intervals of all their groups."""
    return [_grouped(view, by, where) for by, where in GROUPS]


def _grouped(view: View, by: list[int], where: dict[int, tuple[float, float]]) -> dict[str, Any]:
    ends = [where.get(axis, (0, view.domain.shape[axis])) for axis in by]
    codes = list(product(*(range(int(low), math.ceil(high)) for low, high in ends)))
    kept: Region = ({axis: [(float(low), float(high))] for axis, (low, high) in where.items()},)
    cells = [({axis: [(float(code), code + 1.0)] for axis, code in zip(by, each, strict=True)},) for each in codes]
    regions = [intersect(kept, cell) for cell in cells]
    answers = view.jointly(len(regions)).answer_regions(regions)
    rows = [{"codes": list(each), **_figures(answers[i])} for i, each in enumerate(codes)]
    return {"by": by, "where": {str(axis): list(ends) for axis, ends in where.items()}, "rows": rows}


def _figures(answer: Answer) -> dict[str, Any]:
    found = {name: getattr(answer, name) for name in FIGURES}
    return {name: figure if math.isfinite(figure) else None for name, figure in found.items()} | {"note": answer.note}
