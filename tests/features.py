"""What one release can hold, as schemas and options that are combined at will, and a table that fits them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import ripost
from ripost.schema.schema import Schema
from ripost.view import View

EPSILON, DELTA, LEVEL = 60, 1e-6, 0.9999
ROWS = 3000
ZONES = {"a": "north", "b": "north", "c": "south", "d": "south"}
MEASURES = {
    "delay": {"min": -30.0, "max": 90.0},
    "seats": {"column": "chairs", "min": 0.0, "max": 300.0, "step": 10.0, "weight": 2.0},
}


def make_table() -> pd.DataFrame:
    """Two rows a person, in one month; no row has place d at night; measures depend on place and hour."""
    rng = np.random.default_rng(5)
    hour = rng.integers(0, 8, ROWS)
    place = np.array(list("abcd"))[rng.integers(0, 4, ROWS)]
    place = np.where((place == "d") & (hour < 2), "a", place)
    order = np.arange(ROWS)
    month = order // 2 % 2
    return pd.DataFrame(
        {
            "place": place,
            "hour": hour,
            "shop": np.array(["Rome", "Oslo", "Bonn"])[rng.integers(0, 3, ROWS)],
            "age": rng.integers(0, 12, ROWS),
            "delay": rng.normal(hour * 6.0 - 15, 8),
            "chairs": 50.0 + 60 * np.searchsorted(list("abcd"), place) + 10.0 * rng.integers(0, 4, ROWS),
            "person": [f"p{at // 2}" for at in order],
            "day": pd.to_datetime(np.array(["2026-10-05", "2026-11-05"])[month]),
        }
    )


TABLE = make_table()


@dataclass(frozen=True)
class Wanted:
    """A schema and how it is published."""

    schema: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)

    def add(self, **keys: Any) -> Wanted:
        return replace(self, schema=self.schema | keys)

    def change(self, name: str, **keys: Any) -> Wanted:
        known = self.schema["attributes"]
        return self.add(attributes=known | {name: {**known.get(name, {}), **keys}})

    def publish(self, **options: Any) -> View:
        given = {"epsilon": EPSILON, "seed": 7, **self.options, **options}
        table = TABLE if "unit" in self.schema else TABLE.drop(columns="person")
        return ripost.publish(table, Schema.from_dict(self.schema), **given)


PLAIN = Wanted(
    {
        "attributes": {
            "place": {"type": "category", "values": list("abcd"), "outside": "drop", "missing": "drop"},
            "hour": {"type": "integer", "min": 0, "max": 7, "outside": "drop", "missing": "drop"},
            "shop": {"type": "category", "values": ["Bonn", "Oslo", "Rome"], "outside": "drop", "missing": "drop"},
            "age": {"type": "integer", "min": 0, "max": 19, "outside": "drop", "missing": "drop"},
        }
    }
)


def group_places(wanted: Wanted, kind: str) -> Wanted:
    name = {"levels": "zone", "derived": "side"}[kind]
    return wanted.change("place", **{kind: [{"name": name, "groups": list(ZONES.values())}]})


def spend_delta(wanted: Wanted) -> Wanted:
    return replace(wanted, options=wanted.options | {"delta": DELTA})


FEATURES: dict[str, Callable[[Wanted], Wanted]] = {
    "measures": lambda one: one.add(measures=MEASURES),
    "levels": lambda one: group_places(one, "levels"),
    "derived": lambda one: group_places(one, "derived"),
    "impossible": lambda one: one.add(impossible=["place = 'd' and hour < 2"]),
    "period": lambda one: replace(one.add(period="month(day)"), options=one.options | {"period": "2026-11"}),
    "values": lambda one: spend_delta(one.change("shop", values="discover")),
    "bounds": lambda one: one.change("age", max="discover", max_bins=20),
    "unit": lambda one: one.add(unit="person", max_rows=2),
    "max_rows": lambda one: one.add(unit="person", max_rows="discover"),
    "delta": spend_delta,
    "protect": lambda one: replace(one, options=one.options | {"protect": ["place,hour"]}),
    "without": lambda one: replace(one, options=one.options | {"measurements": False}),
}
ALTERNATIVES = {"unit", "max_rows"}  # two ways to say one thing
PAIRS = [pair for pair in combinations(FEATURES, 2) if set(pair) != ALTERNATIVES]
EVERYTHING = tuple(name for name in FEATURES if name not in ("unit", "without"))


def combine(names: tuple[str, ...]) -> Wanted:
    wanted = PLAIN
    for name in names:
        wanted = FEATURES[name](wanted)
    return wanted
