"""Features: views with what came after the first formats, as `publish` makes them: measures, periods, discovery, levels."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

import ripost
from ripost.data.tensor import Tensor
from ripost.schema.domain import Domain
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.schema import Schema
from ripost.view import View
from tests.vectors.levels import SCHEMA as IMPOSSIBLE
from tests.vectors.levels import rows as rows_of_levels

WARD = {
    "type": "category",
    "values": ["A", "B", "Ü", "D"],
    "levels": {"wing": {"north": ["A", "B"], "south": ["Ü", "D"]}},
    "derived": {"night": ["yes", "no", "no", "yes"]},
}
AGE = {"type": "integer", "min": 0, "max": 99, "width": 10, "missing": "drop"}
STEPS = {"type": "integer", "min": 0, "max": 15, "missing": "drop"}
VISITS: dict[str, Any] = {
    "title": "Visits",
    "description": "Of wards.",
    "period": "month(day)",
    "attributes": {"age": AGE, "ward": WARD},
    "measures": {
        "cost": {"min": -50.0, "max": 450.0, "step": 0.5, "missing": "drop"},
        "stay": {"column": "days", "min": 0.0, "max": 30.0, "weight": 2.0},
    },
}
DISCOVERED: dict[str, Any] = {
    "unit": "who",
    "max_rows": "discover",
    "attributes": {
        "age": {"type": "integer", "min": 0, "max": "discover", "max_bins": 12},
        "ward": {"type": "category", "values": "discover", "max_values": 9},
        "cost": {"type": "number", "min": "discover", "max": "discover", "bins": 6},
    },
}
MONTHS = ("2026-01", "2026-02", "2026-03")


@cache
def visits(number: int = 1500) -> pa.Table:
    """Rows in which everything depends on age; some values are missing, and some beyond the range."""
    rng = np.random.default_rng(5)
    age = rng.integers(0, 100, number)
    ward = np.array(["A", "B", "Ü", "D"])[np.clip(age // 25 + rng.integers(-1, 2, number), 0, 3)]
    days = [dt.date(2026, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 90, number)]
    cost = pa.array(rng.normal(2 * age, 40), mask=rng.random(number) < 0.05)
    columns = {"first": age // 7, "second": age // 10, "third": rng.integers(0, 16, number)}
    return pa.table(
        {"age": age, "ward": ward, "day": days, "cost": cost, "days": age / 4, "who": np.arange(number) // 2, **columns}
    )


@cache
def feature_views() -> dict[str, View]:
    """One view of each."""
    steps = {"age": AGE, "ward": WARD, "first": STEPS, "second": STEPS, "third": STEPS}
    many, with_steps = visits(3000), {**VISITS, "attributes": steps}
    return {
        "measures": _publish(VISITS, epsilon=4),
        "measures of people": _publish({**VISITS, "unit": "who", "max_rows": 2}, epsilon=4, period=MONTHS[0]),
        "measures and mixture": ripost.publish(many, Schema.from_dict(with_steps), epsilon=4, seed=5),
        "levels": ripost.publish(rows_of_levels(2000), IMPOSSIBLE, epsilon=2, seed=5),
        "discovery": _publish(DISCOVERED, epsilon=40, delta=1e-4, method="identity"),
        "discovery by Gaussian noise": _publish(DISCOVERED, epsilon=40, delta=1e-4),
        "estimated again": ripost.reestimate(_publish({**VISITS, "measures": {}}, epsilon=2)),
    }


@cache
def monthly_views() -> dict[str, tuple[View, ...]]:
    """The views of several months, of which series are made: with measures, and without."""
    counts = {**VISITS, "measures": {}}
    return {
        "months of measures": tuple(_publish(VISITS, epsilon=4, period=month) for month in MONTHS[:2]),
        "months": tuple(_publish(counts, epsilon=2, period=month, method="identity") for month in MONTHS),
    }


def _publish(schema: dict[str, Any], **options: Any) -> View:
    return ripost.publish(visits(), Schema.from_dict(schema), seed=7, **options)


@cache
def measured_codes(shape: tuple[int, ...], measures: int, rows: int = 400) -> View:
    """A view of plain codes with measures m0, m1, …"""
    rng = np.random.default_rng(len(shape))
    coords = np.unique(np.stack([rng.integers(0, size, rows) for size in shape], axis=1), axis=0).astype(np.int32)
    facts = {f"m{number}": MeasuredColumn(min=-10.0 * number, max=50.0) for number in range(measures)}
    bounds = np.array([one.bound for one in facts.values()])
    sums = rng.integers(-bounds[:, None], bounds[:, None], (measures, len(coords)))
    counts = np.ones(len(coords), np.int64)
    tensor = Tensor(Domain.of(shape), coords, counts, measures=facts, sums=sums)
    return ripost.publish(tensor, epsilon=4, seed=7)


@cache
def mapped_codes(size: int, other: int) -> View:
    """A view of plain codes x0 and x1, x0 with levels and something derived; codes of x0 are names."""
    codes = [str(code) for code in range(size)]
    levels = {"upper": [str(code // 10) for code in range(size)], "lower": [f"{code // 2}+" for code in range(size)]}
    attribute = {"type": "category", "values": codes, "missing": "drop", "outside": "drop"}
    domain = Schema.from_dict(
        {
            "impossible": ["x0 = '1' AND x1 < 1"],
            "attributes": {
                "x0": {**attribute, "levels": levels, "derived": {"odd": [str(code % 2) for code in range(size)]}},
                "x1": {"type": "integer", "min": 0, "max": other - 1, "missing": "drop"},
            },
        }
    ).domain
    rng = np.random.default_rng(size)
    coords = np.stack([rng.integers(2, size, 500), rng.integers(0, other, 500)], axis=1)
    return ripost.publish(Tensor.from_arrays(domain, coords, np.ones(500, int)), epsilon=4, seed=7)
