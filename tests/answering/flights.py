"""A small domain of flights."""

from __future__ import annotations

from ripost.schema.domain import Domain

FLIGHTS = Domain.from_json(
    {
        "hour": {"type": "integer", "min": 0, "max": 23},
        "delay": {"type": "number", "min": -30, "max": 90, "bins": 12, "unit": "minutes"},
        "origin": {"type": "category", "values": ["EWR", "JFK", "LGA"]},
        "day": {"type": "date", "min": "2013-01-01", "max": "2013-12-31", "width": "1 week"},
    }
)
