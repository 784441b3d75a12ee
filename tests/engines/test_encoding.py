"""One exam for all engines and collations: each row is one cell and counts once, each id is one unit.

What the engine calls equal decides nothing: the expected cells come from a loop that compares text byte by byte.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
import pytest

from ripost.data.read import Reader, read_tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from ripost.sources.dialect import TO_BYTES
from ripost.sources.encoding import encode
from ripost.sources.encoding.attribute_codes import encode_joined_category
from tests.engines.stores import EACH_STORE, STORES, Store
from tests.marks import slow
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates

LONG = "n" * 100_000
TEXTS = [
    *("a", "A", "á", "Á", "a\u0301", "A\u0301", "ａ", "a ", "a  ", " a", "a\t", "a\n", "a\u00a0", "a\u200b", "a\u0000"),
    *("ss", "ß", "SS", "ẞ", "i", "I", "İ", "ı", "fi", "ﬁ", "K", "\u212a", "k", "Ω", "\u2126", "日本", "😀", "😁"),
    *("1", "1.0", "01", "1e0", "-0", "0", "+0", "nan", "NaN", "null", "NULL", "true", "True", "2013-01-31"),
    *("\\x41", "a\\b", "'", '"', "%", "_", "a,b", "a:b", "--", "other", "missing", LONG, f"{LONG}m", f"{LONG}M"),
]
SPELLINGS = [f"{first}{second}" for first in ("ab", "aB", "Ab", "AB") for second in ("c", "C", "ç", "Ç")]


def texts_for(store: Store) -> list[str]:
    """The texts that an engine can hold."""
    texts = TEXTS
    if store.engine in ("postgres", "csv"):
        texts = [text for text in texts if "\0" not in text]
    return [text for text in texts if len(text) <= 80] if store.pads else texts


def stored_text(store: Store, text: str) -> str:
    """What a text is once the engine has it."""
    return text.rstrip(" ") if store.pads else text


@pytest.fixture(params=EACH_STORE, ids=str)
def store(request: pytest.FixtureRequest) -> Store:
    return request.param  # type: ignore[no-any-return]


def category(values: list[str], column: str = "x", **options: str) -> dict[str, Any]:
    return {"type": "category", "column": column, "values": values, **options}


def rows_of(texts: list[str]) -> list[str]:
    """The first text once, the second twice, and so on up to seven times."""
    return [text for number, text in enumerate(texts) for _ in range(number % 7 + 1)]


@pytest.mark.parametrize("listed", ["many", "few"])
@pytest.mark.parametrize("outside", ["other", "drop"])
def test_text_is_compared_byte_by_byte(
    store: Store, listed: str, outside: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    texts = texts_for(store)
    values = [*texts[::2], "nobody"] if listed == "many" else texts[:6:2]
    column = [*rows_of(texts), None, None]
    schema = Schema.from_dict({"attributes": {"x": category(values, outside=outside)}})
    expected: Counter[tuple[int, ...]] = Counter()
    for text in column:
        if text is None:
            expected[len(values) + (outside == "other"),] += 1
        elif stored_text(store, text) in values:
            expected[values.index(stored_text(store, text)),] += 1
        elif outside == "other":
            expected[len(values),] += 1
    with store.holds(pa.table({"x": pa.array(column, pa.string())}), tmp_path, request.getfixturevalue) as source:
        assert cells_of(read_tensor(source[0], schema, table=source[1])) == expected


def test_one_row_of_sixteen_spellings_each_is_one_row(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two attributes with 16 spellings each made one row into 256."""
    schema = Schema.from_dict({"attributes": {"x": category(SPELLINGS), "y": category(SPELLINGS, "y")}})
    with store.holds(pa.table({"x": ["abc"], "y": ["ABC"]}), tmp_path, request.getfixturevalue) as source:
        assert cells_of(read_tensor(source[0], schema, table=source[1])) == {(0, SPELLINGS.index("ABC")): 1}


