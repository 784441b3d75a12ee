"""One row more changes one cell by one, in every kind of file: it never decides how other rows are read.

The rows are those that a format could take for something else: blanks, marks of the byte order, spellings of missing.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from ripost.data.read import read_tensor
from ripost.schema.schema import Schema
from tests.marks import posix
from tests.sources.conftest import written
from tests.sources.twin import cells_of

Row = tuple[str, str]
Put = Callable[[list[Row], Path], dict[str, Any]]  # writes rows; what read_tensor is given

BLANK: Row = ("", "")
ODD: Row = ("\ufffea", "b")  # in UTF-16 its first bytes are the mark of the other byte order
ROWS = [ODD, ("a", "b"), BLANK, ("\ufeffa", "b"), ("5", "5.0"), ("ß", "é"), ("NaN", "NULL"), (" ", " "), BLANK, BLANK]
LAST: Row = ("z", "")
SCHEMA = Schema.from_dict(
    {
        "attributes": {
            "x": {"type": "category", "values": ["a", "z", "5"], "aliases": {"ß": "z"}, "fold_case": True},
            "y": {"type": "number", "min": 0, "max": 10, "bins": 10, "decimal": "."},
        }
    }
)


def separated(rows: list[Row]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([("x", "y"), *rows])
    return text.getvalue()


def in_csv(encoding: str) -> Put:
    def put(rows: list[Row], folder: Path) -> dict[str, Any]:
        return {"source": written(folder / "t.csv", separated(rows).encode(encoding)), "encoding": encoding}

    return put


def in_pipe(encoding: str) -> Put:
    def put(rows: list[Row], folder: Path) -> dict[str, Any]:
        pipe = folder / "pipe"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        content = separated(rows).encode(encoding)
        threading.Thread(target=lambda: pipe.write_bytes(content), daemon=True).start()
        return {"source": pipe, "encoding": encoding}

    return put


def in_json_lines(rows: list[Row], folder: Path) -> dict[str, Any]:
    lines = [json.dumps(dict(zip("xy", row, strict=True))) for row in rows]
    return {"source": written(folder / "t.jsonl", "\n".join(lines))}


def in_parquet(rows: list[Row], folder: Path) -> dict[str, Any]:
    pyarrow.parquet.write_table(as_arrow(rows), folder / "t.parquet")
    return {"source": folder / "t.parquet"}


def in_feather(rows: list[Row], folder: Path) -> dict[str, Any]:
    pyarrow.feather.write_feather(as_arrow(rows), folder / "t.feather", chunksize=2)
    return {"source": folder / "t.feather"}


def in_excel(rows: list[Row], folder: Path) -> dict[str, Any]:
    pytest.importorskip("python_calamine")
    with pytest.importorskip("xlsxwriter").Workbook(folder / "t.xlsx") as workbook:
        sheet = workbook.add_worksheet()
        for number, row in enumerate([("x", "y"), *rows]):
            for place, value in enumerate(row):
                sheet.write_string(number, place, value.replace("\ufffe", ""))  # which XML does not allow
    return {"source": folder / "t.xlsx"}


def in_statistical(ending: str, **options: Any) -> Put:
    def put(rows: list[Row], folder: Path) -> dict[str, Any]:
        pyreadstat = pytest.importorskip("pyreadstat")
        write = {".dta": pyreadstat.write_dta, ".sav": pyreadstat.write_sav, ".xpt": pyreadstat.write_xport}[ending]
        write(pd.DataFrame(rows, columns=["x", "y"]), folder / f"t{ending}", **options)
        return {"source": folder / f"t{ending}"}

    return put


def in_sqlite(encoding: str) -> Put:
    def put(rows: list[Row], folder: Path) -> dict[str, Any]:
        (folder / "t.db").unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / "t.db")) as connection, connection:
            connection.execute(f"PRAGMA encoding = '{encoding}'")
            connection.execute("CREATE TABLE people (x TEXT, y TEXT)")
            connection.executemany("INSERT INTO people VALUES (?, ?)", rows)
        return {"source": f"sqlite://{folder / 't.db'}", "table": "people"}

    return put


def as_arrow(rows: list[Row]) -> pa.Table:
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate("xy")})


KINDS: dict[str, Put] = {
    "csv": in_csv("utf-8"),
    "csv in utf-16": in_csv("utf-16"),
    "csv in gb18030": in_csv("gb18030"),
    "json lines": in_json_lines,
    "parquet": in_parquet,
    "feather": in_feather,
    "excel": in_excel,
    "stata": in_statistical(".dta"),
    "spss": in_statistical(".sav"),
    "sas transport 5": in_statistical(".xpt", file_format_version=5),
    "sas transport 8": in_statistical(".xpt", file_format_version=8),
    "sqlite": in_sqlite("UTF-8"),
    "sqlite in utf-16": in_sqlite("UTF-16be"),
}
PIPES = {f"pipe in {encoding}": in_pipe(encoding) for encoding in ("utf-8", "utf-16", "utf-32")}
kinds = pytest.mark.parametrize("kind", [*KINDS, *(pytest.param(pipe, marks=posix) for pipe in PIPES)])


EVERYTHING = [*ROWS, LAST]


def neighbors() -> Iterator[list[Row]]:
    """Everything but one row: each of them in turn, the first and the last among them."""
    for place in (0, 2, 3, len(EVERYTHING) - 1):
        yield [*EVERYTHING[:place], *EVERYTHING[place + 1 :]]


@kinds
def test_one_row_changes_one_cell_by_one(kind: str, tmp_path: Path) -> None:
    put = {**KINDS, **PIPES}[kind]
    after = cells_of(read_tensor(schema=SCHEMA, **put(EVERYTHING, tmp_path)))
    for less in neighbors():
        before = cells_of(read_tensor(schema=SCHEMA, **put(less, tmp_path)))
        changed = {cell: after[cell] - before[cell] for cell in before | after}
        assert sum(map(abs, changed.values())) <= 1, set(EVERYTHING) - set(less)
        assert min(changed.values()) >= 0


@kinds
def test_every_row_that_holds_anything_is_read_as_elsewhere(kind: str, tmp_path: Path) -> None:
    rows = [row for row in [*ROWS, LAST] if row not in (BLANK, (" ", " "), ODD)]
    given = {**KINDS, **PIPES}[kind](rows, tmp_path)
    assert cells_of(read_tensor(schema=SCHEMA, **given)) == cells_of(read_tensor(as_arrow(rows), SCHEMA))
