"""Before the debit names and types decide, never a row: whatever is wrong with rows fails after it, and keeps it.

Who may try again and again for nothing learns something about the rows each time. So each kind of source is given rows
that cannot be read, in every way that we know, and spies tell when the first row is asked for.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.errors import LedgerError, SourceError
from ripost.sources.open_source import open_source
from tests.budget_ledger.making import open_ledger
from tests.marks import posix
from tests.sources.conftest import FORMS, OPTIONS, compressed, written

SCHEMA = ripost.Schema.from_dict(
    {"attributes": {"x": {"type": "integer", "min": 0, "max": 9}, "c": {"type": "category", "values": ["a", "b"]}}}
)
COLUMNS = ("x", "c")
TYPES = pa.schema({"x": pa.int64(), "c": pa.string()})
LATIN = "x,c\n1,é\n".encode("latin-1")  # its first row is no UTF-8
RAGGED = b"x,c\n1\n"
OPEN = b'x,c\n1,"a\n'


def many() -> bytes:
    return b"x,c\n" + b"".join(b"%d,%d\n" % (n % 10, n * 7919 % 10007) for n in range(60_000))


def cut(content: bytes, share: float = 0.7) -> bytes:
    return content[: int(len(content) * share)]


def parquet(path: Path) -> Path:
    """A sound footer, and pages of nonsense."""
    pa.parquet.write_table(pa.table({"x": list(range(1000)), "c": [str(n) for n in range(1000)]}), path)
    content = bytearray(path.read_bytes())
    content[4:2000] = b"\xff" * 1996
    return written(path, bytes(content))


def recoded_glob(folder: Path) -> str:
    written(folder / "a.csv", "x,c\n1,a\n".encode("utf-16"))
    written(folder / "b.csv", "x,c\n1,a\n".encode("utf-16")[:-1])
    return str(folder / "*.csv")


GOOD = pd.DataFrame({"x": list(range(1000)), "c": [str(n) for n in range(1000)]})


def feather(path: Path) -> Path:
    """A sound footer, and compressed batches of nonsense."""
    pyarrow.feather.write_feather(pa.Table.from_pandas(GOOD), path, compression="zstd")
    content = bytearray(path.read_bytes())
    content[600:3000] = b"\xff" * 2400
    return written(path, bytes(content))


def arrow_stream_file(path: Path) -> Path:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, TYPES) as writer:
        writer.write_table(pa.Table.from_pandas(GOOD, TYPES, preserve_index=False))
    return written(path, cut(path.read_bytes()))


def excel(path: Path, frame: pd.DataFrame) -> Path:
    frame.to_excel(path, index=False)
    return path


def without_rows(path: Path) -> Path:
    """The workbook with a sheet that cannot be read."""
    with zipfile.ZipFile(path) as parts:
        contents = {name: parts.read(name) for name in parts.namelist()}
    with zipfile.ZipFile(path, "w") as parts:
        for name, content in contents.items():
            parts.writestr(name, b"<worksheet><sheetData><row><c" if "sheet1" in name else content)
    return path


def endless_hours(path: Path) -> Path:
    """A sheet with a duration on which its library, written in Rust, panics."""
    import xlsxwriter

    with xlsxwriter.Workbook(path) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, COLUMNS)
        sheet.write_number(1, 0, 1e300, workbook.add_format({"num_format": "[h]:mm:ss"}))
    return path


def without_sheets(path: Path) -> Path:
    """The workbook with a list of sheets that cannot be unpacked."""
    with zipfile.ZipFile(path) as parts:
        part = parts.getinfo("xl/workbook.xml")
    content = bytearray(path.read_bytes())
    start = part.header_offset + 30 + len(part.filename)  # of what is packed
    content[start : start + part.compress_size] = b"\xff" * part.compress_size
    return written(path, bytes(content))


def statistical(folder: Path, ending: str, *, share: float) -> Path:
    import pyreadstat

    write = {".dta": pyreadstat.write_dta, ".sav": pyreadstat.write_sav, ".xpt": pyreadstat.write_xport}[ending]
    write(GOOD, folder / f"t{ending}")
    return written(folder / f"t{ending}", cut((folder / f"t{ending}").read_bytes(), share))


def latin_stata(path: Path) -> Path:
    import pyreadstat

    pyreadstat.write_dta(pd.DataFrame({"x": [1], "c": ["aQQ"]}), path)
    return written(path, path.read_bytes().replace(b"aQQ", b"a\xe9\xe9"))


def broken_glob(folder: Path) -> str:
    written(folder / "a.csv", b"x,c\n1,a\n")
    written(folder / "b.csv", LATIN)
    return str(folder / "*.csv")


def raising(error: Exception) -> Iterator[pa.RecordBatch]:
    raise error
    yield


def refuse(*_: Any) -> Any:
    raise ValueError("a row")


class Refusing:
    """A stream that can be asked for nothing, not even its types, without a look at rows."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return refuse()


