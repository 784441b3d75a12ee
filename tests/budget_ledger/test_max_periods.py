"""The ledger of people who count in their first periods: nobody loses more than the cap, in any order of releases.

The slow twin looks at every person: every set of periods of each rule in which a person may have rows. A release
counts the person if it is of one of the first `max_periods` of them. The ledger may count more where `max_periods`
changes, and counts exactly that where it does not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ripost.budget_ledger import operations as books
from ripost.budget_ledger.audit import ReleaseClaim, check_claim
from ripost.budget_ledger.operations import read_ledger
from ripost.budget_ledger.records import DebitRecord, PeriodRecord
from ripost.budget_ledger.worst_loss import WorstLoss
from ripost.errors import LedgerError
from tests.budget_ledger.making import DIGEST, Cost, Paid, debit_once, entries, open_ledger, pay
from tests.budget_ledger.servers import ledger

MONTH, YEAR = "month(date)", "year(date)"
LABELS = {MONTH: ["2026-10", "2026-11", "2026-12", "2027-01"], YEAR: ["2026", "2027"]}
PLACES = [(rule, label) for rule, labels in LABELS.items() for label in labels]
CAP = (Fraction(3), Fraction(1, 10))


def make_month(number: int, most: int | None = None) -> PeriodRecord:
    return PeriodRecord(rule=MONTH, label=f"2026-{number:02}", max_periods=most)


def worst_person(paid: Sequence[Paid]) -> Cost:
    """The most that any person loses, by looking at all of them."""
    return (
        sum((worst_of_rule(paid, rule, 0) for rule in LABELS), all_add_up(paid, 0)),
        sum((worst_of_rule(paid, rule, 1) for rule in LABELS), all_add_up(paid, 1)),
    )


def all_add_up(paid: Sequence[Paid], at: int) -> Fraction:
    return sum((cost[at] for period, cost in paid if period is None or period.max_periods is None), Fraction(0))


def worst_of_rule(paid: Sequence[Paid], rule: str, at: int) -> Fraction:
    bounded = [(one, cost[at]) for one, cost in paid if one is not None and one.rule == rule and one.max_periods]
    worst, labels = Fraction(0), LABELS[rule]
    for size in range(len(labels) + 1):
        for mine in combinations(labels, size):  # in the order of time
            counts = (cost for one, cost in bounded if one.label in mine[: one.max_periods])
            worst = max(worst, sum(counts, Fraction(0)))
    return worst


def state_loss(paid: Sequence[Paid]) -> Cost:
    """What the ledger should say: of each rule the costliest periods, as many as the largest max_periods."""
    found = []
    for at in (0, 1):
        sums: dict[str, dict[str, Fraction]] = {rule: defaultdict(Fraction) for rule in LABELS}
        most = dict.fromkeys(LABELS, 0)
        for one, cost in paid:
            if one is not None and one.max_periods is not None:
                sums[one.rule][one.label] += cost[at]
                most[one.rule] = max(most[one.rule], one.max_periods)
        largest = [sum(sorted(sums[rule].values())[-most[rule] :], Fraction(0)) for rule in LABELS if most[rule]]
        found.append(sum(largest, all_add_up(paid, at)))
    return found[0], found[1]


amounts = st.sampled_from(["1/7", "1/3", "1/2", "1", "5/4"])
deltas = st.sampled_from(["0", "0", "1e-9", "1/30"])


def draw_releases(
    mosts: st.SearchStrategy[int | None],
) -> st.SearchStrategy[list[tuple[PeriodRecord | None, str, str]]]:
    records = st.builds(
        lambda at, most: PeriodRecord(rule=at[0], label=at[1], max_periods=most), st.sampled_from(PLACES), mosts
    )
    return st.lists(st.tuples(st.one_of(records, records, records, st.none()), amounts, deltas), max_size=14)


def make_record(period: PeriodRecord | None, epsilon: str, delta: str) -> DebitRecord:
    body = {"epsilon": epsilon, "delta": str(Fraction(delta)), "method": "identity", "view": None, "period": period}
    return DebitRecord.model_construct(**body)


def play(asked: Sequence[tuple[PeriodRecord | None, str, str]], *, unit: str | None = "who") -> list[Paid]:
    """Grant what is left, as `check_debit` does, and see that it is neither too much nor too little."""
    loss, paid = WorstLoss(unit=unit), list[Paid]()
    for period, epsilon, delta in asked:
        price = (Fraction(epsilon), Fraction(delta))
        after = [*paid, (period, price)]
        left = loss.left(CAP, period)
        fits = min(left) >= 0 and all(one <= rest for one, rest in zip(price, left, strict=True))
        assert fits == all(one <= cap for one, cap in zip(state_loss(after), CAP, strict=True))
        if fits:
            paid = after
            loss.add(make_record(period, epsilon, delta))
        assert loss.total == state_loss(paid)
        assert all(one <= said <= cap for one, said, cap in zip(worst_person(paid), loss.total, CAP, strict=True))
    return paid


@settings(max_examples=200, deadline=None)
@given(draw_releases(st.sampled_from([None, 1, 2, 3, 9])))
def test_no_order_of_releases_passes_the_cap(asked: list[tuple[PeriodRecord | None, str, str]]) -> None:
    play(asked)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from([1, 2, 3]))
def test_with_one_max_periods_the_ledger_counts_what_the_worst_person_loses(data: st.DataObject, most: int) -> None:
    paid = play(data.draw(draw_releases(st.sampled_from([None, most]))))
    assert worst_person(paid) == state_loss(paid)


@settings(max_examples=10, deadline=None)
@given(draw_releases(st.sampled_from([None, 1, 2, 3])))
def test_a_ledger_on_the_disk_grants_the_same(asked: list[tuple[PeriodRecord | None, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        path = open_ledger(Path(folder), epsilon="3", delta="1/10", unit="who")
        paid: list[Paid] = []
        for period, epsilon, delta in asked:
            after = [*paid, (period, (Fraction(epsilon), Fraction(delta)))]
            try:
                pay(path, period, epsilon, delta, unit="who")
            except LedgerError as error:
                assert any(one > cap for one, cap in zip(state_loss(after), CAP, strict=True)), str(error)
            else:
                paid = after
            assert read_ledger(path).spent == state_loss(paid)


def test_the_same_on_a_server(server: str) -> None:
    made = ledger(server, unit="who")
    for number in (10, 11, 12):
        pay(made.publisher, make_month(number, 2), unit="who")
    assert read_ledger(made.owner).spent[0] == 2


def test_a_series_of_people_costs_its_costliest_periods(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="2", unit="who")
    for number in range(1, 13):
        pay(path, make_month(number, 2), unit="who")
    state = read_ledger(path)
    assert (state.spent[0], state.left[0], state.left_for(make_month(12, 2))[0]) == (2, 0, 0)
    assert state.left_for(PeriodRecord(rule=MONTH, label="2027-01", max_periods=2))[0] == 1
    with pytest.raises(LedgerError, match=r"has epsilon 0 left of 2 for 2026-12 of month\(date\), and this release"):
        pay(path, make_month(12, 2), "1/10", unit="who")
    with pytest.raises(LedgerError, match=r"has epsilon 0 left of 2, and this release asks for 1"):
        pay(path, make_month(12), unit="who")


@pytest.mark.parametrize("delta", ["0", "1/100"])
def test_a_larger_max_periods_counts_for_what_was_debited_before(delta: str, tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="2", delta="1/10", unit="who")
    for number in (1, 2, 3):
        pay(path, make_month(number, 1), "1", unit="who")
    assert read_ledger(path).spent[0] == 1
    with pytest.raises(
        LedgerError, match=r"with max_periods = 3 the releases of month\(date\) .* keep the max_periods"
    ):
        pay(path, make_month(4, 3), "1/100", delta, unit="who")
    pay(path, make_month(3, 2), "0", delta, unit="who")  # the second costliest counts too from here on
    assert read_ledger(path).spent[0] == 2
    pay(path, make_month(4, 1), "1", unit="who")
    with pytest.raises(LedgerError, match="has epsilon 1 left of 2 for 2026-05"):
        pay(path, make_month(5, 1), "3/2", unit="who")


def test_a_delta_of_zero_does_not_pass_a_larger_max_periods(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="9", delta="1/100", unit="who")
    pay(path, make_month(1, 1), "1", "1/100", unit="who")
    pay(path, make_month(2, 1), "1", "1/100", unit="who")
    with pytest.raises(LedgerError, match="with max_periods = 2"):
        pay(path, make_month(3, 2), "1", "0", unit="who")
    assert read_ledger(path).spent == (1, Fraction(1, 100))


def test_without_the_key_a_debit_is_written_as_before(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, unit="who")
    debit_once(path, unit="who")
    pay(path, make_month(10), unit="who")
    pay(path, make_month(10, 2), unit="who")
    plain, dated, bounded = (json.loads(entry.body) for entry in entries(path)[1:])
    assert "period" not in plain and dated["period"] == {"rule": MONTH, "label": "2026-10"}
    assert bounded["period"] == {"rule": MONTH, "label": "2026-10", "max_periods": 2}
    assert [DebitRecord.parse(entry.body).dump() == entry.body for entry in entries(path)[1:]] == [True] * 3


@pytest.mark.parametrize("most", [0, -1, 1.0, "2", True, 2**53])
def test_a_max_periods_that_is_no_number_is_no_record(most: object) -> None:
    with pytest.raises(ValidationError):
        PeriodRecord.model_validate({"rule": MONTH, "label": "2026-10", "max_periods": most})


def test_a_view_with_another_max_periods_is_not_what_the_debit_paid_for(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, unit="who")
    paid = pay(path, make_month(10, 2), unit="who")
    books.close(path, paid, DIGEST)
    state = read_ledger(path)
    for period, words in (
        (make_month(10, 2), "is paid for by debit 1"),
        (make_month(10, 3), "counts another max_periods than debit 1"),
        (make_month(10), "counts another max_periods than debit 1"),
        (make_month(11, 2), "counts the rows of another period than debit 1"),
    ):
        claim = ReleaseClaim("v", DIGEST, paid, Fraction(1), Fraction(0), "who", period)
        assert words in check_claim(state, state.entries, claim).detail
