"""Votes: from the rows of an open source to exact numbers of votes, as Ibis expressions, before its domain is known.

Each unit votes once (privacy/proofs/discover_votes.md): with the value of its row, or where a unit may have several
rows, with one of its values, which a keyed hash draws. Text is told apart by its bytes, never by a collation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ibis

from ripost.schema.attribute_base import AttributeBase
from ripost.schema.discovery import LONGEST_VALUE
from ripost.schema.period import ReleasePeriod
from ripost.sources.dialect import Dialect
from ripost.sources.encoding.attribute_codes import (
    EXACT,
    clamp,
    float_literal,
    int_literal,
    to_floats,
    to_text,
    to_unit_id,
)
from ripost.sources.encoding.computed import read_attribute
from ripost.sources.encoding.first_periods import keep_first, place_in_time
from ripost.sources.source_table import SourceTable


def count_value_votes(
    opened: SourceTable,
    name: str,
    attribute: AttributeBase,
    *,
    unit: str | None,
    secret: str,
    period: ReleasePeriod | None = None,
    max_periods: int | None = None,
) -> Any:
    """The bytes of each text that an attribute holds, and how many units vote for it: `value` and `votes`.

    A missing value, a row without a unit and a row that the period does not keep have no vote. Neither has text of
    more than LONGEST_VALUE letters, nor a number with a fraction, which engines spell in different ways.
    """
    dialect = Dialect.of(opened.backend)
    column = read_attribute(opened.table, name, attribute, dialect)
    text = _bound_text(column, dialect)
    first = {"value": dialect.to_bytes(text), "text": text}
    if unit is not None:
        first["unit"] = to_unit_id(opened.table[unit], dialect)
    first |= place_in_time(opened.table, first.get("unit"), period, max_periods, dialect)
    rows = keep_first(opened.table.select(**first), period, max_periods)
    kept = rows.value.notnull()
    rows = rows.filter(kept & rows.inside if period is not None else kept)
    if unit is not None:
        rows = _draw_votes(rows, secret, dialect)
    return rows.group_by("value").aggregate(votes=rows.count())


def count_row_votes(
    opened: SourceTable,
    listed: Sequence[int],
    *,
    unit: str,
    period: ReleasePeriod | None = None,
    max_periods: int | None = None,
) -> Any:
    """How many units have at most so many rows, and more than the number before, for each of a list: `cell`, `votes`.

    A unit with more rows than any number votes for the last one.
    """
    dialect = Dialect.of(opened.backend)
    first = {"unit": to_unit_id(opened.table[unit], dialect)}
    first |= place_in_time(opened.table, first.get("unit"), period, max_periods, dialect)
    rows = keep_first(opened.table.select(**first), period, max_periods)
    rows = rows.mutate(unit_bytes=dialect.to_bytes(rows.unit))
    kept = rows.unit_bytes.notnull()
    rows = rows.filter(kept & rows.inside if period is not None else kept)
    units = rows.group_by("unit_bytes").aggregate(rows=rows.count())
    branches = [(units.rows <= most, int_literal(cell)) for cell, most in enumerate(listed[:-1])]
    units = units.mutate(cell=ibis.cases(*branches, else_=int_literal(len(listed) - 1)))
    return units.group_by("cell").aggregate(votes=units.count())


def _bound_text(column: Any, dialect: Dialect) -> Any:
    """A column as text, NULL where it is missing or can never be listed."""
    kind = column.type()
    if kind.is_null():
        return ibis.null("string")
    text = to_text(column, dialect)
    if kind.is_floating() or kind.is_decimal():
        x = to_floats(column)
        near = clamp(x, float_literal(-EXACT), float_literal(EXACT)).floor().cast("float64")
        return ibis.ifelse(x == near, text, ibis.null("string"))
    return ibis.ifelse(text.length() <= LONGEST_VALUE, text, ibis.null("string"))


def _draw_votes(rows: Any, secret: str, dialect: Dialect) -> Any:
    """One of the distinct values of each unit, drawn by a keyed hash; which depends on this unit's rows alone."""
    rows = rows.mutate(unit_bytes=dialect.to_bytes(rows.unit))
    rows = rows.filter(rows.unit_bytes.notnull())
    alike = ibis.window(group_by=["unit_bytes", "value"], order_by=["unit_bytes"])
    rows = rows.mutate(copy=ibis.row_number().over(alike))
    rows = rows.filter(rows.copy == 0)
    parts = [ibis.literal(secret), dialect.to_hex(rows.unit), dialect.to_hex(rows.text)]
    drawn = dialect.md5(ibis.literal(":").join(parts))
    rows = rows.mutate(place=ibis.row_number().over(ibis.window(group_by="unit_bytes", order_by=drawn)))
    return rows.filter(rows.place == 0)
