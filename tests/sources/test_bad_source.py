"""A table that cannot be read: one sentence, and never a word of what is in it."""

from __future__ import annotations

import gzip
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from ripost.data.read import read_tensor
from ripost.errors import InputError, SourceError
from ripost.schema.schema import Schema
from tests.sources.conftest import Stream, written

SECRET = "JANE-ROE-4711"
SCHEMA = Schema.from_dict(
    {
        "attributes": {
            "hour": {"type": "integer", "min": 0, "max": 23},
            "origin": {"type": "category", "values": ["JFK"]},
        }
    }
)
GOOD = f"hour,origin\n1,JFK\n2,{SECRET}\n"


def fail(source: Any, *, table: str | None = None, schema: Schema = SCHEMA) -> str:
    """The sentence with which reading fails, after a look at everything that could leak with it."""
    with pytest.raises(SourceError) as caught:
        read_tensor(source, schema, table=table)
    error = caught.value
    shown = "".join(traceback.format_exception(error))
    message = str(error)
    assert SECRET not in shown and SECRET.lower() not in shown.lower()
    assert error.__cause__ is None and error.__context__ is None
    assert "\n" not in message and len(message) < 300
    return message


def parquet(path: Path, **columns: Any) -> Path:
    pa.parquet.write_table(pa.table(columns), path)
    return path


def cut(path: Path, share: float) -> Path:
    content = path.read_bytes()
    return written(path, content[: int(len(content) * share)])


def long_gzip(path: Path) -> Path:
    rows = "".join(f"{n % 24},{SECRET}{n * 7919 % 10007}\n" for n in range(20_000))
    return written(path, gzip.compress(b"hour,origin\n" + rows.encode()))


def secrets_parquet(path: Path) -> Path:
    return parquet(path, hour=list(range(1000)), origin=[f"{SECRET}{n}" for n in range(1000)])


def secrets_excel(path: Path) -> Path:
    secrets_frame().to_excel(path, index=False)
    return path


def secrets_feather(path: Path) -> Path:
    secrets_frame().to_feather(path)
    return path


def secrets_statistical(path: Path) -> Path:
    import pyreadstat

    write = {".dta": pyreadstat.write_dta, ".sav": pyreadstat.write_sav, ".xpt": pyreadstat.write_xport}
    write[path.suffix](secrets_frame(), path)
    return path


def secrets_frame() -> pd.DataFrame:
    return pd.DataFrame({"hour": range(1000), "origin": [f"{SECRET}{n}" for n in range(1000)]})


