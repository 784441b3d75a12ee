"""Conditions as SQL writes them: `hour between 6 and 9 and origin = 'JFK'`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp, parse_one

from ripost.answering.answer import Answer
from ripost.errors import QueryError
from ripost.query.key import Key
from ripost.query.measured_figures import naming_measures
from ripost.query.pattern import is_pattern, matching_positions
from ripost.query.terms import asked_name, derived_key, plain_value
from ripost.query.words import CONDITIONS, bare, parse_safely, quote
from ripost.schema.attribute import AttributeBase, Boolean
from ripost.schema.domain import Domain
from ripost.space.interval import Interval, merge
from ripost.space.region import EVERYTHING, Region, complement_intervals, intersect, unite
from ripost.space.work_limit import charge
from ripost.view import View

MIRRORED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ}
OPPOSITE = {exp.LT: exp.GTE, exp.LTE: exp.GT, exp.GT: exp.LTE, exp.GTE: exp.LT, exp.EQ: exp.NEQ, exp.NEQ: exp.EQ}
RANGES: Mapping[type[exp.Expr], tuple[str, dict[str, bool]]] = {
    exp.LT: ("high", {"before": True}),
    exp.LTE: ("high", {}),
    exp.GT: ("low", {"after": True}),
    exp.GTE: ("low", {}),
}
COMPARE: Mapping[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.LT: operator.lt, exp.LTE: operator.le, exp.GT: operator.gt, exp.GTE: operator.ge, exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
}  # fmt: skip

TEXT_TESTS = (exp.StartsWith, exp.EndsWith, exp.Contains, exp.RegexpLike, exp.SimilarTo, exp.Glob)
TEXTS = "select listed values by a pattern with LIKE, or ILIKE for any case, such as origin ILIKE 'j%'"


def answer_condition(view: View, text: str) -> Answer:
    """The total where a condition holds, with its error."""
    with parse_safely(text, "the condition", CONDITIONS), naming_measures(view):
        return view.answer_region(parse_condition(text, view.domain))


def parse_condition(text: str, domain: Domain) -> Region:
    """The region where a condition holds.

    An empty text is no condition. As in SQL, a missing value satisfies IS NULL only, be a condition negated or not.
    """
    if not text.strip():
        return EVERYTHING
    with parse_safely(text, "the condition", CONDITIONS):
        return region_of(parse_one(text, dialect="duckdb", into=exp.Condition), domain)


def region_of(node: Any, domain: Domain, *, negate: bool = False) -> Region:
    """Where an expression is true or, with `negate`, where it is false; where it is NULL it is neither."""
    while isinstance(node, (exp.Paren, exp.Not)):
        negate ^= isinstance(node, exp.Not)
        node = node.this
    if not isinstance(node, (exp.And, exp.Or)):
        axis, intervals = _comparison(node, domain, negate=negate)
        return ({axis: intervals},) if intervals else ()
    parts = (region_of(part, domain, negate=negate) for part in operands(node))
    if isinstance(node, exp.And) == negate:  # De Morgan
        return unite(parts, domain.shape)
    found = EVERYTHING
    for part in parts:
        found = intersect(found, part)
    return found


def operands(node: exp.And | exp.Or) -> list[exp.Expr]:
    """What a chain of ANDs, or of ORs, joins; long chains are deep trees."""
    found, waiting = [], [node.expression, node.this]
    while waiting:
        part = waiting.pop()
        if type(part) is type(node):
            waiting += [part.expression, part.this]
        else:
            found.append(part)
    return found


def _comparison(node: exp.Expr, domain: Domain, *, negate: bool) -> tuple[int, list[Interval]]:
    """Axis and positions of one condition."""
    if isinstance(node, exp.Column) and isinstance(domain.attributes.get(node.name), Boolean):
        node = exp.EQ(this=node, expression=exp.true())
    if not is_pattern(node) and not isinstance(node, (exp.Between, exp.In, exp.Is, *MIRRORED)):
        raise QueryError(f"cannot answer {quote(node)}; {_hint(node)}")
    kind, column, other = type(node), bare(node.this), node.args.get("expression")
    if kind in MIRRORED and isinstance(column, (exp.Literal, exp.Neg, exp.Cast, exp.Boolean)):
        kind, column, other = MIRRORED[kind], bare(other), column
    if not isinstance(column, exp.Column) and not is_pattern(node) and (key := derived_key(column, domain)) is not None:
        return key.axis, _of_labels(key, kind, node, other, negate=negate)
    if isinstance(column, (exp.Lower, exp.Upper)):
        raise QueryError(f"cannot answer {quote(node)}; {TEXTS}")
    name = asked_name(bare(column.this) if isinstance(node, exp.Escape) else column, domain)
    attribute, mapped = domain.find(name), domain.mapped.get(name)
    try:
        if is_pattern(node):
            intervals = matching_positions(attribute, node, negate=negate)
        elif kind in MIRRORED:
            intervals = _compare(attribute, OPPOSITE[kind] if negate else kind, plain_value(other, attribute))
        else:
            intervals = _test(attribute, node, negate=negate)
    except QueryError as error:
        raise QueryError(f"{name} {error}") from None
    return (domain.axis(name), intervals) if mapped is None else (mapped.axis, mapped.spread(intervals))


def _hint(node: exp.Expr) -> str:
    """What to write instead of a condition that is not known."""
    return TEXTS if isinstance(node, TEXT_TESTS) else CONDITIONS


def _compare(attribute: AttributeBase, kind: type[exp.Expr], value: Any) -> list[Interval]:
    if kind is exp.EQ:
        return attribute.select(value)
    if kind is exp.NEQ:
        return complement_intervals(attribute.select(value), attribute.missing_code)
    end, strict = RANGES[kind]
    return attribute.between(**{end: value}, **strict)


def _test(attribute: AttributeBase, node: exp.Expr, *, negate: bool) -> list[Interval]:
    """Positions of BETWEEN, IN and IS NULL."""
    if isinstance(node, exp.Is):
        _check_null(node)
        return [(0.0, float(attribute.missing_code))] if negate else attribute.select(None)
    if isinstance(node, exp.Between):
        low, high = _ends(node, attribute)
        found = attribute.between(low, high)
    else:
        found = attribute.select(_read_list(node, attribute))
    return complement_intervals(found, attribute.missing_code) if negate else found


def _of_labels(key: Key, kind: type[exp.Expr], node: exp.Expr, other: Any, *, negate: bool) -> list[Interval]:
    """Positions of the parts whose labels satisfy a condition, for conditions on more than a bare column."""
    charge(2 * len(key))
    try:
        if kind in MIRRORED:
            value = _like(key, plain_value(other))
            chosen = [COMPARE[kind](label, value) for label in key.labels if label is not None]
        elif isinstance(node, exp.Is):
            _check_null(node)
            return merge([span for label, part in _pairs(key) if (label is None) != negate for span in part])
        elif isinstance(node, exp.Between):
            low, high = (_like(key, end) for end in _ends(node, None))
            chosen = [low <= label <= high for label in key.labels if label is not None]
        else:
            listed = {_like(key, value) for value in _read_list(node, None)}
            chosen = [label in listed for label in key.labels if label is not None]
    except QueryError as error:
        raise QueryError(f"{quote(node.this)} {error}") from None
    there = [part for label, part in _pairs(key) if label is not None]
    return merge([span for part, wanted in zip(there, chosen, strict=True) if wanted != negate for span in part])


def _pairs(key: Key) -> zip[tuple[Any, Any]]:
    return zip(key.labels, key.parts, strict=True)


def _like(key: Key, value: Any) -> Any:
    """A value of the type that the labels of a key have."""
    from ripost.schema.dates import moment

    try:
        if key.type in ("date32", "timestamp"):
            at = moment(value)
            return at.date() if key.type == "date32" else at
        return str(value) if key.type == "string" else float(value)
    except (TypeError, ValueError):
        raise QueryError(f"cannot be compared with {quote(value)}") from None


def _check_null(node: exp.Expr) -> None:
    if not isinstance(node.expression, exp.Null):
        raise QueryError(f"can be asked IS NULL or IS NOT NULL only; {CONDITIONS}")


def _ends(node: exp.Expr, attribute: AttributeBase | None) -> tuple[Any, Any]:
    if node.args.get("symmetric"):
        raise QueryError(f"cannot be asked BETWEEN SYMMETRIC; {CONDITIONS}")
    return plain_value(node.args["low"], attribute), plain_value(node.args["high"], attribute)


def _read_list(node: exp.Expr, attribute: AttributeBase | None) -> list[Any]:
    if not node.expressions:
        raise QueryError("needs a list of values after IN, such as IN (1, 2)")
    return [plain_value(one, attribute) for one in node.expressions]
