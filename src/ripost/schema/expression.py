"""Expression: a computed column as a tree of few operations, a function of one row that no value can make fail.

Every engine computes each operation alike. Numbers are floats. A number carries two exponents, and every value of it is
a whole multiple of 2^finest that is at most 2^largest away from zero. They follow from the operations alone, so that an
expression in which some row could overflow, or come too near to zero, is refused before any row is read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["number", "moment", "text", "boolean"]
COLUMN = 50  # |x| is at most 2^50 in a column, and 0 or at least 2^-50; its last bit is then a multiple of 2^-102
MANTISSA = 53  # bits of a float
EXTREME = 1000  # exponents beyond which an engine may fail or round differently
LARGEST_WHOLE = 62  # FLOOR and CEIL pass through whole numbers of 64 bits
PARTS = {"year", "quarter", "month", "day", "dow", "isodow", "hour", "minute", "second"}
UNITS = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}  # of DATE_DIFF, in seconds
MOST_TERMS = 400  # of the tree, with what engines are given twice
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Term:
    """An operation on other terms, a column or a constant."""

    operation: str
    kind: Kind
    parts: tuple[Term, ...] = ()
    value: Any = None  # of a constant; the name of a column; the part of a date; the format of text
    largest: int = 0
    finest: int = 0

    def walk(self) -> Iterator[Term]:
        """This term and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def columns(self) -> dict[str, list[Term]]:
        """The columns that it reads, each with the terms that read it."""
        found: dict[str, list[Term]] = {}
        for term in self.walk():
            if term.operation in ("column", "strptime"):
                found.setdefault(term.value if term.operation == "column" else term.value[0], []).append(term)
        return found

    @property
    def is_guarded(self) -> bool:
        """Whether an engine tests its argument before it computes, and so is given it twice."""
        return self.operation in ("floor", "ceil") and self.parts[0].largest > LARGEST_WHOLE

    @property
    def size(self) -> int:
        return 1 + sum(part.size for part in self.parts) * (2 if self.is_guarded else 1)

    @property
    def depth(self) -> int:
        return 1 + max((part.depth for part in self.parts), default=0)


def require_safe(term: Term) -> Term:
    """ValueError where some row could make a number too large or too small, or the tree is too large for an engine."""
    if any(one.largest > EXTREME or one.finest < -EXTREME for one in term.walk()):
        raise ValueError("expression could overflow: it multiplies or divides too many columns by each other")
    if term.size > MOST_TERMS or term.depth > DEEPEST:
        raise ValueError("expression is too long; compute a part of it in the table, or in a database view")
    return term


def number(value: float) -> Term:
    """A constant."""
    if not math.isfinite(value):
        raise ValueError("expression holds a number that is too large")
    if value == 0:
        return Term("constant", "number", value=0.0)
    top, bottom = value.as_integer_ratio()
    finest = (top & -top).bit_length() - bottom.bit_length()  # one of the two is odd
    return Term("constant", "number", value=float(value), largest=math.frexp(value)[1], finest=finest)


def column(name: str, kind: Kind) -> Term:
    if kind != "number":
        return Term("column", kind, value=name)
    return Term("column", "number", value=name, largest=COLUMN, finest=-COLUMN - MANTISSA + 1)


def calculate(operation: str, one: Term, other: Term) -> Term:
    """The sum, difference, product or quotient of two numbers; a quotient by 0 is missing."""
    match operation:
        case "*":
            largest, finest = one.largest + other.largest, one.finest + other.finest
        case "/":
            largest, finest = one.largest - other.finest, one.finest - other.largest - MANTISSA
        case _:
            largest, finest = max(one.largest, other.largest) + 1, min(one.finest, other.finest)
    return Term(operation, "number", (one, other), largest=largest, finest=finest)


def round_whole(operation: str, one: Term) -> Term:
    """FLOOR or CEIL; of numbers beyond 2^62 it is missing."""
    return Term(operation, "number", (one,), largest=min(max(one.largest, 0), LARGEST_WHOLE), finest=0)


def keep_size(operation: str, one: Term) -> Term:
    """The negative or the absolute value."""
    return Term(operation, "number", (one,), largest=one.largest, finest=one.finest)


def choose(operation: str, parts: tuple[Term, ...], values: tuple[Term, ...]) -> Term:
    """CASE or COALESCE, which gives one of some values."""
    largest, finest = max(one.largest for one in values), min(one.finest for one in values)
    return Term(operation, values[0].kind, parts, largest=largest, finest=finest)


def date_part(part: str, moment: Term) -> Term:
    return Term("part", "number", (moment,), value=part, largest=14)  # years have four digits


def date_difference(unit: str, first: Term, last: Term) -> Term:
    """How often a day, an hour, a minute or a second begins from one moment to the other."""
    return Term("difference", "number", (first, last), value=unit, largest=40)  # 9000 years have fewer seconds
