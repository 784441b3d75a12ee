"""The exact audit of discovery: from every tiny table through the code that reads votes to the list that is released.

Noise is enumerated instead of drawn, so every list has its probability for every table. For neighbors the largest
excess of probability, sum of max(P - e^epsilon P', 0), must be within delta, and nearly reach it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ripost
from ripost.data.read import Reader
from ripost.data.undiscovered import UndiscoveredTable
from ripost.data.votes import read_votes
from ripost.privacy import discovery, discovery_ledger
from ripost.privacy.discovery import DiscoveryAccount, PaidVotes
from ripost.privacy.discovery_ledger import DiscoveryCharge
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.noise import SystemNoise
from ripost.publishing.prepare import prepare
from ripost.schema.schema import Schema
from ripost.sources.encoding import unit_votes
from tests.audit.sampled import bound_of
from tests.privacy import distributions

Patch = pytest.MonkeyPatch
Row = tuple[str, str]  # person and value
Law = dict[Any, float]  # what is released -> its probability

EPSILON, DELTA = Fraction(2), Fraction(1, 20)  # for which the threshold is 3
LEVELS = range(2, 6)  # noisy votes are clamped to these, which is post-processing: below 3 none is listed
TOLERANCE = 1e-9
PEOPLE = 'unit = "person"\nmax_rows = 2\n'
TEXT = '[attributes.name]\ntype = "category"\nvalues = "discover"\n'
TABLES: list[tuple[Row, ...]] = [
    (), (("p", "Ann"), ("q", "Ann")), (("p", "Bob"), ("q", "Ann")), (("p", "Ann"), ("q", "Ann"), ("r", "Ann")),
]  # fmt: skip
ADDED: list[tuple[Row, ...]] = [(("u", "Ann"),), (("u", "Unique"),), (("u", "Unique"), ("u", "Ann"))]
TWICE: list[tuple[Row, ...]] = [(("u", "Unique"), ("u", "Other"))]


class EnumeratedNoise:
    """Noisy votes that are given, clamped to the first and the last level, and their probability."""

    entropy = "enumerated"

    def __init__(self, noisy: Sequence[int], levels: range) -> None:
        self.noisy, self.levels = np.array(noisy, np.int64), levels
        self.log = 0.0

    def laplace(self, values: Any, mechanism: Laplace, bound: int) -> Any:
        scale, noise = mechanism.scale(bound), self.noisy - values
        inner = distributions.laplace(noise, scale)
        low, high = distributions.laplace_at_most(noise, scale), distributions.laplace_above(noise - 1, scale)
        ends = np.where(self.noisy == self.levels[0], low, np.where(self.noisy == self.levels[-1], high, inner))
        self.log = float(ends.sum())
        return self.noisy


def law(entry: DiscoveryCharge, votes: Any, find: Callable[[PaidVotes], Any], levels: range = LEVELS) -> Law:
    """The probability of everything that can be found from some votes."""
    found: Law = {}
    for vector in product(levels, repeat=len(votes)):
        noise: Any = EnumeratedNoise(vector, levels)
        outcome = find(DiscoveryAccount(epsilon=entry.epsilon, delta=entry.delta, noise=noise).charge(entry))
        found[outcome] = found.get(outcome, 0.0) + float(np.exp(noise.log))
    return found


def excess(one: Law, other: Law, epsilon: float) -> float:
    """The least delta with which one law is within epsilon of the other."""
    return sum(max(p - np.exp(epsilon) * other.get(outcome, 0.0), 0.0) for outcome, p in one.items())


def read_anew(rows: Sequence[Row], *, unit: bool) -> tuple[list[str], Any]:
    schema = Schema.parse((PEOPLE if unit else "") + TEXT)
    table = pa.table(
        {
            "person": pa.array([r[0] for r in rows], pa.string()),
            "name": [r[1] for r in rows] or pa.array([], pa.string()),
        }
    )
    reader = Reader.of(table, schema)
    try:
        return read_votes(replace(reader, opened=reader.opened.load_rows()), secret="s")[0]["name"]
    finally:
        reader.close()


read = lru_cache(None)(read_anew)  # tables that are read without a fault, once for all tests


def worst_excess(
    tables: Sequence[tuple[Row, ...]] = TABLES,
    added: Sequence[tuple[Row, ...]] = ADDED,
    *,
    unit: bool,
    cells: int = 9,
    reader: Any = read,
) -> float:
    """The largest excess over all pairs of neighbors, in both directions."""
    entry, laws = DiscoveryCharge("values", "name", EPSILON, DELTA, cells), dict[tuple[Any, ...], Law]()

    def release_law(rows: tuple[Row, ...]) -> Law:
        names, votes = reader(rows, unit=unit)
        key = (tuple(names), tuple(votes.tolist()))
        if key not in laws:
            laws[key] = law(entry, votes, lambda paid: paid.find_values(names, votes))
        assert abs(sum(laws[key].values()) - 1) < TOLERANCE
        return laws[key]

    worst = 0.0
    for rows in tables:
        for more in added if unit else [one for one in added if len(one) == 1]:
            pair = release_law(rows), release_law((*rows, *more))
            worst = max(worst, excess(*pair, float(EPSILON)), excess(*pair[::-1], float(EPSILON)))
    return worst


@pytest.mark.parametrize(("unit", "cells"), [(False, 9), (True, 9), (False, 1)])
def test_lists_of_values_keep_epsilon_and_delta(unit: bool, cells: int) -> None:
    worst = worst_excess(unit=unit, cells=cells)
    reached = float(np.exp(distributions.laplace_above(np.array([1]), 0.5))[0])  # P(noise >= 2)
    assert worst <= DELTA + TOLERANCE
    assert worst == pytest.approx(reached, rel=1e-3)  # a unique name is listed so often, and nothing else needs delta


def threshold_too_low(patch: Patch) -> None:
    """A value is listed one vote below the threshold."""
    sound = discovery_ledger.tail_length
    patch.setattr(discovery_ledger, "tail_length", lambda *given: sound(*given) - 1)


def unit_votes_twice(patch: Patch) -> None:
    """Every row of a unit votes."""
    patch.setattr(unit_votes, "_draw_votes", lambda rows, *_: rows)


def half_the_noise(patch: Patch) -> None:
    patch.setattr(discovery, "Laplace", lambda statistic, cost: Laplace(statistic, 2 * cost))


def raw_votes(patch: Patch) -> None:
    """Exact votes are compared with the threshold."""
    sound = PaidVotes._measure

    def measure(self: PaidVotes, votes: Any, what: str) -> Any:
        sound(self, votes, what)
        return votes

    patch.setattr(PaidVotes, "_measure", measure)


@pytest.mark.parametrize("fault", [threshold_too_low, half_the_noise, raw_votes])
def test_a_planted_fault_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert worst_excess(unit=False) > DELTA + Fraction(1, 100)


def test_a_unit_that_votes_twice_is_seen(monkeypatch: Patch) -> None:
    """Of the two names of one unit either is listed: about twice as often as one."""
    reached = float(np.exp(distributions.laplace_above(np.array([1]), 0.5))[0])
    assert worst_excess(TABLES[:1], TWICE, unit=True) == pytest.approx(reached, rel=1e-3)
    unit_votes_twice(monkeypatch)
    assert worst_excess(TABLES[:1], TWICE, unit=True, reader=read_anew) > 1.9 * reached


FINDERS: dict[str, tuple[int, range, Callable[[Any], Callable[[PaidVotes], Any]]]] = {
    "bounds": (1, range(1, 9), lambda votes: lambda paid: paid.find_bounds(votes)),
    # At epsilon 8 the margin is one vote; at epsilon 1 it is eight, more than these few votes ever reach.
    "max_rows": (8, range(-3, 5), lambda votes: lambda paid: paid.find_max_rows(votes, (1, 2, 5))),
}


@pytest.mark.parametrize("what", FINDERS)
def test_bounds_and_rows_keep_epsilon(what: str) -> None:
    """Every vector of few votes in a grid of three cells, with one vote more: the largest log ratio is epsilon."""
    epsilon, levels, find = FINDERS[what]
    entry = DiscoveryCharge(what, None if what == "max_rows" else "x", Fraction(epsilon), Fraction(0), 3)
    tables = [votes for votes in product(range(3), repeat=3) if sum(votes) <= 2]
    laws = {votes: law(entry, np.array(votes), find(np.array(votes)), levels) for votes in tables}
    worst = 0.0
    for votes in tables:
        for more in (tuple(v + (c == cell) for c, v in enumerate(votes)) for cell in range(3)):
            if more in laws:
                worst = max(worst, *(abs(float(np.log(laws[more][one] / p))) for one, p in laws[votes].items()))
    assert worst <= epsilon + TOLERANCE
    assert worst > 0.6 * epsilon


def test_a_unique_name_is_never_released() -> None:
    """2,000 names of one unit each in one table; false alarm below 2 in 10^9."""
    _publish_unique_names(2_000)


@pytest.mark.slow
def test_a_unique_name_is_never_released_in_100_000_trials() -> None:
    """False alarm below 1 in 10^7."""
    _publish_unique_names(100_000)


def _publish_unique_names(number: int) -> None:
    names = [f"Unique Name {place}" for place in range(number)] + ["frequent"] * 400
    view = ripost.publish(pa.table({"name": names}), Schema.parse(TEXT), epsilon=1, delta=1e-12, method="identity")
    assert view.privacy.is_private and view.privacy.delta == Fraction(1, 10**12)
    assert view.domain.attributes["name"].names == ("frequent",)  # type: ignore[attr-defined]


NAMES, RATE = 8000, 1e-9


def _count_listed(votes: int) -> int:
    """How many of NAMES values with so many votes each are listed, with real noise, through the steps of a publish."""
    table = pa.table({"name": np.repeat([f"name {number}" for number in range(NAMES)], votes)})
    options = {"delta": 1e-3, "discover_share": "1/2"}
    schema = Schema.parse(TEXT + f"max_values = {NAMES}\n")
    with prepare(table, schema, epsilon=2, options=options, method="identity") as found:
        data = found.read()
        assert isinstance(found.noise, SystemNoise) and isinstance(data, UndiscoveredTable)
        assert found.discovery is not None and found.discovery.charges[0].epsilon == 1
        return len(found.discover(data)[0].attributes["name"].names)  # type: ignore[union-attr]


def _lower_bound() -> float:
    """What one more vote spends at least; wrong with at most this rate. Values are independent draws."""
    entry = DiscoveryCharge("values", "name", Fraction(1), Fraction(1, 1000), NAMES)
    less, more = (_count_listed(entry.threshold - gap) for gap in (2, 1))
    return bound_of(more, NAMES, less, NAMES, rate=RATE).epsilon


def test_real_releases_spend_what_the_entry_says() -> None:
    assert 0.4 < _lower_bound() <= 1


def test_real_releases_with_half_the_noise_are_seen(monkeypatch: Patch) -> None:
    half_the_noise(monkeypatch)
    assert _lower_bound() > 1


def test_one_more_unit_changes_one_vote() -> None:
    """By at most 1, whatever else is in the table, and however many rows the unit has."""
    before = dict(zip(*map(list, read(TABLES[2], unit=True)), strict=True))
    for own in (["Ann"], ["Unique"], ["Ann", "Ann"], ["Ann", "Unique"], ["Ann", "Bob", "Unique"]):
        after = dict(zip(*map(list, read((*TABLES[2], *(("u", name) for name in own)), unit=True)), strict=True))
        changes = [after.get(name, 0) - before.get(name, 0) for name in {*before, *after}]
        assert max(changes) == 1 and sum(map(abs, changes)) == 1