def corrupt(path: Path) -> Path:
    content = bytearray(secrets_parquet(path).read_bytes())
    content[100 : len(content) // 2] = b"\xff" * (len(content) // 2 - 100)
    return written(path, bytes(content))


FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "missing": (lambda f: f / "nowhere.csv", "there is no such file"),
    "missing glob": (lambda f: f / "*.csv", "matches no file"),
    "directory": (lambda f: f, "is a directory"),
    "unknown ending": (lambda f: written(f / "t.docx", GOOD), "has an ending that cannot be read"),
    "feather in gzip": (lambda f: written(f / "t.feather.gz", GOOD), "has an ending that cannot be read"),
    "csv as excel": (lambda f: written(f / "t.xlsx", GOOD), "is not a sheet that can be read"),
    "cut excel": (lambda f: cut(secrets_excel(f / "t.xlsx"), 0.7), "is not a sheet that can be read"),
    "old excel": (lambda f: written(f / "t.xls", GOOD), "is not a sheet that can be read"),
    "csv as feather": (lambda f: written(f / "t.feather", GOOD), "is not an Arrow or Feather file"),
    "cut feather": (lambda f: cut(secrets_feather(f / "t.feather"), 0.6), "is not an Arrow or Feather file"),
    "old feather": (lambda f: written(f / "t.feather", b"FEA1" + GOOD.encode()), "is Feather of version 1"),
    "csv as stata": (lambda f: written(f / "t.dta", GOOD), "is not what its ending says"),
    "cut stata": (lambda f: cut(secrets_statistical(f / "t.dta"), 0.6), "cut short"),
    "cut spss": (lambda f: cut(secrets_statistical(f / "t.sav"), 0.9), "cut short"),
    "cut sas transport": (lambda f: cut(secrets_statistical(f / "t.xpt"), 0.9), "is cut short"),
    "csv as sas": (lambda f: written(f / "t.sas7bdat", GOOD), "is not what its ending says"),
    "no ending": (lambda f: written(f / "table", GOOD), "has an ending that cannot be read"),
    "parquet in gzip": (lambda f: written(f / "t.parquet.gz", GOOD), "has an ending that cannot be read"),
    "empty csv": (lambda f: written(f / "t.csv", ""), "is empty"),
    "blank csv": (lambda f: written(f / "t.csv", "\n\n"), "is empty"),
    "empty parquet": (lambda f: written(f / "t.parquet", ""), "is not Parquet"),
    "csv as parquet": (lambda f: written(f / "t.parquet", GOOD), "is not Parquet"),
    "cut parquet": (lambda f: cut(secrets_parquet(f / "t.parquet"), 0.6), "is not Parquet"),
    "corrupt parquet": (lambda f: corrupt(f / "t.parquet"), "is not Parquet"),
    "latin csv": (lambda f: written(f / "t.csv", f"hour,origin\n1,{SECRET}é\n".encode("latin-1")), "is not UTF-8"),
    "latin csv, later": (
        lambda f: written(f / "t.csv", (GOOD + "3,x\n" * 400_000).encode() + f"1,{SECRET}é\n".encode("latin-1")),
        "is not UTF-8",
    ),
    "utf-16 csv": (lambda f: written(f / "t.csv", GOOD.encode("utf-16")), "is not UTF-8"),
    "too many fields": (lambda f: written(f / "t.csv", GOOD + f"1,JFK,{SECRET}\n"), "is not well-formed"),
    "too few fields": (lambda f: written(f / "t.csv", GOOD + f"{SECRET}\n"), "is not well-formed"),
    "open quote": (lambda f: written(f / "t.csv", GOOD + f'1,"{SECRET}\n'), "is not well-formed"),
    "parquet as csv": (lambda f: written(f / "t.csv", secrets_parquet(f / "t.parquet").read_bytes()), "is not UTF-8"),
    "cut gzip": (lambda f: cut(long_gzip(f / "t.csv.gz"), 0.9), ""),
    "no gzip": (lambda f: written(f / "t.csv.gz", GOOD), "is not compressed as its ending says"),
    "cut json": (lambda f: written(f / "t.jsonl", f'{{"hour": 1, "origin": "{SECRET}"}}\n{{"hou'), "or is cut short"),
    "json of lists": (lambda f: written(f / "t.jsonl", f'["{SECRET}"]\n'), "is not one JSON object a line"),
    "json twice": (
        lambda f: written(f / "t.jsonl", f'{{"hour": 1, "origin": "{SECRET}", "hour": 2}}\n'),
        "is not one JSON object a line",
    ),
    "column twice": (lambda f: written(f / "t.csv", f"hour,origin,hour\n1,{SECRET},2\n"), "two columns named 'hour'"),
    "column missing": (lambda f: written(f / "t.csv", f"hours,origin\n1,{SECRET}\n"), "did you mean 'hours'?"),
    "column not alike": (lambda f: written(f / "t.csv", f"{SECRET},origin\n1,JFK\n"), "has no column 'hour'"),
    "no header": (lambda f: written(f / "t.csv", f"1,{SECRET}\n2,JFK\n"), "is it a header?"),
    "key missing": (lambda f: written(f / "t.jsonl", json.dumps({"origin": SECRET})), "has no column 'hour'"),
    "parquet column missing": (lambda f: parquet(f / "t.parquet", Hour=[1], origin=[SECRET]), "did you mean 'Hour'?"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_bad_file_is_refused_in_one_sentence(case: str, tmp_path: Path) -> None:
    make, expected = FILES[case]
    assert expected in fail(make(tmp_path))


def test_a_glob_over_several_kinds_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a.csv", GOOD)
    parquet(tmp_path / "a.parquet", hour=[1], origin=["x"])
    assert "several kinds: .csv, .parquet" in fail(str(tmp_path / "a.*"))


def test_one_bad_file_of_many_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a.csv", GOOD)
    written(tmp_path / "b.csv", f"hour,where\n1,{SECRET}\n")
    assert "b.csv: has no column 'origin'" in fail(str(tmp_path / "*.csv"))


KINDS = {
    "integer": {"type": "integer", "min": 0, "max": 1},
    "number": {"type": "number", "min": 0, "max": 1, "bins": 2},
    "date": {"type": "date", "min": "2013-01-01", "max": "2013-01-02"},
    "timestamp": {"type": "timestamp", "min": "2013-01-01", "max": "2013-01-02"},
    "boolean": {"type": "boolean"},
    "category": {"type": "category", "values": ["a"]},
}


@pytest.mark.parametrize(
    ("column", "holds", "kind"),
    [
        (pa.array([SECRET]), "text", "integer"),
        (pa.array([SECRET]), "text", "number"),
        (pa.array([True]), "booleans", "integer"),
        (pa.array([True]), "booleans", "date"),
        (pa.array([1]), "integers", "timestamp"),
        (pa.array([0.5]), "numbers", "date"),
        (pa.array([0], pa.date32()), "dates", "boolean"),
        (pa.array([0], pa.timestamp("us")), "timestamps", "number"),
        (pa.array([[SECRET]]), "nested values", "category"),
        (pa.array([SECRET.encode()]), "bytes", "category"),
        (pa.array([1], pa.time64("us")), "values of another kind", "category"),
    ],
)
def test_a_column_of_the_wrong_type_is_refused(column: pa.Array, holds: str, kind: str, tmp_path: Path) -> None:
    schema = Schema.from_dict({"attributes": {"x": KINDS[kind]}})
    expected = f"column x holds {holds} but attribute x is {'an' if kind == 'integer' else 'a'} {kind}"
    assert expected in fail(pa.table({"x": column}), schema=schema)
    assert expected in fail(parquet(tmp_path / "t.parquet", x=column), schema=schema)


def test_measure_and_unit_have_types_too() -> None:
    table = pa.table({"h": [True], "s": [SECRET], "n": [[1]]})
    flag = {"attributes": {"h": KINDS["boolean"]}}
    summed = Schema.from_dict({**flag, "measure": {"sum": "s", "max": 5}})
    assert "column s holds text but its sum is the measure" in fail(table, schema=summed)
    nested = Schema.from_dict({**flag, "unit": "n", "max_rows": 1})
    assert "column n holds nested values but it is the unit" in fail(table, schema=nested)


def test_a_column_of_nothing_is_missing_everywhere() -> None:
    table = pa.table({kind: pa.nulls(2) for kind in KINDS})
    schema = Schema.from_dict({"attributes": KINDS})
    assert read_tensor(table, schema).coords.tolist() == [[attribute.missing_code for _, attribute in schema.domain]]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (pd.DataFrame({"hour": [1, SECRET], "origin": ["a", "b"]}), "column hour mixes kinds of values"),
        (pd.DataFrame({"hour": [1, 2], "origin": [1, SECRET]}), "column origin mixes kinds of values"),
        (pd.DataFrame([[1, 2, 3]], columns=["hour", "hour", "origin"]), "two columns named 'hour'"),
        (pd.DataFrame({"our": [1]}), "has no column 'hour'; did you mean 'our'?"),
        (pl.DataFrame({"hour": [1]}), "has no column 'origin'"),
        (pl.LazyFrame({"hour": [1], "origin": [object()]}, schema_overrides={"origin": pl.Object}), "cannot read"),
        (pa.table({"hour": [1]}), "has no column 'origin'"),
        (pa.table([[1], [2]], names=["hour", "hour"]), "two columns named 'hour'"),
        (Stream(pa.table({"hour": [1]})), "has no column 'origin'"),
        (ibis.memtable(pa.table({"hour": [1]})), "has no column 'origin'"),
        (17, "cannot read a table from int"),
        ([{"hour": 1}], "cannot read a table from list"),
        (None, "cannot read a table from NoneType"),
    ],
)
def test_a_bad_object_is_refused(frame: Any, expected: str) -> None:
    assert expected in fail(frame)


