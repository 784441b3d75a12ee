"""The exact audit of a series: two periods, their year and all rows, released from every small table.

Tables are read by the code of a release, one tensor for each release. Every output of the method has its probability
for every tensor (enumeration.py), and releases draw apart, so the largest log ratio of neighboring tables is the sum of
those of the releases. It must be within what a real ledger says was spent, and reach it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from ripost.budget_ledger import operations as books
from ripost.budget_ledger.records import PeriodRecord
from ripost.budget_ledger.worst_loss import CostliestPeriods, WorstLoss
from ripost.data.read import read_tensor
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from ripost.sources.encoding import first_periods as encoding

from .enumeration import TOLERANCE
from .series import FAMILY, MONTH, Patch, Row, losses

Release = tuple[str | None, str, str]  # rule, label, epsilon
Neighbors = tuple[Sequence[Row], Sequence[Row]]
Reader = Callable[[tuple[Row, ...], str | None, str, str | None], int]

OCTOBER, NOVEMBER = dt.date(2026, 10, 31), dt.date(2026, 11, 1)
ROWS: list[Row] = [("a", day, x) for day in (OCTOBER, NOVEMBER, None) for x in (0, 1)]
YEAR = "year(date)"
SERIES: list[Release] = [(MONTH, "2026-10", "1/2"), (MONTH, "2026-11", "1"), (MONTH, "2026-10", "1/4")]
OVERLAP: list[Release] = [*SERIES, (YEAR, "2026", "1/2"), (None, "", "1/4")]


def read(rows: tuple[Row, ...], rule: str | None, label: str, unit: str | None) -> int:
    """The number of the tensor that a release reads from a table."""
    table = pa.table(
        {
            "who": pa.array([who for who, _, _ in rows], pa.string()),
            "date": pa.array([day for _, day, _ in rows], pa.date32()),
            "x": pa.array([x for _, _, x in rows], pa.int64()),
        }
    )
    people = {} if unit is None else {"unit": unit, "max_rows": 1}
    cells = {"x": {"type": "integer", "min": 0, "max": 1, "missing": "drop"}}
    schema = Schema.from_dict({**people, "period": rule or MONTH, "attributes": cells})
    tensor = read_tensor(table, schema, secret="s", period=ReleasePeriod(rule, label) if rule else None)
    counts = np.zeros(2, int)
    counts[tensor.coords[:, 0]] = tensor.counts
    return int(np.flatnonzero((FAMILY.counts == counts).all(axis=1))[0])


SOUND = lru_cache(None)(read)  # what tables without a fault are read as, once for all tests


def audit_series(
    tables: Iterable[Neighbors], releases: Sequence[Release], method: str, unit: str | None, *, reader: Reader = SOUND
) -> float:
    """What the series loses at most between neighbors: pairs of tables, in both orders."""

    def tensor(rows: Sequence[Row], release: Release) -> int:
        return reader(tuple(rows), release[0], release[1], unit)

    worst = 0.0
    for pair in tables:
        for one, other in (pair, pair[::-1]):
            lost = [
                losses(method, Fraction(release[2]))[tensor(one, release), tensor(other, release)]
                for release in releases
            ]
            worst = max(worst, float(sum(lost)))
    return worst


def spend(folder: Path, releases: Sequence[Release], unit: str | None) -> Fraction:
    """What a ledger says of the series."""
    path = folder / "budget.sqlite"
    books.create_ledger(path, dataset="series", epsilon=10, unit=unit)
    for rule, label, epsilon in releases:
        period = PeriodRecord(rule=rule, label=label) if rule else None
        price = Fraction(epsilon)
        books.debit(path, epsilon=price, delta=Fraction(0), unit=unit, method="identity", period=period)
    return books.read_ledger(path).spent[0]


def one_row_more() -> list[Neighbors]:
    """Every table of at most one row, and the same with one row more at its end."""
    small = [rows for size in (0, 1) for rows in combinations_with_replacement(ROWS, size)]
    return [(rows, [*rows, row]) for rows in small for row in ROWS]


def one_person_more() -> list[Neighbors]:
    """Tables with and without all rows of one person, who has up to four."""
    own = [row for row in ROWS if row[1] is not None]
    others: list[list[Row]] = [[], [("b", OCTOBER, 0)]]
    return [(rows, [*rows, *mine]) for rows in others for size in range(1, 5) for mine in combinations(own, size)]


@pytest.mark.parametrize("method", ["identity", "ripost"])
@pytest.mark.parametrize("releases", [SERIES, OVERLAP], ids=["two periods", "and their year, and all rows"])
def test_a_series_loses_what_the_ledger_says(releases: list[Release], method: str, tmp_path: Path) -> None:
    spent = spend(tmp_path, releases, None)
    assert spent == (1 if releases is SERIES else Fraction(7, 4))
    lost = audit_series(one_row_more(), releases, method, None)
    assert lost <= spent + TOLERANCE
    if method == "identity":  # which spends all of its budget on each cell
        assert lost >= spent - TOLERANCE


def test_people_lose_the_sum_of_all_periods(tmp_path: Path) -> None:
    spent = spend(tmp_path, SERIES, "who")
    lost = audit_series(one_person_more(), SERIES, "identity", "who")
    assert spent == Fraction(7, 4) and abs(lost - spent) <= TOLERANCE


def row_in_two_periods(patch: Patch) -> None:
    """A period ends a day late: the first of November counts in October too."""
    sound = ReleasePeriod.bounds.fget
    assert sound is not None

    def late(self: ReleasePeriod) -> tuple[dt.datetime, dt.datetime]:
        start, stop = sound(self)
        return start, stop + dt.timedelta(days=1)

    patch.setattr(ReleasePeriod, "bounds", property(late))


def others_decide(patch: Patch) -> None:
    """The latest row of the table decides which period all rows are in."""

    def latest(table: Any, period: ReleasePeriod, _: Any) -> Any:
        start, stop = period.bounds
        last = table.date.cast("timestamp").max().over(ibis.window())
        return ((last >= ibis.timestamp(start)) & (last < ibis.timestamp(stop))).fill_null(False)

    patch.setattr(encoding, "select_period", latest)  # where each row is told to be inside of the period


def rules_count_once(patch: Patch) -> None:
    """Of a month and its year only one counts."""

    def total(self: WorstLoss) -> tuple[Fraction, Fraction]:
        return max((epsilon.loss for epsilon, _ in self._rules.values()), default=Fraction(0)), Fraction(0)

    patch.setattr(WorstLoss, "total", property(total))


def releases_of_one_period_count_once(patch: Patch) -> None:
    """A second release of a period is free."""
    sound = CostliestPeriods.add

    def once(self: CostliestPeriods, label: str, amount: Fraction, *, most: int) -> None:
        before = self._amounts.get(label, Fraction(0))
        sound(self, label, max(amount - before, Fraction(0)), most=most)

    patch.setattr(CostliestPeriods, "add", once)


ROW_FAULTS: dict[str, Callable[[Patch], None]] = {
    "a row is in two periods": row_in_two_periods,
    "other rows decide": others_decide,
    "overlapping rules count once": rules_count_once,
    "a second release of a period is free": releases_of_one_period_count_once,
}


@pytest.mark.parametrize("fault", ROW_FAULTS.values(), ids=ROW_FAULTS)
def test_a_planted_fault_is_seen(
    fault: Callable[[Patch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    releases = [*OVERLAP, (MONTH, "2026-11", "1/4")]
    spent, few = spend(tmp_path, releases, None), one_row_more()[:12]  # nothing, or one row of October, before
    assert audit_series(few, releases, "identity", None, reader=lru_cache(None)(read)) > spent + Fraction(1, 8)


def test_the_same_tables_are_sound_without_a_fault(tmp_path: Path) -> None:
    releases = [*OVERLAP, (MONTH, "2026-11", "1/4")]
    lost = audit_series(one_row_more()[:12], releases, "identity", None)
    assert abs(lost - spend(tmp_path, releases, None)) <= TOLERANCE


def test_people_who_lose_only_their_costliest_period_are_seen(tmp_path: Path, monkeypatch: Patch) -> None:
    sound = WorstLoss.__init__
    monkeypatch.setattr(WorstLoss, "__init__", lambda self, **_: sound(self, unit=None))
    assert audit_series(one_person_more(), SERIES, "identity", "who") > spend(tmp_path, SERIES, "who") + Fraction(1, 2)
