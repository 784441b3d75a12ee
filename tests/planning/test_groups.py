"""Group-bys of a plan: what is asked, and that an attribute that takes its part of the budget costs the others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ripost.planning.group_forecast import MOST_GROUPS, draw_groups, forecast_groups, leave_out, widen
from ripost.planning.public_facts import PublicFacts
from ripost.planning.simulation import Simulation
from ripost.schema.domain import Domain

FACTS = PublicFacts(Domain.of({"a": 12, "b": 5, "c": 2000}), 20_000)


def test_groups_hold_what_they_say_and_none_is_empty() -> None:
    tensor = Simulation(FACTS, (1.0,)).trials[2].tensor
    for axes in ((0,), (1, 2), (2,)):
        asked = draw_groups(tensor, axes, seed=0)
        assert len(asked) <= MOST_GROUPS and (asked.truth > 0).all()
        assert (asked.truth == tensor.answer(asked.lower, asked.upper)).all()
        assert ((asked.upper - asked.lower)[:, list(axes)] == 1).all()
    one = draw_groups(tensor, (0,), seed=0)
    assert one.truth.sum() == 20_000


def test_a_table_without_an_attribute_is_asked_the_same() -> None:
    trial = Simulation(FACTS, (1.0,)).trials[2]
    smaller, asked = leave_out(trial, 1, seed=0)
    assert smaller.domain.names == ("a", "c") and smaller.counts.sum() == trial.tensor.counts.sum()
    for some in asked:
        again = widen(some, 1, 5)
        assert (again.truth == trial.tensor.answer(again.lower, again.upper)).all()


def test_errors_follow_the_size_of_groups_and_a_fine_attribute_costs_the_others() -> None:
    found = forecast_groups(Simulation(FACTS, (1.0,)), Fraction(1))
    errors = {line.attributes: line.typical for line in (*found.single, *found.pairs)}
    assert errors["b",] < errors["c",] and errors["a",] < errors["a", "b"] < errors["a", "c"]
    little = forecast_groups(Simulation(FACTS, (1.0,)), Fraction(1, 20))
    assert found.lost == () and ("c",) in [line.attributes for line in little.lost]
    assert all(line.cost is not None and np.isfinite(line.cost) for line in found.single)
    alone = forecast_groups(Simulation(PublicFacts(Domain.of({"a": 12}), 1000), (1.0,)), Fraction(1))
    assert alone.pairs == () and alone.single[0].cost is None
