"""The Ibis expression equals the plain loop, and agrees with what a query on the same attribute selects."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ripost.data.read import read_tensor
from ripost.data.tensor import Tensor
from ripost.schema.attribute import AttributeBase, Boolean, Category, Integer, Number
from ripost.schema.schema import Schema
from ripost.sources.dialect import Dialect
from ripost.sources.encoding.attribute_codes import encode_attribute, encode_joined_category
from ripost.sources.encoding.cell_keys import group_axes
from ripost.sources.encoding.encode import join_categories, write_names
from tests.sources.strategies import attributes, values
from tests.sources.twin import Row, cells_of, slow_cells, slow_code

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
TYPES = {"Integer": pa.int64(), "Number": pa.float64(), "Date": pa.date32(), "Timestamp": pa.timestamp("us")}


@pytest.fixture(scope="module")
def engine() -> Any:
    return ibis.duckdb.connect()


def column_of(attribute: AttributeBase, data: list[Any]) -> pa.Array:
    return pa.array(data, TYPES.get(type(attribute).__name__, pa.string()))


def codes_of(attribute: AttributeBase, column: pa.Array, engine: Any) -> list[int | None]:
    table = ibis.memtable(pa.table({"x": column}))
    encoded: list[int | None] = engine.to_pyarrow(encode_attribute(table.x, attribute, Dialect.of(engine))).to_pylist()
    return encoded


@QUICK
@given(data=st.data())
def test_codes_equal_those_of_the_loop(data: st.DataObject, engine: Any) -> None:
    attribute = data.draw(attributes)
    column = data.draw(st.lists(values(attribute), min_size=1, max_size=60))
    assert codes_of(attribute, column_of(attribute, column), engine) == [slow_code(x, attribute) for x in column]


@QUICK
@given(data=st.data())
def test_a_value_is_encoded_where_a_query_looks_for_it(data: st.DataObject, engine: Any) -> None:
    attribute = data.draw(attributes)
    column = data.draw(st.lists(values(attribute, odd=False), min_size=1, max_size=60))
    for value, number in zip(column, codes_of(attribute, column_of(attribute, column), engine), strict=True):
        [(low, high)] = attribute.select(value)
        assert number is not None and number <= low < high <= number + 1


@QUICK
@given(data=st.data())
def test_text_is_encoded_as_its_value_is(data: st.DataObject, engine: Any) -> None:
    attribute = data.draw(attributes)
    column = data.draw(st.lists(values(attribute), min_size=1, max_size=40))
    texts = pa.array([None if x is None else repr(x) if isinstance(x, float) else str(x) for x in column], pa.string())
    assert codes_of(attribute, texts, engine) == [slow_code(x, attribute) for x in column]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_table_gives_the_cells_of_the_loop(data: st.DataObject) -> None:
    drawn = data.draw(st.lists(attributes, min_size=1, max_size=4))
    several = {f"a{i}": attribute for i, attribute in enumerate(drawn)}
    measure = data.draw(st.sampled_from([None, {"sum": "m", "max": 7.5, "step": 0.5}, {"sum": "m", "max": 10}]))
    shape = {name: attribute.model_dump(by_alias=True, exclude_none=True) for name, attribute in several.items()}
    schema = Schema.from_dict({"attributes": shape, **({"measure": measure} if measure else {})})
    amounts = st.sampled_from([None, math.nan, math.inf, -math.inf, -3.0, 0.0, 0.24, 0.25, 0.5, 3.0, 7.5, 9.9, 1e300])
    row = st.fixed_dictionaries({name: values(attribute) for name, attribute in several.items()} | {"m": amounts})
    rows = data.draw(st.lists(row, max_size=80))
    arrays = {name: column_of(attribute, [row[name] for row in rows]) for name, attribute in several.items()}
    tensor = read_tensor(pa.table({**arrays, "m": pa.array([row["m"] for row in rows], pa.float64())}), schema)
    assert cells_of(tensor) == slow_cells(rows, schema)
    again = Tensor.from_arrays(schema.domain, tensor.coords, tensor.counts)
    assert (again.coords == tensor.coords).all() and (again.counts == tensor.counts).all()


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int32(), pa.uint64(), pa.float32(), pa.decimal128(20, 2)])
@pytest.mark.parametrize("width", [1, 3])
def test_integers_of_any_width_are_encoded(kind: pa.DataType, width: int, engine: Any) -> None:
    attribute = Integer(type="integer", min=2, max=9, width=width, outside="other")
    column = pa.array([None, 0, 1, 2, 4, 5, 9, 10, 100]).cast(pa.int8()).cast(kind)
    assert codes_of(attribute, column, engine) == [slow_code(x, attribute) for x in [None, 0, 1, 2, 4, 5, 9, 10, 100]]


def test_the_largest_of_64_bits_are_outside(engine: Any) -> None:
    attribute = Integer(type="integer", min=-(2**52), max=-(2**52) + 9, outside="other")
    assert codes_of(attribute, pa.array([2**64 - 1, 0], pa.uint64()), engine) == [10, 10]
    assert codes_of(attribute, pa.array([2**63 - 1, -(2**63), -(2**52)]), engine) == [10, 10, 0]


def test_a_fraction_falls_in_the_bin_that_holds_it(engine: Any) -> None:
    attribute = Integer(type="integer", min=0, max=9, width=5, outside="drop")
    assert codes_of(attribute, pa.array([4.999, 5.0, 9.5, 10.0, -0.5]), engine) == [0, 1, 1, None, None]
    assert attribute.select(4.999) == [(0.8, 1.0)]


@QUICK
@given(data=st.data())
def test_no_rounding_moves_a_value_past_an_edge(data: st.DataObject, engine: Any) -> None:
    """0.9999999999999999 is below 1 also where the range begins at -10, and 0.9999999999999999 + 10 is 11."""
    low = data.draw(st.integers(-(2**52), 2**52 - 100) | st.integers(-40, 40))
    width = data.draw(st.integers(1, 9))
    whole = Integer(type="integer", min=low, max=low + data.draw(st.integers(0, 99)), width=width, outside="other")
    first = low % 4096 / 8 - 256
    real = Number(type="number", min=first, max=first + data.draw(st.integers(1, 60)), bin_count=width * 7)
    for attribute in (whole, real):
        edges = [float(attribute.bins.edge(place)) for place in range(attribute.count + 1)]
        column = [x for edge in edges for x in (math.nextafter(edge, -math.inf), edge, math.nextafter(edge, math.inf))]
        assert codes_of(attribute, pa.array(column), engine) == [slow_code(x, attribute) for x in column]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([True, False, None]), [1, 0, 2]),
        (pa.array([1, 0, 2, None]), [1, 0, 2, 2]),
        (pa.array([1.0, 0.0, math.nan]), [1, 0, 2]),
        (pa.array(["true", "F", " yes ", "no", "1", "0", "maybe", "", None]), [1, 0, 1, 0, 1, 0, 2, 2, 2]),
    ],
)
def test_booleans_have_many_spellings(column: pa.Array, expected: list[int], engine: Any) -> None:
    assert codes_of(Boolean(type="boolean"), column, engine) == expected
    dropping = Boolean(type="boolean", missing="drop")
    assert codes_of(dropping, column, engine) == [None if number == 2 else number for number in expected]


@pytest.mark.parametrize(
    ("column", "listed", "expected"),
    [
        (pa.array([1, 2, 3, None]), ["1", "2"], [0, 1, 2, 3]),
        (pa.array([1.0, 2.5, math.nan, math.inf, 1e300]), ["1", "2.5"], [0, 1, 3, 2, 2]),
        (pa.array([True, False, None]), ["true", "false"], [0, 1, 3]),
        (pa.array([dt.date(2013, 1, 31)]), ["2013-01-31"], [0]),
        (pa.array(["x", "y", None]).dictionary_encode(), ["x", "y"], [0, 1, 3]),
        (pa.array(["", " x", "X", "x"]), ["x", ""], [1, 2, 2, 0]),
        (pa.nulls(2), ["x"], [2, 2]),
    ],
)
def test_categories_compare_as_text(column: pa.Array, listed: list[str], expected: list[int], engine: Any) -> None:
    attribute = Category(type="category", values=tuple(listed))
    assert codes_of(attribute, column, engine) == expected
    table = ibis.memtable(pa.table({"x": column})).mutate(place=ibis.row_number())
    dialect = Dialect.of(engine)
    rows = table.mutate(**write_names("x", table.x, attribute, dialect))
    looked_up = join_categories(rows, {"x": attribute}, dialect).order_by("place")
    assert engine.to_pyarrow(looked_up)["x"].to_pylist() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2013-01-01", 0),
        (" 2013-01-01T00:59:59.999 ", 0),
        ("2013-01-01 01:00", 1),
        ("2013-01-01T01:00:00Z", 1),
        ("2013-01-01T03:00:00+02:00", 1),
        ("2012-12-31T23:30:00-01:00", 0),
        ("2013-01-02", 24),
        ("infinity", 24),
        ("01/02/2013", 25),
        ("2013-02-30", 25),
        ("soon", 25),
        ("", 25),
    ],
)
def test_moments_are_read_from_iso_text_and_moved_to_utc(text: str, expected: int) -> None:
    hours = {"type": "timestamp", "min": "2013-01-01", "max": "2013-01-02", "width": "1 hour", "outside": "other"}
    tensor = read_tensor(pa.table({"t": [text]}), Schema.from_dict({"attributes": {"t": hours}}))
    assert cells_of(tensor) == {(expected,): 1}


@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_moments_of_any_precision_are_read(unit: str, zone: str | None, tmp_path: Path) -> None:
    table = pa.table({"t": pa.array([dt.datetime(2013, 1, 2, 5), None], pa.timestamp(unit, zone))})
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    hours = {"type": "timestamp", "min": "2013-01-01", "max": "2013-01-03", "width": "1 hour"}
    days = {"type": "date", "min": "2013-01-01", "max": "2013-01-03", "column": "t"}
    schema = Schema.from_dict({"attributes": {"t": hours, "d": days}})
    for source in (table, tmp_path / "t.parquet"):
        assert cells_of(read_tensor(source, schema)) == {(29, 1): 1, (48, 3): 1}


def test_zones_are_moved_to_utc() -> None:
    clock = pa.array([dt.datetime(2013, 1, 1, 23, 30)]).cast(pa.timestamp("us", "America/New_York"))
    instant = pa.compute.assume_timezone(pa.array([dt.datetime(2013, 1, 1, 20)]), "America/New_York")
    days = {"type": "date", "min": "2013-01-01", "max": "2013-01-03"}
    schema = Schema.from_dict({"attributes": {"t": days}})
    assert cells_of(read_tensor(pa.table({"t": clock}), schema)) == {(0,): 1}
    assert cells_of(read_tensor(pa.table({"t": instant}), schema)) == {(1,): 1}


def test_a_hundred_thousand_categories_are_looked_up() -> None:
    names = [f"k{n}" for n in range(100_000)]
    schema = Schema.from_dict({"attributes": {"c": {"type": "category", "values": names}}})
    tensor = read_tensor(pa.table({"c": ["k99999", "k0", "nobody", None, "k0"]}), schema)
    assert cells_of(tensor) == {(0,): 2, (99_999,): 1, (100_000,): 1, (100_001,): 1}


def test_hundreds_of_edges_are_searched(engine: Any) -> None:
    attribute = Number(type="number", edges=tuple(float(n * n) for n in range(301)))
    column = [float(n) for n in range(0, 90_400, 7)] + [math.nextafter(n * n, -1.0) for n in range(301)]
    assert codes_of(attribute, pa.array(column), engine) == [slow_code(x, attribute) for x in column]


def test_a_domain_beyond_64_bits_is_grouped_by_several_keys() -> None:
    wide = {"type": "integer", "min": 0, "max": 2_000_000_000}
    schema = Schema.from_dict({"attributes": {f"a{i}": wide for i in range(6)}})
    assert schema.domain.size > 10**55
    rows: list[Row] = [{f"a{i}": (7 * n * (i + 1)) % 2_000_000_001 for i in range(6)} for n in (0, 1, 1, 2**40, 2**40)]
    rows.append({f"a{i}": None for i in range(6)})
    assert cells_of(read_tensor(pa.Table.from_pylist(rows), schema)) == slow_cells(rows, schema)


def test_keys_take_as_many_axes_as_fit() -> None:
    assert group_axes([2**31] * 5) == [range(2), range(2, 4), range(4, 5)]
    assert group_axes([7]) == [range(1)]
    assert group_axes([2**20, 2**21, 2**21, 2]) == [range(3), range(3, 4)]


def test_a_hundred_attributes_are_read() -> None:
    flag = {"type": "boolean", "missing": "drop"}
    schema = Schema.from_dict({"attributes": {f"a{i}": flag for i in range(100)}})
    tensor = read_tensor(pa.table({f"a{i}": [i % 3 == 0] for i in range(100)}), schema)
    assert tensor.coords.tolist() == [[int(i % 3 == 0) for i in range(100)]]


def test_a_looked_up_category_can_be_missing_dropped_or_other(engine: Any) -> None:
    attribute = Category(type="category", values=("x",), outside="drop", missing="drop")
    table = ibis.memtable(pa.table({"x": ["x", "q", None], "code": pa.array([0, None, None], pa.int64())}))
    assert engine.to_pyarrow(encode_joined_category(table.x, table.code, attribute)).to_pylist() == [0, None, None]