def test_an_engine_that_fails_while_reading_is_not_quoted() -> None:
    def batches() -> Any:
        yield pa.record_batch({"hour": [1], "origin": [SECRET]})
        raise RuntimeError(SECRET)

    types = pa.schema({"hour": pa.int64(), "origin": pa.string()})
    assert "failed while reading" in fail(pa.RecordBatchReader.from_batches(types, batches()))
    connection = ibis.duckdb.connect()
    table = connection.sql(f"SELECT '{SECRET}' AS hour, 'x' AS origin", schema={"hour": "string", "origin": "string"})
    assert "failed while reading" in fail(table.mutate(hour=table.hour.cast("int64")))
    connection.disconnect()


@pytest.mark.parametrize(
    ("url", "table", "expected"),
    [
        ("ducdb://x.db", "t", "did you mean 'duckdb'?"),
        ("https://example.org/t.csv", "t", "cannot connect to https://"),
        ("duckdb://nowhere.db", "t", "nowhere.db: there is no such duckdb file"),
        ("sqlite://nowhere.db", "t", "nowhere.db: there is no such sqlite file"),
        ("sqlite://nowhere.db", None, "needs the name of a table; give it with --table"),
    ],
)
def test_a_bad_address_is_refused(url: str, table: str | None, expected: str) -> None:
    assert expected in fail(url, table=table)
    assert not Path("nowhere.db").exists()


