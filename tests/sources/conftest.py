"""A small table in every form a source can take."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import json
import sqlite3
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from ripost.schema.schema import Schema

SCHEMA = """
unit = "person"
max_rows = 2

[measure]
sum = "distance"
max = 100
step = 0.5

[attributes.hour]
type = "integer"
min = 0
max = 23
width = 4

[attributes.delay]
type = "number"
min = -10
max = 30
bins = 8
unit = "minutes"
outside = "other"

[attributes.origin]
type = "category"
values = ["JFK", "LGA", "São Paulo"]
missing = "drop"

[attributes.airport]
column = "origin"
type = "category"
values = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "JFK", "LGA", "New\\nark"]

[attributes.day]
type = "date"
min = 2013-01-01
max = 2013-12-31
width = "1 month"
outside = "drop"

[attributes.left]
type = "timestamp"
min = 2013-01-01T00:00:00
max = 2013-01-02T00:00:00
width = "6 hours"

[attributes.night]
type = "boolean"
"""


def row(number: int) -> dict[str, Any]:
    return {
        "person": None if number % 11 == 0 else number % 7,
        "distance": None if number % 13 == 0 else number * 1.75 - 5,
        "ignored": "never read",
        "hour": None if number % 5 == 0 else number % 26 - 1,
        "delay": None if number % 6 == 0 else (number % 50) - 15.5,
        "origin": [None, "JFK", "LGA", "São Paulo", "New\nark", "a,b;\"c'"][number % 6],
        "day": None if number % 17 == 0 else dt.date(2012, 12, 20) + dt.timedelta(days=9 * number),
        "left": None if number % 19 == 0 else dt.datetime(2013, 1, 1, 1, 2, 3) + dt.timedelta(minutes=31 * number),
        "night": [None, True, False][number % 3],
    }


ROWS = [row(number) for number in range(60)]
TABLE = pa.Table.from_pylist(ROWS)


@pytest.fixture(scope="session")
def schema() -> Schema:
    return Schema.parse(SCHEMA)


def separated(separator: str, *, rows: list[dict[str, Any]] = ROWS, end: str = "\n", mark: str = "") -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end)
    writer.writerow(ROWS[0])
    writer.writerows([["" if value is None else value for value in one.values()] for one in rows])
    return (mark + text.getvalue()).encode()


def lines(rows: list[dict[str, Any]] = ROWS) -> str:
    return "".join(json.dumps(one, default=str) + "\n" for one in rows)


def written(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def compressed(path: Path, content: bytes, kind: str) -> Path:
    with pa.CompressedOutputStream(str(path), kind) as stream:
        stream.write(content)
    return path


def csv_glob(folder: Path) -> str:
    """Files that differ in the order of their columns, read as one table."""
    turned = [dict(reversed(one.items())) for one in ROWS[30:]]
    written(folder / "part1.csv", separated(",", rows=ROWS[:20]))
    written(folder / "part2.csv", separated(",", rows=ROWS[20:30]))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(turned[0]))
    writer.writeheader()
    writer.writerows(turned)
    written(folder / "part3.csv", text.getvalue())
    return str(folder / "part*.csv")


def parquet_glob(folder: Path) -> str:
    (folder / "deep").mkdir()
    pa.parquet.write_table(TABLE.slice(0, 25), folder / "deep" / "a.parquet")
    narrow = TABLE.slice(25).set_column(3, "hour", TABLE.slice(25)["hour"].cast(pa.int8()))
    pa.parquet.write_table(narrow, folder / "deep" / "b.parquet")
    return str(folder / "**" / "*.parquet")


def parquet(folder: Path) -> Path:
    pa.parquet.write_table(TABLE, folder / "t.parquet")
    return folder / "t.parquet"


def duckdb_url(folder: Path) -> str:
    with duckdb.connect(folder / "t.duckdb") as connection:
        connection.register("arrow", TABLE)
        connection.execute("CREATE TABLE trips AS FROM arrow").fetchall()
    return f"duckdb://{folder / 't.duckdb'}"


def sqlite_url(folder: Path) -> str:
    with sqlite3.connect(folder / "t.sqlite") as connection:
        kinds = "person INTEGER, distance REAL, ignored TEXT, hour INTEGER, delay REAL, origin TEXT, day DATE, "
        connection.execute(f"CREATE TABLE trips ({kinds} left TIMESTAMP, night BOOLEAN)")
        values = [[str(v) if isinstance(v, dt.date) else v for v in one.values()] for one in ROWS]
        connection.executemany("INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    connection.close()
    return f"sqlite://{folder / 't.sqlite'}"


def ibis_table(_: Path) -> Any:
    connection = ibis.duckdb.connect()
    with warnings.catch_warnings():  # Ibis 12 calls a function that DuckDB 2 deprecates
        warnings.simplefilter("ignore", DeprecationWarning)
        connection.con.register("trips", TABLE)
        return connection.table("trips").filter(lambda t: t.ignored == "never read")


class Stream:
    """Something that only knows the Arrow stream protocol."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def feather(folder: Path) -> Path:
    pyarrow.feather.write_feather(TABLE, folder / "t.feather", chunksize=7)
    return folder / "t.feather"


