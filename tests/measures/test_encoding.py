"""What a row adds to a measure: a loop over rows agrees, and a row changes one cell by its bound at most."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.read import read_tensor
from ripost.data.tensor import Tensor
from ripost.space.query_parameters import Slabs
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART
from tests.measures.rows import MEASURES, dense, half_steps, schema_of, table_of

VALUES = st.one_of(
    st.none(),
    st.sampled_from([math.nan, math.inf, -math.inf, -3.0, 0.0, -0.0, 0.625, 1e300, -1e300, 5e-324]),
    st.floats(-20, 20, allow_nan=False),
)
ROW = st.tuples(st.integers(0, 2), VALUES, VALUES)


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(ROW, max_size=8))
def test_sums_are_those_of_a_loop_over_rows(rows: list[tuple[int, float | None, float | None]]) -> None:
    schema = schema_of([*MEASURES])
    expected = np.zeros((5, 3), np.int64)
    for x, v, w in rows:
        added = [half_steps(one, w if one.column == "w" else v) for one in schema.measures.values()]
        if None not in added:
            expected[:, x] += np.array([1, *added])
    assert dense(read_tensor(table_of(rows), schema)).tolist() == expected.tolist()


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(ROW, max_size=6), row=ROW)
def test_a_row_changes_one_cell_by_its_bound_at_most(rows: list[Any], row: Any) -> None:
    schema = schema_of([*MEASURES])
    one, other = (read_tensor(table_of(some), schema) for some in (rows, [*rows, row]))
    change = np.abs(dense(one) - dense(other))
    assert np.count_nonzero(change.any(axis=0)) <= 1
    bounds = np.array([1, *(measured.bound for measured in schema.measures.values())])
    assert (change.sum(axis=1) <= bounds).all()
    for number, bound in enumerate(bounds[1:]):
        blocks = [MemoryBlockData.of_measures(tensor)[number] for tensor in (one, other)]
        halves = [data.split(np.array([0]), np.array([1])) for data in blocks]
        totals = [data.compute(TOTAL, 0, 2) for data in halves]
        parts = [data.compute(TOTAL_OF_PART, 0, 1, Slabs(0, np.array([0, 1, 3]))) for data in blocks]
        for found in (totals, parts):
            assert np.abs(found[0] - found[1]).sum() <= bound


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("end", ["min", "max"])
def test_the_bound_is_reached(name: str, end: str) -> None:
    measured = schema_of([name]).measures[name]
    value = getattr(measured, end)
    tensor = read_tensor(table_of([(1, value, value)]), schema_of([name]))
    assert tensor.sums is not None
    if (measured.max - measured.min) / measured.step == measured.bound or end == "min":
        assert np.abs(tensor.sums).tolist() == [[measured.bound]]
    assert np.abs(tensor.sums).max() <= measured.bound


def test_large_signed_sums_are_exact() -> None:
    """Sums of both signs whose total is small do not pass for small numbers."""
    coords = np.array([[0], [1], [2]], np.int32)
    sums = np.array([[2**59 + 1, -(2**59), 1]], np.int64)
    tensor = Tensor.from_arrays((3,), coords, np.ones(3, int))
    tensor = Tensor(tensor.domain, tensor.coords, tensor.counts, sums=sums)
    [data] = MemoryBlockData.of_measures(tensor)
    assert data.compute(TOTAL, 0, 1).tolist() == [2]
    assert data.compute(TOTAL_OF_PART, 0, 1, Slabs(0, np.array([0, 1, 3]))).tolist() == [2**59 + 1, 1 - 2**59]


def test_rows_of_a_unit_are_bounded_with_all_that_they_add() -> None:
    rows = [(x, float(v), -2.0) for x in (0, 1) for v in range(5)]
    table = table_of(rows, who=pa.array(["a"] * 10))
    tensor = read_tensor(table, schema_of(["signed"], unit="who", max_rows=3))
    assert tensor.counts.sum() == 3
    assert tensor.sums is not None and np.abs(tensor.sums).sum() <= 3 * 20
    dropped = read_tensor(
        table_of([(0, 1.0, None), (0, 1.0, -2.0)], who=pa.array(["a", "a"])),
        schema_of(["dropped"], unit="who", max_rows=1),
    )
    assert dropped.counts.tolist() == [1]  # the row that is dropped takes no place
