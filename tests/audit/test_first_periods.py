"""The exact audit of a series of people who count in their first periods alone: two persons over three months.

Each release reads the table as it was when its month was published. As in test_periods.py, every output has its
probability for every tensor, and the largest log ratio of tables with and without one person is the sum over the
releases. It must be within what a real ledger says was spent, and reach it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from ripost.budget_ledger import operations as books
from ripost.budget_ledger import worst_loss
from ripost.budget_ledger.records import PeriodRecord
from ripost.budget_ledger.worst_loss import CostliestPeriods
from ripost.data.read import read_tensor
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from ripost.sources.encoding import encode, first_periods

from .enumeration import TOLERANCE
from .series import FAMILY, MONTH, Patch, Row, losses

DAYS = [dt.date(2026, 10, 31), dt.date(2026, 11, 1), dt.date(2026, 12, 1)]


@dataclass(frozen=True)
class Monthly:
    """A release of one month."""

    month: int
    epsilon: str
    most: int | None = 2  # max_periods
    drops: bool = False  # whether its schema drops rows with x = 0


SERIES = (Monthly(10, "1/2"), Monthly(11, "1"), Monthly(10, "1/4"), Monthly(12, "1/8"))
CHANGED = (Monthly(10, "1/2", most=1), Monthly(11, "1", most=2), Monthly(12, "3/4", most=1))
MIXED = (Monthly(10, "1/2", most=1), Monthly(11, "1", most=1), Monthly(12, "1/4", most=None))
DROPS = (Monthly(10, "1/2", most=1), Monthly(11, "1", most=1, drops=True))
Reader = Callable[[tuple[Row, ...], Monthly], int]


def read(rows: tuple[Row, ...], release: Monthly) -> int:
    """The number of the tensor that a release reads from a table."""
    who, date, x = zip(*rows, strict=True) if rows else ((), (), ())
    columns = {"who": pa.array(who, pa.string()), "date": pa.array(date, pa.date32()), "x": pa.array(x, pa.int64())}
    bound = {} if release.most is None else {"max_periods": release.most}
    schema = Schema.from_dict(
        {
            **bound,
            "unit": "who",
            "max_rows": 1,
            "period": MONTH,
            "impossible": ["x = 0"] if release.drops else [],
            "attributes": {"x": {"type": "integer", "min": 0, "max": 1, "missing": "drop"}},
        }
    )
    tensor = read_tensor(pa.table(columns), schema, secret="s", period=ReleasePeriod(MONTH, f"2026-{release.month}"))
    counts = np.zeros(2, int)
    counts[tensor.coords[:, 0]] = tensor.counts
    return int(np.flatnonzero((FAMILY.counts == counts).all(axis=1))[0])


SOUND = lru_cache(None)(read)
ALL = [("a", day, x) for day, x in zip(DAYS, (0, 1, 1), strict=True)]
OWN: list[Row] = [*ALL, ("a", DAYS[0], 1), ("a", DAYS[1], 0)]
EVERYBODY = [
    (others, mine)
    for others in ([], [("b", DAYS[0], 0), ("b", DAYS[2], 1)])
    for size in (1, 2, 3)
    for mine in combinations(OWN, size)
]


def audit_people(
    tables: Sequence[tuple[Sequence[Row], Sequence[Row]]], series: Sequence[Monthly], *, reader: Reader = SOUND
) -> float:
    """What the series loses at most by all rows of one person more or less."""
    worst = 0.0
    for others, mine in tables:
        lost, last = np.zeros(2), 0
        for release in series:
            last = max(last, release.month)  # rows of later months are not there yet
            held = [
                tuple(row for row in rows if row[1] and row[1].month <= last) for rows in (others, [*others, *mine])
            ]
            without, with_all = (reader(rows, release) for rows in held)
            found = losses("identity", Fraction(release.epsilon))
            lost += found[without, with_all], found[with_all, without]
        worst = max(worst, float(lost.max()))
    return worst


def spend(folder: Path, series: Sequence[Monthly]) -> Fraction:
    """What a ledger says of the series."""
    path = folder / "budget.sqlite"
    books.create_ledger(path, dataset="series", epsilon=10, unit="who")
    for one in series:
        period = PeriodRecord(rule=MONTH, label=f"2026-{one.month}", max_periods=one.most)
        price = {"epsilon": Fraction(one.epsilon), "delta": Fraction(0)}
        books.debit(path, **price, unit="who", method="identity", period=period)
    return books.read_ledger(path).spent[0]


@pytest.mark.parametrize(
    ("series", "spent"),
    [
        (SERIES, "7/4"),
        (tuple(replace(one, most=1) for one in SERIES), "1"),
        (tuple(replace(one, most=3) for one in SERIES), "15/8"),
        (MIXED, "5/4"),
    ],
    ids=["two of three months", "one", "all", "a month that counts everybody"],
)
def test_people_lose_what_the_ledger_says(series: Sequence[Monthly], spent: str, tmp_path: Path) -> None:
    assert spend(tmp_path, series) == Fraction(spent)
    assert abs(audit_people(EVERYBODY, series) - Fraction(spent)) <= TOLERANCE


@pytest.mark.parametrize("series", [CHANGED, DROPS], ids=["another max_periods", "other attributes"])
def test_a_schema_that_changes_between_releases_stays_within_the_ledger(
    series: Sequence[Monthly], tmp_path: Path
) -> None:
    assert audit_people(EVERYBODY, series) <= spend(tmp_path, series) + TOLERANCE


def one_period_more(patch: Patch) -> None:
    """Rows are kept in one period more than max_periods."""
    sound = first_periods.keep_first
    patch.setattr(
        encode,
        "keep_first",
        lambda rows, period, most: sound(rows, period, most + 1),
    )


def last_periods(patch: Patch) -> None:
    """The last periods count instead of the first: each month is the last one when it is published."""
    sound, number = first_periods.number_period, ReleasePeriod.number.fget
    assert number is not None
    patch.setattr(first_periods, "number_period", lambda *given: -sound(*given))
    patch.setattr(ReleasePeriod, "number", property(lambda self: -number(self)))


def kept_rows_rank(patch: Patch) -> None:
    """Rows that the schema drops use up no period, so another schema finds another first period."""
    sound = encode.encode_rows

    def encode_by_kept(opened: Any, schema: Schema, **more: Any) -> Any:
        table = opened.table
        if schema.impossible:
            table = table.mutate(date=ibis.ifelse(table.x == 0, ibis.null("date"), table.date))
        return sound(replace(opened, table=table), schema, **more)

    patch.setattr("ripost.data.read.encode_rows", encode_by_kept)


def costliest_alone(patch: Patch) -> None:
    """The ledger counts the costliest period alone, as for rows."""
    patch.setattr(worst_loss, "sum_largest", lambda ascending, _: max(ascending, default=Fraction(0)))


def newest_bound(patch: Patch) -> None:
    """The ledger counts by the max_periods of the newest debit."""
    sound = CostliestPeriods.add

    def add(self: CostliestPeriods, label: str, amount: Fraction, *, most: int) -> None:
        sound(self, label, amount, most=most)
        self._most = most

    patch.setattr(CostliestPeriods, "add", add)


def unbounded_are_bounded(patch: Patch) -> None:
    """The ledger takes a release without max_periods for one more period of the rule."""
    sound = worst_loss.WorstLoss._place
    patch.setattr(
        worst_loss.WorstLoss,
        "_place",
        lambda self, period: sound(self, period and period.model_copy(update={"max_periods": period.max_periods or 1})),
    )


FAULTS: dict[str, tuple[Callable[[Patch], None], Sequence[Monthly]]] = {
    "a rank off by one": (one_period_more, tuple(replace(one, most=1) for one in SERIES)),
    "the last periods": (last_periods, SERIES),
    "a rank of kept rows": (kept_rows_rank, DROPS),
    "the costliest period alone": (costliest_alone, SERIES),
    "the newest max_periods": (newest_bound, (Monthly(10, "1/2"), Monthly(11, "1"), Monthly(12, "1/8", most=1))),
    "no max_periods": (unbounded_are_bounded, MIXED),
}


@pytest.mark.parametrize(("fault", "series"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_seen(
    fault: Callable[[Patch], None], series: Sequence[Monthly], tmp_path: Path, monkeypatch: Patch
) -> None:
    few = [([], mine) for size in (2, 3) for mine in combinations(ALL, size)]
    assert audit_people(few, series) <= spend(tmp_path, series) + TOLERANCE
    (tmp_path / "faulty").mkdir()
    fault(monkeypatch)
    assert audit_people(few, series, reader=lru_cache(None)(read)) > spend(tmp_path / "faulty", series) + Fraction(
        1, 16
    )