@pytest.mark.parametrize("max_rows", [1, 2])
def test_each_id_is_one_unit_byte_by_byte(
    store: Store, max_rows: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Each id has a cell of its own, so that the cells tell whose rows were kept."""
    texts = texts_for(store)
    who = [*rows_of(texts), None, None, None]
    names = {text: number for number, text in enumerate(dict.fromkeys(stored_text(store, text) for text in texts))}
    cell = [len(names) if text is None else names[stored_text(store, text)] for text in who]
    schema = Schema.from_dict(
        {"unit": "who", "max_rows": max_rows, "attributes": {"x": {"type": "integer", "min": 0, "max": len(names)}}}
    )
    held = Counter(number for text, number in zip(who, cell, strict=True) if text is not None)
    table = pa.table({"who": pa.array(who, pa.string()), "x": pa.array(cell, pa.int64())})
    with store.holds(table, tmp_path, request.getfixturevalue) as source:
        tensor = read_tensor(source[0], schema, table=source[1])
    assert cells_of(tensor) == {(number,): min(count, max_rows) for number, count in held.items()}


def test_true_and_false_are_compared_byte_by_byte(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    texts = ["yes", "YES", " yes ", "yés", "no", "nò", "ＮＯ", "true", "f", "0", "1", "2", "maybe"]
    codes = [1, 1, 1, 2, 0, 2, 2, 1, 0, 0, 1, 2, 2]
    schema = Schema.from_dict({"attributes": {"x": {"type": "boolean"}}})
    with store.holds(pa.table({"x": texts}), tmp_path, request.getfixturevalue) as source:
        tensor = read_tensor(source[0], schema, table=source[1])
    assert cells_of(tensor) == Counter((code,) for code in codes)


NUMBERS = [None, math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 1e300, -1e300, 5e-324, 2.0**53]
NUMBERS += [math.nextafter(edge, side) for edge in (-10.0, -1.0, 0.0, 1.0, 10.0) for side in (-math.inf, math.inf)]
NUMBERS += [0.1 * step for step in range(-30, 30)] + [4503599627370495.5, -4503599627370495.5]
RANGES: dict[str, Any] = {
    "whole": {"type": "integer", "min": -10, "max": 0},
    "wide": {"type": "integer", "min": -10, "max": 10, "width": 3},
    "even": {"type": "number", "min": -10, "max": 1, "bins": 11},
    "tenths": {"type": "number", "min": -3, "max": 3, "bins": 60},
    "edges": {"type": "number", "edges": [-1, -0.5, 0, 0.3, 1]},
}
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]


@pytest.fixture(params=ENGINES, ids=str)
def engine(request: pytest.FixtureRequest) -> Store:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("outside", ["clamp", "other", "drop"])
@pytest.mark.parametrize("kind", RANGES)
def test_numbers_fall_between_the_edges_that_hold_them(
    engine: Store, kind: str, outside: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from tests.sources.twin import slow_cells

    schema = Schema.from_dict({"attributes": {"x": {**RANGES[kind], "outside": outside}}})
    column = [None if engine.engine == "sqlite" and one is not None and math.isnan(one) else one for one in NUMBERS]
    with engine.holds(pa.table({"x": pa.array(column, pa.float64())}), tmp_path, request.getfixturevalue) as source:
        tensor = read_tensor(source[0], schema, table=source[1])
    assert cells_of(tensor) == slow_cells([{"x": one} for one in NUMBERS], schema)


def test_numbers_are_compared_as_numbers_where_they_are_names_or_ids(
    engine: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Zero is zero with either sign, 1.0 is named 1, and NaN is missing."""
    column = pa.array([0.0, -0.0, 1.0, 2.5, math.nan, None, 1.0, 7.0], pa.float64())
    names = {"attributes": {"x": category(["0", "1", "2.5"])}}
    people = {"unit": "x", "max_rows": 1, "attributes": {"y": {"type": "integer", "min": 0, "max": 0}}}
    table = pa.table({"x": column, "y": pa.array([0] * len(column), pa.int64())})
    with engine.holds(table, tmp_path, request.getfixturevalue) as source:
        named, bounded = (
            cells_of(read_tensor(source[0], Schema.from_dict(rules), table=source[1])) for rules in (names, people)
        )
    if engine.engine == "csv":  # text: "0.0" and "-0.0" are other names than "0"
        assert named == {(2,): 1, (3,): 6, (4,): 1} and bounded == {(0,): 6}
    else:
        assert named == {(0,): 2, (1,): 2, (2,): 1, (3,): 1, (4,): 2} and bounded == {(0,): 4}


@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
def test_moments_fall_in_the_hour_that_holds_them(
    engine: Store, zone: str | None, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Also in the last microsecond, and in the hours in which the clock is changed."""
    if zone is not None and engine.engine == "sqlite":
        pytest.skip("SQLite has no type for moments with a zone")
    start = dt.datetime(2013, 3, 10)
    moments = [start + dt.timedelta(minutes=20 * step) for step in range(200)]
    moments += [start + dt.timedelta(hours=step, microseconds=-1) for step in range(1, 60)]
    moments += [start - dt.timedelta(microseconds=1), start + dt.timedelta(hours=72)]
    column = pa.array([*moments, None], pa.timestamp("us"))
    if zone is not None:
        column = column.cast(pa.timestamp("us", zone))  # the same instants, shown in the zone
    hours = {"type": "timestamp", "min": start, "max": start + dt.timedelta(hours=72), "width": "1 hour"}
    schema = Schema.from_dict({"attributes": {"x": {**hours, "outside": "other"}}})
    expected = Counter({(73,): 1})
    for one in moments:
        place = (one - start) // dt.timedelta(hours=1)
        expected[place if 0 <= place < 72 else 72,] += 1
    with engine.holds(pa.table({"x": column}), tmp_path, request.getfixturevalue) as source:
        assert cells_of(read_tensor(source[0], schema, table=source[1])) == expected


def joined_by_text(rows: Any, listed: Any, dialect: Any, lend: Any) -> Any:
    """The join as it was: by what the engine calls equal."""
    for name, attribute in listed.items():
        codes = pa.array(range(attribute.count), pa.int64())
        names = lend(pa.table({f"{name}_name": pa.array(attribute.names, pa.string()), f"{name}_code": codes}))
        joined = rows.left_join(names, [(name, f"{name}_name")])
        kept = {column: joined[column] for column in rows.columns}
        rows = joined.select(**{**kept, name: encode_joined_category(joined[name], joined[f"{name}_code"], attribute)})
    return rows


def joined_twice(rows: Any, listed: Any, dialect: Any, lend: Any) -> Any:
    """A join that gives some rows twice."""
    join = encode.__dict__["sound_join"]
    more = ibis.union(rows, rows.filter(rows.c0 == "abc"))
    return join(more, listed, dialect, lend)


@pytest.fixture
def double_join(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(encode, "sound_join", encode.join_categories, raising=False)
    monkeypatch.setattr(encode, "join_categories", joined_twice)
    yield


@pytest.mark.usefixtures("double_join")
@pytest.mark.parametrize("unit", [False, True])
def test_a_row_that_is_counted_twice_stops_the_reading(
    engine: Store, unit: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    protects = {"unit": "who", "max_rows": 5} if unit else {}
    schema = Schema.from_dict({**protects, "attributes": {"x": category(SPELLINGS)}})
    table = pa.table({"x": ["abc", "ABC"], "who": ["p", "q"]})
    with (
        engine.holds(table, tmp_path, request.getfixturevalue) as source,
        pytest.raises(SourceError, match="did not count each row exactly once"),
    ):
        read_tensor(source[0], schema, table=source[1])


def test_a_stream_that_is_read_once_is_checked_too(double_join: None) -> None:
    schema = Schema.from_dict({"attributes": {"x": category(SPELLINGS)}})
    reader = pa.table({"x": ["abc", "ABC"]}).to_reader()
    with pytest.raises(SourceError, match="did not count each row exactly once"):
        read_tensor(reader, schema)


HARMLESS = ("NFC", "citext", "char(80)")  # with these, text that ripost brings along is compared as plain text
COLLATED = [store for store in STORES if store not in ENGINES and store.collation not in HARMLESS]
COLLATED = [store for store in COLLATED if store.engine != "spark"]  # it refuses to compare two collations


@pytest.mark.parametrize("collated", COLLATED, ids=str)
def test_the_old_join_would_be_stopped(
    collated: Store, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the bytes, these collations count a row more than once, and the check sees it."""
    monkeypatch.setattr(encode, "join_categories", joined_by_text)
    values = [*SPELLINGS, *("e", "é", "f", "f ")]
    schema = Schema.from_dict({"attributes": {"x": category(values)}})
    with (
        collated.holds(pa.table({"x": [*SPELLINGS, "e", "f "]}), tmp_path, request.getfixturevalue) as source,
        pytest.raises(SourceError, match="did not count each row exactly once"),
    ):
        read_tensor(source[0], schema, table=source[1])


@pytest.mark.parametrize("unit", [True, slow(False)])
def test_thirty_lists_are_looked_up_at_once(
    engine: Store, unit: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """SQLite refuses SQL that is nested deeper than 100, so that one join inside the other would not do."""
    protects = {"unit": "who", "max_rows": 1} if unit else {}
    wide = {f"a{number}": category(SPELLINGS, f"a{number}") for number in range(30)}
    schema = Schema.from_dict({**protects, "attributes": wide})
    table = pa.table({**{name: ["abc", "ABC", "abc"] for name in wide}, "who": ["p", "q", "p"]})
    with engine.holds(table, tmp_path, request.getfixturevalue) as source:
        cells = cells_of(read_tensor(source[0], schema, table=source[1]))
    assert cells == {(0,) * 30: 1 if unit else 2, (SPELLINGS.index("ABC"),) * 30: 1}


def test_a_unit_of_decimals_needs_a_scale(request: pytest.FixtureRequest) -> None:
    """PostgreSQL calls 1.0 and 1.00 equal, and writes them as two texts."""
    import psycopg

    url = request.getfixturevalue("postgres_url")
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS loose")
        connection.execute("CREATE TABLE loose (who numeric, x bigint)")
    schema = {"unit": "who", "max_rows": 1, "attributes": {"x": {"type": "integer", "min": 0, "max": 1}}}
    with pytest.raises(SourceError, match="column who holds decimals of any scale; cast it"):
        read_tensor(url, Schema.from_dict(schema), table="loose")


def test_a_postgres_database_that_lacks_letters_of_a_rule_is_refused(request: pytest.FixtureRequest) -> None:
    """Before the debit: the letters that fold to k hold one that Latin-1 lacks, and the query would fail."""
    url = request.getfixturevalue("postgres_url")
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS latin")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    latin = url.rpartition("/")[0] + "/latin"
    with psycopg.connect(latin) as connection:
        connection.execute("CREATE TABLE towns (x text)")
        connection.execute("INSERT INTO towns VALUES ('Kiel'), ('Z\u00fcrich')")
    keys = category(["Kiel", "Z\u00fcrich"])
    assert cells_of(read_tensor(latin, Schema.from_dict({"attributes": {"x": keys}}), table="towns")) == {
        (0,): 1,
        (1,): 1,
    }
    with pytest.raises(SourceError, match="cannot read text by a rule on postgres in LATIN1; leave out fold_case"):
        Reader.of(latin, Schema.from_dict({"attributes": {"x": {**keys, "fold_case": True}}}), table="towns")


@pytest.mark.parametrize("kind", ["numeric", "numeric(900, 450)"])
def test_decimals_that_no_float_holds_are_outside_or_zero(kind: str, request: pytest.FixtureRequest) -> None:
    """PostgreSQL fails where it makes floats of them: one row would stop every release."""
    url = request.getfixturevalue("postgres_url")
    import psycopg

    values = ["NaN", "1e400", "-1e400", "1e-400", "-1e-400", "0.5", "7"]
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS decimals")
        connection.execute(f"CREATE TABLE decimals (x {kind})")
        connection.cursor().executemany(f"INSERT INTO decimals VALUES (%s::{kind})", [(value,) for value in values])
    ends = {"min": -1, "max": 8}
    for keys, expected in (
        ({"type": "integer", **ends}, {(0,): 1, (1,): 3, (8,): 1, (9,): 1, (10,): 1}),
        ({"type": "number", **ends, "bins": 9}, {(0,): 1, (1,): 3, (8,): 2, (9,): 1}),
        ({"type": "category", "values": ["0", "7", "0.5"]}, {(0,): 2, (1,): 1, (2,): 1, (3,): 2, (4,): 1}),
    ):
        schema = Schema.from_dict({"attributes": {"x": keys}})
        assert cells_of(read_tensor(url, schema, table="decimals")) == expected, keys


@pytest.mark.parametrize("kind", ["NUMERIC", "DECIMAL", "INTEGER", "REAL"])
def test_the_least_whole_number_of_sqlite_stops_no_release(kind: str, tmp_path: Path) -> None:
    """SQLite fails on its absolute value: one row would stop every release."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "t.db")) as connection, connection:
        connection.execute(f"CREATE TABLE t (x {kind})")
        connection.executemany("INSERT INTO t VALUES (?)", [(-(2**63),), (2**63 - 1,), (0,), (-1,), (None,)])
    ends = {"min": -1, "max": 1, "missing": "drop"}
    for keys, expected in (
        ({"type": "integer", **ends}, {(0,): 2, (1,): 1, (2,): 1}),
        ({"type": "number", "bins": 2, **ends}, {(0,): 2, (1,): 2}),
        ({"type": "number", "expression": "x + 1", "bins": 2, **ends}, {(1,): 2}),
        ({"type": "category", "values": ["0", "-1"]}, {(0,): 1, (1,): 1, (2,): 2, (3,): 1}),
    ):
        schema = Schema.from_dict({"attributes": {"x": keys}})
        assert cells_of(read_tensor(f"sqlite://{tmp_path / 't.db'}", schema, table="t")) == expected, keys
    measures = {"m": {"column": "x", "min": -1.0, "max": 1.0}}
    schema = Schema.from_dict({"attributes": {"x": {"type": "boolean"}}, "measures": measures})
    tensor = read_tensor(f"sqlite://{tmp_path / 't.db'}", schema, table="t")
    assert tensor.sums is not None and (tensor.counts.sum(), tensor.sums.sum()) == (5, -1 * 2)


def test_an_engine_that_cannot_compare_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the debit, where text would be compared; numbers are read all the same."""
    monkeypatch.delitem(TO_BYTES, "duckdb")
    table = pa.table({"x": ["abc"], "n": [1]})
    with pytest.raises(SourceError, match="cannot compare text byte by byte on duckdb; export"):
        Reader.of(table, Schema.from_dict({"attributes": {"x": category(["abc"])}}))
    numbers = Schema.from_dict({"attributes": {"n": {"type": "integer", "min": 0, "max": 1}}})
    assert cells_of(read_tensor(table, numbers)) == {(1,): 1}