def arrow_stream_file(folder: Path) -> Path:
    """Codes of a dictionary, in a file without a footer."""
    coded = TABLE.set_column(5, "origin", TABLE["origin"].dictionary_encode())
    with pa.OSFile(str(folder / "t.arrow"), "wb") as sink, pa.ipc.new_stream(sink, coded.schema) as writer:
        writer.write_table(coded, 7)
    return folder / "t.arrow"


def feather_glob(folder: Path) -> str:
    for number, part in enumerate((TABLE.slice(0, 25), TABLE.slice(25))):
        pyarrow.feather.write_feather(part, folder / f"{number}.feather")
    return str(folder / "*.feather")


def excel(folder: Path) -> Path:
    """A workbook of two sheets, with an empty row above, between and below the rows."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "notes"  # type: ignore[union-attr]
    sheet = book.create_sheet("trips")
    listed = [list(one.values()) for one in ROWS]
    for line in ([], list(ROWS[0]), *listed[:9], [], *listed[9:]):
        sheet.append(line)
    sheet.cell(len(ROWS) + 20, 1).value = ""
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def statistical(folder: Path, ending: str) -> Path:
    """A file of another program: these have no booleans, and no missing text."""
    import pyreadstat

    frame = pd.DataFrame(ROWS)
    frame["night"] = frame["night"].map({True: 1.0, False: 0.0})
    frame["origin"] = frame["origin"].fillna("")
    write = {".dta": pyreadstat.write_dta, ".sav": pyreadstat.write_sav, ".xpt": pyreadstat.write_xport}[ending]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write(frame, folder / f"t{ending}")
    return folder / f"t{ending}"


def recoded_glob(folder: Path) -> str:
    for number, rows in enumerate((ROWS[:20], ROWS[20:])):
        written(folder / f"{number}.csv", separated(";", rows=rows).decode().encode("utf-16"))
    return str(folder / "*.csv")


FORMS: dict[str, Callable[[Path], Any]] = {
    "csv": lambda f: written(f / "t.csv", separated(",")),
    "csv as text": lambda f: str(written(f / "t.csv", separated(","))),
    "csv with semicolons": lambda f: written(f / "t.csv", separated(";")),
    "csv from windows": lambda f: written(f / "t.CSV", separated(",", end="\r\n", mark="\ufeff")),
    "csv in gzip": lambda f: written(f / "t.csv.gz", gzip.compress(separated(","))),
    "csv in zstd": lambda f: compressed(f / "t.csv.zst", separated(","), "zstd"),
    "csv glob": csv_glob,
    "tsv": lambda f: written(f / "t.tsv", separated("\t")),
    "txt": lambda f: written(f / "t.txt", separated("|")),
    "csv in cp1252": lambda f: written(f / "t.csv", separated(",").decode().encode("cp1252")),
    "csv in utf-16": lambda f: written(f / "t.csv", separated(";", end="\r\n").decode().encode("utf-16")),
    "csv in cp1252 and gzip": lambda f: written(
        f / "t.csv.gz", gzip.compress(separated(",").decode().encode("cp1252"))
    ),
    "csv glob in utf-16": recoded_glob,
    "json lines": lambda f: written(f / "t.jsonl", lines()),
    "json lines in gzip": lambda f: written(f / "t.ndjson.gz", gzip.compress(lines().encode())),
    "json array": lambda f: written(f / "t.json", json.dumps(ROWS, default=str)),
    "parquet": parquet,
    "parquet glob": parquet_glob,
    "feather": feather,
    "feather glob": feather_glob,
    "arrow stream file": arrow_stream_file,
    "excel": excel,
    "stata": lambda f: statistical(f, ".dta"),
    "spss": lambda f: statistical(f, ".sav"),
    "sas transport": lambda f: statistical(f, ".xpt"),
    "pandas": lambda _: pd.DataFrame(ROWS),
    "pandas from arrow": lambda _: TABLE.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda _: pl.DataFrame(ROWS, infer_schema_length=None),
    "polars lazy": lambda _: pl.DataFrame(ROWS, infer_schema_length=None).lazy(),
    "arrow": lambda _: TABLE,
    "arrow batch": lambda _: TABLE.combine_chunks().to_batches()[0],
    "arrow reader": lambda _: TABLE.to_reader(max_chunksize=7),
    "arrow dataset": lambda f: pa.dataset.dataset(parquet(f)),
    "arrow stream": lambda _: Stream(TABLE),
    "ibis": ibis_table,
    "ibis in memory": lambda _: ibis.memtable(TABLE),
    "duckdb": duckdb_url,
    "sqlite": sqlite_url,
}
OPTIONS: dict[str, dict[str, str]] = {  # that reading a form needs
    "csv in cp1252": {"encoding": "cp1252"},
    "csv in utf-16": {"encoding": "utf-16"},
    "csv in cp1252 and gzip": {"encoding": "windows-1252"},
    "csv glob in utf-16": {"encoding": "UTF16"},
    "excel": {"table": "trips"},
    "duckdb": {"table": "trips"},
    "sqlite": {"table": "trips"},
}
