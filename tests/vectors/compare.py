"""Answers about several totals at once: differences, ratios, and simultaneous intervals of groups."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from ripost.answering.answer import Answer
from ripost.answering.contrast import RegionPair, differences, ratios
from ripost.space.region import Region
from ripost.view import View

Boxes = list[list[list[list[float]] | None]]
FIGURES = ("value", "stderr", "low", "high")

GROUPS: list[tuple[list[int], dict[int, tuple[int, int]]]] = [
    ([0], {}),
    ([1], {2: (6, 12)}),
    ([2], {0: (0, 2)}),
    ([3], {}),
    ([0, 1], {2: (18, 24)}),
    ([1, 2], {2: (6, 9)}),
    ([2, 3], {0: (1, 2)}),
    ([0, 2], {}),
]
"""Axes to group by, and the codes that others, or the same, are kept to."""


def region_of(boxes: Boxes) -> Region:
    """Boxes as the library has them."""
    return tuple(
        {axis: [(low, high) for low, high in spans] for axis, spans in enumerate(box) if spans is not None}
        for box in boxes
    )


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


def _grouped(view: View, by: list[int], where: dict[int, tuple[int, int]]) -> dict[str, Any]:
    codes = list(product(*(range(*where.get(axis, (0, view.domain.shape[axis]))) for axis in by)))
    boxes = [{**where, **{axis: (code, code + 1) for axis, code in zip(by, each, strict=True)}} for each in codes]
    regions = [({axis: [(float(low), float(high))] for axis, (low, high) in box.items()},) for box in boxes]
    answers = view.jointly(len(regions)).answer_regions(regions)
    rows = [{"codes": list(each), **_figures(answers[i])} for i, each in enumerate(codes)]
    return {"by": by, "where": {str(axis): list(ends) for axis, ends in where.items()}, "rows": rows}


def _figures(answer: Answer) -> dict[str, Any]:
    found = {name: getattr(answer, name) for name in FIGURES}
    return {name: figure if math.isfinite(figure) else None for name, figure in found.items()} | {"note": answer.note}
