"""Each file is read once, and it is the one that was named: also where DuckDB would take its name for a glob."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from tests.sources.twin import cells_of

NAMES = ["ab", "a[b]", "[a]b", "a[!c]", "a{b}", "a]", "a'b"]
ON_POSIX = ["a*", "a?", "a**"]  # names that Windows does not allow
PEOPLE = Schema.from_dict({"attributes": {"x": {"type": "category", "values": [*NAMES, *ON_POSIX]}}})


def write_csv(path: Path, value: str) -> None:
    path.write_text(f'x\n"{value}"\n', "utf-8")


def write_json(path: Path, value: str) -> None:
    path.write_text(json.dumps({"x": value}) + "\n", "utf-8")


def write_parquet(path: Path, value: str) -> None:
    pyarrow.parquet.write_table(pa.table({"x": [value]}), path)


WRITERS = {"csv": write_csv, "jsonl": write_json, "parquet": write_parquet}


@pytest.mark.parametrize("year", ["2024", "[2024]"])
@pytest.mark.parametrize("ending", WRITERS)
def test_a_name_with_signs_of_a_glob_is_one_file(ending: str, year: str, tmp_path: Path) -> None:
    """Of four files named ab, a*, a? and a[b] nine rows were read, and a[b] alone gave the rows of ab."""
    names = NAMES if os.name == "nt" else [*NAMES, *ON_POSIX]
    folder = tmp_path / year
    folder.mkdir()
    for name in names:
        WRITERS[ending](folder / f"{name}.{ending}", name)
    values = [*NAMES, *ON_POSIX]
    for name in names:
        tensor = read_tensor(folder / f"{name}.{ending}", PEOPLE)
        assert cells_of(tensor) == {(values.index(name),): 1}, name
    everything = read_tensor(tmp_path / "*" / f"*.{ending}", PEOPLE)
    assert cells_of(everything) == {(number,): 1 for number in range(len(names))}


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
@pytest.mark.parametrize("ending", WRITERS)
def test_two_names_of_one_file_in_a_glob_are_refused(
    ending: str, link: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    WRITERS[ending](tmp_path / f"may.{ending}", "ab")
    link(tmp_path / f"newest.{ending}", tmp_path / f"may.{ending}")
    with pytest.raises(SourceError, match="are one file, whose rows would count twice"):
        read_tensor(tmp_path / f"*.{ending}", PEOPLE)
    assert cells_of(read_tensor(tmp_path / f"newest.{ending}", PEOPLE)) == {(0,): 1}


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such name")
def test_a_name_that_duckdb_would_take_for_that_of_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "[a]").mkdir()
    write_csv(tmp_path / "[a]" / "b.csv", "ab")
    write_csv(tmp_path / "[a]\\b.csv", "a]")
    with pytest.raises(SourceError, match="backslash"):
        read_tensor(tmp_path / "[a]\\b.csv", PEOPLE)


LARGE = pa.array([2**53, 2**53 + 1], pa.int64())
TINY = pa.array([Decimal("0.0000000001"), Decimal("0.0000000002")], pa.decimal128(38, 10))


@pytest.mark.parametrize("other", [pa.array([1.5]), TINY, pa.array([True])], ids=str)
@pytest.mark.parametrize("first", [LARGE, pa.array([Decimal(10**37)], pa.decimal128(38, 0))], ids=str)
def test_ids_of_different_types_in_files_are_refused(first: pa.Array, other: pa.Array, tmp_path: Path) -> None:
    """DuckDB reads whole numbers beside floats as floats, so that 2^53 and 2^53 + 1 were one person."""
    schema = Schema.from_dict({**PEOPLE.model_dump(exclude_unset=True), "unit": "who", "max_rows": 1})
    for name, ids in {"a": first, "b": other}.items():
        pyarrow.parquet.write_table(pa.table({"who": ids, "x": ["ab"] * len(ids)}), tmp_path / f"{name}.parquet")
    with pytest.raises(SourceError, match="column who is not of one type in all files"):
        read_tensor(tmp_path / "*.parquet", schema)


@pytest.mark.parametrize("other", [pa.array([7], pa.int32()), pa.array([2**64 - 1], pa.uint64()), pa.nulls(1)], ids=str)
def test_whole_numbers_of_different_width_are_read_together(other: pa.Array, tmp_path: Path) -> None:
    schema = Schema.from_dict({**PEOPLE.model_dump(exclude_unset=True), "unit": "who", "max_rows": 1})
    for name, ids in {"a": LARGE, "b": other}.items():
        pyarrow.parquet.write_table(pa.table({"who": ids, "x": ["ab"] * len(ids)}), tmp_path / f"{name}.parquet")
    assert cells_of(read_tensor(tmp_path / "*.parquet", schema)) == {(0,): 2 + (other.null_count == 0)}
