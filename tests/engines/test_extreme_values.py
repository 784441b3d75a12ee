"""No value of any engine decides whether reading succeeds: it is missing, outside, or in a cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ripost.data.read import read_tensor
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from ripost.sources.open_source import open_source
from ripost.sources.source_table import ACCEPTS, UNITS, describe_type
from tests.engines.extreme_values import EXTREMES, list_rows, store_extremes
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates

READ_AS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {  # which columns can be read so, and as what
    "integer": (ACCEPTS["integer"], {"type": "integer", "min": -5, "max": 5}),
    "number": (ACCEPTS["number"], {"type": "number", "min": -5, "max": 5, "bins": 4}),
    "computed": (ACCEPTS["number"], {"type": "number", "min": -5, "max": 5, "bins": 4, "expression": "{} * 2"}),
    "spelled": (("text",), {"type": "number", "min": -5, "max": 5, "bins": 4, "decimal": ","}),
    "date": (("dates", "timestamps"), {"type": "date", "min": "0001-01-01", "max": "9998-12-31", "width": "1 year"}),
    "moment": (
        ("dates", "timestamps"),
        {"type": "timestamp", "min": "1000-01-01T00:00:00", "max": "2000-01-01T00:00:00", "width": "1 year"},
    ),
    "written date": (
        ("text",),
        {"type": "date", "min": "2000-01-01", "max": "2020-12-31", "width": "1 year", "format": "%Y-%m-%d"},
    ),
    "year": (
        ("dates", "timestamps"),
        {"type": "integer", "min": 1990, "max": 2030, "expression": "EXTRACT(year FROM {})"},
    ),
    "category": (ACCEPTS["category"], {"type": "category", "values": ["a", "1", "2020-01-01"]}),
    "many": (ACCEPTS["category"], {"type": "category", "values": [str(number) for number in range(20)]}),
    "folded": (("text",), {"type": "category", "values": ["a", "k"], "fold_case": True}),
    "cast": (("dates", "text"), {"type": "category", "values": ["a"], "expression": "CAST({} AS VARCHAR)"}),
    "boolean": (ACCEPTS["boolean"], {"type": "boolean"}),
}
NUMBER = {"type": "integer", "min": 0, "max": 1}
NUMBERS = {"sqlite": "x8", "duckdb": "x16", "postgres": "x12", "spark": "x11"}  # a column that is no other part
AT_ONCE = {"sqlite": 8, "spark": 12}  # attributes: one refuses deep expressions, the other plans them for long
TEXT_AS_DATES = ("duckdb", "sqlite", "spark")  # where text without a format may be a date


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.slow) if name == "spark" else name for name in EXTREMES])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def kinds_of(source: Any, table: str, engine: str) -> dict[str, str]:
    """What each column holds, as far as its type says."""
    opened = open_source(source, columns=list(EXTREMES[engine]), table=table or None)
    try:
        return {name: describe_type(opened.table[name].type()) for name in EXTREMES[engine]}
    finally:
        opened.close()


def test_no_value_makes_an_engine_fail(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with store_extremes(engine, tmp_path, request.getfixturevalue) as (source, table):
        kinds = kinds_of(source, table, engine)
        attributes: dict[str, Any] = {}
        for way, (accepted, keys) in READ_AS.items():
            more = ("text",) if way in ("date", "moment", "year") and engine in TEXT_AS_DATES else ()
            chosen = [name for name, kind in kinds.items() if kind in (*accepted, *more)]
            assert chosen, way
            for name in chosen:
                read = {"expression": keys["expression"].format(name)} if "expression" in keys else {"column": name}
                attributes[f"{name} as {way}"] = {**keys, **read}
        names, most = list(attributes), AT_ONCE.get(engine, len(attributes))
        for first in range(0, len(names), most):
            some = {name: attributes[name] for name in names[first : first + most]}
            tensor = read_tensor(source, Schema.from_dict({"attributes": some}), table=table or None)
            assert tensor.counts.sum() == len(list_rows(engine))


def test_no_value_of_an_id_a_measure_or_a_period_makes_an_engine_fail(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    most = 5 * len(list_rows(engine))
    with store_extremes(engine, tmp_path, request.getfixturevalue) as (source, table):
        for name, kind in kinds_of(source, table, engine).items():
            if name == NUMBERS[engine]:
                continue
            for keys in describe_uses(name, kind, is_scaled=EXTREMES[engine][name][0].lower() != "numeric"):
                schema = Schema.from_dict({**keys, "attributes": {"a": {**NUMBER, "column": NUMBERS[engine]}}})
                period = ReleasePeriod(schema.period, "2020-01") if schema.period else None
                tensor = read_tensor(source, schema, table=table or None, period=period)
                assert tensor.counts.sum() <= most, (name, keys)


def describe_uses(name: str, kind: str, *, is_scaled: bool) -> list[dict[str, Any]]:
    """The parts of schemas, besides attributes, that can use a column of a kind."""
    found: list[dict[str, Any]] = []
    if kind in UNITS and is_scaled:  # decimals of any scale are no ids
        found.append({"unit": name, "max_rows": 1})
    if kind in ACCEPTS["number"]:
        found.append({"measure": {"sum": name, "max": 5}})
        found.append({"measures": {"m": {"column": name, "min": -5.0, "max": 5.0}}})
    if kind in ("dates", "timestamps"):
        found.append({"period": f"month({name})"})
    return found


@pytest.mark.parametrize("style", ["ISO, MDY", "German, DMY"])
def test_dates_are_the_same_text_on_every_engine(
    engine: str, style: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL writes dates as its session is set to; here the database sets it for all."""
    if style != "ISO, MDY" and engine != "postgres":
        pytest.skip("the other engines have one way to write a date")
    monkeypatch.setitem(EXTREMES, engine, {"x": ("DATE", ["'2020-01-02'", "'0044-01-01'", "'9999-12-31'", "NULL"])})
    category = {"type": "category", "values": ["2020-01-02", "0044-01-01", "9999-12-31"]}
    described = {"x": category, "y": {**category, "expression": "CAST(x AS VARCHAR)"}}
    with (
        date_style(engine, style, request),
        store_extremes(engine, tmp_path, request.getfixturevalue) as (source, table),
    ):
        tensor = read_tensor(source, Schema.from_dict({"attributes": described}), table=table or None)
    assert cells_of(tensor) == {(0, 0): 1, (1, 1): 1, (2, 2): 1, (4, 4): 1}


@contextmanager
def date_style(engine: str, style: str, request: pytest.FixtureRequest) -> Iterator[None]:
    """A style of the PostgreSQL database; nothing for the other engines."""
    if engine != "postgres":
        yield
        return
    import psycopg

    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE postgres SET datestyle TO {style}")
        try:
            yield
        finally:
            connection.execute("ALTER DATABASE postgres RESET datestyle")
