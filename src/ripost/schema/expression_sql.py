"""The SQL of a computed column, read as a tree. Whatever is not named here is refused, in one sentence."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ripost.errors import suggest_nearest
from ripost.schema.date_format import DateFormat
from ripost.schema.expression import (
    PARTS,
    UNITS,
    Kind,
    Term,
    calculate,
    choose,
    column,
    date_difference,
    date_part,
    keep_size,
    number,
    require_safe,
    round_whole,
)

logging.getLogger("sqlglot").addHandler(logging.NullHandler())
CAN = (
    "an expression of one row has + - * /, FLOOR, CEIL, ABS, EXTRACT, DATE_DIFF, STRPTIME, LEFT, SUBSTRING, TRIM, "
    "COALESCE, CAST, CASE and conditions"
)
FIRST_YEAR = 1000  # of moments in expressions; they end with 9999
LONGEST_SLICE = 1000
ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
ROUNDING = {exp.Floor: "floor", exp.Ceil: "ceil"}
SIGNS = {exp.Neg: "negative", exp.Abs: "absolute"}
CHOICES = (exp.Case, exp.If, exp.Coalesce)
COMPARISONS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
CASTS: dict[Any, Kind] = {
    exp.DType.DOUBLE: "number", exp.DType.VARCHAR: "text", exp.DType.TEXT: "text", exp.DType.BOOLEAN: "boolean",
    exp.DType.TIMESTAMP: "moment", exp.DType.TIMESTAMPNTZ: "moment",
}  # fmt: skip
KINDS: dict[Any, Kind] = {
    **dict.fromkeys((*ARITHMETIC, *ROUNDING, *SIGNS, exp.Extract, exp.DateDiff), "number"),
    **dict.fromkeys((exp.Left, exp.Substring, exp.Trim), "text"),
    exp.StrToTime: "moment",
}  # of nodes whose kind does not depend on what is in them; all others are conditions
READS = {  # the parts of each kind of node that may be there; brackets and comments mean nothing
    exp.Column: {"this"}, exp.Literal: {"this", "is_string"}, exp.Null: set(), exp.Paren: {"this"},
    exp.Add: {"this", "expression"}, exp.Sub: {"this", "expression"}, exp.Mul: {"this", "expression"},
    exp.Div: {"this", "expression", "typed", "safe"}, exp.Neg: {"this"}, exp.Abs: {"this"},
    exp.Floor: {"this"}, exp.Ceil: {"this"}, exp.Extract: {"this", "expression"},
    exp.DateDiff: {"this", "expression", "unit", "date_part_boundary"}, exp.StrToTime: {"this", "format"},
    exp.Left: {"this", "expression"}, exp.Substring: {"this", "start", "length"}, exp.Trim: {"this"},
    exp.Coalesce: {"this", "expressions"}, exp.Case: {"ifs", "default"}, exp.If: {"this", "true", "false"},
    exp.EQ: {"this", "expression"}, exp.NEQ: {"this", "expression"}, exp.LT: {"this", "expression"},
    exp.LTE: {"this", "expression"}, exp.GT: {"this", "expression"}, exp.GTE: {"this", "expression"},
    exp.Between: {"this", "low", "high"}, exp.In: {"this", "expressions"}, exp.Is: {"this", "expression"},
    exp.And: {"this", "expression"}, exp.Or: {"this", "expression"}, exp.Not: {"this"},
    exp.Cast: {"this", "to"}, exp.TryCast: {"this", "to", "safe", "requires_string"},
}  # fmt: skip


@lru_cache(maxsize=256)
def parse_expression(text: str, kind: Kind) -> Term:
    """The tree of an expression that gives values of a kind; ValueError in one sentence where it is none."""
    try:
        return require_safe(read(parse_one(text, dialect="duckdb"), kind))
    except SqlglotError:
        raise ValueError(f"expression cannot be read as SQL; {CAN}") from None
    except RecursionError:
        raise ValueError("expression is nested too deeply") from None


def read(node: Any, kind: Kind) -> Term:
    """The term of a node that must give values of a kind."""
    node = unwrap(node)
    if isinstance(node, exp.Column):
        return column(name_of(node), kind)
    if isinstance(node, exp.Null):
        return Term("null", kind)
    found = read_choice(node, kind) if isinstance(node, CHOICES) else read_typed(node)
    if found.kind != kind:
        article = {"boolean": "a condition"}.get(kind, f"a {kind}")
        raise ValueError(f"expression needs {article} where it has {quote(node)}; {CAN}")
    return found


def unwrap(node: Any) -> Any:
    """A node without the brackets around it; ValueError if it is not one of those that are known, in all its parts."""
    while isinstance(node, exp.Paren):
        node = node.this
    known = READS.get(type(node))
    if known is None or any(given and part not in known for part, given in node.args.items()):
        raise ValueError(f"expression may not use {quote(node)}; {CAN}")
    return node


def kind_of(node: Any) -> Kind | None:
    """The kind of values that a node gives; None where its surroundings decide."""
    node = unwrap(node)
    if isinstance(node, exp.Column | exp.Null):
        return None
    if isinstance(node, CHOICES):
        return next((kind for kind in map(kind_of, values_of(node)) if kind), None)
    if isinstance(node, exp.Literal):
        return "text" if node.is_string else "number"
    if isinstance(node, exp.Cast):  # and TryCast
        return CASTS.get(node.args["to"].this, "moment")
    return KINDS.get(type(node), "boolean")


def values_of(node: Any) -> list[Any]:
    """The nodes of which CASE, IF or COALESCE gives one."""
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    branches = [node] if isinstance(node, exp.If) else node.args["ifs"]
    last = node.args.get("false" if isinstance(node, exp.If) else "default")
    return [*(one.args["true"] for one in branches), *([] if last is None else [last])]


def read_typed(node: Any) -> Term:
    """The term of a node whose kind does not depend on where it stands; never a choice, whose kind does."""
    if isinstance(node, exp.Literal):
        return Term("constant", "text", value=plain_text(node.this)) if node.is_string else number(float(node.this))
    if type(node) in KINDS and KINDS[type(node)] == "number":
        return read_number(node)
    if isinstance(node, exp.Cast):  # and TryCast
        return read_cast(node)
    return {exp.StrToTime: read_format, exp.Left: read_slice, exp.Substring: read_slice, exp.Trim: read_slice}.get(
        type(node), read_condition
    )(node)


def read_number(node: Any) -> Term:
    """Arithmetic, or a number that a date gives."""
    match node:
        case exp.Extract():
            return date_part(known_name(node.this.name, PARTS, "part of a date"), read(node.expression, "moment"))
        case exp.DateDiff():
            unit = known_name(node.args["unit"].name, UNITS, "unit of DATE_DIFF")
            return date_difference(unit, read(node.expression, "moment"), read(node.this, "moment"))
        case exp.Floor() | exp.Ceil():
            return round_whole(ROUNDING[type(node)], read(node.this, "number"))
        case exp.Neg() | exp.Abs():
            return keep_size(SIGNS[type(node)], read(node.this, "number"))
    return calculate(ARITHMETIC[type(node)], read(node.this, "number"), read(node.expression, "number"))


def read_condition(node: Any) -> Term:
    match node:
        case exp.And() | exp.Or():
            both = (read(node.this, "boolean"), read(node.expression, "boolean"))
            return Term("and" if isinstance(node, exp.And) else "or", "boolean", both)
        case exp.Not():
            return Term("not", "boolean", (read(node.this, "boolean"),))
        case exp.Is() if isinstance(node.expression, exp.Null):
            return Term("is null", "boolean", (read(node.this, kind_of(node.this) or "text"),))
        case exp.Between():
            low, high = compare(">=", node.this, node.args["low"]), compare("<=", node.this, node.args["high"])
            return Term("and", "boolean", (low, high))
        case exp.In() if node.expressions:
            return join_or([compare("=", node.this, one) for one in node.expressions])
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return compare(COMPARISONS[type(node)], node.this, node.expression)
    raise ValueError(f"expression may not use {quote(node)}; {CAN}")


def compare(operation: str, one: Any, other: Any) -> Term:
    """A comparison. Text has no order here, since each database has its own."""
    kind = kind_of(one) or kind_of(other)
    if kind is None:
        shown = quote(one)
        raise ValueError(
            f"expression must say what {shown} is: write CAST({shown} AS DOUBLE), AS TIMESTAMP or AS VARCHAR"
        )
    if kind in ("text", "boolean") and operation not in ("=", "<>"):
        advice = "write DATE '2020-12-31' for a date, or compare with = and IN"
        raise ValueError(f"expression may not compare {quote(one)} by the order of text; {advice}")
    return Term(operation, "boolean", (read(one, kind), read(other, kind)))


def join_or(terms: Sequence[Term]) -> Term:
    """Whether any of some conditions holds, by halves, so that the tree stays flat."""
    if len(terms) == 1:
        return terms[0]
    middle = len(terms) // 2
    return Term("or", "boolean", (join_or(terms[:middle]), join_or(terms[middle:])))


def read_choice(node: Any, kind: Kind) -> Term:
    """CASE, IF or COALESCE of values of a kind."""
    values = values_of(node)
    terms = tuple(read(one, kind) for one in values)
    if isinstance(node, exp.Coalesce):
        return choose("coalesce", terms, terms)
    branches = [node] if isinstance(node, exp.If) else node.args["ifs"]
    conditions = [read(one.this, "boolean") for one in branches]
    last = terms[len(conditions)] if len(terms) > len(conditions) else Term("null", kind)
    pairs = [part for pair in zip(conditions, terms, strict=False) for part in pair]
    return choose("case", (*pairs, last), (*terms, last))


def read_format(node: Any) -> Term:
    """STRPTIME of a column by a constant format; text that does not fit is missing."""
    given, name = node.args["format"], unwrap(node.this)
    if not isinstance(name, exp.Column) or not (isinstance(given, exp.Literal) and given.is_string):
        raise ValueError("expression takes STRPTIME of a column and a format, such as STRPTIME(day, '%d/%m/%Y')")
    return Term("strptime", "moment", value=(name_of(name), DateFormat.parse(given.this)))


def read_slice(node: Any) -> Term:
    """LEFT, SUBSTRING or TRIM of text."""
    text = read(node.this, "text")
    if isinstance(node, exp.Trim):
        return Term("trim", "text", (text,))
    start = 1 if isinstance(node, exp.Left) else whole_number(node.args.get("start"))
    length = whole_number(node.expression if isinstance(node, exp.Left) else node.args.get("length"))
    return Term("slice", "text", (text,), value=(start, length))


def whole_number(node: Any) -> int:
    if not (isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit()) or not (
        1 <= int(node.this) <= LONGEST_SLICE
    ):
        raise ValueError(f"expression takes LEFT and SUBSTRING with whole numbers from 1 to {LONGEST_SLICE}")
    return int(node.this)


def read_cast(node: Any) -> Term:
    """DATE '…' and TIMESTAMP '…', or how a column is read."""
    to, inside = node.args["to"].this, unwrap(node.this)
    if isinstance(inside, exp.Literal) and inside.is_string and to in (exp.DType.DATE, *CASTS):
        if to is exp.DType.DATE or CASTS[to] == "moment":
            return Term("constant", "moment", value=constant_moment(inside.this))
    elif isinstance(inside, exp.Column) and to in CASTS:
        return column(name_of(inside), CASTS[to])
    raise ValueError(
        f"expression may not use {quote(node)}; CAST takes a column AS DOUBLE, VARCHAR, TIMESTAMP or BOOLEAN, and text "
        "that cannot be read is missing"
    )


def constant_moment(text: str) -> dt.datetime:
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"expression holds {text[:40]!r}, which is no date such as 2020-12-31") from None
    if found.tzinfo is not None or found.microsecond or found.year < FIRST_YEAR:
        raise ValueError(f"expression takes whole seconds from the year {FIRST_YEAR} on, without a zone")
    return found


def known_name(name: str, known: Any, what: str) -> str:
    if name.lower() not in known:
        raise ValueError(f"expression has no {what} {name.lower()!r}; {suggest_nearest(name.lower(), sorted(known))}")
    return name.lower()


def name_of(node: Any) -> str:
    if not isinstance(node.this, exp.Identifier):
        raise ValueError(f"expression may not use {quote(node)}; {CAN}")
    return str(node.name)


def plain_text(text: str) -> str:
    if "\0" in text:
        raise ValueError("expression holds a character of code 0, which some databases cannot")
    return text


def quote(node: Any) -> str:
    """A piece of the expression, in SQL, cut to fit a sentence."""
    shown = " ".join((node.sql("duckdb") if isinstance(node, exp.Expr) else str(node)).split())
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
