"""Vectors of views with measures: python -m tests.vectors.measures makes them anew,
or with --answers those of the views that are stored.

For each name there is a release file, the view as the page holds it (`<name>.page.json`), `<name>.json` with sums and
means of regions as make.py writes totals, and `<name>.sql.json` with answers to SQL. null is a value that is not there.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import numpy as np
import pandas as pd

import ripost
from ripost.answering.measured_answers import What
from ripost.explore.packing import facts_of
from ripost.schema.schema import Schema
from ripost.space.region import Region
from ripost.view import View, open_view
from tests.vectors.compare import FIGURES, Boxes, region_of
from tests.vectors.make import FOLDER, _boxes, _region
from tests.vectors.sql import answer_sql

SCHEMA = Schema.from_dict(
    {
        "attributes": {
            "hour": {"type": "integer", "min": 0, "max": 23, "missing": "drop"},
            "place": {
                "type": "category",
                "values": ["a", "b", "c", "d"],
                "levels": {"side": {"E": ["a", "b"], "W": ["c", "d"]}},
            },
            "kind": {"type": "category", "values": ["x", "y", "z"], "outside": "drop", "missing": "drop"},
            "day": {"type": "date", "min": "2024-01-01", "max": "2024-01-28", "missing": "drop"},
            "weight": {"type": "number", "min": 0.0, "max": 50.0, "bins": 10},
        },
        "measures": {
            "delay": {"min": -30.0, "max": 90.0, "missing": "drop"},
            "seats": {"column": "chairs", "min": 0.0, "max": 300.0, "step": 10.0, "weight": 2.0, "missing": 150.0},
            "loss": {"min": -8.0, "max": -2.0, "step": 0.25},
        },
    }
)
VIEWS = {"measures-mixture": (12_000, 8), "measures-blocks": (900, 3)}  # rows and epsilon; few rows have no mixture
QUESTIONS = 240
PLAIN = [
    "SELECT COUNT(*), SUM(delay), AVG(delay) FROM view",
    "SELECT SUM(seats), AVG(seats), SUM(loss), AVG(loss) FROM view WHERE hour BETWEEN 6 AND 9",
    "SELECT SUM(chairs) AS s, avg(CHAIRS) AS m FROM view WHERE place = 'a' OR kind = 'y'",
    "SELECT place, COUNT(*) AS n, SUM(seats), AVG(delay) FROM view GROUP BY place",
    "SELECT side, AVG(delay) AS m FROM view GROUP BY side ORDER BY m DESC",
    "SELECT side, place, SUM(loss) AS s FROM view GROUP BY ROLLUP (side, place)",
    "SELECT hour, AVG(delay) AS m FROM view GROUP BY hour HAVING m_low > 0 ORDER BY m_low DESC LIMIT 5",
    "SELECT hour, place, AVG(delay) AS m FROM view WHERE kind = 'z' GROUP BY hour, place HAVING m_high < 60",
    "SELECT hour, place, kind, AVG(seats) AS m FROM view WHERE weight < 7.5 AND hour < 3 GROUP BY hour, place, kind",
    "SELECT place, kind, SUM(delay) AS s FROM view GROUP BY place, kind HAVING SUM(delay) < 0 OR s_low < -500",
    "SELECT place, AVG(delay) AS m FROM view(simultaneous) GROUP BY place",
    "SELECT kind, SUM(seats) AS s, AVG(loss) AS m FROM view(simultaneous) WHERE hour >= 12 GROUP BY kind",
    "SELECT AVG(delay) FILTER (WHERE kind = 'x') AS x, AVG(delay) FILTER (WHERE kind = 'y') AS y FROM view",
    "SELECT place, SUM(CASE WHEN hour < 9 THEN delay END) AS early FROM view GROUP BY place",
    "SELECT place, SUM(CASE WHEN hour < 9 THEN seats ELSE 0 END) AS early FROM view GROUP BY place",
    "SELECT place, SUM(delay) / COUNT(*) AS m, 60 * AVG(delay) AS s, -SUM(loss) AS gain FROM view GROUP BY place",
    "SELECT place, SUM(delay) FILTER (WHERE hour > 9) / COUNT(*) FILTER (WHERE hour > 9) AS m FROM view GROUP BY place",
    "SELECT place, ROUND(AVG(delay), 1) AS m, ROUND(SUM(loss)) AS s FROM view GROUP BY place",
    "SELECT EXTRACT(week FROM day) AS week, AVG(delay) AS m FROM view GROUP BY week",
    "SELECT width(weight, 20) AS w, SUM(seats) AS s, SHARE(*) AS share FROM view GROUP BY w",
    "SELECT COUNT(delay) AS n, COUNT(*) AS all_rows FROM view WHERE hour = 3",
    "SELECT AVG(delay) FROM view WHERE weight > 1.3 AND weight < 1.7 AND hour = 3 AND kind = 'x'",
    "SELECT weight, AVG(hour) AS h, AVG(delay) AS m FROM view GROUP BY weight",
    "SELECT MIN(m) AS least, MAX(m) AS most FROM (SELECT place, AVG(delay) AS m FROM view GROUP BY place) AS t",
    "WITH t AS (SELECT hour, SUM(seats) AS s FROM view GROUP BY hour) SELECT hour, s FROM t WHERE s_low > 0",
    "SELECT day, AVG(seats) AS m FROM view WHERE place IN ('c', 'd') GROUP BY day ORDER BY day DESC LIMIT 4",
]
REFUSED = [
    "SELECT MEDIAN(delay) FROM view", "SELECT MAX(seats) FROM view", "SELECT COUNT(seats) FROM view",
    "SELECT delay, COUNT(*) FROM view GROUP BY delay", "SELECT COUNT(*) FROM view WHERE delay > 3",
    "SELECT SUM(delay) - SUM(loss) FROM view", "SELECT SUM(delay) / SUM(seats) FROM view", "SELECT delay FROM view",
    "SELECT SUM(delay) / COUNT(*) FILTER (WHERE hour > 3) FROM view", "SELECT SUM(late) FROM view",
    "SELECT SUM(DISTINCT seats) FROM view", "SELECT AVG(delay) / SUM(AVG(delay)) OVER () FROM view",
    "SELECT SUM(delay), SUM(Delay) FROM view",
]  # fmt: skip


def rows(number: int) -> pd.DataFrame:
    """Rows whose measures depend on the attributes; some values are missing, and some beyond their ranges."""
    rng = np.random.default_rng(6)
    hour, place = rng.integers(0, 24, number), rng.choice(5, number, p=[0.5, 0.3, 0.14, 0.05, 0.01])
    kind = (place + hour // 8 + rng.integers(0, 2, number)) % 3
    weight = np.minimum(rng.gamma(2.0 + kind, 5.0), 60.0)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 28, number), "D")
    delay = rng.normal(hour * 2.0 - 15, 12)
    return pd.DataFrame(
        {
            "hour": hour,
            "place": np.array(["a", "b", "c", "d", "q"])[place],
            "kind": np.array(["x", "y", "z"])[kind],
            "day": day,
            "weight": np.where(rng.random(number) < 0.03, np.nan, weight),
            "delay": np.where(rng.random(number) < 0.05, np.nan, delay),
            "chairs": np.where(rng.random(number) < 0.05, np.nan, 50.0 + 60 * place + rng.normal(0, 20, number)),
            "loss": -2.0 - weight / 8,
        }
    )


def publish(name: str) -> View:
    """The view of a name, from a seed."""
    number, epsilon = VIEWS[name]
    return ripost.publish(rows(number), SCHEMA, epsilon=epsilon, seed=9, measurements=False)


def regions(shape: tuple[int, ...]) -> list[Region]:
    """Everything, nothing, single cells of all attributes, and random regions, of which two in three bound few."""
    rng = np.random.default_rng(4)
    cells = [({axis: [(c := float(rng.integers(size)), c + 1)] for axis, size in enumerate(shape)},) for _ in range(20)]
    found: list[Region] = [({},), (), *cells]
    while len(found) < QUESTIONS:
        region = _region(shape, rng)
        few = rng.choice(len(shape), int(rng.integers(1, 3)), replace=False).tolist()
        simple = {axis: spans for axis, spans in region[0].items() if axis in few}
        found.append((simple,) if len(found) % 3 and simple else region)
    return found


def all_questions() -> list[str]:
    """The questions in SQL, and each sum and mean by each pair of attributes."""
    figures = [f"{word}({name})" for name in SCHEMA.measures for word in ("SUM", "AVG")]
    pairs = [(one, other) for i, one in enumerate(SCHEMA.attributes) for other in list(SCHEMA.attributes)[:i]]
    crossed = [
        f"SELECT {one}, {other}, {figures[i % len(figures)]} AS f FROM view WHERE hour < 20 GROUP BY {one}, {other}"
        for i, (one, other) in enumerate(pairs)
    ]
    alone = [f"SELECT {name}, {', '.join(figures)} FROM view GROUP BY {name}" for name in SCHEMA.attributes]
    return [*PLAIN, *crossed, *alone, *REFUSED]


def answer_questions(view: View, questions: list[tuple[str, What, Boxes]]) -> list[dict[str, Any]]:
    """Sums and means with what a view answers."""
    found = []
    for measure, what, boxes in questions:
        answer = view.answer_measures(measure, what, [region_of(boxes)])[0]
        figures = {name: getattr(answer, name) for name in FIGURES}
        known = {name: figure if math.isfinite(figure) else None for name, figure in figures.items()}
        found.append({"measure": measure, "what": what, "boxes": boxes, **known, "note": answer.note})
    return found


def questions_of(view: View) -> list[tuple[str, What, Boxes]]:
    """A sum and a mean of a measure for each region."""
    names, shape = list(view.measures), view.domain.shape
    listed = [_boxes(region, shape) for region in regions(shape)]
    return [(names[i % len(names)], what, boxes) for i, boxes in enumerate(listed) for what in ("sum", "mean")]


def write(name: str, *, answers: bool) -> None:
    if not answers:
        publish(name).save(FOLDER / f"{name}.ripost.parquet", force=True)
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    (FOLDER / f"{name}.page.json").write_text(json.dumps(facts_of(view, title=name)) + "\n", "utf-8")
    sql = [answer_sql(view, question) for question in all_questions()]
    for ending, listed in (("", answer_questions(view, questions_of(view))), (".sql", sql)):
        lines = ",\n".join(json.dumps(question) for question in listed)
        (FOLDER / f"{name}{ending}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    for each in VIEWS:
        write(each, answers="--answers" in sys.argv[1:])
