"""One exam for all engines: computed columns give what a loop over rows gives, and no value makes an engine fail."""

from __future__ import annotations

import datetime as dt
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import ripost
from ripost.data.read import prepare, read_tensor
from ripost.errors import SchemaError, SourceError
from ripost.schema.expression_sql import parse_expression
from ripost.schema.schema import Schema
from ripost.sources.open_source import open_source
from tests.engines.stores import STORES, Store
from tests.marks import slow
from tests.sources.twin import cells_of, slow_code

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]
REPEATED = ("parquet", "duckdb")  # DuckDB again, as for tables in memory

Row = Mapping[str, Any]
LARGE, TINY = 2.0**50, 2.0**-50
NUMBERS = [
    *(0.0, -0.0, 1.0, -1.0, 2.0, 3.0, 7.0, 10.0, 99.0, 100.0, 101.0, 1530.0, 2359.0, 0.1, 0.2, 0.3, -2.5, 2.5, 1e-9),
    *(LARGE, -LARGE, LARGE * 1.01, TINY, TINY / 1.01, -TINY, 5e-324, 1e300, -1.7e308, math.inf, -math.inf, math.nan),
]
MOMENTS = [
    *(dt.datetime(2020, 2, 29, 23, 59, 59), dt.datetime(1969, 12, 31, 23, 59, 59), dt.datetime(1970, 1, 1)),
    *(dt.datetime(2024, 12, 31, 12, 30, 15), dt.datetime(1900, 3, 1, 6), dt.datetime(2021, 1, 3, 0, 0, 1)),
    *(dt.datetime(1000, 1, 1), dt.datetime(999, 12, 31), dt.datetime(9999, 12, 30, 23), dt.datetime(2013, 7, 4, 8, 5)),
    dt.datetime(2013, 7, 1, 9, 0, 0, 999_999),
]
TEXTS = [
    *("31/01/2020 08:15", "29/02/2019 10:00", "1/2/2020 7:05", "A10.1", "A11", "B20", "ärger", " padded ", "\tx"),
    *("true", "no", "1", "1.5", "1e3", "-7", "nan", "12,5", "😀😀😀", "日本語", "Zu\u0308rich", "'", '"', "\\", "x;y"),
]
NONE: list[Any] = [None]


