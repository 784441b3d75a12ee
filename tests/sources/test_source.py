"""Every form of the same table gives the same tensor."""

from __future__ import annotations

import datetime as dt
import math
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from ripost.data.read import read_tensor
from ripost.data.tensor import Tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from ripost.sources.open_source import open_source
from ripost.sources.readers import statistical
from tests.sources.conftest import FORMS, OPTIONS, ROWS, TABLE, separated, written
from tests.sources.twin import cells_of, slow_cells


def read(form: str, schema: Schema, folder: Path) -> Tensor:
    return read_tensor(FORMS[form](folder), schema, secret="the same for all", **OPTIONS.get(form, {}))


@pytest.fixture(scope="module")
def in_memory(schema: Schema) -> Tensor:
    """What is read of the table in memory."""
    return read_tensor(TABLE, schema, secret="the same for all")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_tensor(form: str, in_memory: Tensor, schema: Schema, tmp_path: Path) -> None:
    tensor = read(form, schema, tmp_path)
    assert len(in_memory.counts) > 5
    assert cells_of(tensor) == cells_of(in_memory)
    assert (tensor.domain, tensor.measure, tensor.unit) == (schema.domain, schema.measure, schema.row_unit)


@pytest.mark.parametrize("form", ["arrow", "csv", "sqlite"])
def test_without_a_unit_the_cells_are_those_of_the_loop(form: str, schema: Schema, tmp_path: Path) -> None:
    whole = schema.model_copy(update={"unit": None, "max_rows": None})
    assert cells_of(read(form, whole, tmp_path)) == slow_cells(ROWS, whole)


ODD: list[dict[str, Any]] = [
    {"i": i, "x": x, "d": d, "t": t}
    for i, x in [
        (None, math.inf),
        (-4, -math.inf),
        (-3, 1.0),
        (9, 0.25),
        (10, None),
        (2**40, 1.7e308),
        (-(2**40), -1e-9),
    ]
    for d in [None, dt.date(2012, 10, 31), dt.date(2012, 11, 1), dt.date(2013, 6, 20), dt.date(2013, 6, 21)]
    for t in [
        None,
        dt.datetime(1969, 12, 31, 23, 44, 59, 999_000),
        dt.datetime(1969, 12, 31, 22),
        dt.datetime(1970, 1, 2),
    ]
]


@pytest.mark.parametrize("outside", ["clamp", "other", "drop"])
@pytest.mark.parametrize("missing", ["bin", "drop"])
def test_odd_values_are_the_same_on_sqlite(outside: str, missing: str, tmp_path: Path) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "i": {"type": "integer", "min": -3, "max": 9, "width": 2},
        "x": {"type": "number", "min": 0, "max": 1, "bins": 7},
        "e": {"type": "number", "edges": [-1, 0, 0.25, 2], "column": "x"},
        "d": {"type": "date", "min": "2012-11-01", "max": "2013-06-20", "width": "2 months"},
        "w": {"type": "date", "min": "2012-11-01", "max": "2013-06-20", "width": "1 week", "column": "d"},
        "t": {"type": "timestamp", "min": "1969-12-31T23:00:00", "max": "1970-01-02", "width": "45 minutes"},
    }
    rules = {name: {**kind, "outside": outside, "missing": missing} for name, kind in kinds.items()}
    schema = Schema.from_dict({"measure": {"sum": "x", "max": 5, "step": 0.5}, "attributes": rules})
    connection = sqlite3.connect(tmp_path / "odd.db")
    connection.execute("CREATE TABLE odd (i INTEGER, x REAL, d DATE, t TIMESTAMP)")
    values = [[str(v) if isinstance(v, dt.date) else v for v in row.values()] for row in ODD]
    connection.executemany("INSERT INTO odd VALUES (?, ?, ?, ?)", values)
    connection.commit()
    connection.close()
    tensor = read_tensor(f"sqlite://{tmp_path / 'odd.db'}", schema, table="odd")
    assert cells_of(tensor) == slow_cells(ODD, schema)


def test_only_the_needed_columns_are_opened(schema: Schema, tmp_path: Path) -> None:
    for form in ("csv", "json lines", "parquet", "arrow", "ibis"):
        opened = open_source(FORMS[form](tmp_path), columns=schema.columns)
        assert set(opened.table.columns) == set(schema.columns)


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "arrow"])
def test_an_empty_table_gives_an_empty_tensor(form: str, schema: Schema, tmp_path: Path) -> None:
    pa.parquet.write_table(TABLE.slice(0, 0), tmp_path / "t.parquet")
    sources = {
        "csv": written(tmp_path / "t.csv", separated(",", rows=[])),
        "json": written(tmp_path / "t.jsonl", ""),
        "parquet": tmp_path / "t.parquet",
        "arrow": TABLE.slice(0, 0),
    }
    tensor = read_tensor(sources[form], schema)
    assert tensor.coords.shape == (0, len(schema.domain)) and tensor.counts.shape == (0,)


def test_a_header_without_a_line_end_is_an_empty_table(tmp_path: Path) -> None:
    schema = Schema.from_dict({"attributes": {"h": {"type": "boolean"}}})
    assert len(read_tensor(written(tmp_path / "t.csv", "g,h"), schema).counts) == 0


