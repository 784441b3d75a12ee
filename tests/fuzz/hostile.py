"""Hostile cases beside mutated files: deep SQL, much work, hostile names, wide domains, views near overflow."""

from __future__ import annotations

import csv
import io
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ripost import publish
from ripost.data.tensor import Tensor
from ripost.explore.page import page
from ripost.export.formats import FORMATS
from ripost.export.formula import is_formula
from ripost.export.wanted import Wanted
from ripost.schema.domain import Domain
from ripost.schema.schema import Schema
from ripost.view import View
from tests.answering.making import make_view
from tests.answering.mixing import mixed_view
from tests.fuzz.corpus import Sound
from tests.fuzz.features import mapped_codes, measured_codes
from tests.fuzz.mutate import sealed_file
from tests.fuzz.nesting import FAMILIES, PLACES

PIECES = [*"=+-@'\"\t\r\n ,;|()0159.e", "cmd|' /C calc'!A0", "other", "missing", "(other)", "(missing)", "NULL", "＝", "－", "\u200b", "\u202e", "\ufeff", "<b>", "Ü", "-5", "e\u0301"]  # fmt: skip
HUGE = [1e-308, 5e-324, 1e-200, 1e-100, 1e-50, 1e50, 1e99, 1e100, 1e150, 1e200, 1e300, 1.7e308]
SEEDS = 16  # of wide views with the same number of dimensions, sizes and leaves


@cache
def small_views() -> tuple[View, ...]:
    """Views of plain codes of which thousands of questions can be asked in a minute."""
    return (
        make_view((4, 3, 5), leaves=20, inner=0.5),
        make_view((30, 4), leaves=15, marginals=True),
        make_view((2,) * 6, leaves=12),
        make_view((60, 2), leaves=25),
        mixed_view((4, 3, 5, 2, 6), leaves=20),
        measured_codes((4, 3, 5), 2),
        mapped_codes(12, 4),
    )


@cache
def large_views() -> tuple[View, ...]:
    """Views of plain codes: 945 cells, long axes, many axes."""
    return (
        make_view((9, 7, 15), leaves=200, inner=0.5),
        make_view((300, 40, 3), leaves=60, marginals=True),
        make_view((2,) * 12, leaves=40),
        make_view((5000, 2), leaves=500),
        mixed_view((300, 40, 3), leaves=200, components=24),
        mixed_view((3,) * 30, leaves=100, components=24),
        measured_codes((300, 40, 3), 10, rows=4000),
        mapped_codes(300, 40),
    )


def deep(names: tuple[str, ...], rng: Random) -> str:
    """A family in a place, or one family inside another, from shallow to beyond every limit."""
    outer, inner = (FAMILIES[rng.choice(sorted(FAMILIES))] for _ in range(2))
    depth = rng.choice([2000, 20_000, 100_000] if rng.random() < 0.02 else [1, 2, 5, 10, 20, 39, 41, 80, 150, 300])
    text = outer(depth)
    if rng.random() < 0.4:
        text = text.replace("x0", inner(rng.choice([1, 3, 10, 30])), 1)
    text = text.replace("x0", rng.choice(names)).replace("x1", rng.choice(names))
    return text if rng.random() < 0.2 else rng.choice(PLACES).replace("{}", text)


