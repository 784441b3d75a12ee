"""Noisy measurements in the release file: what the table holds, who reads it, and which tables are refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import QueryError, ReleaseError
from ripost.release.verify import verify_view
from ripost.space.measurement import to_table
from ripost.space.query_parameters import Grid, Margin
from ripost.view import open_view
from tests.release.forging import Columns, Manifest, forge, read

ENTRY, START, STOP, VALUE = (f"measurements.{name}" for name in ("entry", "start", "stop", "value"))


def some_tensor(shape: tuple[int, ...] = (16, 12, 8), rows: int = 20_000) -> Tensor:
    rng = np.random.default_rng(5)
    coords = np.stack([np.minimum(rng.geometric(0.2, rows) - 1, size - 1) for size in shape], axis=1)
    return Tensor.from_arrays(shape, coords, np.ones(rows, np.int64))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sound") / "v.ripost.parquet"
    ripost.publish(some_tensor(), epsilon=1, seed=3).save(made)
    return made


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "v.ripost.parquet"
    copy.write_bytes(sound.read_bytes())
    return copy


def test_every_noisy_value_is_there_with_its_box_and_noise(sound: Path) -> None:
    view = open_view(sound)
    table, entries = view.measurements(), view.privacy.ledger.entries
    assert table.column_names == [
        *("entry", "measure", "purpose", "statistic", "mechanism", "value", "scale", "variance"),
        *(f"x{axis}_{end}" for axis in range(3) for end in ("lo", "hi")),
    ]
    rows = table.to_pylist()
    assert {row["entry"] for row in rows} == {
        number for number, entry in enumerate(entries) if entry.mechanism == "discrete Laplace"
    }
    for row in rows:
        entry = entries[row["entry"]]
        assert (row["purpose"], row["statistic"], row["mechanism"], row["scale"]) == (
            *(entry.purpose, entry.statistic, entry.mechanism),
            entry.scale,
        )
        assert float(row["value"]).is_integer()
        assert row["variance"] == pytest.approx(2 * entry.scale**2, rel=0.1)
    histogram = [row for row in rows if row["purpose"] == "axis 2, width 1"]
    assert [(row["x0_lo"], row["x0_hi"], row["x1_lo"], row["x1_hi"]) for row in histogram] == [
        (0, 16, code, code + 1) for code in range(12)
    ]


def test_blocks_of_the_last_depth_are_the_rows_of_the_file(sound: Path) -> None:
    view = open_view(sound)
    found = view.measurements().to_pylist()
    sides = [f"x{axis}_{end}" for end in ("lo", "hi") for axis in range(3)]
    last = [[row[side] for side in sides] for row in found if row["purpose"] == found[-1]["purpose"]]
    assert sorted(last) == sorted(np.hstack([view.blocks.lower, view.blocks.upper]).tolist())


def test_a_view_tells_the_same_before_and_after_its_file(tmp_path: Path) -> None:
    view = ripost.publish(some_tensor(), epsilon=1, seed=4)
    view.save(tmp_path / "v")
    assert open_view(tmp_path / "v").measurements().equals(view.measurements())


def test_sums_are_in_units_of_the_measure() -> None:
    schema = ripost.Schema.parse(
        '[measure]\nsum = "pay"\nmax = 10\nstep = 0.5\n[attributes.a]\ntype = "integer"\nmin = 0\nmax = 3\n'
        'missing = "drop"\n'
    )
    table = pa.table({"a": [0, 1, 2, 3] * 50, "pay": [1.5, 2.0, 3.0, 9.5] * 50})
    view = ripost.publish(table, schema, epsilon=1, method="identity", seed=1)
    found = view.measurements()
    assert found["value"].to_pylist() == view.blocks.value.tolist()
    assert found["variance"].to_pylist() == pytest.approx(view.blocks.variance.tolist())


def test_others_read_the_table(sound: Path) -> None:
    view = open_view(sound)
    expected = view.measured
    assert expected is not None
    by_duckdb = duckdb.sql(f"SELECT unnest(measurements, recursive := true) FROM '{sound}'").fetchnumpy()
    by_polars = pl.read_parquet(sound).select("measurements").explode("measurements").unnest("measurements")
    by_polars = by_polars.drop_nulls()  # rows after the first have none
    by_pandas = pd.DataFrame(list(pd.read_parquet(sound)["measurements"][0]))
    for name in ("entry", "start", "stop", "value"):
        wanted = getattr(expected, name).tolist()
        assert by_duckdb[name].tolist() == by_polars[name].to_list() == by_pandas[name].tolist() == wanted


def test_measurements_can_be_left_out(tmp_path: Path) -> None:
    """The file is then of format 2, as it was before there were measurements, and the estimate is the same."""
    with_them = ripost.publish(some_tensor(), epsilon=1, seed=3)
    without = ripost.publish(some_tensor(), epsilon=1, seed=3, measurements=False)
    assert (with_them.file.manifest.version, without.file.manifest.version) == (3, 2)
    assert "measurements" not in pq.read_table(pa.BufferReader(pa.py_buffer(without.file.encoded))).column_names
    assert with_them.blocks.value.tolist() == without.blocks.value.tolist()
    without.save(tmp_path / "v")
    with pytest.raises(QueryError, match="holds no noisy measurements"):
        open_view(tmp_path / "v").measurements()


def test_verify_counts_them(path: Path) -> None:
    (check,) = [check for check in verify_view(path) if check.name == "measurements"]
    view = open_view(path)
    assert check.ok and check.detail.startswith(f"{view.measurements().num_rows:,} noisy values of ")


def drop_last(_: Manifest, columns: Columns) -> None:
    for name in (ENTRY, START, STOP, VALUE):
        columns[name] = columns[name][:-1]


def drop_last_and_count(manifest: Manifest, columns: Columns) -> None:
    drop_last(manifest, columns)
    manifest["measurements"]["values"] -= 1


def add_one(manifest: Manifest, columns: Columns) -> None:
    for name in (ENTRY, START, STOP, VALUE):
        columns[name] = np.append(columns[name], columns[name][-1:]).astype(columns[name].dtype)
    manifest["measurements"]["values"] += 1


def set_at(name: str, place: int, value: int) -> Callable[[Manifest, Columns], None]:
    def change(_: Manifest, columns: Columns) -> None:
        columns[name][place] = value

    return change


def change_tables(change: Callable[[Any], None]) -> Callable[[Manifest, Columns], None]:
    return lambda manifest, _: change(manifest["measurements"])


def rename_entry(_: Manifest, columns: Columns) -> None:
    """The last draw as one that the ledger does not have."""
    columns[ENTRY][columns[ENTRY] == columns[ENTRY][-1]] = 2**31 - 1


def move_edge(manifest: Manifest, columns: Columns) -> None:
    """Two blocks of an inner depth that share their rows in another way."""
    totals = [n for n, e in enumerate(manifest["privacy"]["ledger"]["entries"]) if e["statistic"] == "total"]
    entry, start, stop = columns[ENTRY], columns[START], columns[STOP]
    (i, *_) = np.flatnonzero(
        np.isin(entry[1:], totals) & (entry[1:] == entry[:-1]) & (stop[:-1] == start[1:]) & (stop - start > 2)[:-1]
    )
    stop[i] -= 1
    start[i + 1] -= 1


def choose_mechanism(manifest: Manifest, _: Columns) -> None:
    """A draw of values as a draw of choices, at the same price."""
    for entry in manifest["privacy"]["ledger"]["entries"]:
        if entry["statistic"] == "total of part":
            entry["mechanism"] = "biased test"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop_last, "another number of measurements than its manifest says"),
        (drop_last_and_count, "another number of blocks than the ledger says"),
        (add_one, "another number of blocks than the ledger says"),
        (set_at(ENTRY, 0, -1), "not in the order of the ledger"),
        (set_at(ENTRY, 0, 2**31 - 1), "not in the order of the ledger"),
        (rename_entry, "not of a draw that releases noisy values"),
        (set_at(START, 0, -5), "rows that are not there"),
        (set_at(STOP, 0, 2**31 - 1), "rows that are not there"),
        (set_at(STOP, -1, 0), "rows that are not there"),
        (set_at(START, -1, 0), "measured a row twice"),
        (set_at(STOP, 0, 1), "other rows than those whose paths"),
        (move_edge, "no block of the tree"),
        (set_at(START, 2, 7), "not in order"),
        (change_tables(lambda facts: facts["tables"].append(facts["tables"][0])), "listed twice"),
        (change_tables(lambda facts: facts["tables"][0].update(bins=[10**6])), "bins that are not there"),
        (change_tables(lambda facts: facts["tables"][0].update(bins=[0, 0])), "of one twice"),
        (change_tables(lambda facts: facts["bins"][0].update(axis=77)), "attributes that are not there"),
        (change_tables(lambda facts: facts["bins"][0]["edges"].__setitem__(0, 1)), "do not fit its attribute"),
        (change_tables(lambda facts: facts["bins"][0]["edges"].reverse()), "do not fit its attribute"),
        (change_tables(lambda facts: facts["bins"][0]["edges"].__setitem__(1, -3)), "manifest is wrong"),
        (change_tables(lambda facts: facts.update(values=2**31 - 1)), "more blocks than a file of its size"),
        (change_tables(lambda facts: facts.update(values=0)), "manifest is wrong"),
        (choose_mechanism, "the ledger"),
        (lambda manifest, _: manifest.update(version=2), "if, and only if, it is of format 3"),
        (lambda manifest, _: manifest.pop("measurements"), "if, and only if, it is of format 3"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    path: Path, change: Callable[[Manifest, Columns], None], sentence: str
) -> None:
    forge(path, change)
    with pytest.raises(ReleaseError, match=sentence) as caught:
        open_view(path).stderr([0, 0, 0], [1, 1, 1])
    assert "\n" not in str(caught.value)
    assert not all(check.ok for check in verify_view(path))


def test_a_table_without_its_description_hides_nothing(path: Path) -> None:
    """A histogram whose bins are taken away is then a list of numbers, each still paid for by its entry."""
    forge(path, lambda manifest, _: manifest["measurements"]["tables"].pop())
    view = open_view(path)
    last = max(row["entry"] for row in view.measurements().to_pylist() if row["statistic"] == "total of part")
    assert all(row["x0_lo"] is None for row in view.measurements().to_pylist() if row["entry"] == last)


def test_an_edit_breaks_the_digest(path: Path) -> None:
    forge(path, set_at(VALUE, 0, 123), sealed=False)
    with pytest.raises(ReleaseError, match="digest does not match"):
        open_view(path)


@pytest.mark.parametrize("kind", ["f8", "i4"])
def test_values_are_whole_numbers(path: Path, kind: str) -> None:
    """NaN cannot be written: values are 64-bit integers by the type of their column."""

    def as_other(_: Manifest, columns: Columns) -> None:
        columns[VALUE] = columns[VALUE].astype(kind)

    forge(path, as_other)
    with pytest.raises(ReleaseError, match="columns are not those of a view"):
        open_view(path)


def test_measurements_of_a_later_row_are_refused(path: Path) -> None:
    """All of them are in the first row, so that nobody overlooks any."""
    table = pq.read_table(path)
    column = table["measurements"].combine_chunks()
    offsets = np.zeros(len(column) + 1, np.int32)
    offsets[-1] = len(column.values)
    moved = pa.ListArray.from_arrays(pa.array(offsets), column.values, type=column.type)
    place = table.column_names.index("measurements")
    pq.write_table(table.set_column(place, table.schema.field(place), moved), path)
    with pytest.raises(ReleaseError, match="not in the first row"):
        open_view(path)


def test_the_digest_covers_them_as_documented(sound: Path) -> None:
    manifest, columns = read(sound)
    text = pq.read_schema(sound).metadata[b"ripost"]
    found = hashlib.sha256(b"{" + text[len('{"digest":"",') + 64 :])
    for column in columns.values():
        found.update(np.ascontiguousarray(column).tobytes())
    assert found.hexdigest() == manifest["digest"] == json.loads(text)["digest"]


@pytest.mark.parametrize("size", range(1, 9))
def test_tables_of_bins_have_the_edges_of_their_parts(size: int) -> None:
    codes = np.arange(size)[None]
    for bins in range(1, size + 1):
        grid = Grid((0,), (size,), (bins,))
        table = to_table(grid)
        assert table is not None and len(table) == len(grid)
        assert table.part(codes).tolist() == grid.part(codes).tolist()
    margin = to_table(Margin((0,), (size,)))
    assert margin is not None and margin.part(codes).tolist() == codes[0].tolist()
    assert to_table(Margin((0,), (size,), np.zeros(size, np.int64), 1)) is None
