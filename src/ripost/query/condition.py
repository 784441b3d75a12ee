"""Conditions as SQL writes them: `hour between 6 and 9 and origin = 'JFK'`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ripost.errors import QueryError, nearest
from ripost.space.attribute import Base, Interval, Labelled, merge
from ripost.space.domain import Domain

Selection = dict[int, list[Interval]]

LONGEST = 50_000
CAN = (
    "ask for conditions joined by AND, each on one attribute, with =, !=, <, <=, >, >=, BETWEEN, IN or IS NULL; "
    "OR works between conditions on the same attribute"
)
MIRRORED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ}
OPPOSITE = {exp.LT: exp.GTE, exp.LTE: exp.GT, exp.GT: exp.LTE, exp.GTE: exp.LT, exp.EQ: exp.NEQ, exp.NEQ: exp.EQ}
RANGES: Mapping[type[exp.Expr], tuple[str, dict[str, bool]]] = {
    exp.LT: ("high", {"before": True}),
    exp.LTE: ("high", {}),
    exp.GT: ("low", {"after": True}),
    exp.GTE: ("low", {}),
}


def parse_condition(text: str, domain: Domain) -> Selection:
    """Positions that a condition covers: by axis, disjoint intervals in order. Axes it does not name are free.

    An empty text is no condition. As in SQL, a missing value satisfies IS NULL only, be a condition negated or not.
    """
    if len(text) > LONGEST:
        raise QueryError(f"the condition is too long: {len(text):,} characters, at most {LONGEST:,}")
    if not text.strip():
        return {}
    try:
        return _selection(parse_one(text, dialect="duckdb", into=exp.Condition), domain, negate=False)
    except SqlglotError:
        raise QueryError(f"cannot read the condition {_short(text)}; {CAN}") from None
    except RecursionError:
        raise QueryError(f"the condition is nested too deeply; {CAN}") from None


def _selection(node: exp.Expr, domain: Domain, *, negate: bool) -> Selection:
    while isinstance(node, (exp.Paren, exp.Not)):
        negate ^= isinstance(node, exp.Not)
        node = node.this
    if not isinstance(node, (exp.And, exp.Or)):
        axis, intervals = _comparison(node, domain, negate=negate)
        return {axis: intervals}
    parts = (_selection(part, domain, negate=negate) for part in _operands(node))
    return _both(parts) if isinstance(node, exp.And) != negate else _either(parts)  # De Morgan


def _operands(node: exp.And | exp.Or) -> list[exp.Expr]:
    """What a chain of ANDs, or of ORs, joins; long chains are deep trees."""
    operands, waiting = [], [node.expression, node.this]
    while waiting:
        part = waiting.pop()
        if type(part) is type(node):
            waiting += [part.expression, part.this]
        else:
            operands.append(part)
    return operands


def _both(parts: Iterable[Selection]) -> Selection:
    found: Selection = {}
    for part in parts:
        for axis, intervals in part.items():
            found[axis] = _overlap(found[axis], intervals) if axis in found else intervals
    return found


def _either(parts: Iterable[Selection]) -> Selection:
    found: Selection = {}
    for part in parts:
        found = found or {axis: [] for axis in part}
        if len(part) != 1 or found.keys() != part.keys():
            raise QueryError(f"cannot answer OR between different attributes; {CAN}")
        for axis, intervals in part.items():
            found[axis] = found[axis] + intervals
    return {axis: merge(intervals) for axis, intervals in found.items()}


def _comparison(node: exp.Expr, domain: Domain, *, negate: bool) -> tuple[int, list[Interval]]:
    """Axis and positions of one condition."""
    if not isinstance(node, (exp.Between, exp.In, exp.Is, *MIRRORED)):
        raise QueryError(f"cannot answer {_short(node.sql('duckdb'))}; {CAN}")
    kind, column, other = type(node), node.this, node.args.get("expression")
    if kind in MIRRORED and not isinstance(column, exp.Column):
        kind, column, other = MIRRORED[kind], other, column
    name = _name(column, domain)
    attribute = domain.attributes[name]
    try:
        if kind in MIRRORED:
            intervals = _compare(attribute, OPPOSITE[kind] if negate else kind, _value(other, attribute))
        else:
            intervals = _test(attribute, node, negate=negate)
    except QueryError as error:
        raise QueryError(f"{name} {error}") from None
    return domain.axis(name), intervals


def _compare(attribute: Base, kind: type[exp.Expr], value: Any) -> list[Interval]:
    if kind is exp.EQ:
        return attribute.select(value)
    if kind is exp.NEQ:
        return _others(attribute, attribute.select(value))
    end, strict = RANGES[kind]
    return attribute.between(**{end: value}, **strict)


def _test(attribute: Base, node: exp.Expr, *, negate: bool) -> list[Interval]:
    """Positions of BETWEEN, IN and IS NULL."""
    if isinstance(node, exp.Is):
        if not isinstance(node.expression, exp.Null):
            raise QueryError(f"can be asked IS NULL or IS NOT NULL only; {CAN}")
        return [(0.0, float(attribute.missing_code))] if negate else attribute.select(None)
    if isinstance(node, exp.Between):
        if node.args.get("symmetric"):
            raise QueryError(f"cannot be asked BETWEEN SYMMETRIC; {CAN}")
        low, high = (_value(node.args[end], attribute) for end in ("low", "high"))
        found = attribute.between(low, high)
    else:
        if not node.expressions:
            raise QueryError("needs a list of values after IN, such as IN (1, 2)")
        found = attribute.select([_value(one, attribute) for one in node.expressions])
    return _others(attribute, found) if negate else found


def _name(column: Any, domain: Domain) -> str:
    """The attribute that a column names; unquoted names may differ in case."""
    if not isinstance(column, exp.Column) or not isinstance(column.this, exp.Identifier):
        raise QueryError(f"a condition compares an attribute with a value; {CAN}")
    name: str = column.name
    if column.table:
        raise QueryError(f"put the name {column.table}.{name} in double quotes, or leave out what is before the dot")
    if name in domain.attributes:
        return name
    alike = [known for known in domain.names if known.lower() == name.lower() and not column.this.quoted]
    if len(alike) == 1:
        return alike[0]
    raise QueryError(f"the view has no attribute {_short(name)}; {nearest(name[:100], domain.names)}")


def _value(node: Any, attribute: Base) -> Any:
    """What a literal stands for: a number, a text, true or false."""
    sign = ""
    while isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        if isinstance(node, exp.Neg):
            sign = "" if sign else "-"
        node = node.this
    if isinstance(node, exp.Boolean) and not sign:
        return bool(node.this)
    if isinstance(node, exp.Column):
        raise QueryError(f"is compared with {_short(node.name)}; put text in single quotes")
    if isinstance(node, exp.Null):
        raise QueryError("is compared with NULL; ask IS NULL or IS NOT NULL")
    if not isinstance(node, exp.Literal) or (node.is_string and sign):
        raise QueryError(f"is compared with something that is not a plain value; {CAN}")
    text = sign + str(node.this)
    if node.is_string or isinstance(attribute, Labelled):
        return text
    whole = node.this.isdigit() and len(text) <= 15
    return int(text) if whole else float(text)


def _others(attribute: Base, intervals: list[Interval]) -> list[Interval]:
    """All positions of values that are there, except these."""
    ends = [0.0, *(end for interval in merge(intervals) for end in interval), float(attribute.missing_code)]
    return [(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True) if low < high]


def _overlap(one: list[Interval], other: list[Interval]) -> list[Interval]:
    """Positions in both; each is sorted and disjoint."""
    found, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        low, high = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if low < high:
            found.append((low, high))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return found


def _short(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 80 else shown[:79] + "…"
