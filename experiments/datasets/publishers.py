"""Publishers: where each data set is published, and how the published files become the stored table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from experiments.datasets.stored import ADULT_COLUMNS, FIRE_COLUMNS, GOWALLA_FULL, JM1_COLUMNS, STORED, Stored

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult"
DATABRICKS = "https://raw.githubusercontent.com/databricks/LearningSparkV2/master/databricks-datasets"
MONTH_FIRST = "%m/%d/%Y"


@dataclass(frozen=True)
class Published:
    """A file at its publisher's; size and MD5 where they are known."""

    url: str
    size: int | None = None
    md5: str | None = None


@dataclass(frozen=True)
class Publisher:
    """The files of a data set, and what they become."""

    name: str
    files: tuple[Published, ...]
    parse: Callable[[Sequence[Path]], pa.Table]
    stored: Stored


def parse_adult(paths: Sequence[Path]) -> pa.Table:
    """`adult.data` and `adult.test`: a blank after each comma; the second has a comment line and dots after income."""
    parts = []
    for path in paths:
        lines = [line for line in path.read_text("ascii").splitlines() if line and not line.startswith("|")]
        parts.append(_texts("\n".join(lines).encode(), ADULT_COLUMNS.names))
    table = pa.concat_tables(parts)
    columns = [pc.utf8_trim_whitespace(column) for column in table.columns]
    columns[-1] = pc.utf8_rtrim(columns[-1], ".")
    return _cast_columns(columns, ADULT_COLUMNS)


def parse_jm1(paths: Sequence[Path]) -> pa.Table:
    """An ARFF file: lines after @data, `?` for missing."""
    text = paths[0].read_text("utf-8")
    start = text.lower().find("\n@data")
    if start < 0:
        raise ValueError("it has no line @data")
    lines = [line for line in text[start:].splitlines()[2:] if line.strip() and not line.startswith("%")]
    table = _texts("\n".join(lines).encode(), JM1_COLUMNS.names)
    columns = [pc.utf8_trim_whitespace(column) for column in table.columns]
    present = [pc.if_else(pc.equal(column, "?"), None, column) for column in columns]
    return _cast_columns(present, JM1_COLUMNS)


def parse_fire(paths: Sequence[Path]) -> pa.Table:
    """A CSV file with a header; dates with the month first, `(lat, lon)` in one column, nothing for missing."""
    table = _texts(paths[0].read_bytes(), None)
    columns = {name: pc.if_else(pc.equal(table[name], ""), None, table[name]) for name in table.column_names}
    place = pc.split_pattern(pc.utf8_trim(columns["Location"], "() "), ",")
    columns["Latitude"] = pc.utf8_trim_whitespace(pc.list_element(place, 0))
    columns["Longitude"] = pc.utf8_trim_whitespace(pc.list_element(place, 1))
    for name in ("CallDate", "WatchDate"):
        columns[name] = pc.strptime(columns[name], MONTH_FIRST, "s").cast(pa.date32())
    columns["AvailableDtTm"] = pc.strptime(columns["AvailableDtTm"], f"{MONTH_FIRST} %I:%M:%S %p", "s")
    return _cast_columns([columns[name] for name in FIRE_COLUMNS.names], FIRE_COLUMNS)


def parse_gowalla(paths: Sequence[Path]) -> pa.Table:
    """A compressed file of user, time, latitude, longitude and place, with tabs between."""
    with pa.input_stream(str(paths[0]), compression="gzip") as lines:
        return csv.read_csv(
            lines,
            csv.ReadOptions(column_names=["user", "time", "lat", "lon", "poi"]),
            csv.ParseOptions(delimiter="\t", quote_char=False),
            csv.ConvertOptions(column_types=GOWALLA_FULL.schema, include_columns=["lat", "lon"]),
        )


def _texts(lines: bytes, names: Sequence[str] | None) -> pa.Table:
    """Comma-separated values, all as text, named by the first line if no names are given."""
    if names is None:
        names = lines.split(b"\n", 1)[0].decode().strip().replace('"', "").split(",")
        lines = lines.split(b"\n", 1)[1]
    return csv.read_csv(
        pa.BufferReader(lines),
        csv.ReadOptions(column_names=list(names)),
        convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
    )


def _cast_columns(columns: Sequence[pa.ChunkedArray], schema: pa.Schema) -> pa.Table:
    """Texts as what they stand for; a whole number may be written with a decimal point."""
    whole = [pa.types.is_integer(field.type) for field in schema]
    numbers = [column.cast(pa.float64()) if number else column for column, number in zip(columns, whole, strict=True)]
    return pa.table(numbers, schema.names).cast(schema)


PUBLISHERS = {
    "adult": Publisher(
        "UCI",
        (
            Published(f"{UCI}/adult.data", 3_974_305, "5d7c39d7b8804f071cdd1f2a7c460872"),
            Published(f"{UCI}/adult.test", 2_003_153, "35238206dfdf7f1fe215bbb874adecdc"),
        ),
        parse_adult,
        STORED["adult"][0],
    ),
    "fire": Publisher(
        "Databricks",
        (Published(f"{DATABRICKS}/learning-spark-v2/sf-fire/sf-fire-calls.csv"),),
        parse_fire,
        STORED["fire"][0],
    ),
    "gowalla": Publisher(
        "Stanford SNAP",
        (Published("https://snap.stanford.edu/data/loc-gowalla_totalCheckins.txt.gz"),),
        parse_gowalla,
        GOWALLA_FULL,
    ),
    "jm1": Publisher(
        "OpenML",
        (Published("https://www.openml.org/data/download/53936/jm1.arff"),),
        parse_jm1,
        STORED["jm1"][0],
    ),
}
