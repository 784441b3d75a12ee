"""Domain, Measure and Unit: what is public about a tensor."""

from __future__ import annotations

import pytest

from ripost.errors import InputError, QueryError
from ripost.schema.attribute import Boolean, Category, Integer
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, OCCUPIED, ROW, Measure, Unit

DOMAIN = Domain(
    {
        "hour": Integer(type="integer", min=0, max=23, missing="drop"),
        "origin": Category(type="category", values=("JFK", "LGA")),
    }
)


def test_a_domain_knows_its_cells() -> None:
    assert (DOMAIN.names, DOMAIN.shape, DOMAIN.size, len(DOMAIN)) == (("hour", "origin"), (24, 4), 96, 2)
    assert [name for name, _ in DOMAIN] == ["hour", "origin"]


def test_a_size_is_exact_however_large() -> None:
    assert Domain.of([2**31 - 3] * 6).size == (2**31 - 3) ** 6 > 10**55


def test_a_domain_is_made_from_a_shape() -> None:
    assert Domain.of([3, 4]).names == ("x0", "x1")
    assert Domain.of({"a": 3}).shape == (3,)
    assert Domain.of(DOMAIN) is DOMAIN


@pytest.mark.parametrize("shape", [[0], [-1], [2**31], {"a": 3, "b": 0}])
def test_a_size_must_be_sensible(shape: list[int] | dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"must lie in 1\.\.2147483645, got"):
        Domain.of(shape)


def test_a_domain_needs_an_attribute() -> None:
    with pytest.raises(InputError, match="at least one attribute"):
        Domain.of([])


def test_conditions_are_by_axis_and_name_their_attribute() -> None:
    assert DOMAIN.select({"origin": "LGA", "hour": (6, 9)}) == {1: [(1.0, 2.0)], 0: [(6.0, 10.0)]}
    with pytest.raises(QueryError, match=r"^origin has no value 'LAG'; did you mean 'LGA'"):
        DOMAIN.select({"origin": "LAG"})
    with pytest.raises(QueryError, match="no attribute 'hours'; did you mean 'hour'"):
        DOMAIN.select({"hours": 3})


def test_order_is_part_of_a_domain() -> None:
    turned = Domain(dict(reversed([*DOMAIN.attributes.items()])))
    assert turned != DOMAIN and Domain(dict(DOMAIN.attributes)) == DOMAIN
    assert len({DOMAIN, turned, Domain(dict(DOMAIN.attributes))}) == 2
    assert Domain({**DOMAIN.attributes, "b": Boolean(type="boolean")}) != DOMAIN


def test_a_domain_survives_json() -> None:
    assert Domain.from_json(DOMAIN.to_json()) == DOMAIN


def test_measures_and_units_have_names() -> None:
    assert COUNT.title == "COUNT(*)" and Measure("x", 0.5, 10).title == "SUM(x)"
    assert OCCUPIED.title == "COUNT(non-empty cells)"
    assert "cells" not in COUNT.to_json() and OCCUPIED.to_json()["cells"] is True
    with pytest.raises(InputError, match="non-empty cells has no column"):
        Measure("x", cells=True)
    assert str(ROW) == "one row"
    assert str(Unit("who", 3)) == "one who (at most 3 rows kept)"
    assert str(Unit("who", 1)) == "one who (at most 1 row kept)"
    assert Measure(**Measure("x", 0.5, 10).to_json()) == Measure("x", 0.5, 10)
    assert Unit(**Unit("who", 3).to_json()) == Unit("who", 3)


@pytest.mark.parametrize(("step", "bound"), [(0, 1), (-1, 1), (float("inf"), 1), (1, 0), (1, 2**53), (1, 1.5)])
def test_a_measure_needs_a_step_and_a_bound(step: float, bound: int) -> None:
    with pytest.raises(InputError, match="positive step and bound"):
        Measure("x", step, bound)


def test_rows_of_nobody_cannot_be_bounded() -> None:
    with pytest.raises(InputError, match="needs a unit"):
        Unit(None, 3)
    with pytest.raises(InputError, match="whole number from 1"):
        Unit("who", 0)
