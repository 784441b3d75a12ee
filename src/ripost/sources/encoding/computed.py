"""Computed columns: the tree of an expression as an Ibis value of one row.

No value makes an engine fail, and every engine gives the same (privacy/proofs/encoding.md): a column is brought into a
range first, where it is missing otherwise, and within that range each operation is exact or rounds as IEEE floats do.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import ibis

from ripost.schema.attribute import AttributeBase, Boolean, Calendar, NumericAttribute
from ripost.schema.date_format import DateFormat
from ripost.schema.expression import COLUMN, LARGEST_WHOLE, UNITS, Kind, Term
from ripost.schema.period import ReleasePeriod
from ripost.sources.dialect import Dialect, Value
from ripost.sources.encoding.attribute_codes import (
    encode_boolean,
    float_literal,
    to_floats,
    to_text,
    to_timestamps,
)
from ripost.sources.encoding.text_values import parse_moments, parse_numbers

TYPES: dict[Kind, str] = {"number": "float64", "moment": "timestamp", "text": "string", "boolean": "boolean"}
FIRST, END = dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31)  # of moments; all others are missing
TRUTH = Boolean(type="boolean", missing="drop")
WEEKS = 7 * 200_000  # in days: enough that no day number is negative


def read_attribute(table: Any, name: str, attribute: AttributeBase, dialect: Dialect) -> Value:
    """The column of an attribute, or the value that its expression gives."""
    if attribute.computed is None:
        return table[attribute.column or name]
    return compute(attribute.computed, table, attribute, dialect)


def select_period(table: Any, period: ReleasePeriod, dialect: Dialect) -> Value:
    """Whether a row is in a period, by its own moment; a row without one is in none (privacy/proofs/periods.md)."""
    moment, (start, stop) = compute(period.moment, table, TRUTH, dialect), period.bounds
    return ((moment >= ibis.timestamp(start)) & (moment < ibis.timestamp(stop))).fill_null(False)


def compute(term: Term, table: Any, attribute: AttributeBase, dialect: Dialect) -> Value:
    """The value of a term for each row; keys of the attribute say how text spells numbers and dates."""
    if term.operation == "column":
        return read_column(table[term.value], term.kind, attribute, dialect)
    if term.operation == "strptime":
        name, format = term.value
        null = table[name].type().is_null()
        return ibis.null("timestamp") if null else read_moment(table[name], format, dialect)
    parts = [compute(part, table, attribute, dialect) for part in term.parts]
    if term.operation in ("=", "<>"):
        compared = map(dialect.to_bytes, parts) if term.parts[0].kind == "text" else parts
        same = reduce(operator.eq, compared)
        return same if term.operation == "=" else ~same
    if term.operation in PLAIN:
        return PLAIN[term.operation](*parts)
    if term.operation in TIMED:
        return TIMED[term.operation](term, dialect, *parts)
    return OTHERS[term.operation](term, *parts)


def read_column(column: Value, kind: Kind, attribute: AttributeBase, dialect: Dialect) -> Value:
    """A column as values of a kind; NULL where it holds none."""
    if column.type().is_null():
        return ibis.null(TYPES[kind])
    match kind:
        case "number":
            return read_number(column, attribute, dialect)
        case "moment":
            return read_moment(column, attribute.date_format if isinstance(attribute, Calendar) else None, dialect)
        case "text":
            return dialect.to_plain_text(to_text(column, dialect))
        case "boolean":
            return encode_boolean(column, TRUTH, dialect) == 1


def read_number(column: Value, attribute: AttributeBase, dialect: Dialect) -> Value:
    """A column as floats that are 0 or between 2^-50 and 2^50 from it; nearer to 0 is 0, farther or no number NULL."""
    if column.type().is_string():
        spelled = attribute if isinstance(attribute, NumericAttribute) else None
        decimal, thousands = (spelled.decimal or ".", spelled.thousands) if spelled else (".", None)
        x = parse_numbers(column, dialect, decimal=decimal, thousands=thousands)
    else:
        x = to_floats(dialect.keep_numbers(column))
    tiny, large = float_literal(2.0**-COLUMN), float_literal(2.0**COLUMN)
    return ibis.cases(
        ((x >= tiny) & (x <= large), x),
        ((x <= -tiny) & (x >= -large), x),
        ((x > -tiny) & (x < tiny), float_literal(0)),
        else_=ibis.null("float64"),
    )


def read_moment(column: Value, format: DateFormat | None, dialect: Dialect) -> Value:
    """A column as moments to the second, from 1000 to the last day but one of 9999; NULL for all others."""
    if format is None or not column.type().is_string():
        x = to_timestamps(column, dialect)
    elif dialect.engine == "sqlite":  # tested where it is read, once
        return dialect.read_moment(dialect.to_plain_text(column), format, FIRST, END).cast("timestamp")
    else:
        x = parse_moments(column, format, dialect)
    inside = (x >= ibis.timestamp(FIRST)) & (x < ibis.timestamp(END))
    whole = x if dialect.engine == "sqlite" else x.truncate("s")  # there fractions are cut off already
    return ibis.ifelse(inside, whole, ibis.null("timestamp"))


def literal(term: Term) -> Value:
    match term.kind:
        case "number":
            return float_literal(term.value)
        case "moment":
            return ibis.timestamp(term.value)
    return ibis.literal(term.value)


def round_whole(term: Term, x: Value) -> Value:
    """FLOOR or CEIL; NULL where the result might not fit 64 bits."""
    whole = (x.floor() if term.operation == "floor" else x.ceil()).cast("float64")
    if not term.is_guarded:
        return whole
    limit = float_literal(2.0**LARGEST_WHOLE)
    return ibis.ifelse((x >= -limit) & (x <= limit), whole, ibis.null("float64"))


def subtract_moments(term: Term, dialect: Dialect, first: Value, last: Value) -> Value:
    """How often a unit of time begins from the first to the last."""
    began, ended = ((dialect.count_seconds(x) / float_literal(UNITS[term.value])).floor() for x in (first, last))
    return (ended - began).cast("float64")


def choose_case(_: Term, *parts: Value) -> Value:
    return ibis.cases(*zip(parts[:-1:2], parts[1:-1:2], strict=True), else_=parts[-1])


def date_part(term: Term, dialect: Dialect, x: Value) -> Value:
    match term.value:
        case "quarter":
            found = ((x.month().cast("float64") + float_literal(2)) / float_literal(3)).floor()
        case "isodow":
            found = (count_days(x, dialect) + (WEEKS + 3)) % 7 + 1  # 1970 began on a Thursday
        case "dow":
            found = (count_days(x, dialect) + (WEEKS + 4)) % 7
        case "second":
            found = x.second().cast("float64").floor()
        case part:
            found = getattr(x, part)()
    return found.cast("float64")


def count_days(x: Value, dialect: Dialect) -> Value:
    """Days since 1970."""
    return (dialect.count_seconds(x) / float_literal(86400)).floor().cast("int64")


PLAIN: dict[str, Callable[..., Value]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": lambda x, y: x / y.nullif(float_literal(0)),
    "negative": operator.neg, "absolute": lambda x: x.abs(), "trim": lambda x: x.strip(), "coalesce": ibis.coalesce,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "is null": lambda x: x.isnull(),
    "and": operator.and_, "or": operator.or_, "not": operator.invert,
}  # fmt: skip
TIMED: dict[str, Callable[..., Value]] = {"part": date_part, "difference": subtract_moments}
OTHERS: dict[str, Callable[..., Value]] = {
    "constant": literal,
    "null": lambda term: ibis.null(TYPES[term.kind]),
    "floor": round_whole,
    "ceil": round_whole,
    "slice": lambda term, x: x.substr(term.value[0] - 1, term.value[1]),
    "case": choose_case,
}
