"""The private fit report: what of each column a schema does not describe, checked against a slow count in Python."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

import ripost
from ripost.check.fit import FunctionalDependence, find_dependences, measure_fit
from ripost.cli.fit import describe_column
from ripost.errors import InputError

SCHEMA = ripost.Schema.parse(
    """
    unit = "person"
    max_rows = 2
    [attributes.day]
    type = "date"
    min = 2024-01-01
    max = 2024-12-31
    [attributes.city]
    type = "category"
    values = ["Paris", "Lyon"]
    [attributes.age]
    type = "integer"
    min = 0
    max = 110
    outside = "drop"
    [attributes.price]
    type = "number"
    min = 0.0
    max = 10.0
    bins = 5
    """
)
ROWS = [
    ("a", "2024-02-01", "Paris", "30", "1.5"),
    ("a", "01/02/2024", "paris", "31", "1,5"),
    ("a", "2024-02-03", "Lyon", "200", ""),
    ("A", "", "Lyon", "", "11"),
    ("", "2023-01-01", "paris", "n/a", "2.5"),
]
NAMES = ("person", "day", "city", "age", "price")


def csv(folder: Path) -> str:
    path = folder / "rows.csv"
    path.write_text(
        "\n".join([",".join(NAMES), *(",".join(f'"{x}"' if x else "" for x in row) for row in ROWS)]), "utf-8"
    )
    return str(path)


def sqlite(folder: Path) -> str:
    with sqlite3.connect(folder / "rows.sqlite") as db:
        db.execute(f"create table t ({', '.join(f'{name} text' for name in NAMES)})")
        db.executemany("insert into t values (?, ?, ?, ?, ?)", [[x or None for x in row] for row in ROWS])
    return f"sqlite://{folder / 'rows.sqlite'}"


def test_every_misfit_is_counted_and_shown(tmp_path: Path) -> None:
    report = measure_fit(csv(tmp_path), SCHEMA)
    found = {fit.attribute: (fit.missing, fit.unparsed, fit.outside) for fit in report.columns}
    assert found == {"day": (1, 1, 1), "city": (0, 0, 2), "age": (1, 1, 1), "price": (1, 1, 1)}
    examples = {fit.attribute: fit.examples for fit in report.columns}
    assert examples["city"] == (("paris", 2),)
    assert set(examples["day"]) == {("01/02/2024", 1), ("2023-01-01", 1)}
    assert set(examples["price"]) == {("1,5", 1), ("11", 1)}
    assert report.rows == len(ROWS)


def test_rows_that_the_unit_drops_are_counted(tmp_path: Path) -> None:
    unit = measure_fit(csv(tmp_path), SCHEMA).unit
    assert unit is not None
    assert (unit.units, unit.without_id, unit.beyond_bound, unit.largest) == (2, 1, 1, 3), (
        "ids that differ in case differ"
    )


def test_rows_without_a_code_are_not_kept(tmp_path: Path) -> None:
    assert measure_fit(csv(tmp_path), SCHEMA).kept == 3, "200 is dropped, and so is the row without an id"


def test_the_report_is_the_same_from_a_database(tmp_path: Path) -> None:
    plain = ripost.Schema.parse('[attributes.city]\ntype = "category"\nvalues = ["Paris", "Lyon"]')
    assert measure_fit(sqlite(tmp_path), plain, table="t") == measure_fit(csv(tmp_path), plain)


def test_long_lists_of_values_are_looked_up() -> None:
    values = [f"v{number}" for number in range(40)]
    schema = ripost.Schema.from_dict({"attributes": {"x": {"type": "category", "values": values}}})
    table = pa.table({"x": [*values, "w", "w", None]})
    (fit,) = measure_fit(table, schema).columns
    assert (fit.missing, fit.unparsed, fit.outside, fit.examples) == (1, 0, 2, (("w", 2),))


def test_a_stream_is_refused() -> None:
    schema = ripost.Schema.parse('[attributes.x]\ntype = "integer"\nmin = 0\nmax = 3')
    table = pa.table({"x": [1, 2]})
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    with pytest.raises(InputError, match="several times"):
        measure_fit(reader, schema)


def test_functions_of_other_attributes_are_found() -> None:
    codes = [[zip_code, zip_code // 10, zip_code % 3] for zip_code in range(40)]
    tensor = ripost.Tensor.from_arrays({"zip": 40, "state": 4, "other": 3}, codes, [5] * 40)
    found = find_dependences(tensor)
    assert FunctionalDependence("zip", "state", 1.0) in found and FunctionalDependence("zip", "other", 1.0) in found
    assert not [one for one in found if one.determinant != "zip"]


def test_independent_attributes_are_no_functions() -> None:
    codes = [[a, b] for a in range(6) for b in range(6)]
    assert find_dependences(ripost.Tensor.from_arrays((6, 6), codes, [3] * 36)) == ()
    assert find_dependences(ripost.Tensor.from_arrays((6, 6), [], [])) == ()


def test_a_computed_value_is_missing_where_a_column_is_blank_and_else_cannot_be_computed() -> None:
    source = pa.table({"pay": ["10", "5", "", "x", "900"], "hours": ["2", "0", "1", "2", "3"]})
    keys = {"type": "number", "min": 0, "max": 100, "bins": 10, "outside": "other", "expression": "pay / hours"}
    (fit,) = measure_fit(source, ripost.Schema.from_dict({"attributes": {"wage": keys}})).columns
    assert (fit.missing, fit.unparsed, fit.outside, fit.rows) == (1, 2, 1, 5)
    assert fit.examples == (("300", 1), ("5", 1), ("x", 1))
    assert (
        describe_column(fit) == "wage (computed: pay / hours): 20 % (1) missing; "
        "40 % (2) cannot be computed and count as missing; 20 % (1) outside the schema, counted as (other)"
    )


def test_text_among_the_numbers_of_sqlite_is_missing_and_shown(tmp_path: Path) -> None:
    """SQLite keeps NA in a column of integers, and would take it for 0, or for more than any number."""
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("create table t (age integer, pay real)")
        db.executemany("insert into t values (?, ?)", [(1, 2.5), ("NA", "NA"), ("7", "8.5"), (None, None)])
    db.close()
    kinds = {"age": {"type": "integer", "min": 0, "max": 9}, "pay": {"type": "number", "min": 0, "max": 9, "bins": 9}}
    kinds["sum"] = {**kinds["pay"], "expression": "age + pay"}
    for name, keys in kinds.items():
        schema = ripost.Schema.from_dict({"attributes": {name: keys}})
        (fit,) = measure_fit(f"sqlite://{tmp_path / 't.sqlite'}", schema, table="t").columns
        assert (fit.missing, fit.unparsed, fit.examples[0]) == (1, 1, ("NA", 1)) or name == "sum", fit
        tensor = ripost.Tensor.from_table(f"sqlite://{tmp_path / 't.sqlite'}", schema, table="t")
        missing = schema.attributes[name].missing_code
        assert dict(zip(tensor.coords[:, 0].tolist(), tensor.counts.tolist(), strict=True))[missing] == 2
