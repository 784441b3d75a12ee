"""Views to explore: every kind of content, every kind of attribute, and what a page must stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ripost.estimate.error_model import ErrorModel
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.contents import KINDS as CELL_KINDS
from tests.answering.contents import content_of
from tests.answering.making import make_view, promise

Selections = list[dict[int, list[tuple[float, float]]]]

TREES = {
    "blocks": {},
    "blocks with density": {"marginals": True},
    "blocks measured inside": {"inner": 0.6},
    "blocks smoothed": {"error_model": ErrorModel(0.02, (3.0, None, 1.5))},
    "blocks of a small epsilon": {"error_model": ErrorModel(0.02, (3.0,) * 3), "privacy": promise(60, epsilon="1/20")},
    "blocks with all of it": {"marginals": True, "inner": 0.6, "error_model": ErrorModel(0.5, (3.0, None, 1.5))},
}
BEYOND = ErrorModel(
    0.5,
    (3.0, None, 1.5),
    margin_weight=0.7,
    unmeasured_weight=0.4,
    unmeasured_power=1.3,
    outside_weight=2.0,
    note_share=0.45,
)
TREES |= {
    "blocks that alone tell of dependence": {"marginals": True, "inner": 0.6, "error_model": BEYOND},
    "blocks without density that do": {"error_model": BEYOND},
}
KINDS = (*TREES, *CELL_KINDS)

EVERY_TYPE = {
    "hour": {"type": "integer", "min": 0, "max": 23, "label": "scheduled hour", "missing": "drop"},
    "origin": {"type": "category", "values": ["EWR", "JFK", "LGA"], "missing": "drop"},
    "delay": {"type": "integer", "min": -30, "max": 299, "width": 10, "unit": "minutes"},
    "day": {"type": "date", "min": "2013-01-01", "max": "2013-12-31", "width": "1 month", "missing": "drop"},
    "at": {"type": "timestamp", "min": "2013-01-01T00:00:00", "max": "2013-01-02T00:00:00", "width": "90 minutes"},
    "share": {"type": "number", "min": 0.0, "max": 1.0, "bins": 40, "outside": "other"},
    "late": {"type": "boolean", "missing": "drop"},
}


def view_of_kind(kind: str) -> View:
    """A small view at random, of one kind of content."""
    if kind in TREES:
        return make_view((12, 7, 5), leaves=60, seed=3, **TREES[kind])  # type: ignore[arg-type]
    shape = (6, 4, 3)
    return View(domain=Domain.of(shape), content=content_of(kind, shape, 3), privacy=promise(1), method="by hand")


def every_type(**given: Any) -> View:
    """A view with an attribute of every type."""
    return make_view(Domain.from_json(EVERY_TYPE), **{"leaves": 400, "seed": 1, "marginals": True, **given})


def random_selections(shape: tuple[int, ...], count: int, rng: np.random.Generator) -> Selections:
    """Some axes free, others kept to up to three intervals, with ends at codes or between them."""
    found: Selections = []
    for _ in range(count):
        selection = {}
        for axis in np.flatnonzero(rng.random(len(shape)) < 0.6).tolist():
            wanted = 2 * int(rng.integers(0, 4))
            between = rng.uniform(0, shape[axis], wanted)
            ends = np.unique(between if rng.random() < 0.5 else between.round())
            pairs = ends[: len(ends) // 2 * 2].reshape(-1, 2).tolist()
            selection[axis] = [(low, high) for low, high in pairs]
        found.append(selection)
    return found
