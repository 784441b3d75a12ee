"""Worst loss: the largest privacy loss of one unit by the debits of a ledger, with periods counted apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Self

from ripost.budget_ledger.records import DebitRecord, PeriodRecord

Cost = tuple[Fraction, Fraction]  # epsilon and delta
NOTHING: Cost = (Fraction(0), Fraction(0))


class WorstLoss:
    """Debits added up (privacy/proofs/periods.md).

    One row is in at most one period of a rule. So of each rule the costliest period counts, and the rules add up.
    Releases of all rows are one more rule with a single period. A person may have rows in every period, so with such a
    unit all debits add up.
    """

    def __init__(self, *, unit: str | None) -> None:
        self._by_row = unit is None
        self._of_period: dict[tuple[str, str] | None, Cost] = defaultdict(lambda: NOTHING)
        self._of_rule: dict[str | None, Cost] = defaultdict(lambda: NOTHING)

    @classmethod
    def of(cls, debits: Iterable[DebitRecord], *, unit: str | None) -> Self:
        found = cls(unit=unit)
        for record in debits:
            found.add(record)
        return found

    def add(self, record: DebitRecord) -> None:
        rule, period = self._place(record.period)
        self._of_period[period] = _add(self._of_period[period], record.cost)
        self._of_rule[rule] = _larger(self._of_rule[rule], self._of_period[period])

    @property
    def total(self) -> Cost:
        """Epsilon and delta of all debits for the unit that loses most."""
        epsilons, deltas = zip(NOTHING, *self._of_rule.values(), strict=True)
        return sum(epsilons, Fraction(0)), sum(deltas, Fraction(0))

    def free(self, period: PeriodRecord | None) -> Cost:
        """The cost that a period can add before the total grows: its distance from the costliest period of its rule."""
        rule, place = self._place(period)
        return _subtract(self._of_rule[rule], self._of_period[place])

    def _place(self, period: PeriodRecord | None) -> tuple[str | None, tuple[str, str] | None]:
        """The rule and the period that a debit counts for; None if it counts all rows, or if the unit is a person."""
        if period is None or not self._by_row:
            return None, None
        return period.rule, (period.rule, period.label)


def _add(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1]


def _subtract(one: Cost, other: Cost) -> Cost:
    return one[0] - other[0], one[1] - other[1]


def _larger(one: Cost, other: Cost) -> Cost:
    return max(one[0], other[0]), max(one[1], other[1])