class Frame(pd.DataFrame):
    """A frame of a library that builds on pandas."""


def lazy(**columns: Any) -> pl.LazyFrame:
    return pl.LazyFrame({"x": [1, 2], "c": ["a", "b"]}).with_columns(**columns)


def duckdb_url(folder: Path, view: str) -> str:
    with duckdb.connect(folder / "t.db") as connection:
        connection.execute("CREATE TABLE bad AS SELECT 'one' AS x, 'a' AS c").fetchall()
        connection.execute(f"CREATE VIEW trips AS {view}").fetchall()
    return f"duckdb://{folder / 't.db'}"


def duckdb_over_csv(folder: Path) -> str:
    """A view that looks at the rows of a file whenever it is opened."""
    path = written(folder / "t.csv", b"x,c\n1,a\n")
    url = duckdb_url(folder, f"SELECT x, c FROM read_csv('{path}', strict_mode = true)")
    written(path, LATIN * 50)
    return url


def sqlite_url(folder: Path, *statements: str) -> str:
    with sqlite3.connect(folder / "t.db") as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return f"sqlite://{folder / 't.db'}"


def ibis_table(_: Path) -> Any:
    connection = ibis.duckdb.connect()
    table = connection.sql("SELECT 'one' AS x, 'a' AS c", schema={"x": "string", "c": "string"})
    return table.mutate(x=table.x.cast("int64"))


def pipe(folder: Path) -> str:
    os.mkfifo(folder / "pipe")
    threading.Thread(target=lambda: (folder / "pipe").write_bytes(LATIN), daemon=True).start()
    return str(folder / "pipe")


