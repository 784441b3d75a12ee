"""check: what it says is public, whatever is in the table, and it sees what a steward should see."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from ripost.check.data_like_bounds import find_data_like_keys, is_round, is_short
from ripost.check.schema_check import check_schema
from ripost.schema.schema import Schema

SCHEMA = """
[attributes.age]
type = "integer"
min = 0
max = 99
[attributes.ward]
type = "category"
values = ["north", "south"]
"""


def list_findings(source: Any, text: str = SCHEMA, **options: Any) -> list[tuple[str, str, str | None]]:
    found = check_schema(str(source), Schema.parse(text), **options)
    return [(one.level, one.about, one.attribute) for one in found]


def words(source: Any, text: str = SCHEMA, **options: Any) -> str:
    found = check_schema(str(source), Schema.parse(text), **options)
    return "\n".join(f"{one.level} {one.attribute} {one.says}" for one in found)


def table(folder: Path, rows: str, name: str = "t.csv", head: str = "age,ward") -> Path:
    path = folder / name
    path.write_text(f"{head}\n{rows}", "utf-8")
    return path


def test_a_sound_schema_passes(tmp_path: Path) -> None:
    levels = {level for level, _, _ in list_findings(table(tmp_path, "1,north\n"), rows=1e6)}
    assert levels == {"ok"}


def test_rows_change_nothing_that_is_said(tmp_path: Path) -> None:
    """The same header over any rows, torn ones too, gives the same words: so no word can be about a row."""
    bodies = ["", "1,north\n", "17,JANE-ROE\n" * 4711, "x,y\n1,north\n", "1\n1,2,3\n", "\u00e9,\u202e\n" * 3]
    for rows in (None, 1e5):
        told = {words(table(tmp_path, body), rows=rows) for body in bodies}
        assert len(told) == 1
    typed = {
        words(tmp_path / "t.parquet")
        for ages, wards in (([1], ["north"]), ([], []), ([4711] * 3, ["JANE-ROE"] * 3))
        if not pa.parquet.write_table(
            pa.table({"age": pa.array(ages, pa.int64()), "ward": pa.array(wards, pa.string())}), tmp_path / "t.parquet"
        )
    }
    assert len(typed) == 1 and "their types fit" in typed.pop()


def test_columns_and_types(tmp_path: Path) -> None:
    source = table(tmp_path, "", head="ages,ward")
    assert ("error", "columns", None) in list_findings(source) and "did you mean 'ages'" in words(source)
    pa.parquet.write_table(pa.table({"age": ["JANE-ROE"], "ward": ["x"]}), tmp_path / "t.parquet")
    assert "column age holds text but attribute age is an integer" in words(tmp_path / "t.parquet")


def test_a_computed_attribute_is_named_with_what_it_reads(tmp_path: Path) -> None:
    text = '[attributes.decade]\ntype = "integer"\nmin = 0\nmax = 9\nexpression = "FLOOR(age / 10)"\n'
    source = table(tmp_path, "1,north\n")
    assert "ok decade FLOOR(age / 10) gives one value a row, from age" in words(source, text)
    assert "has no column 'wards'; did you mean 'ward'?" in words(source, text.replace("(age", "(wards + age"))


def test_an_unreviewed_draft_is_an_error_and_its_values_and_sizes_are_not_told(tmp_path: Path) -> None:
    draft = """
        unreviewed = ["unit"]
        [attributes.age]
        unreviewed = ["min", "max"]
        type = "integer"
        min = 17
        max = 4711
        [attributes.ward]
        unreviewed = ["values"]
        type = "category"
        values = ["north", "JANE-ROE", "a", "b", "c"]
    """
    told = words(table(tmp_path, "1,x\n"), draft, rows=10)
    assert told.count("error") == 3
    for secret in ("4711", "17", "4,6", "JANE", "8 codes", "7 codes", "cells"):
        assert secret not in told


def test_ids_without_a_unit_are_seen(tmp_path: Path) -> None:
    source = table(tmp_path, "", head="age,ward,person_id,id")
    assert ("warning", "unit", None) in list_findings(source) and "'person_id', 'id'" in words(source)
    assert "protects one person_id (at most 2 rows kept)" in words(
        source, 'unit = "person_id"\nmax_rows = 2\n' + SCHEMA
    )
    listed = SCHEMA + "[attributes.id]\ntype = 'integer'\nmin = 0\nmax = 9\n"
    assert ("warning", "unit", "id") in list_findings(source, listed)


def test_fineness_is_judged_by_the_rows_that_are_stated(tmp_path: Path) -> None:
    source = table(tmp_path, "1,north\n" * 5)
    assert ("warning", "fineness", "age") in list_findings(source, rows=1000)
    assert "101 codes are many for 1,000 rows at epsilon 1: most will be lost in noise; about 50 would" in words(
        source, rows=1000
    )
    assert ("warning", "fineness", "age") not in list_findings(source, rows=1000, epsilon=5)
    assert ("warning", "fineness", "age") in list_findings(
        table(tmp_path, "", head="age,ward,p"), 'unit = "p"\nmax_rows = 9\n' + SCHEMA, rows=1e4
    )
    wide = SCHEMA + "".join(f"[attributes.b{n}]\ntype = 'boolean'\n" for n in range(60))
    path = table(tmp_path, "", head="age,ward," + ",".join(f"b{n}" for n in range(60)))
    assert "about 1.7e+31 cells for 1,000,000 rows" in words(path, wide, rows=1e6)


@pytest.mark.parametrize(
    ("keys", "odd"),
    [
        ({"type": "integer", "min": 0, "max": 119}, []),
        ({"type": "integer", "min": 1, "max": 4999}, []),
        ({"type": "integer", "min": 17, "max": 90}, ["min"]),
        ({"type": "integer", "min": 0, "max": 4983}, ["max"]),
        ({"type": "integer", "min": -30, "max": 65535}, []),
        ({"type": "number", "min": 17.3, "max": 90.61, "bins": 9}, ["min", "max"]),
        ({"type": "number", "min": -0.5, "max": 2.25, "bins": 9}, []),
        ({"type": "number", "min": -180, "max": 180, "bins": 9}, []),
        ({"type": "number", "edges": [0, 1, 2.5, 1000.123456]}, ["edges"]),
        ({"type": "date", "min": dt.date(2013, 1, 1), "max": dt.date(2013, 12, 31)}, []),
        ({"type": "date", "min": dt.date(2013, 1, 3), "max": dt.date(2013, 12, 30)}, ["min", "max"]),
        ({"type": "timestamp", "min": "2013-01-01", "max": "2013-02-03T04:05:06"}, ["max"]),
        ({"type": "category", "values": ["a", "jane@example.org"]}, ["values"]),
        ({"type": "category", "values": ["a", "078-05-1120"]}, ["values"]),
        ({"type": "category", "values": ["2013-01-01", "10115", "a-b"]}, []),
        ({"type": "boolean"}, []),
    ],
)
def test_looks(keys: dict[str, Any], odd: list[str]) -> None:
    attribute = Schema.from_dict({"attributes": {"x": keys}}).attributes["x"]
    assert list(find_data_like_keys(attribute)) == odd


def test_odd_bounds_are_told_by_key_and_not_by_value(tmp_path: Path) -> None:
    text = SCHEMA.replace("max = 99", "max = 4983")
    assert ("warning", "domain", "age") in list_findings(table(tmp_path, ""), text)
    assert "4983" not in words(table(tmp_path, ""), text)
    known = SCHEMA.replace("attributes.age", "attributes.week").replace("min = 0\nmax = 99", "min = 1\nmax = 53")
    assert ("warning", "domain", "week") not in list_findings(table(tmp_path, "", head="week,ward"), known)


def test_round_numbers() -> None:
    assert all(map(is_round, (0, 7, 100, 4000, 125, 65536, 86400, -1200)))
    assert not any(map(is_round, (17, 4983, 1234, 12345)))
    assert is_short(0.1) and is_short(1e300) and is_short(0.25) and not is_short(17.3)
