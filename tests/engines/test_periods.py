"""One exam for all engines: a row is in one period of a rule, by its own moment, or in none."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from tests.engines.stores import STORES, Store
from tests.schema.labels import label_of
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]
MOMENTS = [
    *(dt.datetime(2026, 10, 1), dt.datetime(2026, 10, 31, 23, 59, 59), dt.datetime(2026, 11, 1)),
    *(dt.datetime(2026, 12, 31, 23, 59, 59), dt.datetime(2027, 1, 1), dt.datetime(2027, 1, 3, 12)),
    *(dt.datetime(1969, 12, 31, 23, 59, 59), dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 1), None),
]
TEXTS = [f"{at:%d/%m/%Y %H:%M}" for at in MOMENTS if at] + ["29/02/2023 10:00", "soon", "", None]
ROWS = 30
NAMES = [f"name {number}" for number in range(13)]  # more than are compared one by one
TABLE = pa.table(
    {
        "at": pa.array((MOMENTS * 3)[:ROWS], pa.timestamp("us")),
        "text": pa.array((TEXTS * 3)[:ROWS], pa.string()),
        "x": pa.array([number % 13 for number in range(ROWS)], pa.int64()),
        "name": pa.array([NAMES[number % 13] for number in range(ROWS)], pa.string()),
    }
)
RULES = {
    f"{span}({moment})": (span, column)
    for moment, column in (("at", "at"), ("strptime(text, '%d/%m/%Y %H:%M')", "text"))
    for span in ("year", "quarter", "month", "week", "day")
}
ATTRIBUTES = {
    "name": {"type": "category", "values": NAMES, "missing": "bin"},
    "x": {"type": "integer", "min": 0, "max": 12, "missing": "bin"},
}


def moment_of(row: dict[str, object], column: str) -> dt.datetime | None:
    value = row[column]
    if isinstance(value, str):
        try:
            return dt.datetime.strptime(value, "%d/%m/%Y %H:%M")
        except ValueError:
            return None
    return value if isinstance(value, dt.datetime) else None


@pytest.mark.parametrize("store", ENGINES, ids=str)
def test_every_engine_puts_each_row_into_its_period(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with store.holds(TABLE, tmp_path, request.getfixturevalue) as (source, table):
        for rule, (span, column) in RULES.items():
            expected: dict[str, Counter[tuple[int, ...]]] = {}
            for row in TABLE.to_pylist():
                if (at := moment_of(row, column)) is not None:
                    expected.setdefault(label_of(span, at), Counter())[(NAMES.index(row["name"]), row["x"])] += 1
            assert len(expected) > 3
            schema = Schema.from_dict({"period": rule, "attributes": ATTRIBUTES})
            step = {"memory": 1, "spark": 9}.get(store.engine, 3)  # a query of Spark takes a second
            for label in sorted(expected)[::step]:
                found = read_tensor(source, schema, table=table, period=ReleasePeriod(rule, label))
                assert cells_of(found) == dict(expected[label]), (rule, label)
        empty = read_tensor(source, schema, table=table, period=ReleasePeriod(rule, "1990-01-01"))
        assert cells_of(empty) == {}


def test_rows_of_other_periods_do_not_use_up_the_bound_on_contributions() -> None:
    many, one = 50, dt.datetime(2026, 11, 1)
    table = pa.table(
        {"who": ["a"] * (many + 1), "at": [dt.datetime(2026, 10, 1)] * many + [one], "x": [0] * many + [1]}
    )
    schema = Schema.from_dict(
        {"period": "month(at)", "unit": "who", "max_rows": 1, "attributes": {"x": ATTRIBUTES["x"]}}
    )
    november, october = (read_tensor(table, schema, period=ReleasePeriod("month(at)", f"2026-{n}")) for n in (11, 10))
    assert (cells_of(november), cells_of(october)) == ({(1,): 1}, {(0,): 1})


def test_a_column_that_is_no_date_is_refused_before_any_row_is_read() -> None:
    schema = Schema.from_dict({"period": "month(x)", "attributes": ATTRIBUTES})
    with pytest.raises(SourceError, match="x holds integers but the expression of the period reads it as a date"):
        read_tensor(TABLE, schema, period=ReleasePeriod("month(x)", "2026-10"))