HOSTILE: dict[str, Callable[[Path], Any]] = {
    "csv: no UTF-8": lambda f: written(f / "t.csv", LATIN),
    "csv: a line too short": lambda f: written(f / "t.csv", RAGGED),
    "csv: an open quote": lambda f: written(f / "t.csv", OPEN),
    "csv: a quoted header, then no UTF-8": lambda f: written(f / "t.csv", b'"x","c"\n' + LATIN[4:]),
    "csv: a header of two lines, then no UTF-8": lambda f: written(f / "t.csv", b'x,c,"two\nlines"\n1,\xe9,3\n'),
    "csv: lines end in CR, then no UTF-8": lambda f: written(f / "t.csv", LATIN.replace(b"\n", b"\r")),
    "csv as text: no UTF-8": lambda f: str(written(f / "t.csv", LATIN)),
    "csv with semicolons: no UTF-8": lambda f: written(f / "t.csv", LATIN.replace(b",", b";")),
    "csv from windows: no UTF-8": lambda f: written(f / "t.CSV", b"\xef\xbb\xbf" + LATIN.replace(b"\n", b"\r\n")),
    "csv in gzip: no UTF-8": lambda f: written(f / "t.csv.gz", gzip.compress(LATIN)),
    "csv in gzip: cut short": lambda f: written(f / "t.csv.gz", cut(gzip.compress(many()))),
    "csv in gzip: cut at once": lambda f: written(f / "t.csv.gz", gzip.compress(many())[:12]),
    "csv in gzip: nonsense after the header": lambda f: written(
        f / "t.csv.gz", gzip.compress(b"x,c\n1,a\n") + b"\x1f\x8b\x08" + b"\xff" * 100
    ),
    "csv in zstd: no UTF-8": lambda f: compressed(f / "t.csv.zst", LATIN, "zstd"),
    "csv in zstd: cut at once": lambda f: written(
        f / "t.csv.zst", compressed(f / "u.csv.zst", many(), "zstd").read_bytes()[:50]
    ),
    "csv in zstd: cut in its last block": lambda f: written(
        f / "t.csv.zst", compressed(f / "u.csv.zst", many(), "zstd").read_bytes()[:-1]
    ),
    "csv in cp1252: compressed, and cut in its last block": lambda f: written(
        f / "t.csv.zst", compressed(f / "u.csv.zst", many(), "zstd").read_bytes()[:-1]
    ),
    "csv glob: the second is no UTF-8": broken_glob,
    "tsv: no UTF-8": lambda f: written(f / "t.tsv", LATIN.replace(b",", b"\t")),
    "txt: no UTF-8": lambda f: written(f / "t.txt", LATIN.replace(b",", b"|")),
    "csv in cp1252: bytes that are no letter": lambda f: written(f / "t.csv", b"x,c\n1,\x81\n"),
    "csv in cp1252: a line too short": lambda f: written(f / "t.csv", RAGGED),
    "csv in utf-16: half a letter": lambda f: written(f / "t.csv", "x,c\n1,a\n".encode("utf-16")[:-1]),
    "csv in cp1252 and gzip: cut short": lambda f: written(f / "t.csv.gz", cut(gzip.compress(many()))),
    "csv glob in utf-16: half a letter in the second": recoded_glob,
    "json lines: no object": lambda f: written(f / "t.jsonl", '["x", "c"]\n'),
    "json lines: cut short": lambda f: written(f / "t.jsonl", '{"x": 1, "c'),
    "json lines: no UTF-8": lambda f: written(f / "t.jsonl", '{"x": 1, "c": "é"}\n'.encode("latin-1")),
    "json lines: a key that no object has": lambda f: written(f / "t.jsonl", json.dumps({"x": 1, "cc": "a"})),
    "json lines in gzip: cut short": lambda f: written(f / "t.jsonl.gz", gzip.compress(b'{"x": 1, "c": "a"}')[:14]),
    "json lines: compressed, and cut in its last block": lambda f: written(
        f / "t.jsonl.zst", compressed(f / "u.jsonl.zst", b'{"x": 1, "c": "a"}\n' * 50_000, "zstd").read_bytes()[:-1]
    ),
    "json array: cut short": lambda f: written(f / "t.json", '[{"x": 1, "c": "a"}, {"x"'),
    "json array: nonsense": lambda f: written(f / "t.json", "x,c\n1,a\n"),
    "parquet: nonsense in pages": lambda f: parquet(f / "t.parquet"),
    "parquet glob: nonsense in pages": lambda f: str(parquet(f / "t.parquet").with_name("*.parquet")),
    "feather: nonsense in batches": lambda f: feather(f / "t.feather"),
    "feather glob: nonsense in batches": lambda f: str(feather(f / "t.feather").with_name("*.feather")),
    "arrow stream file: cut short": lambda f: arrow_stream_file(f / "t.arrow"),
    "excel: no such column": lambda f: excel(f / "t.xlsx", pd.DataFrame({"x": [1], "cc": ["a"]})),
    "excel: no row": lambda f: excel(f / "t.xlsx", pd.DataFrame()),
    "excel: nonsense in the rows": lambda f: without_rows(excel(f / "t.xlsx", GOOD)),
    "excel: nonsense in the list of sheets": lambda f: without_sheets(excel(f / "t.xlsx", GOOD)),
    "excel: a duration that its library breaks on": lambda f: endless_hours(f / "t.xlsx"),
    "excel: cut short": lambda f: written(f / "t.xlsx", cut(excel(f / "u.xlsx", GOOD).read_bytes())),
    "excel: an old one of nonsense": lambda f: written(f / "t.xls", b"\xd0\xcf\x11\xe0" + b"\xff" * 2000),
    "stata: cut short": lambda f: statistical(f, ".dta", share=0.7),
    "stata: text of another encoding": lambda f: latin_stata(f / "t.dta"),
    "spss: cut short": lambda f: statistical(f, ".sav", share=0.9),
    "sas transport: cut short": lambda f: statistical(f, ".xpt", share=0.9),
    "pandas: numbers and text": lambda _: pd.DataFrame({"x": [1, "two"], "c": ["a", "b"]}),
    "pandas: text for a number": lambda _: pd.DataFrame({"x": pd.Series(["1"], dtype=object), "c": ["a"]}),
    "pandas: categories of two kinds": lambda _: pd.DataFrame({"x": [1, 2], "c": pd.Categorical(["a", 2])}),
    "pandas: no Unicode": lambda _: pd.DataFrame({"x": [1], "c": pd.Series(["\ud800"], dtype=object)}),
    "pandas: a frame built on it": lambda _: Frame({"x": [1, "two"], "c": ["a", "b"]}),
    "polars lazy: a function that fails": lambda _: lazy(x=pl.col("x").map_batches(refuse, return_dtype=pl.Int64)),
    "polars lazy: a cast that fails": lambda _: lazy(x=pl.col("c").cast(pl.Int64)),
    "polars lazy: no such column": lambda _: lazy(x=pl.col("nowhere")),
    "polars lazy: types that rows tell": lambda f: pl.scan_csv(written(f / "t.csv", "x,c\none,a\n")),
    "polars lazy: names that rows tell": lambda f: pl.scan_ndjson(written(f / "t.jsonl", '{"x": 1, "d": 2}\n')),
    "arrow reader: the first batch fails": lambda _: pa.RecordBatchReader.from_batches(TYPES, raising(ValueError())),
    "arrow dataset: nonsense in pages": lambda f: pa.dataset.dataset(parquet(f / "t.parquet")),
    "arrow stream: it cannot be asked": lambda _: Refusing(),
    "ibis: a cast that fails": ibis_table,
    "duckdb: a view that fails": lambda f: duckdb_url(f, "SELECT CAST(x AS INT) AS x, c FROM bad"),
    "duckdb: a view of a file": duckdb_over_csv,
    "sqlite: a view that fails": lambda f: sqlite_url(
        f,
        "CREATE TABLE bad (x INTEGER, c TEXT)",
        "INSERT INTO bad VALUES (-9223372036854775808, 'a')",
        "CREATE VIEW trips AS SELECT x, c FROM bad WHERE abs(x) > 0",
    ),
    "sqlite: no types, no rows": lambda f: sqlite_url(f, "CREATE TABLE trips (x, c)"),
    "sqlite: no types, and text for a number": lambda f: sqlite_url(
        f, "CREATE TABLE trips (x, c TEXT)", "INSERT INTO trips VALUES ('one', 'a')"
    ),
    "pipe: no UTF-8": pipe,
}
NEVER_FAIL = {
    "pandas from arrow",
    "polars",
    "arrow",
    "arrow batch",
    "ibis in memory",
}  # each value has its type already