def heavy(view: View, rng: Random, *, large: bool) -> str:
    """Many measures of many groups, under conditions of many boxes; few of each unless it is to be large."""
    names = view.domain.asked_names
    keys = rng.sample(names, min(len(names), rng.choice([0, 1, 1, 2, 3, 6] if large else [0, 1, 1, 2])))
    number = rng.choice([1, 2, 5, 20, 100, 450] if large else [1, 1, 2, 4])
    name = rng.choice(names)
    measures = rng.sample(
        [
            *(f"QUANTILE_CONT({name}, {i / (number + 1):.6f})" for i in range(number)),
            *(f"COUNT(*) FILTER (WHERE {rng.choice(names)} = {i})" for i in range(number)),
            *(f"COUNT(*) FILTER (WHERE {rng.choice(names)} = {i}) / COUNT(*)" for i in range(number)),
            *(f"AVG({one})" for one in names),
            *(f"{rng.choice(['SUM', 'AVG'])}({one})" for one in list(view.measures) * number),
            *(f"SHARE(*) OVER (PARTITION BY {one})" for one in keys),
        ],
        number,
    )
    if view.measures and rng.random() < 0.5:
        measures[0] = f"SUM({rng.choice(list(view.measures))}) FILTER (WHERE {rng.choice(names)} < 2)"
    shown = ", ".join([*keys, *(f"{measure} AS m{i}" for i, measure in enumerate(measures))])
    ors = " OR ".join(
        f"({rng.choice(names)} = {rng.randrange(3)} AND {rng.choice(names)} >= {rng.randrange(3)})"
        for _ in range(rng.choice([1, 3, 20, 300] if large else [1, 2, 5]))
    )
    parts = [f"SELECT {shown} FROM view"]
    parts += [f"WHERE {ors}"] * (rng.random() < 0.4)
    listed = ", ".join(keys)
    parts += [f"GROUP BY {rng.choice([listed, listed, f'CUBE ({listed})', f'ROLLUP ({listed})'])}"] * bool(keys)
    values = ", ".join(map(str, range(rng.choice([1, 10, 3000] if large else [1, 10]))))
    parts += [f"HAVING m0 IN ({values})"] * (rng.random() < 0.2)
    parts += [f"ORDER BY {', '.join(['m0'] * rng.choice([1, 5, 1000] if large else [1, 3]))}"] * (rng.random() < 0.3)
    return " ".join(parts)


def check_names(rng: Random) -> str | None:
    """Publishable names of all kinds, in exports and pages: what is wrong, or None; InputError if they are refused."""
    made = measured_names(rng) if rng.random() < 0.01 else mapped_names(rng)
    for name in ("a", *made.domain.mapped):
        attribute = made.domain.find(name)
        names = [attribute.describe(code) for code in range(attribute.size)]
        if len(set(names)) != len(names):
            return f"two codes are called the same: {names}"
        labels = made.groupby(name)[name]
        if len(set(labels)) != len(labels):
            return f"two groups are called the same: {labels}"
        value = rng.choice(names[: len(attribute.values)])  # type: ignore[attr-defined]
        column, quoted = name.replace('"', '""'), value.replace("'", "''")
        made.sql(f"""SELECT COUNT(*) FROM view WHERE "{column}" = '{quoted}'""")
    for wanted in (Wanted(made), Wanted(made, (("a",),))):
        text = FORMATS["csv"].made(wanted, "t").decode()
        for row in csv.reader(io.StringIO(text, newline="")):
            for cell in row:
                if cell[:1] != "'" and is_formula(cell):
                    return f"a field is a formula: {cell!r}"
    FORMATS["json-stat"].made(Wanted(made), "t")
    for name in made.measures:
        column = name.replace('"', '""')
        made.sql(f'SELECT a, SUM("{column}"), AVG("{column}") FROM view GROUP BY a')
    if rng.random() < 0.2 and (text := page(made, title=made.title or "t")).count("<script") != 2:  # data and code
        return f"a page has {text.count('<script')} scripts"
    return None


def draw_name(rng: Random, most: int = 4) -> str:
    return "".join(rng.choices(PIECES, k=rng.randint(0, most)))


def mapped_names(rng: Random) -> View:
    """A view of a category with hostile names, and perhaps a level and something derived with such names."""
    values = list(dict.fromkeys(draw_name(rng) for _ in range(rng.randint(1, 8))))
    attribute: dict[str, Any] = {"type": "category", "values": values}
    attribute |= {"missing": rng.choice(["bin", "drop"]), "outside": "other"}
    if rng.random() < 0.3:
        groups = [draw_name(rng, 2) for _ in range(rng.randint(1, 3))]
        attribute["levels"] = {draw_name(rng): [rng.choice(groups) for _ in values]}
    if rng.random() < 0.2:
        attribute["derived"] = {draw_name(rng): [draw_name(rng, 2) for _ in values]}
    if rng.random() < 0.2:
        attribute |= {"label": draw_name(rng), "description": draw_name(rng)}
    listed = rng.random() < 0.3 and not {"levels", "derived"} & attribute.keys()  # as a file of an earlier version may
    domain = Domain.from_json({"a": attribute}) if listed else Schema.from_dict({"attributes": {"a": attribute}}).domain
    return make_view(domain, leaves=2, title=rng.choice([None, draw_name(rng)]))


