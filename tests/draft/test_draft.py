"""Drafts: public domains where a name tells them, marks where the data did, and never a value that few rows hold."""

from __future__ import annotations

import csv
import datetime as dt
import re
import sqlite3
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ripost.data.read import read_tensor
from ripost.draft.draft_schema import draft_schema
from ripost.draft.format_draft import format_draft
from ripost.errors import InputError, SourceError
from ripost.schema.known_columns import find_known_domains, is_identifier
from ripost.schema.schema import Schema

RARE = "JANE-ROE"
ROWS = 400


def columns(number: int = ROWS) -> dict[str, list[Any]]:
    """A table with a bit of everything, and one row that nobody may recognise."""
    start = dt.datetime(2013, 1, 5, 8)
    table: dict[str, list[Any]] = {
        "person_id": [f"p{n // 2}" for n in range(number)],
        "month": [n % 12 + 1 for n in range(number)],
        "sex": ["F" if n % 3 else "M" for n in range(number)],
        "country": [("FR", "DZ", "BE")[n % 3] for n in range(number)],
        "is_new": [n % 2 for n in range(number)],
        "income": [1000 + 7 * (n * 37 % 301) for n in range(number)],
        "ratio": [(n * 37 % 101) / 101 for n in range(number)],
        "ward": [("north", "south", "east")[n % 3] for n in range(number)],
        "seen": [start + dt.timedelta(hours=9 * n) for n in range(number)],
        "born": [dt.date(1940 + n % 60, n % 12 + 1, 3) for n in range(number)],
        "note": [f"free text {n}" for n in range(number)],
        "row": list(range(number)),
    }
    table["ward"][17], table["income"][17], table["sex"][17] = RARE, 987_654_321, RARE
    table["born"][17] = dt.date(1807, 7, 7)
    return table


def write_draft(folder: Path, kind: str, table: dict[str, list[Any]]) -> tuple[str, str | None]:
    path = folder / f"t.{kind}"
    if kind == "parquet":
        pa.parquet.write_table(pa.table(table), path)
    elif kind == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
    elif kind == "jsonl":
        import polars as pl

        pl.DataFrame(table).write_ndjson(path)
    else:
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE t (" + ", ".join(f'"{name}"' for name in table) + ")")
        rows = [[str(v) if isinstance(v, dt.date) else v for v in row] for row in zip(*table.values(), strict=True)]
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(table))})", rows)
        base.commit()
        base.close()
        return f"sqlite://{path}", "t"
    return str(path), None


def confirm_draft(text: str) -> Schema:
    """The schema of a draft in which the steward has deleted every mark."""
    return Schema.parse(re.sub(r"^unreviewed = .*$", "", text, flags=re.MULTILINE))


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_a_draft_of_each_kind_of_file(kind: str, tmp_path: Path) -> None:
    source, table = write_draft(tmp_path, kind, columns())
    text = format_draft(draft_schema(source, table=table))
    draft = Schema.parse(text)
    typed = kind == "parquet"
    assert draft.unreviewed[""] == ("unit",) and '#   unit = "person_id"' in text
    for public in ("month", "sex", "country", "is_new"):
        assert public not in draft.unreviewed, public
    first = () if typed else ("type",)
    for name in ("income", "ratio", "seen", "born"):
        assert draft.unreviewed[name][:2] == (*first, "min", "max")[:2], name
    assert draft.unreviewed["ward"] == (*first, "values")
    assert set(draft.attributes) == {"month", "sex", "country", "is_new", "income", "ratio", "ward", "seen", "born"}
    assert draft.attributes["sex"].names == ("F", "M") and len(draft.attributes["country"].names) == 249  # type: ignore[union-attr]
    assert RARE not in text and "987" not in text and "1807" not in text
    assert read_tensor(source, confirm_draft(text), table=table).counts.sum() == ROWS


def test_a_draft_of_a_database(tmp_path: Path) -> None:
    kept = {name: values for name, values in columns().items() if name in ("month", "ward", "person_id")}
    source, table = write_draft(tmp_path, "db", kept)
    text = format_draft(draft_schema(source, table=table, unit="person_id", max_rows=2))
    assert 'unit = "person_id"\nmax_rows = 2' in text and "sqlite" not in text
    assert read_tensor(source, confirm_draft(text), table=table).counts.sum() == ROWS
    with pytest.raises(InputError, match="did you mean 'person_id'"):
        draft_schema(source, table=table, unit="person_ids")