def kind(case: str) -> str:
    return case.partition(":")[0]


def trips(source: Any) -> str | None:
    return "trips" if isinstance(source, str) and "://" in source else None


def test_every_form_of_a_table_is_tried() -> None:
    assert {kind(case) for case in HOSTILE} | NEVER_FAIL == {*FORMS, "pipe"}


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[posix] if kind(case) == "pipe" else []) for case in HOSTILE]
)
def test_bad_rows_fail_after_the_debit(case: str, tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    (folder := tmp_path / "data").mkdir()
    source = HOSTILE[case](folder)
    with pytest.raises(SourceError) as caught:
        options = {"table": trips(source)} if trips(source) else OPTIONS.get(kind(case), {})
        options = {} if kind(case) == "excel" else options
        ripost.publish(source, SCHEMA, epsilon=1, method="identity", ledger=path, **options)
    assert [paid.state for paid in read_ledger(path).debits.values()] == ["failed"]
    assert caught.value.__notes__ == [f"debit 1 of epsilon 1 stays in {path}"]


PUBLIC: dict[str, Callable[[Path], Any]] = {
    "csv": lambda f: written(f / "t.csv", b"x,d\n" + LATIN[4:]),
    "csv in gzip": lambda f: written(f / "t.csv.gz", cut(gzip.compress(b"x,d\n" + many()))),
    "pandas": lambda _: pd.DataFrame({"x": [1, "two"], "d": ["a", "b"]}),
    "pandas, by type": lambda _: pd.DataFrame({"x": [True, False], "c": [1, "two"]}),
    "polars": lambda _: pl.DataFrame({"x": ["one"], "c": ["a"]}),
    "arrow reader": lambda _: pa.RecordBatchReader.from_batches(TYPES.remove(1), raising(ValueError())),
}


@pytest.mark.parametrize("case", PUBLIC)
def test_names_and_types_cost_nothing(case: str, tmp_path: Path) -> None:
    """Also where rows are bad: nobody has looked at them."""
    path = open_ledger(tmp_path)
    with pytest.raises(SourceError, match=r"has no column 'c'|column x holds (booleans|text)"):
        ripost.publish(PUBLIC[case](tmp_path), SCHEMA, epsilon=1, method="identity", ledger=path)
    assert not read_ledger(path).debits


@pytest.mark.parametrize(
    "kind",
    [pa.decimal256(50, 2), pa.float16(), pa.month_day_nano_interval(), pa.run_end_encoded(pa.int32(), pa.int64())],
    ids=str,
)
@pytest.mark.parametrize("as_file", [False, True])
def test_types_that_the_engine_lacks_cost_nothing(kind: pa.DataType, as_file: bool, tmp_path: Path) -> None:
    path, source = open_ledger(tmp_path), pa.schema({"x": kind, "c": pa.string()}).empty_table()
    if as_file:
        with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, source.schema) as writer:
            writer.write_table(source)
    with pytest.raises(SourceError, match="has columns that DuckDB cannot read"):
        given = tmp_path / "t.arrow" if as_file else source
        ripost.publish(given, SCHEMA, epsilon=1, method="identity", ledger=path)
    assert not read_ledger(path).debits


