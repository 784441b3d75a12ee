"""Vectors of a series with measures: python -m tests.vectors.series_measures makes them anew,
or with --answers those of the series that is stored.

There is the archive of the release files, the series as the page holds it, `series-measures.json` with sums and means
of regions as measures.py writes them, and `series-measures.sql.json` with answers to SQL.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd

import ripost
from ripost.answering.measured_answers import What
from ripost.explore.packing import facts_of
from ripost.schema.schema import Schema
from ripost.series import Series
from ripost.space.region import Region, Selection
from ripost.view import open_view
from tests.vectors import measures
from tests.vectors.compare import Boxes
from tests.vectors.make import FOLDER, _boxes
from tests.vectors.series import in_periods
from tests.vectors.sql import answer_sql

NAME = "series-measures"
FILE = FOLDER / f"{NAME}.ripost.zip"
QUESTIONS = 160
SCHEMA = Schema.from_dict(
    {
        "period": "month(day)",
        "attributes": {
            "hour": {"type": "integer", "min": 0, "max": 23, "width": 2, "missing": "drop"},
            "place": {
                "type": "category",
                "values": ["a", "b", "c", "d"],
                "levels": {"side": {"E": ["a", "b"], "W": ["c", "d"]}},
            },
            "kind": {"type": "category", "values": ["x", "y", "z"], "outside": "drop", "missing": "drop"},
            "weight": {"type": "number", "min": 0.0, "max": 50.0, "bins": 10},
            "late": {"type": "boolean", "missing": "drop"},
        },
        "impossible": ["kind = 'z' and hour < 6"],
        "measures": {name: measured.model_dump() for name, measured in measures.SCHEMA.measures.items()},
    }
)
PARTS = {  # rows and epsilon
    "2026-01": (6000, "8"),  # a mixture
    "2026-02": (900, "3"),  # blocks
    "2026-03": (5000, "6"),
    "2026-04": (300, "1"),
}
SQL = (
    "SELECT COUNT(*), SUM(delay), AVG(delay) FROM view",
    "SELECT period, SUM(seats), AVG(seats) FROM view GROUP BY period",
    "SELECT period, place, AVG(delay) AS m FROM view WHERE hour < 9 GROUP BY period, place",
    "SELECT side, SUM(loss) AS s, AVG(loss) AS m FROM view WHERE period <> '2026-01' GROUP BY side",
    "SELECT place, AVG(chairs) AS m FROM view WHERE period IN ('2026-01', '2026-03') GROUP BY place",
    "SELECT place, period, SUM(delay) AS s FROM view GROUP BY ROLLUP (place, period)",
    "SELECT period, AVG(delay) AS m FROM view(simultaneous) GROUP BY period",
    "SELECT kind, SUM(seats) AS s, AVG(loss) AS m FROM view WHERE hour < 6 GROUP BY kind",
    "SELECT SUM(seats) AS s FROM view WHERE period = '2026-01' AND kind = 'z' AND hour < 6 OR period = '2026-02'",
    "SELECT COUNT(*) AS n FROM view WHERE period = '2026-01' AND kind = 'z' AND hour < 6 OR period = '2026-02'",
    "SELECT hour, AVG(delay) AS m FROM view WHERE weight < 7.5 GROUP BY hour HAVING m_low > 0",
    "SELECT period, place, kind, hour, SUM(seats) AS s FROM view WHERE NOT late GROUP BY period, place, kind, hour",
    "SELECT AVG(delay) FILTER (WHERE period = '2026-02') AS x, AVG(delay) FILTER (WHERE kind = 'x') AS y FROM view",
    "SELECT SUM(delay) FROM view WHERE period = '2026-07'",
    "SELECT MEDIAN(delay) FROM view",
)


def rows(month: str) -> pd.DataFrame:
    """Rows of one month, which are like those of the vectors of measures."""
    found = measures.rows(PARTS[month][0])
    number = int(month[-2:])
    impossible = (found["kind"] == "z") & (found["hour"] < 6)
    late = found["delay"] + number > 5
    moved = found.assign(day=pd.Timestamp(f"{month}-15"), delay=found["delay"] + number, late=late)
    return moved[~impossible]


def publish() -> Series:
    """The series, from seeds."""
    return ripost.union(
        [
            ripost.publish(rows(month), SCHEMA, period=month, epsilon=epsilon, seed=number, measurements=False)
            for number, (month, (_, epsilon)) in enumerate(PARTS.items())
        ]
    )


def regions(shape: tuple[int, ...]) -> list[Region]:
    """Everything, each period, with and without impossible cells, nothing, single cells and random regions.

    Each box is of all periods, or of some.
    """
    rng = np.random.default_rng(4)
    periods: list[Selection] = [{0: [(float(code), code + 1.0)]} for code in range(shape[0])]
    zeros: list[Selection] = [{**one, 1: [(0.0, 3.0)], 3: [(2.0, 3.0)]} for one in periods]
    beside: list[Region] = [(one, other) for one, other in zip(zeros, [*periods[1:], periods[0]], strict=True)]
    listed = [({},), *((one,) for one in [*periods, *zeros]), *beside]
    return [*listed, *(in_periods(one, shape[0], rng) for one in measures.regions(shape[1:])[1:QUESTIONS])]


def questions_of(series: Series) -> list[tuple[str, What, Boxes]]:
    """A sum and a mean of a measure for each region."""
    names, shape = list(series.measures), series.domain.shape
    listed = [_boxes(region, shape) for region in regions(shape)]
    return [(names[i % len(names)], what, boxes) for i, boxes in enumerate(listed) for what in ("sum", "mean")]


def write(*, answers: bool) -> None:
    if not answers:
        publish().save(FILE, force=True)
    series = open_view(FILE)
    assert isinstance(series, Series)
    (FOLDER / f"{NAME}.page.json").write_text(json.dumps(facts_of(series, title=NAME)) + "\n", "utf-8")
    for ending, listed in (
        ("", measures.answer_questions(series, questions_of(series))),
        (".sql", [answer_sql(series, sql) for sql in SQL]),
    ):
        lines = ",\n".join(json.dumps(question) for question in listed)
        (FOLDER / f"{NAME}{ending}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    write(answers="--answers" in sys.argv[1:])
