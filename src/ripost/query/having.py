"""HAVING: which rows of a result to keep, in SQL's logic of three values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.condition import COMPARE, operands
from ripost.query.pattern import Pattern, is_pattern
from ripost.query.terms import plain_value
from ripost.query.words import bare, quote
from ripost.schema.dates import is_day, moment
from ripost.space.work_limit import charge

CAN = "compare what stands in SELECT or GROUP BY with plain values, joined by AND, OR and NOT"

ResultColumn = Sequence[Any]
Truth = list[bool | None]


def filter_rows(node: Any, column: Callable[[Any], ResultColumn], rows: int, *, word: str = "HAVING") -> list[int]:
    """Numbers of the rows for which an expression is true; `column` gives the values of a term."""
    try:
        return [number for number, verdict in enumerate(_truth(node, column, rows)) if verdict]
    except _NotKnown as error:
        raise QueryError(f"{word} {error}") from None


class _NotKnown(Exception):
    """What a condition on rows cannot do."""


def _truth(node: Any, column: Callable[[Any], ResultColumn], rows: int) -> Truth:
    node = bare(node)
    charge(rows)
    if isinstance(node, exp.Not):
        return [None if one is None else not one for one in _truth(node.this, column, rows)]
    if isinstance(node, (exp.And, exp.Or)):
        parts = [_truth(part, column, rows) for part in operands(node)]
        decisive = isinstance(node, exp.Or)
        return [_combine(row, decisive=decisive) for row in zip(*parts, strict=True)]
    return _test(node, column, rows)


def _test(node: Any, column: Callable[[Any], ResultColumn], rows: int) -> Truth:
    """The truth of one comparison in each row."""
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return [value is None for value in column(node.this)]
    if isinstance(node, exp.Between):
        low, high = (_values(node.args[end], column, rows) for end in ("low", "high"))
        inside = zip(_compare(exp.GTE, column(node.this), low), _compare(exp.LTE, column(node.this), high), strict=True)
        return [_combine(pair, decisive=False) for pair in inside]
    if isinstance(node, exp.In) and node.expressions:
        charge(rows * len(node.expressions))
        wanted = column(node.this)
        each = [_compare(exp.EQ, wanted, _values(one, column, rows)) for one in node.expressions]
        return [_combine(row, decisive=True) for row in zip(*each, strict=True)]
    if is_pattern(node):
        return _matches(node, column)
    if type(node) in COMPARE:
        return _compare(type(node), _values(node.this, column, rows), _values(node.expression, column, rows))
    raise _NotKnown(f"cannot answer {quote(node)}; {CAN}")


def _matches(node: Any, column: Callable[[Any], ResultColumn]) -> Truth:
    try:
        pattern = Pattern.of(node)
    except QueryError as error:
        raise _NotKnown(f"{quote(node)} {error}") from None
    values = column(node.this.this if isinstance(node, exp.Escape) else node.this)
    if not all(value is None or isinstance(value, str) for value in values):
        raise _NotKnown(f"cannot answer {quote(node)}; LIKE is about text")
    pattern.charge_for(value for value in values if value is not None)
    return [None if value is None else pattern.matches(value) != pattern.negate for value in values]


def _values(node: Any, column: Callable[[Any], ResultColumn], rows: int) -> ResultColumn:
    inner = bare(node)
    while isinstance(inner, (exp.Neg, exp.Cast)):
        inner = bare(inner.this)
    if isinstance(inner, (exp.Literal, exp.Boolean)):
        return [plain_value(node)] * rows
    return column(node)


def _compare(kind: type[exp.Expr], one: ResultColumn, other: ResultColumn) -> Truth:
    return [None if a is None or b is None else COMPARE[kind](*_alike(a, b)) for a, b in zip(one, other, strict=True)]


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values that can be compared: text becomes a moment beside one, and a moment a day beside a day."""
    try:
        if hasattr(a, "isoformat") or hasattr(b, "isoformat"):
            one, other = moment(a), moment(b)
            return (one.date(), other.date()) if is_day(a) or is_day(b) else (one, other)
        if isinstance(a, str) != isinstance(b, str):
            return float(a), float(b)
    except (TypeError, ValueError):
        raise _NotKnown(f"cannot compare {quote(a)} with {quote(b)}; {CAN}") from None
    return a, b


def _combine(parts: Sequence[bool | None], *, decisive: bool) -> bool | None:
    if any(part is decisive for part in parts):
        return decisive
    return None if None in parts else not decisive