def build_rows() -> list[Row]:
    """Rows in which each column takes its values at another pace, nothing among them."""
    numbers, moments, texts = NUMBERS + NONE, MOMENTS + NONE, TEXTS + NONE
    return [
        {
            "n": numbers[i % len(numbers)],
            "m": numbers[(5 * i + i // 7) % len(numbers)],
            "k": [3, 0, -4, 2**53, None][i % 5],
            "t": moments[i % len(moments)],
            "u": moments[(3 * i + 1) % len(moments)],
            "s": texts[i % len(texts)],
        }
        for i in range(360)
    ]


ROWS = build_rows()
TABLE = pa.table(
    {
        "n": pa.array([row["n"] for row in ROWS], pa.float64()),
        "m": pa.array([row["m"] for row in ROWS], pa.float64()),
        "k": pa.array([row["k"] for row in ROWS], pa.int64()),
        "t": pa.array([row["t"] for row in ROWS], pa.timestamp("us")),
        "u": pa.array([row["u"] for row in ROWS], pa.timestamp("us")),
        "s": pa.array([row["s"] for row in ROWS], pa.string()),
    }
)


def number(x: float | None) -> float | None:
    """A number as expressions read it."""
    if x is None or not abs(x) <= LARGE:
        return None
    return 0.0 if abs(x) < TINY else float(x)


def moment(x: dt.datetime | None) -> dt.datetime | None:
    if x is None or not dt.datetime(1000, 1, 1) <= x < dt.datetime(9999, 12, 31):
        return None
    return x.replace(microsecond=0)


def apply(function: Callable[..., Any], *values: Any) -> Any:
    """What a function gives, or None where a value is missing."""
    return None if any(value is None for value in values) else function(*values)


def divide(x: float | None, y: float | None) -> float | None:
    return None if y == 0 else apply(lambda a, b: a / b, x, y)


def seconds(x: dt.datetime) -> int:
    return (x - dt.datetime(1970, 1, 1)) // dt.timedelta(seconds=1)


def between(unit: int, x: dt.datetime, y: dt.datetime) -> float:
    return float(seconds(y) // unit - seconds(x) // unit)


def read_day(text: str | None) -> dt.datetime | None:
    try:
        return None if text is None else dt.datetime.strptime(text, "%d/%m/%Y %H:%M")
    except ValueError:
        return None


def read_text_number(text: str | None) -> float | None:
    return {"1": 1.0, "1.5": 1.5, "1e3": 1000.0, "-7": -7.0}.get(text or "")


INTEGER = {"type": "integer", "min": -5, "max": 40}
WIDE = {"type": "integer", "min": -(10**9), "max": 10**9, "width": 10**6}
REAL = {"type": "number", "min": -10.0, "max": 110.0, "width": 0.1, "outside": "other"}
HUGE = {"type": "number", "edges": [-1e290, -1e9, -1.0, -1e-20, 1e-20, 1.0, 1e9, 1e290], "outside": "other"}
WORDS = {"type": "category", "values": ["low", "high", "A1", "1", "ä", "日本", "padded", "x", "rr"]}
DAYS = {"type": "timestamp", "min": dt.datetime(2013, 1, 1), "max": dt.datetime(2025, 1, 1), "width": "1 day"}
CASES: dict[str, tuple[dict[str, Any], Callable[[Row], Any]]] = {
    "n + m": (REAL, lambda r: apply(lambda x, y: x + y, number(r["n"]), number(r["m"]))),
    "n - m * 2": (REAL, lambda r: apply(lambda x, y: x - y * 2, number(r["n"]), number(r["m"]))),
    "n / m": (REAL, lambda r: divide(number(r["n"]), number(r["m"]))),
    "n * m * n / m": (
        HUGE,
        lambda r: divide(apply(lambda x, y: x * y * x, number(r["n"]), number(r["m"])), number(r["m"])),
    ),
    "n * n * n * n * m * m * m": (
        HUGE,
        lambda r: apply(lambda x, y: x * x * x * x * y * y * y, number(r["n"]), number(r["m"])),
    ),
    "(n - m) / ((n + 1) / (m - 3))": (
        HUGE,
        lambda r: divide(
            apply(lambda x, y: x - y, number(r["n"]), number(r["m"])),
            divide(apply(lambda x: x + 1, number(r["n"])), apply(lambda y: y - 3, number(r["m"]))),
        ),
    ),
    "FLOOR(n / 100)": (INTEGER, lambda r: apply(lambda x: math.floor(x / 100), number(r["n"]))),
    "n - 100 * FLOOR(n / 100)": (REAL, lambda r: apply(lambda x: x - 100 * math.floor(x / 100), number(r["n"]))),
    "FLOOR(n / m)": (
        WIDE,
        lambda r: apply(lambda q: math.floor(q) if abs(q) <= 2.0**62 else None, divide(number(r["n"]), number(r["m"]))),
    ),
    "CEIL(ABS(-n))": (INTEGER, lambda r: apply(lambda x: math.ceil(abs(x)), number(r["n"]))),
    "k / 2": (REAL, lambda r: apply(lambda x: x / 2, number(r["k"]))),
    "EXTRACT(year FROM t) - 2000": (INTEGER, lambda r: apply(lambda x: x.year - 2000, moment(r["t"]))),
    "EXTRACT(quarter FROM t)": (INTEGER, lambda r: apply(lambda x: (x.month + 2) // 3, moment(r["t"]))),
    "EXTRACT(month FROM t)": (INTEGER, lambda r: apply(lambda x: x.month, moment(r["t"]))),
    "EXTRACT(day FROM t)": (INTEGER, lambda r: apply(lambda x: x.day, moment(r["t"]))),
    "EXTRACT(dow FROM t)": (INTEGER, lambda r: apply(lambda x: x.isoweekday() % 7, moment(r["t"]))),
    "EXTRACT(isodow FROM t)": (INTEGER, lambda r: apply(lambda x: x.isoweekday(), moment(r["t"]))),
    "EXTRACT(hour FROM t)": (INTEGER, lambda r: apply(lambda x: x.hour, moment(r["t"]))),
    "EXTRACT(minute FROM t)": (INTEGER, lambda r: apply(lambda x: x.minute, moment(r["t"]))),
    "EXTRACT(second FROM t)": (INTEGER, lambda r: apply(lambda x: x.second, moment(r["t"]))),
    "DATE_DIFF('day', t, u)": (
        WIDE,
        lambda r: apply(lambda x, y: between(86400, x, y), moment(r["t"]), moment(r["u"])),
    ),
    "DATE_DIFF('hour', t, u)": (
        WIDE,
        lambda r: apply(lambda x, y: between(3600, x, y), moment(r["t"]), moment(r["u"])),
    ),
    "DATE_DIFF('second', t, DATE '2020-01-01')": (
        WIDE,
        lambda r: apply(lambda x: between(1, x, dt.datetime(2020, 1, 1)), moment(r["t"])),
    ),
    "COALESCE(t, u)": (DAYS, lambda r: moment(r["t"]) or moment(r["u"])),
    "STRPTIME(s, '%d/%m/%Y %H:%M')": (DAYS, lambda r: read_day(r["s"])),
    "EXTRACT(hour FROM STRPTIME(s, '%d/%m/%Y %H:%M'))": (INTEGER, lambda r: apply(lambda x: x.hour, read_day(r["s"]))),
    "s + 1": (HUGE, lambda r: apply(lambda x: x + 1, read_text_number(r["s"]))),
    "LEFT(s, 2)": (WORDS, lambda r: apply(lambda x: x[:2], r["s"])),
    "SUBSTRING(s, 2, 2)": (WORDS, lambda r: apply(lambda x: x[1:3], r["s"])),
    "TRIM(s)": (WORDS, lambda r: apply(lambda x: x.strip(" \t\n\r\v\f"), r["s"])),
    "CASE WHEN n < 10 THEN 'low' WHEN n >= 10 THEN 'high' END": (
        WORDS,
        lambda r: apply(lambda x: "low" if x < 10 else "high", number(r["n"])),
    ),
    "CASE WHEN s IN ('A11', 'B20', 'ärger') THEN 'low' ELSE s END": (
        WORDS,
        lambda r: "low" if r["s"] in ("A11", "B20", "ärger") else r["s"],
    ),
    "CASE WHEN n = 2359 THEN NULL ELSE n END": (
        REAL,
        lambda r: None if number(r["n"]) == 2359 else number(r["n"]),
    ),
    "IF(t < TIMESTAMP '2013-07-01 09:00:00', 1, 2)": (
        INTEGER,
        lambda r: 2 if moment(r["t"]) is None else 1 if moment(r["t"]) < dt.datetime(2013, 7, 1, 9) else 2,
    ),
    "n BETWEEN 1 AND 100 AND NOT m > 2": (
        {"type": "boolean"},
        lambda r: kleene_and(
            apply(lambda x: 1 <= x <= 100, number(r["n"])), apply(lambda y: not y > 2, number(r["m"]))
        ),
    ),
    "s IS NULL OR s <> 'A11'": ({"type": "boolean"}, lambda r: r["s"] is None or r["s"] != "A11"),
    "CAST(s AS BOOLEAN)": (
        {"type": "boolean"},
        lambda r: {"true": True, "1": True, "no": False}.get(r["s"] or ""),
    ),
}


def kleene_and(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


@pytest.fixture(params=[slow(one) if one.engine in REPEATED else one for one in ENGINES], ids=str)
def store(request: pytest.FixtureRequest) -> Store:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("each", [3, slow(1)])
def test_every_engine_computes_what_a_loop_computes(
    store: Store, each: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """All expressions in memory, and elsewhere one in three, or all of them."""
    cases = list(CASES.items())[:: 1 if store.engine == "memory" else each]
    tiny = [5e-324 in (row["n"], row["m"]) and store.engine == "csv" for row in ROWS]  # text has shorter exponents
    kept = TABLE.filter(pa.array([not one for one in tiny]))
    rows = [row for row, left_out in zip(ROWS, tiny, strict=True) if not left_out]
    with store.holds(kept, tmp_path, request.getfixturevalue) as (source, table):
        for text, (keys, function) in cases:
            schema = Schema.from_dict({"attributes": {"x": {**keys, "expression": text}}})
            attribute = schema.attributes["x"]
            codes = [slow_code(function(row), attribute) for row in rows]
            expected = Counter((code,) for code in codes if code is not None)
            assert len(expected) > 1, text
            assert cells_of(read_tensor(source, schema, table=table)) == dict(expected), text


def test_the_largest_expressions_run_everywhere(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    deep = "s" if store.engine == "csv" else "n"
    for _ in range(6):
        deep = f"FLOOR({deep} / 2)" if deep.count("/") < 5 else f"({deep} + n)"
    long = "CASE " + " ".join(f"WHEN n = {number} THEN 'low'" for number in range(40)) + " ELSE s END"
    with store.holds(TABLE, tmp_path, request.getfixturevalue) as (source, table):
        for text, keys in ((deep, WIDE), (long, WORDS)):
            schema = Schema.from_dict({"attributes": {"x": {**keys, "expression": text}}})
            assert sum(cells_of(read_tensor(source, schema, table=table)).values()) == len(ROWS)


def test_a_computed_attribute_stands_beside_others_with_a_unit_and_a_measure(tmp_path: Path) -> None:
    source = pa.table({"id": [1, 1, 2, None], "day": ["1/2/2020"] * 2 + ["3/2/2020", "x"], "pay": [5, 5, 7, 9]})
    keys = {"type": "integer", "min": 1, "max": 7, "expression": "EXTRACT(isodow FROM STRPTIME(day, '%d/%m/%Y'))"}
    schema = Schema.from_dict(
        {
            "unit": "id",
            "max_rows": 1,
            "measure": {"sum": "pay", "max": 10},
            "attributes": {"weekday": keys, "day": {"type": "category", "values": ["1/2/2020", "3/2/2020"]}},
        }
    )
    assert schema.columns == ("day", "id", "pay")
    assert cells_of(read_tensor(source, schema)) == {(5, 0): 5, (0, 1): 7}
    view = ripost.publish(source, schema, epsilon=1, seed=1, method="identity")
    view.save(tmp_path / "v.parquet")
    opened = ripost.open(tmp_path / "v.parquet")
    assert opened.domain.attributes["weekday"].expression == keys["expression"]


def test_keys_say_how_the_text_that_an_expression_reads_is_spelled() -> None:
    source = pa.table({"net": ["1.000,50", "2,5", "x"], "tax": ["0,5", "1", "1"], "day": ["1.2.2020", "", "2.2.2020"]})
    schema = Schema.from_dict(
        {
            "attributes": {
                "gross": {
                    "type": "number",
                    "min": 0,
                    "max": 2000,
                    "width": 1,
                    "missing": "drop",
                    "expression": "net + tax",
                    "decimal": ",",
                    "thousands": ".",
                },
                "day": {
                    "type": "date",
                    "min": dt.date(2020, 1, 1),
                    "max": dt.date(2020, 12, 31),
                    "expression": "COALESCE(day, DATE '2020-01-01')",
                    "format": "%d.%m.%Y",
                },
            }
        }
    )
    assert cells_of(read_tensor(source, schema)) == {(1001, 31): 1, (3, 0): 1}


REFUSED = {
    "RANDOM() * n": "expression may not use RANDOM()",
    "COUNT(*)": "expression may not use COUNT(*)",
    "n - AVG(n)": "expression may not use AVG(n)",
    "SUM(n) OVER ()": "expression may not use SUM(n) OVER ()",
    "(SELECT MAX(n) FROM t)": "expression may not use (SELECT MAX(n) FROM t)",
    "n IN (SELECT 1)": "expression may not use n IN (SELECT 1)",
    "NOW()": "expression may not use NOW()",
    "CURRENT_DATE": "expression may not use CURRENT_DATE",
    "my_function(n)": "expression may not use MY_FUNCTION(n)",
    "LN(n)": "expression may not use LN(n)",
    "n % 2": "expression may not use n % 2",
    "CAST(n AS INT)": "expression may not use CAST(n AS INT); CAST takes a column AS DOUBLE, VARCHAR",
    "n; DROP TABLE t": "expression may not use",
    "other.n": "expression may not use other.n",
    "FLOOR(n, 2)": "expression may not use",
    "TRIM(BOTH 'x' FROM s)": "expression may not use TRIM(s, 'x')",
    "CASE n WHEN 1 THEN 2 END": "expression may not use CASE n WHEN 1 THEN 2 END",
    "n +": "expression cannot be read as SQL",
    "1 + 1": "expression reads no column",
    "LEFT(s, 2)": "expression needs a number where it has LEFT(s, 2)",
    "n + 'x'": "expression needs a number where it has 'x'",
    "CASE WHEN n = m THEN 1 END": "expression must say what n is: write CAST(n AS DOUBLE)",
    "CASE WHEN s < 'x' THEN 1 END": "expression may not compare s by the order of text",
    "EXTRACT(week FROM t)": "expression has no part of a date 'week'; known: day",
    "DATE_DIFF('month', t, u)": "expression has no unit of DATE_DIFF 'month'; known: day, hour",
    "DATE_DIFF('day', t, DATE '2020-02-30')": "expression holds '2020-02-30', which is no date",
    "EXTRACT(hour FROM STRPTIME(s, '%Q'))": "format has no directive '%Q'",
    "EXTRACT(hour FROM STRPTIME(s, t))": "expression takes STRPTIME of a column and a format",
    "n * n * n * n * n * n * n * n * n * n * n * n": "expression could overflow",
    "1 / n / n / n / n / n / n / n / n / n / n": "expression could overflow",
    "n * 1e400": "expression holds a number that is too large",
    "+".join(["n"] * 20): "expression is too long",
    "(" * 400 + "n" + ")" * 400: "expression is nested too deeply",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_function_of_one_row_is_refused_with_the_schema(text: str) -> None:
    with pytest.raises(SchemaError) as error:
        Schema.from_dict({"attributes": {"x": {**REAL, "expression": text}}})
    assert str(error.value).startswith(f"schema: attribute x: {REFUSED[text]}")
    assert "\n" not in str(error.value)


def test_a_column_or_an_expression_and_never_the_unit() -> None:
    with pytest.raises(SchemaError, match="takes either column or expression"):
        Schema.from_dict({"attributes": {"x": {**REAL, "expression": "n", "column": "n"}}})
    with pytest.raises(SchemaError, match="attribute x: is the unit"):
        Schema.from_dict({"unit": "n", "max_rows": 1, "attributes": {"x": {**REAL, "expression": "n / 2"}}})


def test_a_column_that_an_expression_cannot_read_is_told_before_the_debit(tmp_path: Path) -> None:
    for text, reason in (
        ("EXTRACT(hour FROM n)", "column n holds numbers but the expression of attribute x reads it as a date"),
        ("t + 1", "column t holds timestamps but the expression of attribute x reads it as a number"),
        ("nn + 1", "has no column 'nn'; did you mean 'n'?"),
    ):
        schema = Schema.from_dict({"attributes": {"x": {**REAL, "expression": text}}})
        with pytest.raises(SourceError, match=reason.replace("?", r"\?")):
            ripost.publish(TABLE, schema, epsilon=1)


def test_sql_that_the_parser_of_sqlite_refuses_is_found_before_any_row(tmp_path: Path) -> None:
    """It has a stack of its own; to prepare a query reads no row."""
    with Store("sqlite").holds(TABLE, tmp_path, lambda _: None) as (source, table):
        opened = open_source(source, columns=["n"], table=table)
        deep = opened.table.n
        for _ in range(110):
            deep = opened.table.n - deep
        opened.backend.compile(opened.table.select(x=deep))
        with pytest.raises(sqlite3.OperationalError):
            prepare(opened, opened.table.select(x=deep))
        opened.close()


def test_several_computed_dates_of_text_fit_sqlite(tmp_path: Path) -> None:
    read = "STRPTIME(s, '%d/%m/%Y %H:%M')"
    keys = {"hours": {**INTEGER, "expression": f"DATE_DIFF('hour', {read}, COALESCE(t, {read}))", "width": 10}}
    keys["weekend"] = {"type": "boolean", "expression": f"EXTRACT(isodow FROM {read}) >= 6"}
    schema = Schema.from_dict({"attributes": keys})
    with Store("sqlite").holds(TABLE, tmp_path, lambda _: None) as (source, table):
        assert cells_of(read_tensor(source, schema, table=table)) == cells_of(read_tensor(TABLE, schema))


def test_text_dates_of_postgres_need_strptime(postgres_url: str, tmp_path: Path) -> None:
    with Store("postgres", "text").holds(TABLE, tmp_path, lambda _: postgres_url) as (source, table):
        schema = Schema.from_dict({"attributes": {"x": {**INTEGER, "expression": "EXTRACT(hour FROM s)"}}})
        with pytest.raises(SourceError, match="write STRPTIME with a format such as '%Y-%m-%d'"):
            ripost.publish(source, schema, epsilon=1, table=table)


def test_bounds_follow_from_the_operations() -> None:
    """Every value that a term can take is a multiple of 2^finest within 2^largest; products reach both ends."""
    product = parse_expression("n * m", "number")
    assert 2.0**product.largest == LARGE * LARGE
    assert (LARGE / LARGE - math.nextafter(1, 0)) % 2.0**product.finest == 0
    for text, value in (("n / m", TINY / LARGE), ("n - m", math.ulp(TINY)), ("n * 0.375", TINY * 0.375)):
        term = parse_expression(text, "number")
        assert 0 < 2.0**term.finest <= value
        assert (value / 2.0**term.finest).is_integer()
