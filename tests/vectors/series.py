"""Vectors of a series, whose parts are of different kinds: python -m tests.vectors.series makes them anew,
or with --answers those of the series that is stored.

There is the archive of the release files, the series as the page holds it, `series.json` with totals of regions as
make.py writes them, `series.contrasts.json` with differences and ratios, and `series.sql.json` with answers to SQL.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

import ripost
from ripost.explore.packing import facts_of
from ripost.schema.schema import Schema
from ripost.series import Series
from ripost.space.region import Region
from ripost.view import open_view
from tests.vectors.compare import contrasts
from tests.vectors.make import FOLDER, _boxes, _region, answered
from tests.vectors.sql import answer_sql

NAME = "series"
FILE = FOLDER / f"{NAME}.ripost.zip"
QUESTIONS, CONTRASTS = 300, 60
SCHEMA = Schema.from_dict(
    {
        "title": "Visits",
        "period": "month(day)",
        "attributes": {
            "hour": {"type": "integer", "min": 0, "max": 23, "width": 2, "missing": "drop"},
            "ward": {"type": "category", "values": ["A", "B", "C"], "outside": "drop", "missing": "drop"},
            "stay": {"type": "integer", "min": 0, "max": 79, "width": 10, "missing": "bin"},
            "age": {"type": "integer", "min": 0, "max": 99, "width": 10, "missing": "drop"},
            "old": {"type": "boolean", "missing": "drop"},
        },
    }
)
PARTS: dict[str, tuple[int, dict[str, Any]]] = {  # rows, and how they are published
    "2026-01": (9000, {"epsilon": 1}),  # a mixture
    "2026-02": (8000, {"epsilon": "6/5"}),
    "2026-03": (500, {"epsilon": 1}),  # blocks with an error model
    "2026-04": (2000, {"epsilon": 1, "method": "ripost"}),  # blocks without one
    "2026-05": (2000, {"epsilon": 1, "method": "hdmm"}),  # a matrix
    "2026-06": (2000, {"epsilon": 1, "method": "ahp"}),  # buckets
}
SQL = (
    "SELECT period, COUNT(*) AS n FROM view GROUP BY period",
    "SELECT period, ward, COUNT(*) AS n FROM view WHERE hour < 9 GROUP BY period, ward",
    "SELECT ward, COUNT(*) AS n FROM view WHERE period IN ('2026-01', '2026-03') GROUP BY ward",
    "SELECT ward, period, COUNT(*) AS n FROM view GROUP BY ROLLUP (ward, period)",
    "SELECT COUNT(*) AS n FROM view WHERE period LIKE '2026-0%' AND ward = 'B'",
    "SELECT COUNT(*) AS n FROM view WHERE period = '2026-01' OR hour > 20",
    "SELECT COUNT(*) AS n FROM view WHERE period <> '2026-01' AND stay < 12",
    "SELECT COUNT(*) FILTER (WHERE period = '2026-02') - COUNT(*) FILTER (WHERE period = '2026-01') AS d FROM view",
    "SELECT COUNT(*) FILTER (WHERE ward = 'A') / COUNT(*) AS r FROM view WHERE period <> '2026-02'",
    "SELECT period, SHARE(*) AS s FROM view GROUP BY period",
    "SELECT period, AVG(hour) AS a FROM view GROUP BY period",
    "SELECT MEDIAN(hour) AS m FROM view WHERE period <> '2026-05'",
    "SELECT period, COUNT(*) AS n FROM view GROUP BY period ORDER BY n DESC LIMIT 2",
    "SELECT COUNT(*) AS n FROM view(simultaneous) WHERE ward = 'C'",
    "SELECT COUNT(*) FROM view WHERE period = '2026-07'",
    "SELECT AVG(period) FROM view",
)


def rows(month: str) -> pa.Table:
    """Rows of one month in which the attributes depend on each other."""
    number, _ = PARTS[month]
    rng = np.random.default_rng(int(month[-2:]))
    hour = rng.normal(13, 4, number).round().clip(0, 23).astype(int)
    ward = np.array(["A", "B", "C"])[(hour // 9 + (rng.random(number) < 0.1)).clip(0, 2)]
    stay = (hour * 2 + rng.exponential(9, number)).astype(int)
    age = (hour * 3 + rng.integers(0, 30, number)).clip(0, 99)
    day = dt.date.fromisoformat(f"{month}-15")
    return pa.table(
        {
            "day": pa.array([day] * number),
            "hour": hour,
            "ward": ward,
            "stay": stay,
            "age": age,
            "old": hour + rng.integers(0, 6, number) > 15,
        }
    )


def publish() -> Series:
    """The series, from seeds."""
    return ripost.union(
        [
            ripost.publish(rows(month), SCHEMA, period=month, seed=number, measurements=False, **options)
            for number, (month, (_, options)) in enumerate(PARTS.items())
        ]
    )


def regions(shape: tuple[int, ...]) -> list[Region]:
    """Random regions; each box is of all periods, or of some of them."""
    rng = np.random.default_rng(4)
    found: list[Region] = [({},), *(({0: [(float(code), code + 1.0)]},) for code in range(shape[0]))]
    while len(found) < QUESTIONS:
        found.append(in_periods(_region(shape[1:], rng), shape[0], rng))
    return found


def in_periods(region: Region, periods: int, rng: np.random.Generator) -> Region:
    """A region of one release as one of a series; each box is of all periods, or of some of them."""
    boxes = []
    for box in region:
        moved: dict[int, Any] = {axis + 1: spans for axis, spans in box.items()}
        if rng.random() < 0.7:
            first, last = np.sort(rng.integers(0, periods, 2)).tolist()
            apart = [(0.0, 1.0), (float(periods // 2), periods - 1.0)]
            moved[0] = [(float(first), last + 1.0)] if last - first < periods - 1 else apart
        boxes.append(moved)
    return tuple(boxes)


def write(*, answers: bool) -> None:
    if not answers:
        publish().save(FILE, force=True)
    series = open_view(FILE)
    (FOLDER / f"{NAME}.page.json").write_text(json.dumps(facts_of(series, title=NAME)) + "\n", "utf-8")
    boxes = [_boxes(region, series.domain.shape) for region in regions(series.domain.shape)]
    for ending, listed in (
        ("", answered(series, boxes)),
        (".contrasts", contrasts(series, list(pairwise(boxes))[:CONTRASTS])),
        (".sql", [answer_sql(series, sql) for sql in SQL]),
    ):
        lines = ",\n".join(json.dumps(question) for question in listed)
        (FOLDER / f"{NAME}{ending}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    write(answers="--answers" in sys.argv[1:])