def test_what_an_engine_cannot_express_costs_nothing(tmp_path: Path) -> None:
    """SQLite has no SQL for a split text; that is known without a row, and is told by the name of the attribute."""
    path = open_ledger(tmp_path)
    url = sqlite_url(tmp_path, "CREATE TABLE trips (x INTEGER, c TEXT)")
    table = ibis.sqlite.connect(url.removeprefix("sqlite://")).table("trips")
    with pytest.raises(SourceError, match="ripost cannot read attribute c on sqlite; make its column what the schema"):
        split = table.mutate(c=table.c.split(",")[0])
        ripost.publish(split, SCHEMA, epsilon=1, method="identity", ledger=path)
    assert not read_ledger(path).debits


class Watch:
    """Notes how many debits a ledger has whenever a row is asked for."""

    def __init__(self, path: Path) -> None:
        self.path, self.seen = path, list[int]()

    def note(self) -> None:
        self.seen.append(len(read_ledger(self.path).debits))

    def batches(self) -> Iterator[pa.RecordBatch]:
        self.note()
        yield pa.record_batch({"x": [1, 2], "c": ["a", "b"]}, schema=TYPES)

    def column(self, values: pl.Series) -> pl.Series:
        self.note()
        return values

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        self.note()
        return pa.RecordBatchReader.from_batches(TYPES, self.batches()).__arrow_c_stream__(requested_schema)


