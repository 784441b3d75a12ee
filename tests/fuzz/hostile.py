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

from ripost.export.formats import FORMATS
from ripost.export.formula import is_formula
from ripost.export.wanted import Wanted
from ripost.schema.domain import Domain
from ripost.schema.schema import Schema
from ripost.view import View
from tests.answering.making import make_view
from tests.answering.mixing import mixed_view
from tests.fuzz.corpus import Sound
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


def heavy(names: tuple[str, ...], rng: Random, *, large: bool) -> str:
    """Many measures of many groups, under conditions of many boxes; few of each unless it is to be large."""
    keys = rng.sample(names, min(len(names), rng.choice([0, 1, 1, 2, 3, 6] if large else [0, 1, 1, 2])))
    number = rng.choice([1, 2, 5, 20, 100, 450] if large else [1, 1, 2, 4])
    name = rng.choice(names)
    measures = rng.sample(
        [
            *(f"QUANTILE_CONT({name}, {i / (number + 1):.6f})" for i in range(number)),
            *(f"COUNT(*) FILTER (WHERE {rng.choice(names)} = {i})" for i in range(number)),
            *(f"COUNT(*) FILTER (WHERE {rng.choice(names)} = {i}) / COUNT(*)" for i in range(number)),
            *(f"AVG({one})" for one in names),
            *(f"SHARE(*) OVER (PARTITION BY {one})" for one in keys),
        ],
        number,
    )
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
    """Publishable categories with hostile names, in CSV: what is wrong, or None; InputError if they are refused."""
    values = list(dict.fromkeys("".join(rng.choices(PIECES, k=rng.randint(0, 4))) for _ in range(rng.randint(1, 8))))
    attribute = {"type": "category", "values": values, "missing": rng.choice(["bin", "drop"]), "outside": "other"}
    listed = rng.random() < 0.3  # as a file of an earlier version may
    domain = Domain.from_json({"a": attribute}) if listed else Schema.from_dict({"attributes": {"a": attribute}}).domain
    made = make_view(domain, leaves=2)
    names = [domain.attributes["a"].describe(code) for code in range(domain.shape[0])]
    if len(set(names)) != len(names):
        return f"two codes are called the same: {names}"
    labels = made.groupby("a")["a"]
    if len(set(labels)) != len(labels):
        return f"two groups are called the same: {labels}"
    for wanted in (Wanted(made), Wanted(made, (("a",),))):
        text = FORMATS["csv"].made(wanted, "t").decode()
        for row in csv.reader(io.StringIO(text, newline="")):
            for cell in row:
                if cell[:1] != "'" and is_formula(cell):
                    return f"a field is a formula: {cell!r}"
    FORMATS["json-stat"].made(Wanted(made), "t")
    for value in rng.sample(names[: len(values)], 1):
        quoted = value.replace("'", "''")
        made.sql(f"SELECT COUNT(*) FROM view WHERE a = '{quoted}'")
    return None


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
        way, figure = rng.randrange(6), rng.choice(HUGE)
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
        else:
            columns["value"] = columns["value"] * rng.choice([1e50, 1e90, 1e95, -1e90, 1e-90])
    return sealed_file(manifest, columns, rng)


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
