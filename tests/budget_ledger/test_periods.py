"""The ledger of a series: one row never loses more than the cap, in any order of releases, and no release is refused
that it could afford.

The slow twin looks at every kind of row: one period of each rule, or none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ripost.budget_ledger import operations as books
from ripost.budget_ledger.audit import ReleaseClaim, audit, check_claim
from ripost.budget_ledger.hash_chain import next_entry
from ripost.budget_ledger.ledger_state import replay
from ripost.budget_ledger.operations import read_ledger
from ripost.budget_ledger.records import DebitRecord, PeriodRecord
from ripost.errors import LedgerError
from tests.budget_ledger.making import DIGEST, Cost, Paid, debit_once, edit, entries, open_ledger, pay
from tests.budget_ledger.servers import ledger

MONTH, YEAR, OTHER = "month(date)", "year(date)", "month(paid)"
OCTOBER, NOVEMBER = (PeriodRecord(rule=MONTH, label=f"2026-{number}") for number in (10, 11))
PERIODS = [
    None,
    OCTOBER,
    NOVEMBER,
    PeriodRecord(rule=MONTH, label="2026-12"),
    PeriodRecord(rule=YEAR, label="2026"),
    PeriodRecord(rule=YEAR, label="2027"),
    PeriodRecord(rule=OTHER, label="2026-10"),
]


def worst_row(paid: Sequence[Paid]) -> Cost:
    """The most that any row loses, by looking at all of them."""
    labels: dict[str, set[str | None]] = defaultdict(lambda: {None})
    for period, _ in paid:
        if period is not None:
            labels[period.rule].add(period.label)
    worst = [Fraction(0), Fraction(0)]
    for chosen in product(*labels.values()):
        row = dict(zip(labels, chosen, strict=True))
        counts = [cost for period, cost in paid if period is None or row[period.rule] == period.label]
        worst = [max(most, sum((cost[i] for cost in counts), Fraction(0))) for i, most in enumerate(worst)]
    return worst[0], worst[1]


amounts = st.sampled_from(["1/7", "1/3", "1/2", "1", "5/4", "2"])
releases = st.lists(st.tuples(st.sampled_from(PERIODS), amounts, st.sampled_from(["0", "1e-9", "1/30"])), max_size=14)


@settings(max_examples=25, deadline=None)
@given(releases)
def test_no_order_of_releases_passes_the_cap_and_none_is_refused_that_fits(
    asked: list[tuple[PeriodRecord | None, str, str]],
) -> None:
    cap = (Fraction(3), Fraction(1, 10))
    with TemporaryDirectory() as folder:
        path = open_ledger(Path(folder), epsilon="3", delta="1/10")
        paid: list[Paid] = []
        for period, epsilon, delta in asked:
            after = [*paid, (period, (Fraction(epsilon), Fraction(delta)))]
            fits = all(lost <= most for lost, most in zip(worst_row(after), cap, strict=True))
            try:
                pay(path, period, epsilon, delta)
            except LedgerError as error:
                assert not fits, str(error)
            else:
                assert fits
                paid = after
            assert read_ledger(path).spent == worst_row(paid)


@settings(max_examples=10, deadline=None)
@given(releases)
def test_for_people_all_releases_add_up(asked: list[tuple[PeriodRecord | None, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        path = open_ledger(Path(folder), epsilon="3", unit="who")
        spent = Fraction(0)
        for period, epsilon, _ in asked:
            if spent + Fraction(epsilon) > 3:
                with pytest.raises(LedgerError, match=r"left of 3, and this release asks for"):
                    pay(path, period, epsilon, unit="who")
                continue
            pay(path, period, epsilon, unit="who")
            spent += Fraction(epsilon)
            assert read_ledger(path).spent[0] == spent


def crowd(target: str | Path) -> list[Paid]:
    """Two publishers who ask for the same periods at the same time; what was granted."""
    asked = [period for period in PERIODS for _ in range(3)]

    def publish(order: Sequence[PeriodRecord | None]) -> list[Paid]:
        granted: list[Paid] = []
        for period in order:
            try:
                pay(target, period, "2/3")
            except LedgerError as error:
                assert "nothing was debited" in str(error)
            else:
                granted.append((period, (Fraction(2, 3), Fraction(0))))
        return granted

    with ThreadPoolExecutor(2) as pool:
        return [paid for found in pool.map(publish, (asked, asked[::-1])) for paid in found]


def test_two_publishers_at_once_do_not_pass_the_cap(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    granted = crowd(path)
    state = read_ledger(path)
    assert len(granted) == len(state.debits) and state.spent == worst_row(granted) and state.spent[0] <= 3
    for period in PERIODS:  # nothing more fits
        with pytest.raises(LedgerError, match="nothing was debited"):
            pay(path, period, "2/3")


def test_the_same_on_a_server(server: str) -> None:
    made = ledger(server)
    granted = crowd(made.publisher)
    state = read_ledger(made.owner)
    assert len(granted) == len(state.debits) and state.spent == worst_row(granted) and state.spent[0] <= 3


def test_a_month_costs_only_itself(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="1")
    for number in range(1, 13):
        pay(path, PeriodRecord(rule=MONTH, label=f"2026-{number:02}"))
    state = read_ledger(path)
    assert (state.spent[0], state.left[0]) == (1, 0)
    assert state.left_for(PeriodRecord(rule=MONTH, label="2027-01"))[0] == 1
    with pytest.raises(LedgerError, match=r"has epsilon 0 left of 1 for 2026-10 of month\(date\), and this release"):
        pay(path, OCTOBER, "1/10")
    with pytest.raises(LedgerError, match=r"has epsilon 0 left of 1, and this release asks for 0.1"):
        pay(path, None, "1/10")


def test_a_debit_without_a_period_is_written_as_before_there_were_any(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    debit_once(path)
    pay(path, OCTOBER)
    plain, dated = (json.loads(entry.body) for entry in entries(path)[1:])
    assert "period" not in plain and dated["period"] == {"rule": MONTH, "label": "2026-10"}
    assert plain.keys() | {"period"} == dated.keys()


def test_a_ledger_of_before_there_were_periods_goes_on(tmp_path: Path) -> None:
    """Entries that another version wrote are read as they are, and releases of periods come on top of them."""
    path = open_ledger(tmp_path)
    debit_once(path)
    before = entries(path)
    pay(path, OCTOBER)
    pay(path, NOVEMBER)
    assert entries(path)[: len(before)] == before
    assert read_ledger(path).spent[0] == 2
    assert all(check.ok for check in audit(path))


@pytest.mark.parametrize("label", ["2026-1", "2026-10 ", "10-2026", "2026-Q5", "2026-10-1", "٢٠٢٦-10", "0026-10"])
def test_a_label_with_a_second_spelling_is_no_record(label: str) -> None:
    with pytest.raises(ValidationError):
        PeriodRecord(rule=MONTH, label=label)


def test_a_ledger_in_which_one_row_lost_more_than_the_cap_is_refused(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="2")
    pay(path, OCTOBER, "2")
    pay(path, NOVEMBER, "2")
    chain = entries(path)
    body = json.loads(chain[-1].body) | {"period": {"rule": YEAR, "label": "2026"}}
    forged = next_entry(chain, DebitRecord.kind, DebitRecord.parse(json.dumps(body)).dump())
    with pytest.raises(LedgerError, match="entry 3 debits more than was left"):
        replay([*chain, forged])


def test_an_edited_period_breaks_the_chain(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    pay(path, OCTOBER)
    edit(path, lambda connection: connection.execute("UPDATE entries SET body = replace(body, '2026-10', '2026-11')"))
    with pytest.raises(LedgerError, match="does not follow from those before it"):
        read_ledger(path)


def test_a_view_of_another_period_is_not_what_the_debit_paid_for(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    paid = pay(path, OCTOBER)
    books.close(path, paid, DIGEST)
    state = read_ledger(path)
    for period, ok in ((OCTOBER, True), (NOVEMBER, False), (None, False)):
        found = check_claim(
            state, state.entries, ReleaseClaim("v", DIGEST, paid, Fraction(1), Fraction(0), None, period)
        )
        assert found.ok is ok
        assert ("one row of 2026-10" if ok else "counts the rows of another period than debit 1") in found.detail