SPIES: dict[str, Callable[[Watch], Any]] = {
    "arrow reader": lambda watch: pa.RecordBatchReader.from_batches(TYPES, watch.batches()),
    "arrow stream": lambda watch: watch,
    "polars lazy": lambda watch: lazy(x=pl.col("x").map_batches(watch.column, return_dtype=pl.Int64)),
}


@pytest.mark.parametrize("case", SPIES)
def test_no_row_is_asked_for_before_the_debit(case: str, tmp_path: Path) -> None:
    watch = Watch(open_ledger(tmp_path))
    ripost.publish(SPIES[case](watch), SCHEMA, epsilon=1, method="identity", ledger=watch.path)
    assert watch.seen and set(watch.seen) == {1}


def test_values_of_pandas_are_not_converted_before_the_debit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch, convert = Watch(open_ledger(tmp_path)), pa.array

    def noted(values: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(values, pd.Series) and len(values):
            watch.note()
        return convert(values, *arguments, **named)

    monkeypatch.setattr(pa, "array", noted)
    frame = pd.DataFrame({"x": [1, 2], "c": pd.Series(["a", "b"], dtype=object)})
    ripost.publish(frame, SCHEMA, epsilon=1, method="identity", ledger=watch.path)
    assert watch.seen == [1, 1]


@posix
@pytest.mark.parametrize(
    "header",
    [b"x,c\n", b'\xef\xbb\xbf"x";"c"\r\n', b'note;x;c;"a ""quoted""\nname"\r', b'x|c|an "odd" name\n'],
)
def test_of_a_pipe_the_header_is_taken_and_not_a_byte_more(header: bytes, tmp_path: Path) -> None:
    import fcntl
    import struct
    import termios

    rows = b"1,\xe9,4\n" * 1000
    os.mkfifo(tmp_path / "pipe")
    sink = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        os.write(sink, header + rows)
        source = open_source(tmp_path / "pipe", columns=COLUMNS)
        (left,) = struct.unpack("i", fcntl.ioctl(sink, termios.FIONREAD, b"\0" * 4))
        assert left == len(rows) + header.endswith(b"\r\n")  # the end of the line is its first sign
        source.close()
    finally:
        os.close(sink)


@posix
def test_rows_of_a_pipe_may_come_after_the_debit(tmp_path: Path) -> None:
    """A writer that waits for the debit before it writes the first row is not waited for."""
    path, pipe = open_ledger(tmp_path), tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb", buffering=0) as sink:
            sink.write(b"x,c\n")
            while not read_ledger(path).debits:
                time.sleep(0.02)
            sink.write(b"1,a\n" * 100)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    view = ripost.publish(pipe, SCHEMA, epsilon=1, method="identity", ledger=path)
    writer.join(5)
    assert not writer.is_alive() and 50 < view.count(x=1).value < 150


@posix
def test_a_ledger_that_refuses_takes_no_row_of_standard_input(tmp_path: Path) -> None:
    """The writer never ends, and never writes a row; the ledger has too little left."""
    path = open_ledger(tmp_path)
    code = (
        "import ripost, sys\n"
        "schema = ripost.Schema.from_dict({'attributes': {'x': {'type': 'integer', 'min': 0, 'max': 9}}})\n"
        "ripost.publish('-', schema, epsilon=9, ledger=sys.argv[1])\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reader:
        assert reader.stdin is not None and reader.stderr is not None
        reader.stdin.write("x\n")
        reader.stdin.flush()
        assert LedgerError.__name__ in reader.stderr.read()
    assert not read_ledger(path).debits
