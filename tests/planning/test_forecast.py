"""Forecasts: questions are what they say, errors follow epsilon and the unit, the search finds the least epsilon."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.errors import InputError
from ripost.planning import find_epsilon as search
from ripost.planning.compare_delta import compare_delta
from ripost.planning.compare_protection import compare_protection
from ripost.planning.forecast import ErrorRange, Forecast, ForecastLine, error_floor, forecast, shares_for
from ripost.planning.plan_text import (
    describe_delta,
    describe_line,
    describe_protection,
    describe_size,
    draw_chart,
    format_percent,
)
from ripost.planning.public_facts import PublicFacts
from ripost.planning.random_queries import WITHIN, draw_pair_queries, draw_queries
from ripost.planning.row_distributions import SHAPES
from ripost.planning.simulation import Simulation
from ripost.planning.stand_in import draw_stand_in
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure, Unit
from ripost.space.public_randomness import public_generator
from ripost.statistics.totals import TOTAL

DOMAIN = Domain.of((12, 9))


def test_questions_hold_what_they_say() -> None:
    facts = PublicFacts(Domain.of((40, 30, 5)), 20_000)
    tensor = draw_stand_in(SHAPES["clustered"](facts.domain, public_generator(0)), facts, public_generator(1))
    asked = draw_queries(tensor, (1.0, 0.5, 0.1, 0.01), public_generator(2))
    assert [some.share for some in asked] == [1.0, 0.5, 0.1, 0.01]
    for some in asked:
        assert (some.truth == tensor.answer(some.lower, some.upper)).all()
        held = some.truth / 20_000
        assert (held >= some.share / WITHIN).all() and (held <= some.share * WITHIN).all()
        assert ((some.lower > 0) | (some.upper < tensor.domain.shape)).sum(axis=1).max() <= 3


def test_questions_about_a_pair_restrict_that_pair_alone() -> None:
    facts = PublicFacts(Domain.of((40, 30, 5)), 20_000)
    tensor = draw_stand_in(SHAPES["clustered"](facts.domain, public_generator(0)), facts, public_generator(1))
    asked = draw_pair_queries(tensor, (0, 2), 0.02, seed=3)
    assert len(asked) > 10 and (asked.truth == tensor.answer(asked.lower, asked.upper)).all()
    assert (asked.lower[:, 1] == 0).all() and (asked.upper[:, 1] == 30).all()
    held = asked.truth / 20_000
    assert (held >= 0.02 / WITHIN).all() and (held <= 0.02 * WITHIN).all()


def test_protected_pairs_are_forecast_to_gain() -> None:
    """A pair of long attributes among seven, of which every pair is measured anyway."""
    facts = PublicFacts(Domain.of((24, 20, 6, 6, 6, 6, 6)), 60_000)
    simulation = Simulation(facts, (1.0,), protect=("x0,x1",), seed=2)
    found = compare_protection(simulation, Fraction(1))
    assert found is not None
    inside, others = found.lines
    assert (inside.attributes, others.attributes) == (("x0", "x1"), None)
    assert inside.ratio < 0.9 and others.ratio > inside.ratio
    assert compare_protection(Simulation(facts, (1.0,)), Fraction(1)) is None
    assert "protected pairs" in describe_protection(found)[0] and "other pairs" in describe_protection(found)[0]


def test_sizes_that_no_question_has_are_left_out() -> None:
    facts = PublicFacts(Domain.of((2,)), 1000)
    tensor = draw_stand_in(SHAPES["even"](facts.domain, public_generator(0)), facts, public_generator(1))
    assert [some.share for some in draw_queries(tensor, (1.0, 0.5, 0.01), public_generator(2))] == [1.0, 0.5]
    empty = draw_stand_in(SHAPES["even"](facts.domain, public_generator(0)), facts, public_generator(1))
    assert draw_queries(type(empty).from_arrays((2,), [], []), (1.0,), public_generator(2)) == ()


def test_more_epsilon_less_error() -> None:
    simulation = Simulation(PublicFacts(DOMAIN, 5000), (1.0, 0.5, 0.1), seed=1)
    loose, tight = (forecast(simulation, Fraction(epsilon)) for epsilon in ("0.1", "10"))
    for share in (0.5, 0.1):
        few, many = loose.line(share), tight.line(share)
        assert few is not None and many is not None
        assert few.typical.middle > 5 * many.typical.middle
        assert few.typical.least <= few.typical.middle <= few.typical.most
        assert few.nine_in_ten is not None and few.nine_in_ten.middle > few.typical.middle
        assert set(few.by_shape) == set(SHAPES)
    assert loose.line(0.25) is None
    assert [describe_size(line) for line in loose.lines] == ["everything", "about 50 %", "about 10 %"]


def test_a_unit_of_ten_rows_costs_ten_times() -> None:
    """Group privacy divides epsilon by the rows of a unit: the very same draws, so the very same errors."""
    rows = Simulation(PublicFacts(DOMAIN, 5000), (0.5,))
    people = Simulation(PublicFacts(DOMAIN, 5000, unit=Unit("person", 10)), (0.5,))
    one, ten = forecast(rows, Fraction(1, 10)).lines[0], forecast(people, Fraction(1)).lines[0]
    assert one.typical == ten.typical and one.floor == pytest.approx(ten.floor)


def test_the_floor_is_the_median_of_one_noisy_count() -> None:
    """20,000 draws: the median of |noise| strays by less than 6 standard errors (false alarm below 1e-6)."""
    noise = np.abs(SeededNoise(3).laplace(np.zeros(20_000, np.int64), Laplace(TOTAL, Fraction(1, 50)), 1))
    known = error_floor(PublicFacts(DOMAIN, 5000), Fraction(1, 50))
    assert known == pytest.approx(50 * math.log(2))
    assert abs(np.median(noise) - known) < 1 + 6 * 50 / math.sqrt(20_000)


def test_theory_is_silent_of_sums_and_deltas() -> None:
    total = Simulation(PublicFacts(DOMAIN, 500, Measure("cost", 1.0, 9)), (1.0,))
    assert forecast(total, Fraction(1)).lines[0].floor is None
    cells = Simulation(PublicFacts(DOMAIN, 500), (1.0,), "privbayes", {"reads": "cells"})
    assert not cells.counts_purely


def test_the_total_is_not_compared() -> None:
    """One total on each of two stand-ins tells nothing of the promises."""
    simulation = Simulation(PublicFacts(DOMAIN, 500), (1.0,))
    found = compare_delta(simulation, forecast(simulation, Fraction(1)))
    assert found is not None and found.lines == () and found.ratio is None
    told = describe_delta(found, simulation.facts)
    assert told[0].startswith("The rule (") and "2.72 p + 1e-09" in told[1]


def test_both_promises_are_compared_whichever_is_planned() -> None:
    """With two attributes few things are measured, so pure epsilon has less noise and smaller errors."""
    facts, shares = PublicFacts(DOMAIN, 20_000), (1.0, 0.5, 0.1)
    given_delta = [{}, {"delta": 1e-9}, {"delta": 1e-4}]
    simulations = [Simulation(facts, shares, options=options) for options in given_delta]
    planned = [forecast(simulation, Fraction(1, 10)) for simulation in simulations]
    found = [compare_delta(*pair) for pair in zip(simulations, planned, strict=True)]
    for one, own, main in zip(found, (0, 1, 1), planned, strict=True):
        assert one is not None and one.ratio is not None and one.ratio > 1.2 and one.rule.ratio < 1
        assert [line.share for line in one.lines] == [0.5, 0.1]
        for line in one.lines:
            kept = main.line(line.share)
            assert kept is not None and (line.pure, line.with_delta)[own] == kept.typical.middle
    assert [one and one.delta for one in found] == [Fraction("1e-9"), Fraction("1e-9"), Fraction("1e-4")]
    assert found[2] and found[1] and found[2].rule.ratio > found[1].rule.ratio


def test_a_method_of_one_promise_is_not_compared() -> None:
    for method in ("ripost", "identity"):
        simulation = Simulation(PublicFacts(DOMAIN, 500), (1.0,), method)
        assert compare_delta(simulation, forecast(simulation, Fraction(1))) is None
    assert not Simulation(PublicFacts(DOMAIN, 500), (1.0,), "mst").has_both_promises


def test_shares_that_hold_hardly_a_row_are_not_spoken_of() -> None:
    assert shares_for(100) == (1.0, 0.5)
    assert shares_for(10**6, [0.2]) == (1.0, 0.5, 0.2, 0.1, 0.01, 0.001, 0.0001)


def known_error(monkeypatch: pytest.MonkeyPatch, error: Any) -> Simulation:
    """A simulation whose typical error is a known function of epsilon."""

    def invent_forecast(simulation: Simulation, epsilon: Fraction) -> Forecast:
        figure = ErrorRange(error(float(epsilon)), 0.0, 1.0)
        return Forecast(epsilon, (ForecastLine(0.1, 1000, figure, figure, None, {}),))

    monkeypatch.setattr(search, "forecast", invent_forecast)
    return Simulation(PublicFacts(DOMAIN, 10_000), (0.1,))


@pytest.mark.parametrize("needed", [0.003, 0.04, 0.7, 1.0, 3.3, 18.0])
@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_least_epsilon_is_found(monkeypatch: pytest.MonkeyPatch, needed: float, power: float) -> None:
    simulation = known_error(monkeypatch, lambda epsilon: 0.02 * (needed / epsilon) ** power)
    found = search.find_epsilon(simulation, share=0.1, error=0.02)
    epsilon = float(found.forecast.epsilon)
    assert needed <= epsilon * (1 + 1e-9) and epsilon <= needed * 1.4
    assert len(found.tried) <= 10 and list(found.tried) == sorted(found.tried)
    assert f"{epsilon:.2g}" == f"{epsilon:g}"


def test_an_error_out_of_reach_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = known_error(monkeypatch, lambda epsilon: 0.05 + 0.01 / epsilon)
    with pytest.raises(InputError, match=r"no epsilon up to 20 .* down to 2%"):
        search.find_epsilon(simulation, share=0.1, error=0.02)
    with pytest.raises(InputError, match="ask for another share"):
        search.find_epsilon(simulation, share=0.3, error=0.1)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0143, "1.4 %"),
        (0.5, "50 %"),
        (0.000012, "0.0012 %"),
        (2.34, "230 %"),
        (0, "0 %"),
        (0.0995, "10 %"),
        (12, "1,200 %"),
    ],
)
def test_percentages_have_two_digits(share: float, text: str) -> None:
    assert format_percent(share) == text


def test_words_and_chart() -> None:
    figure = ErrorRange(0.014, 0.009, 0.021)
    line = ForecastLine(0.1, 10_000, figure, ErrorRange(0.05, 0.04, 0.06), 0.001, {})
    facts = PublicFacts(DOMAIN, 100_000)
    assert describe_line(line, facts) == (
        "A count of about 10,000 rows will be off by about 1.4 % (0.9 to 2.1 % over the stand-in tables); nine in ten "
        "by "
        "less than 5 %."
    )
    whole = ForecastLine(1.0, 100_000, ErrorRange(0.0, 0.0, 0.0001), None, None, {})
    drawn = draw_chart(Forecast(Fraction(1), (whole, line)))
    assert len(drawn) == 3 and "0.1 %" in drawn[0] and all("●" in row for row in drawn[1:])
    assert drawn[2].index("─") < drawn[2].index("●") < drawn[2].rindex("─")
    assert draw_chart(Forecast(Fraction(1), (ForecastLine(1.0, 5, ErrorRange(0, 0, 0), None, None, {}),))) == []
    assert describe_line(whole, PublicFacts(DOMAIN, 100_000, Measure("cost", 1.0, 9))).startswith(
        "A sum of all 100,000 rows"
    )
