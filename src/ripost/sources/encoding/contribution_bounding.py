"""Contribution bounding: of each unit at most `max_rows` rows are kept, chosen at random.

Rows are ranked by a keyed hash of what they hold and of which copy of it they are, so every row of a unit has the same
chance, whatever it holds, in whatever order the engine meets it. Which rows of a unit are kept depends on that unit's
rows and the secret alone: adding or removing a unit leaves the rows of all others as they are. Units are told apart by
the bytes of their ids, never by a collation (privacy/proofs/encoding.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ibis

from ripost.sources.dialect import Dialect

Table = Any  # an Ibis table; ibis has no type hints


def bound_contributions(
    rows: Table, *, unit: str, keys: Sequence[str], content: Sequence[str], max_rows: int, secret: str, dialect: Dialect
) -> Table:
    """The same rows, the keys of those that are not kept set to NULL.

    A row without a unit is not kept, and neither is one without all of its keys; these do not use up the bound.

    Args:
        unit: column with the id of the unit, as text.
        keys: columns that say which cell a row is in.
        content: columns of whole numbers by which rows differ, keys among them; equal rows are interchangeable.
    """
    unit_bytes = dialect.to_bytes(rows[unit])
    usable = unit_bytes.notnull()
    for key in keys:
        usable &= rows[key].notnull()
    rows = rows.mutate(unit_bytes=unit_bytes, usable=usable)
    alike = ibis.window(group_by=["unit_bytes", "usable", *content], order_by=list(content))
    rows = rows.mutate(copy=ibis.row_number().over(alike))
    parts = [ibis.literal(secret), rows[unit], *(rows[name].cast("string") for name in (*content, "copy"))]
    drawn = ibis.window(group_by=["unit_bytes", "usable"], order_by=dialect.md5(ibis.literal(":").join(parts)))
    rows = rows.mutate(place=ibis.row_number().over(drawn))
    kept = rows.usable & (rows.place < max_rows)
    return rows.mutate(**{key: ibis.ifelse(kept, rows[key], ibis.null("int64")) for key in keys})
