"""No value of any type decides whether reading succeeds: what an engine cannot compute with is missing or outside."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ripost import Schema
from ripost.data.read import read_tensor
from ripost.sources.source_table import ACCEPTS, UNITS, describe_type

LARGE = [2**63 - 1, -(2**63), 2**62, -(2**62), 10**17, -(10**17), 0]
TEXTS = [
    "9" * 400,
    "1e400",
    "-1e400",
    "nan",
    "infinity",
    "294277-01-01",
    "290309-12-22 (BC)",
    "now",
    "epoch",
    "0x10",
    "",
]
ATTRIBUTES = {
    "integer": 'type = "integer"\nmin = -5\nmax = 5',
    "number": 'type = "number"\nmin = -5\nmax = 5\nbins = 4',
    "date": 'type = "date"\nmin = 2000-01-01\nmax = 2020-12-31\nwidth = "1 year"',
    "timestamp": 'type = "timestamp"\nmin = 2000-01-01T00:00:00\nmax = 2000-01-31T00:00:00\nwidth = "1 day"',
    "category": 'type = "category"\nvalues = ["a", "1"]\noutside = "other"',
    "boolean": 'type = "boolean"',
}


def list_columns() -> dict[str, pa.Array]:
    """Columns of extreme values, by type."""
    whole = pa.array(LARGE, pa.int64())
    columns: dict[str, pa.Array] = {"int64": whole, "uint64": pa.array([2**64 - 1, 0], pa.uint64())}
    for unit in ("s", "ms", "us", "ns"):
        for zone in (None, "UTC", "Asia/Tokyo"):
            columns[f"{unit} {zone}"] = whole.cast(pa.timestamp(unit, zone))
    days = pa.array([2**31 - 1, -(2**31), 10**9, -(10**9), 0], pa.int32())
    columns["day"] = days.cast(pa.date32())
    columns["day in ms"] = pa.array([value - int(np.fmod(value, 86_400_000)) for value in LARGE[2:]], pa.int64()).view(
        pa.date64()
    )
    for kind in ("float32", "float64"):
        ends = np.finfo(kind)
        columns[kind] = pa.array(np.array([np.nan, np.inf, -np.inf, ends.max, ends.min, ends.tiny, -0.0], kind))
    columns["whole decimal"] = pa.array([Decimal("9" * 38), Decimal("-" + "9" * 38)], pa.decimal128(38, 0))
    columns["decimal"] = pa.array([Decimal("0." + "9" * 38)], pa.decimal128(38, 38))
    columns["text"] = pa.array(TEXTS)
    columns["codes"] = pa.array(TEXTS).dictionary_encode()
    columns["truth"] = pa.array([True, False])
    return columns


def table_of(kinds: tuple[str, ...], carrier: str) -> pa.Table:
    """The columns that hold one of some kinds of values, and that the carrier can hold."""
    import ibis

    held = {}
    longest = max(len(TEXTS), len(LARGE))
    for name, column in list_columns().items():
        holds = describe_type(ibis.Schema.from_pyarrow(pa.schema([("x", column.type)]))["x"])
        if holds in kinds and not (carrier == "parquet" and name.startswith("s ")):  # Parquet has no seconds
            held[name] = pa.concat_arrays([column, pa.nulls(longest - len(column), column.type)])
    return pa.table(held)


def carry(table: pa.Table, carrier: str, folder) -> object:
    if carrier == "reader":
        return table.to_reader(max_chunksize=3)
    if carrier == "parquet":
        pq.write_table(table, folder / "x.parquet")
        return folder / "x.parquet"
    if carrier == "arrow":
        with pa.OSFile(str(folder / "x.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        return folder / "x.arrow"
    return table


@pytest.mark.parametrize("carrier", ["table", "reader", "parquet", "arrow"])
@pytest.mark.parametrize("kind", list(ATTRIBUTES))
def test_no_value_makes_reading_fail(kind, carrier, tmp_path):
    table = table_of(ACCEPTS[kind], carrier)
    schema = Schema.parse("\n".join(f'[attributes."{name}"]\n{ATTRIBUTES[kind]}' for name in table.column_names))
    assert read_tensor(carry(table, carrier, tmp_path), schema).counts.sum() == table.num_rows


@pytest.mark.parametrize("carrier", ["table", "parquet", "arrow"])
def test_no_id_makes_reading_fail(carrier, tmp_path):
    for name in (table := table_of(UNITS, carrier)).column_names:
        ids = table.select([name]).rename_columns(["id"]).append_column("x", pa.array([0] * table.num_rows))
        schema = Schema.parse('unit = "id"\nmax_rows = 1\n[attributes.x]\ntype = "integer"\nmin = 0\nmax = 1')
        kept = read_tensor(carry(ids, carrier, tmp_path), schema).counts.sum()
        assert 0 < kept <= len(ids["id"].drop_null().unique()), name  # ids that an engine cannot tell apart are missing


def test_moments_beyond_the_calendar_are_missing_or_outside():
    moments = pa.array([2**62, None, 0, -(2**62)], pa.int64()).cast(pa.timestamp("ms"))
    schema = Schema.parse(f"[attributes.x]\n{ATTRIBUTES['timestamp']}")
    tensor = read_tensor(pa.table({"x": moments}), schema)
    assert dict(zip(tensor.coords[:, 0].tolist(), tensor.counts.tolist(), strict=True)) == {0: 1, 30: 3}


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
@pytest.mark.parametrize("unit", ["s", "ms"])
def test_coarse_moments_are_read_as_fine_ones(unit, zone, tmp_path):
    fine = pa.array([946_684_800 + 3_600 * hour for hour in range(0, 720, 7)], pa.int64()).cast(pa.timestamp("s", zone))
    schema = Schema.parse(f"[attributes.x]\n{ATTRIBUTES['timestamp']}")
    expected = read_tensor(pa.table({"x": fine.cast(pa.timestamp("us", zone))}), schema)
    for carrier in ("table", "reader", "parquet", "arrow"):
        table = pa.table({"x": fine.cast(pa.timestamp(unit, zone))})
        found = read_tensor(carry(table, carrier, tmp_path), schema)
        assert (found.coords == expected.coords).all()
        assert (found.counts == expected.counts).all()


def test_whole_numbers_of_128_bits_are_numbers_and_ids():
    """DuckDB hands them over as decimals of 38 digits, and fails on the least of them: one row would stop a release."""
    held = (2**127 - 1, -(2**127), -(10**38), 7)
    raw = b"".join(value.to_bytes(16, "little", signed=True) for value in held)
    column = pa.Array.from_buffers(pa.decimal128(38, 0), len(held), [None, pa.py_buffer(raw)])
    schema = Schema.parse(f"[attributes.x]\n{ATTRIBUTES['integer']}")
    assert read_tensor(pa.table({"x": column}), schema).counts.sum() == len(held)
    people = Schema.parse('unit = "id"\nmax_rows = 1\n[attributes.x]\ntype = "integer"\nmin = 0\nmax = 1')
    assert read_tensor(pa.table({"id": column, "x": [0] * len(held)}), people).counts.sum() == len(held) - 1
