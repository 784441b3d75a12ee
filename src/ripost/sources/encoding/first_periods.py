"""First periods: of each unit, rows are kept in the first `max_periods` periods in which the table has rows of it.

Which periods these are follows from the ids and the moments alone: what a row holds besides, whether an attribute drops
it, and rows of later periods play no part. Periods are numbered in the order of time, and a row counts in the period of
its number alone, so a unit counts in at most `max_periods` of them whatever an engine makes of a moment
(privacy/proofs/periods.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ibis

from ripost.schema.period import ReleasePeriod, read_rule
from ripost.sources.dialect import Dialect, Value
from ripost.sources.encoding.attribute_codes import int_literal
from ripost.sources.encoding.computed import TRUTH, WEEKS, compute, count_days, select_period

Table = Any  # an Ibis table; ibis has no type hints


def select_rows(
    table: Table, columns: Mapping[str, Value], period: ReleasePeriod | None, max_periods: int | None, dialect: Dialect
) -> Table:
    """The columns of all rows of a table, and `inside`: whether a row is kept in the period, if there is one.

    Args:
        columns: by name; `unit` holds the id of the unit, as text, if there is one.
        max_periods: of how many periods of a unit rows are kept; None for all.
    """
    if period is None:
        return table.select(**columns)
    inside = select_period(table, period, dialect)
    if max_periods is None:
        return table.select(**columns, inside=inside)
    rows = number_rows(table, {**columns, "inside": inside}, period.rule, dialect)
    kept = rows.inside & (rows.number == int_literal(period.number)) & (rows.place < max_periods)
    return rows.select(**{name: rows[name] for name in columns}, inside=kept.fill_null(False))


def number_rows(table: Table, columns: Mapping[str, Value], rule: str, dialect: Dialect) -> Table:
    """The columns of all rows, the `number` of the period of each, and at which `place` it is of those of its unit.

    Places count from 0, and say nothing of a row without a moment, whose number is NULL. `unit_bytes` tells units
    apart.
    """
    span, term = read_rule(rule)
    rows = table.select(**columns, moment=compute(term, table, TRUTH, dialect))  # the parser of SQLite is flat
    rows = rows.mutate(unit_bytes=dialect.to_bytes(rows.unit), number=number_period(span, rows.moment, dialect))
    in_time = ibis.window(group_by=[rows.unit_bytes, rows.number.notnull()], order_by=rows.number)
    return rows.mutate(place=ibis.dense_rank().over(in_time))


def number_period(span: str, moment: Value, dialect: Dialect) -> Value:
    """The number of the period of a moment (`ReleasePeriod.number`); NULL where the moment is."""
    if span in ("week", "day"):
        days = count_days(moment, dialect)
        return days if span == "day" else days - (days + (WEEKS + 3)) % 7  # 1970 began on a Thursday
    year, month = moment.year().cast("int64"), moment.month().cast("int64")
    first = {"year": int_literal(1), "quarter": month - (month + 2) % 3, "month": month}[span]
    return year * 100 + first
