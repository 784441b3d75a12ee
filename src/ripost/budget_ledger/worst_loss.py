"""Worst loss: the largest privacy loss of one unit by the debits of a ledger, with periods counted apart."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Self

from ripost.budget_ledger.records import DebitRecord, PeriodRecord

Cost = tuple[Fraction, Fraction]  # epsilon and delta
Place = tuple[str | None, str, int]  # a rule, one of its periods, and in how many of them one unit counts
ZERO = Fraction(0)


class WorstLoss:
    """Debits added up (privacy/proofs/periods.md).

    One row counts in one period of a rule, one person in `max_periods` of them. So of each rule as many of the
    costliest periods count, and the rules add up. Debits that may count every unit are one more rule, with a single
    period: those of all rows, and for people all those without `max_periods`.
    """

    def __init__(self, *, unit: str | None) -> None:
        self._by_row = unit is None
        self._rules: dict[str | None, tuple[CostliestPeriods, CostliestPeriods]] = {}

    @classmethod
    def of(cls, debits: Iterable[DebitRecord], *, unit: str | None) -> Self:
        found = cls(unit=unit)
        for record in debits:
            found.add(record)
        return found

    def add(self, record: DebitRecord) -> None:
        rule, label, most = self._place(record.period)
        sums = self._rules.setdefault(rule, (CostliestPeriods(), CostliestPeriods()))
        for periods, amount in zip(sums, record.cost, strict=True):
            periods.add(label, amount, most=most)

    @property
    def total(self) -> Cost:
        """Epsilon and delta of all debits for the unit that loses most."""
        losses = [(epsilon.loss, delta.loss) for epsilon, delta in self._rules.values()]
        epsilons, deltas = zip((ZERO, ZERO), *losses, strict=True)
        return sum(epsilons, ZERO), sum(deltas, ZERO)

    def left(self, cap: Cost, period: PeriodRecord | None) -> Cost:
        """What a release of a period may cost; negative where not even a free one fits, by a larger `max_periods`."""
        rule, label, most = self._place(period)
        sums = self._rules.get(rule, (CostliestPeriods(), CostliestPeriods()))
        epsilon, delta = (
            periods.left(limit - spent + periods.loss, label, most=most)
            for periods, limit, spent in zip(sums, cap, self.total, strict=True)
        )
        return epsilon, delta

    def _place(self, period: PeriodRecord | None) -> Place:
        if period is not None and self._by_row:
            return period.rule, period.label, 1
        if period is not None and period.max_periods is not None:
            return period.rule, period.label, period.max_periods
        return None, "", 1


class CostliestPeriods:
    """The amounts of the periods of a rule, of which the `most` largest count."""

    def __init__(self) -> None:
        self._amounts: dict[str, Fraction] = {}
        self._ascending: list[Fraction] = []
        self._most = 1

    def add(self, label: str, amount: Fraction, *, most: int) -> None:
        before = self._amounts.get(label)
        if before is not None:
            del self._ascending[bisect_left(self._ascending, before)]
        self._amounts[label] = amount + (before or ZERO)
        insort(self._ascending, self._amounts[label])
        self._most = max(self._most, most)

    @property
    def loss(self) -> Fraction:
        return sum_largest(self._ascending, self._most)

    def left(self, room: Fraction, label: str, *, most: int) -> Fraction:
        """What can be added to a period while the loss is at most `room`, if then at least `most` periods count."""
        mine, others = self._amounts.get(label, ZERO), list(self._ascending)
        if label in self._amounts:
            del others[bisect_left(others, mine)]
        most = max(self._most, most)
        above = sum_largest(others, most - 1)  # counted whatever the period costs
        below = sum_largest(others, most) - above  # counted unless the period costs more
        return room - above - (mine if above + below <= room else below)


def sum_largest(ascending: Sequence[Fraction], most: int) -> Fraction:
    return sum(ascending[max(len(ascending) - most, 0) :], ZERO)
