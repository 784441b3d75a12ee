"""Visits: a table of a year that tests publish by months."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pyarrow as pa

import ripost
from ripost.view import View

MONTHS = [f"2026-{month:02}" for month in range(1, 13)]
SCHEMA: dict[str, Any] = {
    "title": "Visits",
    "period": "month(day)",
    "attributes": {
        "hour": {"type": "integer", "min": 0, "max": 23},
        "ward": {"type": "category", "values": ["A", "B", "C"]},
    },
}
RNG = np.random.default_rng(12)
HOUR = RNG.normal(13, 4, 6000).round().clip(0, 23).astype(int)
TABLE = pa.table(
    {
        "day": pa.array([dt.date(2026, 1, 1) + dt.timedelta(days=int(day)) for day in RNG.integers(0, 365, 6000)]),
        "hour": HOUR,
        "ward": ["A" if hour <= 10 else "B" if hour <= 15 else "C" for hour in HOUR],
        "who": RNG.integers(0, 500, 6000),
    }
)


def publish(month: str, **options: Any) -> View:
    given = {"epsilon": 1, "seed": int(month[-2:]), "period": month, **options}
    return ripost.publish(TABLE, ripost.Schema.from_dict(SCHEMA), **given)