def test_people_count_when_a_unit_is_named(tmp_path: Path) -> None:
    """A value that one person has in many rows is not common."""
    table = {
        "person_id": [n // 50 for n in range(1000)],
        "ward": [f"w{n // 50}" if n < 100 else "x" for n in range(1000)],
    }
    source, _ = write_draft(tmp_path, "csv", table)
    assert '"w0", "w1", "x"' in format_draft(draft_schema(source))
    assert 'values = ["x"]' in format_draft(draft_schema(source, unit="person_id"))


def test_too_many_categories_are_left_out_or_cut_short(tmp_path: Path) -> None:
    many = {"town": [f"t{n % 5000}" for n in range(100_000)], "place": [f"p{n % 150}" for n in range(100_000)]}
    pa.parquet.write_table(pa.table(many), tmp_path / "t.parquet")
    draft = draft_schema(str(tmp_path / "t.parquet"))
    assert [one.column for one in draft.left_out] == ["town"]
    assert len(draft.attributes[0].keys["values"]) == 100 and "only the 100 commonest" in str(draft.attributes[0].note)


def test_a_file_without_a_header_is_refused_without_a_word_of_it(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"4711,{RARE},12.5,2013-01-01\n1,x,2,2014-01-01\n", "utf-8")
    with pytest.raises(SourceError, match="its first line holds values") as caught:
        draft_schema(str(tmp_path / "t.csv"))
    assert RARE not in str(caught.value) and "4711" not in str(caught.value)


def test_odd_columns_are_left_out(tmp_path: Path) -> None:
    table = pa.table(
        {
            "empty": pa.nulls(30),
            "nested": [[1]] * 30,
            "huge": [2**60 + n for n in range(30)],
            "wild": [(-1) ** n * 1.7e308 for n in range(30)],
            "fine": [n % 3 for n in range(30)],
        }
    )
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    draft = draft_schema(str(tmp_path / "t.parquet"))
    assert [one.column for one in draft.attributes] == ["fine"]
    (tmp_path / "t.csv").write_text("a,,a,b\n1,2,3,4\n", "utf-8")
    assert [one.column for one in draft_schema(str(tmp_path / "t.csv")).attributes] == ["b"]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("birth_year", 1900), ("depHour", 0), ("LAT", -90), ("day-of-week", 0), ("patient age", 0), ("zip_code", 0),
        ("hours_per_week", None), ("n_month", None), ("mileage", None), ("", None), ("'; DROP", None),
    ],
)  # fmt: skip
def test_names_tell_public_domains(name: str, first: int | None) -> None:
    assert (find_known_domains(name)[0]["min"] if find_known_domains(name) else None) == first


def test_names_tell_ids() -> None:
    for name in ("id", "person_id", "userId", "SSN", "e-mail", "user", "patient", "UUID"):
        assert is_identifier(name), name
    for name in ("idea", "paid", "origin", "hour", "user_age", "", "valid"):
        assert not is_identifier(name), name
    for name in ("idNum", "patientId", "id_no", "customer_number", "name", "first_name", "LastName", "patientName"):
        assert is_identifier(name), name
    for name in ("carrier_name", "zip_code", "num_rooms", "flight_no"):
        assert not is_identifier(name), name


odd = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=12)
HOSTILE = ['a"b', "a'b", "a\nb", "]\n[attributes.x]\ntype='boolean'", "a = 1 #", "<script>alert(1)</script>", "a.b.c"]
HOSTILE += [
    "\u202eevil",
    "'; DROP TABLE t; --",
    "\\u0000",
    "é",
    "e\u0301",
    "А",
    "A",
    "a",
    "🙂",
    '"""',
    "unreviewed",
    "c0",
]
nasty = st.sampled_from(HOSTILE)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(nasty | odd, min_size=1, max_size=5), st.lists(nasty | odd, min_size=1, max_size=3))
def test_no_name_and_no_value_can_break_a_draft(names: list[str], values: list[str]) -> None:
    """Whatever columns are called and hold, the draft is a schema that is refused, and publishes once confirmed."""
    table = {"ward": [values[n % len(values)] for n in range(60)]}
    table |= {name: [f"v{n % 2}" for n in range(60)] for name in names if name.casefold() != "ward"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        pa.parquet.write_table(pa.table(table), path)
        draft = draft_schema(str(path))
        text = format_draft(draft)
        schema = Schema.parse(text)
        assert "ward" in schema.attributes
        assert schema.unreviewed and len(schema.attributes) == len(draft.attributes)
        assert set(tomllib.loads(text)) <= {"attributes", "unreviewed", "title"}
        assert read_tensor(path, confirm_draft(text)).counts.sum() == 60
