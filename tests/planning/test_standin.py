"""Stand-in tables: of the promised size, in the domain, and made from the public facts alone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.errors import InputError
from ripost.planning.public_facts import PublicFacts
from ripost.planning.row_distributions import FINEST, SHAPES, even_intervals
from ripost.planning.stand_in import MOST_DRAWS, draw_stand_in, is_thinned
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure, Unit
from ripost.schema.schema import Schema
from ripost.space.public_randomness import public_generator

SCHEMA = Schema.parse(
    """
unit = "patient"
max_rows = 4
[attributes.age]
type = "integer"
min = 0
max = 99
[attributes.ward]
type = "category"
values = ["surgery", "cardiology", "emergency"]
"""
)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=5).map(tuple), st.sampled_from([*SHAPES]), st.integers(1, 3000)
)
def test_a_stand_in_has_the_rows_that_are_expected(shape: tuple[int, ...], name: str, rows: int) -> None:
    facts = PublicFacts(Domain.of(shape), rows)
    mixture = SHAPES[name](facts.domain, public_generator(1))
    assert np.isclose(mixture.weights.sum(), 1) and (mixture.weights >= 0).all()
    for table, size in zip(mixture.tables, shape, strict=True):
        assert table.shape == (len(mixture.weights), min(size, FINEST))
        assert np.allclose(table.sum(axis=1), 1) and (table >= 0).all()
    tensor = draw_stand_in(mixture, facts, public_generator(2))
    assert tensor.counts.sum() == rows and tensor.domain.shape == shape
    again = draw_stand_in(mixture, facts, public_generator(2))
    assert (again.coords == tensor.coords).all() and (again.counts == tensor.counts).all()


@given(st.integers(1, 2**31 - 3))
def test_bins_cover_an_axis(size: int) -> None:
    edges = even_intervals(size)
    assert edges[0] == 0 and edges[-1] == size and (np.diff(edges) > 0).all()


def test_shapes_differ_in_how_rows_crowd() -> None:
    facts = PublicFacts(Domain.of((100, 100)), 20_000)
    cells = {
        name: len(draw_stand_in(shape(facts.domain, public_generator(3)), facts, public_generator(4)).counts)
        for name, shape in SHAPES.items()
    }
    assert cells["even"] > 1.5 * cells["skewed"] > 1.5 * cells["repeated"]


def test_codes_for_missing_and_other_values_get_a_little() -> None:
    facts = PublicFacts.of(SCHEMA, rows=50_000)
    tensor = draw_stand_in(SHAPES["skewed"](facts.domain, public_generator(0)), facts, public_generator(1))
    for axis, (_, attribute) in enumerate(facts.domain):
        share = tensor.counts[tensor.coords[:, axis] >= attribute.count].sum() / facts.rows
        assert 0.01 < share < 0.06
    assert tensor.unit == Unit("patient", 4)


@pytest.mark.parametrize("rows", [10**6, 10**9])
def test_many_rows_in_a_vast_domain_stay_bounded(rows: int) -> None:
    facts = PublicFacts(Domain.of((10**9,) * 6), rows)
    tensor = draw_stand_in(SHAPES["correlated"](facts.domain, public_generator(0)), facts, public_generator(1))
    assert is_thinned(facts) and len(tensor.counts) <= MOST_DRAWS and tensor.counts.sum() == rows


def test_few_cells_are_counted_whatever_the_rows() -> None:
    facts = PublicFacts(Domain.of((10, 10)), 10**11)
    tensor = draw_stand_in(SHAPES["even"](facts.domain, public_generator(0)), facts, public_generator(1))
    assert not is_thinned(facts) and len(tensor.counts) == 100 and tensor.counts.sum() == 10**11
    assert np.allclose(tensor.counts, 10**9, rtol=1e-3)


def test_sums_stay_within_what_rows_may_add() -> None:
    facts = PublicFacts(Domain.of((10, 10)), 5000, Measure("cost", 0.5, 200))
    tensor = draw_stand_in(SHAPES["even"](facts.domain, public_generator(0)), facts, public_generator(1))
    assert 0.2 < tensor.counts.sum() / (5000 * 200) < 0.3 and tensor.measure == facts.measure


@pytest.mark.parametrize("rows", [0, -1, 10**13])
def test_numbers_of_rows_are_checked(rows: int) -> None:
    with pytest.raises(InputError, match="expected number of rows"):
        PublicFacts(Domain.of((3,)), rows)
    with pytest.raises(InputError, match="larger step"):
        PublicFacts(Domain.of((3,)), 10**12, Measure("cost", 1.0, 10**9))


def test_planning_loads_nothing_that_reads_tables() -> None:
    """The architecture forbids imports of it; this holds what really happens."""
    code = """
import sys
from fractions import Fraction
from ripost.planning.public_facts import PublicFacts
from ripost.planning.forecast import forecast
from ripost.planning.simulation import Simulation
from ripost.schema.domain import Domain
forecast(Simulation(PublicFacts(Domain.of((4, 4)), 100), (1.0, 0.5)), Fraction(1))
print(*sorted({"ripost.data.read", "ripost.sources.open_source", "ibis", "duckdb"} & set(sys.modules)))
"""
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
