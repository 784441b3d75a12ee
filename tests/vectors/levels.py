"""Vectors of views with levels, derived columns and impossible cells: python -m tests.vectors.levels makes them anew,
or with --answers those of the views that are stored.

For each name there is a release file, the view as the page holds it, `<name>.json` with totals of regions as make.py
writes them, and `<name>.sql.json` with answers to SQL.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pandas as pd

import ripost
from ripost.explore.packing import facts_of
from ripost.schema.schema import Schema
from ripost.space.region import Region
from ripost.view import View, open_view
from tests.vectors.make import FOLDER, _boxes, _region, answered
from tests.vectors.sql import answer_sql

CONDITIONS = ["sex = 'male' and pregnant", "age < 10 and pregnant"]
SCHEMA = Schema.from_dict(
    {
        "impossible": CONDITIONS,
        "attributes": {
            "place": {
                "type": "category",
                "values": ["LGA", "SFO", "JFK", "EWR", "OAK", "BOS"],
                "levels": {
                    "region": {"East": ["LGA", "JFK", "EWR", "BOS"], "West": ["SFO", "OAK"]},
                    "state": {"NY": ["JFK", "LGA"], "CA": ["SFO", "OAK"], "NJ": ["EWR"], "MA": ["BOS"]},
                },
                "derived": {"hub": ["yes", "yes", "yes", "no", "no", "no"]},
            },
            "sex": {"type": "category", "values": ["male", "female"], "outside": "drop"},
            "pregnant": {"type": "boolean", "missing": "drop"},
            "age": {"type": "integer", "min": 0, "max": 99, "width": 5, "missing": "drop"},
            "school": {"type": "integer", "min": 0, "max": 15, "missing": "drop"},
        },
    }
)
VIEWS = {  # of so many rows; with few rows there is no mixture
    "levels-mixture": 20_000,
    "levels-blocks": 2_000,  # by a tuning without notes
    "levels-noted": 2_000,
}
QUESTIONS = 200
SQL = (
    "SELECT state, COUNT(*) AS n FROM view GROUP BY state",
    "SELECT State, place, COUNT(*) AS n FROM view WHERE region = 'East' GROUP BY place",
    "SELECT region, state, COUNT(*) AS n FROM view GROUP BY ROLLUP (region, state)",
    "SELECT hub, sex, COUNT(*) AS n FROM view WHERE state LIKE 'N%' GROUP BY hub, sex",
    "SELECT state, region, COUNT(*) AS n FROM view GROUP BY state",
    "SELECT sex, pregnant, COUNT(*) AS n, SHARE(*) AS s FROM view GROUP BY sex, pregnant",
    "SELECT state, COUNT(*) AS n FROM view WHERE pregnant AND sex = 'male' GROUP BY state",
    "SELECT COUNT(*) AS n FROM view WHERE pregnant AND age < 7",
    "SELECT COUNT(*) AS n FROM view WHERE pregnant AND (age < 10 OR sex = 'male')",
    "SELECT COUNT(*) AS n FROM view WHERE pregnant AND age < 12",
    "SELECT COUNT(state) AS n FROM view WHERE hub IS NOT NULL AND region <> 'West'",
    "SELECT COUNT(*) FILTER (WHERE sex = 'male' AND pregnant) / COUNT(*) AS r FROM view",
    "SELECT COUNT(*) FILTER (WHERE state IN ('NY', 'MA')) - COUNT(*) FILTER (WHERE hub = 'no') AS d FROM view",
    "SELECT AVG(state) FROM view",
    "SELECT COUNT(*) FROM view WHERE state = 'XX'",
    "SELECT place FROM view GROUP BY state",
)


def rows(number: int) -> pd.DataFrame:
    """Rows in which attributes depend on each other; a few lie in impossible cells, and are dropped."""
    rng = np.random.default_rng(3)
    sex, age = rng.choice(["male", "female"], number), rng.integers(0, 100, number)
    possible = (sex == "female") & (age >= 10)
    pregnant = (rng.random(number) < 0.3) & (possible | (rng.random(number) < 0.01))
    school = np.clip(age // 8 + rng.integers(-2, 3, number), 0, 15)
    names = np.array(["LGA", "SFO", "JFK", "EWR", "OAK", "BOS"])
    place = names[np.clip(school // 3 + rng.integers(-1, 2, number), 0, 5)]
    return pd.DataFrame({"place": place, "sex": sex, "pregnant": pregnant, "age": age, "school": school})


def publish(name: str) -> View:
    """The view of a name, from a seed."""
    return ripost.publish(rows(VIEWS[name]), SCHEMA, epsilon=1, seed=5, measurements=False)


def is_impossible(row: Any) -> bool:
    """Whether a row lies in an impossible cell."""
    return bool(row.pregnant and (row.sex == "male" or row.age < 10))


def regions(shape: tuple[int, ...]) -> list[Region]:
    """Random regions, a third of them inside impossible cells or across their edges."""
    rng = np.random.default_rng(8)
    found: list[Region] = [({},), *(_region(shape, rng) for _ in range(QUESTIONS * 2 // 3))]
    while len(found) < QUESTIONS:
        [selection, *_] = _region(shape, rng)
        low = float(rng.integers(0, 2))
        ages = [(low, low + float(rng.choice([0.5, 1.0, 2.0])))]
        found.append(({**selection, 2: [(1.0, 2.0)], **({1: [(0.0, 1.0)]} if rng.random() < 0.5 else {3: ages})},))
    return found


def write(name: str, *, answers: bool) -> None:
    if not answers:
        publish(name).save(FOLDER / f"{name}.ripost.parquet", force=True)
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    (FOLDER / f"{name}.page.json").write_text(json.dumps(facts_of(view, title=name)) + "\n", "utf-8")
    boxes = [_boxes(region, view.domain.shape) for region in regions(view.domain.shape)]
    for ending, listed in (("", answered(view, boxes)), (".sql", [answer_sql(view, sql) for sql in SQL])):
        lines = ",\n".join(json.dumps(question) for question in listed)
        (FOLDER / f"{name}{ending}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    for each in VIEWS:
        write(each, answers="--answers" in sys.argv[1:])
