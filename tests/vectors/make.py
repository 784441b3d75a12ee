"""Make the shared vectors anew: python -m tests.vectors.make, or with --answers those of the views that are stored.

For each name there is a release file `<name>.ripost.parquet`, the same view as the explorer's page holds it
(`<name>.page.json`), and three files of questions with their answers:

- `<name>.json`: totals. A question is a list of disjoint boxes; a box has one entry per attribute, null where it is
  free, else a list of intervals [low, high) of positions in codes.
- `<name>.contrasts.json`: differences and ratios of two totals. null is an end or a value that is not there.
- `<name>.groups.json`: simultaneous intervals of all groups of a GROUP BY.

`questions.json` has questions in SQL (tests/vectors/sql.py) to `questions.ripost.parquet`: the columns and rows of
their answers, or that they are refused.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ripost.explore.packing import facts_of
from ripost.schema.measure import Measure
from ripost.space.interval import merge
from ripost.space.region import Region, Selection, unite
from ripost.view import View, open_view
from tests.answering.mixing import mixed_view, promise_of_tables
from tests.vectors.compare import Boxes, contrasts, groups, region_of
from tests.vectors.sql import NAME, all_questions, answer_sql, sql_view

FOLDER = Path(__file__).parent
COUNT = 1200  # questions of each view
CONTRASTS = 250  # of which neighbors are compared


@dataclass(frozen=True)
class Vectors:
    """A view, and questions with their answers."""

    view: View
    questions: list[dict[str, Any]]


def rows() -> View:
    """Rows of travels: a category, an integer in bins, one of which is for missing values, an hour, and a boolean."""
    return mixed_view(seed=20, unmeasured=((2, 3),))


def sums() -> View:
    """Sums of a column in steps of 0.5, at most 40 steps a row: one row adds up to 20."""
    measure = Measure(column="fare", step=0.5, bound=40)
    privacy = promise_of_tables(60, bound=40)
    return mixed_view(seed=21, total=90000.0, unmeasured=((0, 1), (1, 2)), measure=measure, privacy=privacy)


VIEWS = {"mixture-rows": rows, "mixture-sums": sums}


def vectors(name: str) -> Vectors:
    """The vectors of that name, made anew."""
    view = VIEWS[name]()
    rng = np.random.default_rng(len(name))
    shape = view.domain.shape
    regions: list[Region] = [({},), *(_region(shape, rng) for _ in range(COUNT - 1))]
    return Vectors(view, answered(view, [_boxes(region, shape) for region in regions]))


def answered(view: View, questions: list[Boxes]) -> list[dict[str, Any]]:
    """Questions with what a view answers."""
    found = view.answer_regions([region_of(boxes) for boxes in questions])
    return [
        {
            "boxes": boxes,
            "value": float(found.value[i]),
            "stderr": float(found.stderr[i]),
            "low": float(found.low[i]),
            "high": float(found.high[i]),
            "note": found[i].note,
        }
        for i, boxes in enumerate(questions)
    ]


def write(name: str, *, answers: bool) -> None:
    made = vectors(name)
    _write_view(made.view, name, answers=answers)
    _write_lines(name, made.questions)
    _write_lines(f"{name}.contrasts", contrasts(made.view, pairs_of(made.questions)))
    _write_lines(f"{name}.groups", groups(made.view))


def write_questions(*, answers: bool) -> None:
    view = _write_view(sql_view(), NAME, answers=answers)
    _write_lines(NAME, [answer_sql(view, sql) for sql in all_questions()])


def _write_view(view: View, name: str, *, answers: bool) -> View:
    """Write a view as a file, unless answers alone are wanted, and as the page holds it; and open the file."""
    if not answers:
        view.save(FOLDER / f"{name}.ripost.parquet", force=True)
    opened = open_view(FOLDER / f"{name}.ripost.parquet")
    (FOLDER / f"{name}.page.json").write_text(json.dumps(facts_of(opened, title=name)) + "\n", "utf-8")
    return opened


def _write_lines(name: str, questions: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(question) for question in questions)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def read(name: str) -> list[dict[str, Any]]:
    """The questions of a file."""
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def pairs_of(questions: list[dict[str, Any]]) -> list[tuple[Boxes, Boxes]]:
    """Neighbors in the list, which may overlap, regions and all of the view, and regions and themselves."""
    boxes: list[Boxes] = [question["boxes"] for question in questions[1 : CONTRASTS + 1]]
    everything = questions[0]["boxes"]
    neighbors = list(pairwise(boxes))
    return [*neighbors, *((one, everything) for one in boxes[:40]), *((one, one) for one in boxes[:5])]


def _region(shape: tuple[int, ...], rng: np.random.Generator) -> Region:
    """One box, or some that are made disjoint."""
    while True:
        boxes = [(_selection(shape, rng),) for _ in range(int(rng.choice([1, 2, 3], p=[0.75, 0.15, 0.1])))]
        if (found := unite(boxes, shape)) and all(found):
            return found


def _selection(shape: tuple[int, ...], rng: np.random.Generator) -> Selection:
    """One to three intervals on some of the attributes, with ends at codes or, for one in four, inside them."""
    found = {}
    bounded = rng.choice(len(shape), int(rng.integers(1, len(shape) + 1)), replace=False)
    for axis in sorted(bounded.tolist()):
        spans: list[tuple[float, float]] = []
        while not spans or spans == [(0.0, float(shape[axis]))]:
            ends = np.sort(rng.uniform(0, shape[axis], 2 * int(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1]))))
            ends = np.round(ends, 3) if rng.random() < 0.25 else np.round(ends)
            spans = merge([(float(low), float(high)) for low, high in ends.reshape(-1, 2) if low < high])
        found[axis] = spans
    return found


def _boxes(region: Region, shape: tuple[int, ...]) -> Boxes:
    return [
        [[[*map(float, span)] for span in box[axis]] if axis in box else None for axis in range(len(shape))]
        for box in region
    ]


if __name__ == "__main__":
    answers = "--answers" in sys.argv[1:]
    for each in VIEWS:
        write(each, answers=answers)
    write_questions(answers=answers)
