"""The SQL of impossible cells: conditions of a schema that hold in no row, such as sex = 'male' AND pregnant.

Each condition joins comparisons of attributes with values by AND. Whatever else is refused, in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ripost.errors import QueryError, suggest_nearest
from ripost.schema.attribute_base import OrderedAttribute
from ripost.schema.dates import Timestamp, is_day
from ripost.schema.impossible import Box, ImpossibleCells
from ripost.space.interval import Interval, merge
from ripost.space.region import Region, Selection, complement_intervals, unite

MOST_BOXES = 256  # disjoint boxes of impossible cells: the tree has a block for each
CAN = "a condition joins comparisons such as sex = 'male', age < 12, code IN ('A', 'B') or pregnant by AND"
ENDS: dict[Any, tuple[str, str]] = {
    exp.LT: ("high", "before"), exp.LTE: ("high", ""), exp.GT: ("low", "after"), exp.GTE: ("low", ""),
}  # fmt: skip


def read_impossible(
    conditions: Sequence[str],
    attributes: Mapping[str, Any],
    mapped: Mapping[str, Any],
    *,
    undiscovered: Collection[str] = (),
) -> ImpossibleCells:
    """The cells where a condition holds; ValueError in one sentence where one cannot be read.

    `undiscovered` attributes have no codes yet, so no condition compares them.
    """
    shape = [attribute.size for attribute in attributes.values()]
    names = {name: axis for axis, name in enumerate(attributes)}
    regions: list[Region] = []
    for text in conditions:
        try:
            regions.append((_read_condition(text, names, attributes, mapped, undiscovered),))
        except QueryError as error:
            raise ValueError(f"impossible: {text!r}: {error}") from None
    boxes: list[Box] = []
    try:
        for selection in unite(regions, shape):
            sides = [selection.get(axis, [(0.0, float(size))]) for axis, size in enumerate(shape)]
            boxes += [tuple((int(low), int(high)) for low, high in box) for box in product(*sides)]
    except QueryError:
        boxes = []
    if not 1 <= len(boxes) <= MOST_BOXES:
        raise ValueError(f"impossible falls into more than {MOST_BOXES} boxes; leave out some of its conditions")
    found = ImpossibleCells(tuple(conditions), tuple(boxes))
    if sum(math.prod(high - low for low, high in box) for box in boxes) == math.prod(shape):
        raise ValueError("impossible covers every cell; no row would be left")
    return found


def _read_condition(
    text: str,
    names: Mapping[str, int],
    attributes: Mapping[str, Any],
    mapped: Mapping[str, Any],
    undiscovered: Collection[str],
) -> Selection:
    """The selection where a condition holds."""
    try:
        node: Any = parse_one(text, dialect="duckdb", into=exp.Condition)
    except (SqlglotError, RecursionError):
        raise QueryError(f"cannot be read; {CAN}") from None
    found: dict[int, list[Interval]] = {}
    for part in _operands(node):
        compared, negate = _strip_not(part)
        name = _resolve(compared if isinstance(compared, exp.Column) else compared.this, [*attributes, *mapped])
        asked = mapped.get(name, attributes.get(name))
        axis = mapped[name].axis if name in mapped else names[name]
        if name in undiscovered:
            raise QueryError(f"{name} is to be discovered; state its values or bounds, or compare another attribute")
        try:
            spans = _positions(compared, asked, most=_end_of_not(asked, [*attributes.values()][axis]), negate=negate)
        except QueryError as error:
            raise QueryError(f"{name} {error}") from None
        if any(end % 1 for span in spans for end in span):
            raise QueryError(f"{name} is cut inside one of its bins; move the value to the edge of a bin")
        if axis in found:
            raise QueryError(f"{name} is compared twice; write one comparison, such as BETWEEN or IN")
        found[axis] = [(low, high) for low, high in spans if low < high]
    if not all(found.values()):
        raise QueryError("holds nowhere; leave it out")
    return found


def _operands(node: Any) -> list[Any]:
    """What ANDs join."""
    waiting, found = [node], list[Any]()
    while waiting:
        part = waiting.pop()
        if isinstance(part, exp.Paren):
            waiting.append(part.this)
        elif isinstance(part, exp.And):
            waiting += [part.expression, part.this]
        else:
            found.append(part)
    return found


def _strip_not(node: Any) -> tuple[Any, bool]:
    """A comparison without NOT and brackets around it, and whether it is negated."""
    negate = False
    while isinstance(node, (exp.Not, exp.Paren)):
        negate ^= isinstance(node, exp.Not)
        node = node.this
    return node, negate


def _positions(node: Any, asked: Any, *, most: int, negate: bool) -> list[Interval]:
    """Where a comparison holds; as in SQL, a missing value satisfies IS NULL only."""
    found: list[Interval]
    match node:
        case exp.Column():
            found = asked.select(True)
        case exp.EQ() | exp.NEQ():
            found, negate = _equal(asked, _value(node.expression)), negate ^ isinstance(node, exp.NEQ)
        case exp.In() if node.expressions:
            found = merge([one for part in node.expressions for one in _equal(asked, _value(part))])
        case exp.Is() if isinstance(node.expression, exp.Null):
            found = asked.select(None)
        case exp.Between():
            found = asked.between(_value(node.args["low"]), _value(node.args["high"]))
        case exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            end, strict = ENDS[type(node)]
            found = asked.between(**{end: _value(node.expression)}, **({strict: True} if strict else {}))
        case _:
            raise QueryError(f"cannot be asked by {node.sql('duckdb')!r}; {CAN}")
    if isinstance(node, (exp.LTE, exp.Between) if negate else exp.GT) and _begins_bin(asked, node):
        raise QueryError("has bins that begin with their lower ends; compare by < or >=")
    return complement_intervals(found, most) if negate else found


def _equal(asked: Any, value: Any) -> list[Interval]:
    """Where a value is. A value inside a bin is not the bin: rows with other values of the bin would be dropped."""
    if isinstance(asked, OrderedAttribute) and value not in (asked.other_name, asked.missing_name):
        return list(asked.between(value, value))
    return list(asked.select(value))


def _begins_bin(asked: Any, node: Any) -> bool:
    """Whether the upper end of what is compared lies in the bin that begins there, which a comparison leaves out."""
    if not isinstance(asked, OrderedAttribute) or asked.step:
        return False
    end = _value(node.args["high"] if isinstance(node, exp.Between) else node.expression)
    return not (isinstance(asked, Timestamp) and is_day(end))  # a day ends where the next begins


def _end_of_not(asked: Any, attribute: Any) -> int:
    """Where NOT ends: values outside of a range may lie on either side of a comparison, so they are left out."""
    end: int = attribute.count if isinstance(asked, OrderedAttribute) else attribute.missing_code
    return end


def _value(node: Any) -> Any:
    """A plain value: a number, a text, true or false."""
    sign = ""
    while isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        if isinstance(node, exp.Neg):
            sign = "" if sign else "-"
        node = node.this
    if isinstance(node, exp.Boolean) and not sign:
        return bool(node.this)
    if not isinstance(node, exp.Literal) or (node.is_string and sign):
        raise QueryError(f"is compared with {node.sql('duckdb')!r}, which is no plain value; put text in single quotes")
    if node.is_string:
        return str(node.this)
    text = sign + str(node.this)
    return int(text) if text.lstrip("-").isdecimal() and len(text) <= 15 else float(text)


def _resolve(column: Any, known: Sequence[str]) -> str:
    """The attribute that a column names; names may differ in case."""
    if not isinstance(column, exp.Column):
        raise QueryError(f"compares {column.sql('duckdb')!r}, which is no attribute; {CAN}")
    name = column.name
    alike = [one for one in known if one == name] or [one for one in known if one.lower() == name.lower()]
    if len(alike) != 1:
        raise QueryError(f"there is no attribute {name!r}; {suggest_nearest(name, known)}")
    return alike[0]
