"""One exam for all engines: of each unit, rows are kept in its first periods alone, as a slow twin finds them."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.read import Reader, read_tensor
from ripost.data.votes import read_votes
from ripost.schema.period import ReleasePeriod, label_number
from ripost.schema.schema import Schema
from tests.engines.stores import STORES, Store
from tests.schema.labels import label_of
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
SPANS = ("year", "quarter", "month", "week", "day")
CODES = 12
IDS = ["a", "A", "á", "a ", "b", "ß", "ss", "10", "1e1", None]  # alike for one collation or another
EDGES = [
    *(dt.datetime(2026, 9, 30, 23, 59, 59), dt.datetime(2026, 10, 1), dt.datetime(2026, 10, 31, 23, 59, 59)),
    *(dt.datetime(2026, 11, 1), dt.datetime(2026, 12, 27, 23, 59, 59), dt.datetime(2026, 12, 28)),
    *(dt.datetime(2026, 12, 31, 23, 59, 59), dt.datetime(2027, 1, 1), dt.datetime(2027, 1, 3, 23, 59, 59)),
    *(dt.datetime(2027, 1, 4), dt.datetime(1969, 12, 31, 12), dt.datetime(1970, 1, 1), dt.datetime(1000, 1, 1), None),
]
Row = tuple[str | None, dt.datetime | None, int | None]  # id, moment, code; a row without a code is dropped


def draw_rows(seed: int, size: int) -> list[Row]:
    draw = random.Random(seed)
    return [(draw.choice(IDS), draw.choice(EDGES), draw.choice([None, *range(CODES)])) for _ in range(size)]


def table_of(rows: Iterable[Row]) -> pa.Table:
    who, at, x = zip(*rows, strict=True)
    columns = {"who": pa.array(who, pa.string()), "at": pa.array(at, pa.timestamp("us")), "x": pa.array(x, pa.int64())}
    return pa.table(columns)


def schema_of(span: str, max_periods: int | None, **more: Any) -> Schema:
    bound = {} if max_periods is None else {"max_periods": max_periods}
    cells = {"x": {"type": "integer", "min": 0, "max": CODES - 1, "missing": "drop"}}
    facts = {"unit": "who", "max_rows": 1000, "period": f"{span}(at)", "attributes": cells}
    return Schema.from_dict({**facts, **bound, **more})


def keep_first(rows: Sequence[Row], span: str, max_periods: int) -> dict[str, Counter[tuple[int, ...]]]:
    """The cells of each period, by looking at the rows of one unit after the other."""
    found: dict[str, Counter[tuple[int, ...]]] = {}
    for unit in {who for who, _, _ in rows if who is not None}:
        mine = sorted(
            (at, x) for who, at, x in ((w, a, -1 if x is None else x) for w, a, x in rows) if who == unit and at
        )
        for label in list(dict.fromkeys(label_of(span, at) for at, _ in mine))[:max_periods]:
            here = [x for at, x in mine if label_of(span, at) == label and x >= 0]
            found.setdefault(label, Counter()).update((x,) for x in here)
    return found


@pytest.mark.parametrize("store", STORES, ids=str)
def test_every_engine_keeps_the_first_periods(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    rows = [row for row in draw_rows(1, 120) if not (store.pads and row[0] == "a ")]
    many = {"memory": 1, "spark": 40}.get(store.engine, 6)  # a query of Spark takes a second
    with store.holds(table_of(rows), tmp_path, request.getfixturevalue) as (source, table):
        asked = [(span, k, label) for span in SPANS for k in (1, 2, 4) for label in sorted(keep_first(rows, span, 99))]
        for span, k, label in asked[::many]:
            found = read_tensor(source, schema_of(span, k), table=table, period=ReleasePeriod(f"{span}(at)", label))
            expected = keep_first(rows, span, k).get(label, Counter())
            assert cells_of(found) == dict(expected), (span, k, label)


rows_of_few = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]),
        st.none()
        | st.datetimes(dt.datetime(2024, 12, 20), dt.datetime(2027, 1, 10)).map(lambda at: at.replace(microsecond=0)),
        st.sampled_from([None, 0, 1]),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(rows_of_few, st.sampled_from(SPANS), st.integers(1, 3))
def test_nobody_counts_in_more_periods_and_later_rows_do_not_matter(rows: list[Row], span: str, k: int) -> None:
    labels = sorted({label_of(span, at) for _, at, _ in rows if at})
    expected, schema = keep_first(rows, span, k), schema_of(span, k)
    for label in labels:
        period = ReleasePeriod(f"{span}(at)", label)
        found = cells_of(read_tensor(table_of(rows), schema, period=period))
        assert found == dict(expected.get(label, Counter()))
        stop = period.bounds[1]
        before = [row for row in rows if row[1] is None or row[1] < stop]
        assert cells_of(read_tensor(table_of(before), schema, period=period)) == found


def test_what_an_attribute_drops_still_uses_up_a_period() -> None:
    """So that a later change of the attributes does not move a person to another period."""
    rows: list[Row] = [("a", dt.datetime(2026, 10, 1), None), ("a", dt.datetime(2026, 11, 1), 1)]
    november = ReleasePeriod("month(at)", "2026-11")
    assert cells_of(read_tensor(table_of(rows), schema_of("month", 1), period=november)) == {}
    assert cells_of(read_tensor(table_of(rows), schema_of("month", 2), period=november)) == {(1,): 1}


def test_max_rows_applies_to_the_rows_that_are_kept() -> None:
    rows: list[Row] = [("a", dt.datetime(2026, 10, 1), 1)] * 5 + [("a", dt.datetime(2026, 11, 1), 2)] * 5
    schema = schema_of("month", 2, max_rows=3)
    for month, code in (("2026-10", 1), ("2026-11", 2)):
        assert cells_of(read_tensor(table_of(rows), schema, period=ReleasePeriod("month(at)", month))) == {(code,): 3}


def test_a_release_of_all_rows_keeps_all_periods() -> None:
    rows: list[Row] = [("a", dt.datetime(2026, month, 1), 1) for month in (1, 2, 3)]
    tensor = read_tensor(table_of(rows), schema_of("month", 1))
    assert cells_of(tensor) == {(1,): 3} and tensor.unit.max_periods is None


@pytest.mark.parametrize("store", [store for store in STORES if store.collation in (None, "text")], ids=str)
def test_only_kept_rows_vote(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Of values, of bounds and of max_rows: a unit that does not count in a period has no vote there."""
    if store.engine == "spark":
        pytest.skip("the votes are one expression, which another test runs on Spark")
    october, november = dt.datetime(2026, 10, 5), dt.datetime(2026, 11, 5)
    rows = [("a", october, 1, "x"), ("a", november, 2, "y"), ("a", november, 2, "y"), ("b", november, 3, "z")]
    who, at, x, name = zip(*rows, strict=True)
    table = table_of(zip(who, at, x, strict=True)).append_column("name", pa.array(name, pa.string()))
    open_parts = {
        "max_rows": "discover",
        "attributes": {
            "name": {"type": "category", "values": "discover", "missing": "drop", "outside": "drop"},
            "x": {"type": "number", "min": "discover", "max": "discover", "bins": 4, "missing": "drop"},
        },
    }
    listed_too = store.engine != "sqlite"  # whose parser refuses both, with and without max_periods
    if not listed_too:
        del open_parts["attributes"]["name"]  # type: ignore[attr-defined]
    with store.holds(table, tmp_path, request.getfixturevalue) as (source, named):
        for k, voters in ((1, {"z"}), (2, {"y", "z"})):
            schema = schema_of("month", k, **open_parts)
            reader = Reader.of(source, schema, table=named, period=ReleasePeriod("month(at)", "2026-11"))
            try:
                values, grids = read_votes(replace(reader, opened=reader.opened.load_rows()), secret="s")
            finally:
                reader.close()
            assert [int(grid.sum()) for grid in grids.values()] == [k, k]
            if listed_too:
                listed, votes = values["name"]
                assert {value for value, number in zip(listed, votes, strict=True) if number} == voters
                assert int(votes.sum()) == k


@pytest.mark.parametrize("span", SPANS)
def test_numbers_follow_time_and_name_their_periods(span: str) -> None:
    last = 0
    for day in range(0, 40_000, 3):
        at = dt.datetime(1950, 1, 1) + dt.timedelta(days=day)
        period = ReleasePeriod(f"{span}(at)", label_of(span, at))
        assert label_number(span, period.number) == period.label
        assert day == 0 or period.number >= last
        last = period.number