def test_types_of_a_text_file_do_not_depend_on_its_rows(tmp_path: Path) -> None:
    names = {"type": "category", "values": ["007", "7", "1.0"]}
    schema = Schema.from_dict({"attributes": {"c": names}})
    assert cells_of(read_tensor(written(tmp_path / "t.csv", "c\n007\n7\n1.0\n1\n"), schema)) == {
        (0,): 1, (1,): 1, (2,): 1, (3,): 1,
    }  # fmt: skip


def test_text_that_is_no_number_is_missing(tmp_path: Path) -> None:
    """Also where DuckDB would move the cast into the reader, which fails on such text."""
    schema = Schema.from_dict({"attributes": {"n": {"type": "number", "min": 0, "max": 2, "bins": 2}}})
    path = written(tmp_path / "t.csv", 'n\n1.5\nnan\n" 0.5"\nNA\n""\n\n1e99\n"1,5"\n')
    assert cells_of(read_tensor(path, schema)) == {(0,): 1, (1,): 2, (2,): 5}


def test_a_column_that_is_not_needed_may_be_twice(tmp_path: Path) -> None:
    schema = Schema.from_dict({"attributes": {"h": {"type": "boolean"}}})
    assert cells_of(read_tensor(written(tmp_path / "t.csv", "x,h,x,H\n1,0,2,1\n"), schema)) == {(0,): 1}


def test_a_table_in_a_schema_of_a_database_is_found(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "d.db") as connection:
        connection.execute("CREATE SCHEMA inner_one; CREATE TABLE inner_one.t AS SELECT true AS h").fetchall()
    schema = Schema.from_dict({"attributes": {"h": {"type": "boolean"}}})
    assert cells_of(read_tensor(f"duckdb://{tmp_path / 'd.db'}", schema, table="inner_one.t")) == {(1,): 1}


def test_a_reader_is_read_once(schema: Schema) -> None:
    reader = TABLE.to_reader()
    assert len(read_tensor(reader, schema).counts) > 0
    with pytest.raises((SourceError, StopIteration)):
        reader.read_next_batch()


@pytest.mark.parametrize("rows", [0, 999, 1000, 1001, 2500])
@pytest.mark.parametrize("ending", [".dta", ".sav", ".zsav", ".xpt"])
def test_no_row_of_a_statistical_file_is_lost_between_pieces(
    rows: int, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistical, "CELLS", 1)  # so that a piece has 1000 rows
    path, frame = tmp_path / f"t{ending}", pd.DataFrame({"x": [float(number) for number in range(rows)]})
    write = {".dta": pyreadstat.write_dta, ".xpt": pyreadstat.write_xport}.get(ending, pyreadstat.write_sav)
    write(frame, path, **({"compress": True} if ending == ".zsav" else {}))
    opened = open_source(path, columns=["x"])
    assert opened.load_rows().table.to_pyarrow()["x"].to_pylist() == frame["x"].tolist()
    opened.close()


@pytest.mark.parametrize("ending", [".dta", ".sav"])
def test_labels_of_a_statistical_file_are_its_values(ending: str, tmp_path: Path) -> None:
    write = {".dta": pyreadstat.write_dta, ".sav": pyreadstat.write_sav}[ending]
    labels = {"sex": {1: "female", 2: "male"}}
    write(pd.DataFrame({"sex": [1, 2, 2, 9]}), tmp_path / f"t{ending}", variable_value_labels=labels)
    schema = Schema.from_dict({"attributes": {"sex": {"type": "category", "values": ["female", "male", "9"]}}})
    assert cells_of(read_tensor(tmp_path / f"t{ending}", schema)) == {(0,): 1, (1,): 2, (2,): 1}


def test_cells_of_a_sheet_are_read_by_the_schema(tmp_path: Path) -> None:
    """A column of numbers and text: codes are categories as they look, and text that is no number is missing."""
    values = [1, "007", 2.5, "n/a", True, dt.datetime(2013, 1, 31), dt.datetime(2013, 1, 31, 4, 30)]
    pd.DataFrame({"c": pd.Series(values, dtype=object)}).to_excel(tmp_path / "t.xlsx", index=False)
    opened = open_source(tmp_path / "t.xlsx", columns=["c"])
    texts = ["1", "007", "2.5", "n/a", "true", "2013-01-31", "2013-01-31 04:30:00"]
    assert opened.load_rows().table.to_pyarrow()["c"].to_pylist() == texts
    opened.close()


@pytest.mark.parametrize("declared", ["TEXT", "DATE", "DATETIME"])
def test_dates_of_sqlite_are_text(declared: str, tmp_path: Path) -> None:
    """Text that is no date in the ISO format is missing, whatever the table declares."""
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        connection.execute(f"CREATE TABLE t (d {declared})")
        days = ["2013-01-05", "2013-02-05 10:00:00", "05/02/2013", None, "2014-01-01"]
        connection.executemany("INSERT INTO t VALUES (?)", [[day] for day in days])
        connection.commit()
    rules = {"min": "2013-01-01", "max": "2013-12-31", "width": "1 month", "outside": "drop"}
    for kind in ("date", "timestamp"):
        schema = Schema.from_dict({"attributes": {"d": {"type": kind, **rules}}})
        tensor = read_tensor(f"sqlite://{tmp_path / 't.db'}", schema, table="t")
        assert cells_of(tensor) == {(0,): 1, (1,): 1, (12,): 2}