def measured_names(rng: Random) -> View:
    """A view whose measures have hostile names."""
    names = [draw_name(rng) for _ in range(rng.randint(1, 2))]
    facts = {name: {"min": 0.0, "max": 9.0} for name in names}
    attribute = {"type": "category", "values": ["x", draw_name(rng)]}
    schema = Schema.from_dict({"title": draw_name(rng), "attributes": {"a": attribute}, "measures": facts})
    cells = np.array([[0], [1]], np.int32)
    sums = np.ones((len(facts), 2), np.int64)
    tensor = Tensor(schema.domain, cells, np.array([9, 7]), measures=schema.measures, sums=sums)
    return publish(tensor, epsilon=1, seed=7)


def wide(rng: Random) -> bytes:
    """The file of a view of very many dimensions, or of very long ones."""
    number = rng.choice([101, 150, 320] if rng.random() < 0.01 else [2, 2, 3, 4, 6, 16])
    mixed = rng.random() < 0.3
    sizes = [2, 12, 5000 if number < 7 else 40] if mixed else [2, 12, 2**31 - 3]
    return wide_file(rng.choice(sizes), number, rng.choice([1, 3, 8]), rng.randrange(SEEDS), mixed=mixed)


@cache
def wide_file(size: int, number: int, leaves: int, seed: int, *, mixed: bool) -> bytes:
    """The file of a view of so many dimensions of this size; there are few of them, so each is saved once."""
    make = mixed_view if mixed else make_view
    with TemporaryDirectory() as folder:
        path = Path(folder) / "view"
        make((size,) * number, leaves=leaves, seed=seed).save(path)
        return path.read_bytes()


def near_overflow(sound: Sound, rng: Random) -> bytes:
    """A sound file with figures so large or so small that their products may not be finite, sealed again."""
    import json

    manifest, columns = json.loads(sound.manifest), dict(sound.columns)
    for _ in range(rng.randint(1, 3)):
        way, figure = rng.randrange(7), rng.choice(HUGE)
        if way == 0:
            manifest["measure"]["step"] = figure
        elif way == 1:
            manifest["measure"]["bound"] = rng.choice([2**20, 2**52])
        elif way == 2 and manifest.get("matrix"):
            manifest["matrix"]["variance"] = figure
        elif way == 3 and manifest.get("matrix"):
            rng.choice(manifest["matrix"]["products"])["weight"] = figure
        elif way == 4:
            _scaled(manifest, columns, figure)
        elif way == 5 and manifest.get("measures"):
            _scale_measure(rng.choice(manifest["measures"]), columns, figure, rng)
        else:
            columns["value"] = columns["value"] * rng.choice([1e50, 1e90, 1e95, -1e90, 1e-90])
    return sealed_file(manifest, columns, rng)


def _scale_measure(facts: Any, columns: dict[str, Any], figure: float, rng: Random) -> None:
    """A part of what a file says of a measure."""
    name = rng.choice(
        ["z", "total", "histogram", "variation", "spread", "above", "correction", "variance", "marginals"]
    )
    column = f"{facts['name']}_{name}"
    with np.errstate(all="ignore"):
        if name in facts["errors"]:
            facts["errors"][name] = figure
        elif column in columns:
            columns[column] = columns[column] * rng.choice([figure, 1e90, -1e90])
        elif facts["marginals"][0]:
            facts["marginals"][0] = [mass * figure for mass in facts["marginals"][0]]


def _scaled(manifest: Any, columns: dict[str, Any], figure: float) -> None:
    """All variances at once, so that they still follow from each other."""
    with np.errstate(all="ignore"):
        if "variance" in columns:
            columns["variance"] = columns["variance"] * figure
        if manifest.get("matrix"):
            manifest["matrix"]["variance"] *= figure
        measured = (manifest.get("tree") or {}).get("measured")
        if measured:
            measured["variances"] = [variance * figure for variance in measured["variances"]]