def test_an_option_without_a_meaning_is_refused(tmp_path: Path) -> None:
    assert "table is for database URLs and Excel files" in fail(written(tmp_path / "t.csv", GOOD), table="t")
    with pytest.raises(SourceError, match="encoding is for CSV, Stata, SPSS and SAS files"):
        read_tensor(secrets_feather(tmp_path / "t.feather"), SCHEMA, encoding="cp1252")
    with pytest.raises(SourceError, match="encoding is for CSV, Stata, SPSS and SAS files"):
        read_tensor(secrets_frame(), SCHEMA, encoding="cp1252")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cp12522", "is unknown"),
        ("rot13", "is not an encoding of text"),
        ("iso2022_jp", "is not read line by line; convert the file to UTF-8 first"),
    ],
)
def test_a_bad_encoding_is_refused(name: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=expected):
        read_tensor(written(tmp_path / "t.csv", GOOD), SCHEMA, encoding=name)


def test_a_workbook_of_several_sheets_needs_a_choice(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        secrets_frame().to_excel(book, sheet_name="trips", index=False)
        secrets_frame().to_excel(book, sheet_name="notes", index=False)
    assert "has 2 sheets (trips, notes); choose one with --table" in fail(tmp_path / "t.xlsx")
    assert "has no sheet 'trip'; did you mean 'trips'?" in fail(tmp_path / "t.xlsx", table="trip")


@pytest.mark.parametrize(
    ("package", "make", "extra"),
    [("python_calamine", secrets_excel, "excel"), ("pyreadstat", secrets_statistical, "statistical")],
)
def test_a_missing_package_is_named(
    package: str, make: Callable[[Path], Path], extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / ("t.xlsx" if extra == "excel" else "t.dta"))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SourceError, match=rf"needs the package {package}: pip install 'ripost\[{extra}\]'"):
        read_tensor(path, SCHEMA)


def test_a_missing_table_suggests_the_nearest(tmp_path: Path) -> None:
    import sqlite3

    with duckdb.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE flights (hour INT)").fetchall()
    other = sqlite3.connect(tmp_path / "b.db")
    other.execute("CREATE TABLE flights (hour INT)")
    other.close()
    for url in (f"duckdb://{tmp_path / 'a.db'}", f"sqlite://{tmp_path / 'b.db'}"):
        assert "has no table 'flight'; did you mean 'flights'?" in fail(url, table="flight")
        assert "has no column 'origin'" in fail(url, table="flights")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.db", GOOD)
    assert "is not a DuckDB database" in fail(f"duckdb://{path}", table="t")
    assert "sqlite" in fail(f"sqlite://{path}", table="t")


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "ibis.backends.postgres", raising=False)
    message = fail("postgresql://me:hunter2@localhost/db", table="t")
    assert message == "reading from postgres needs more packages: pip install 'ibis-framework[postgres]'"


def test_a_password_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str) -> None:
        raise RuntimeError(f"could not connect to {url}")

    monkeypatch.setattr(ibis, "connect", refuse)
    message = fail(f"postgres://me:{SECRET}@db.example.org/x", table="t")
    advice = "check the URL, the user, the password (RIPOST_PASSWORD or RIPOST_PASSWORD_FILE) and the network"
    assert message == f"cannot connect to postgres at db.example.org; {advice}"


def test_names_that_rows_decide_are_not_shown() -> None:
    """Those of a lazy frame or a stream may be values: what was pivoted, say."""
    frame = pl.DataFrame({"hours": [1], f"origin{SECRET[:1]}": ["JFK"]})
    for source in (frame.lazy(), Stream(frame.to_arrow())):
        assert fail(source) in ("frame: has no column 'hour'", "table: has no column 'hour'")
    assert fail(frame) == "frame: has no column 'hour'; did you mean 'hours'?"
