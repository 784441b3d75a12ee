"""Contribution bounding: of each unit at most so many rows, chosen at random.

Rows are ranked by a keyed hash of what they hold and of which copy of it they are, so every row of a unit has the same
chance, whatever it holds, in whatever order the engine meets it. Which rows of a unit are kept depends on that unit's
rows and the secret alone: adding or removing a person leaves everybody else's rows as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import ibis
import ibis.expr.operations as ops

from ripost.ingest.codes import spelled

Table = Any  # an Ibis table; ibis has no type hints


def bounded(table: Table, *, unit: str, content: Sequence[str], max_rows: int, secret: str, backend: Any) -> Table:
    """The table with at most `max_rows` rows a unit; rows whose unit is missing count as one unit.

    Args:
        content: columns of whole numbers by which rows differ; rows equal in these are interchangeable.
    """
    same = ibis.window(group_by=[unit, *content], order_by=list(content))
    copies = table.mutate(copy=ibis.row_number().over(same))
    who = spelled(copies[unit], nan=backend.has_operation(ops.IsNan)).fill_null("")
    parts = [ibis.literal(secret), who, *(copies[name].cast("string") for name in (*content, "copy"))]
    ranked = copies.mutate(draw=digest(ibis.literal(":").join(parts), backend))
    order = ibis.window(group_by=unit, order_by="draw")
    return ranked.mutate(place=ibis.row_number().over(order)).filter(lambda t: t.place < max_rows)


def digest(text: Any, backend: Any) -> Any:
    """The MD5 of a text, as each engine spells it."""
    if backend.name == "sqlite":
        return _in_python(text)
    return text.hexdigest("md5") if backend.has_operation(ops.HexDigest) else _in_engine(text)


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


_in_python: Any = ibis.udf.scalar.python(md5, signature=(("string",), "string"))
_in_engine: Any = ibis.udf.scalar.builtin(md5, name="md5", signature=(("string",), "string"))
