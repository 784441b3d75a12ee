"""First periods: of each unit, rows are kept in the first `max_periods` periods in which the table has rows of it.

Which periods these are follows from the ids and the moments alone: what a row holds besides, whether an attribute drops
it, and rows of later periods play no part. Periods are numbered in the order of time, and a row counts in the period of
its number alone, so a unit counts in at most `max_periods` of them whatever an engine makes of a moment
(privacy/proofs/periods.md).
"""

from __future__ import annotations

from typing import Any

import ibis

from ripost.schema.period import ReleasePeriod, read_rule
from ripost.sources.dialect import Dialect, Value
from ripost.sources.encoding.attribute_codes import int_literal
from ripost.sources.encoding.computed import TRUTH, WEEKS, compute, count_days, select_period

Table = Any  # an Ibis table; ibis has no type hints


def place_in_time(
    table: Table, unit: Value | None, period: ReleasePeriod | None, max_periods: int | None, dialect: Dialect
) -> dict[str, Value]:
    """The columns from which `keep_first` finds the rows that are kept in a period; none without a period.

    Args:
        unit: the id of the unit of a row, as text.
        max_periods: of how many periods of a unit rows are kept; None for all.
    """
    if period is None:
        return {}
    inside = select_period(table, period, dialect)
    if unit is None or max_periods is None:
        return {"inside": inside}
    number, place = place_rows(table, unit, period.rule, dialect)
    return {"inside": inside, "number": number, "place": place}


def keep_first(rows: Table, period: ReleasePeriod | None, max_periods: int | None) -> Table:
    """The rows with the columns of `place_in_time` as one, `inside`: whether a row is kept in the period.

    It comes after a join, since the parser of SQLite takes few selections that are nested.
    """
    if period is None or "place" not in rows.columns:
        return rows
    kept = rows.inside & (rows.number == int_literal(period.number)) & (rows.place < int_literal(max_periods))
    others = {name: rows[name] for name in rows.columns if name not in ("inside", "number", "place")}
    return rows.select(**others, inside=kept.fill_null(False))


def place_rows(table: Table, unit: Value, rule: str, dialect: Dialect) -> tuple[Value, Value]:
    """The number of the period of each row, and at which place it is of the periods of its unit, from 0.

    The number of a row without a moment is NULL, and its place says nothing.
    """
    span, term = read_rule(rule)
    number = number_period(span, compute(term, table, TRUTH, dialect), dialect)
    in_time = ibis.window(group_by=[dialect.to_bytes(unit), number.notnull()], order_by=number)
    return number, ibis.dense_rank().over(in_time)


def number_period(span: str, moment: Value, dialect: Dialect) -> Value:
    """The number of the period of a moment (`ReleasePeriod.number`); NULL where the moment is."""
    if dialect.engine == "sqlite":
        return dialect.number_period(span, moment)
    if span in ("week", "day"):
        days = count_days(moment, dialect)
        return days if span == "day" else days - (days + (WEEKS + 3)) % 7  # 1970 began on a Thursday
    year, month = moment.year().cast("int64"), moment.month().cast("int64")
    first = {"year": int_literal(1), "quarter": month - (month + 2) % 3, "month": month}[span]
    return year * 100 + first
