"""Comparison: whether one total is larger than another, as far as a view can tell, in one sentence.

docs/reference/query.md lists the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ripost.answering.answer import Answer
from ripost.schema.attribute_base import shorten

if TYPE_CHECKING:
    from ripost.query.cube import Cube
    from ripost.queryable import Condition


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two totals, their difference with its interval, and the verdict."""

    one: Answer
    other: Answer
    difference: Answer
    verdict: str

    @property
    def can_tell(self) -> bool:
        """Whether the interval of the difference leaves out 0."""
        return self.difference.low > 0 or self.difference.high < 0

    def __str__(self) -> str:
        return f"{self.verdict}\nNote: {self.difference.note}" if self.difference.note else self.verdict

    def __repr__(self) -> str:
        return str(self)


def compare_conditions(part: Cube, one: Condition, other: Condition) -> Comparison:
    """Compare the totals where two conditions hold."""
    first, second = part.count(one), part.count(other)
    difference = first - second
    names = _describe_condition(one), _describe_condition(other)
    return Comparison(first, second, difference, write_verdict(*names, difference, part.view.measure.title))


def write_verdict(one: str, other: str, difference: Answer, measure: str) -> str:
    """Say in one sentence whether the first total is larger than the second, and by how much."""
    level = f"{100 * difference.level:.6g} %"
    more, fewer, what = ("more", "fewer", "rows") if measure == "COUNT(*)" else ("a larger", "a smaller", measure)
    if not difference.is_bounded:
        return f"Cannot tell whether {one} or {other} has {more} {what}: the error is unknown."
    low, high, number = difference.low, difference.high, difference.format_number
    if low == high == 0:
        return f"{one} and {other} are the same."
    if low <= 0 <= high:
        ends = f"{number(low)} to {number(high)}"
        return f"Cannot tell whether {one} or {other} has {more} {what}: the difference is {ends} ({level})."
    word = more if low > 0 else fewer
    near, far = sorted((abs(low), abs(high)))
    by, ends = number(abs(difference.value)), f"{number(near)} to {number(far)}"
    unit = f"{by} {word}" if measure == "COUNT(*)" else f"by {by}"
    return f"{one} has {word} {what} than {other}: {unit} ({ends}, {level})."


def _describe_condition(condition: Condition) -> str:
    if isinstance(condition, str) and condition.strip():
        return " ".join(condition.split())
    if isinstance(condition, Mapping) and condition:
        return " and ".join(f"{name} {_describe_value(value)}" for name, value in condition.items())
    return "everything"


def _describe_value(value: Any) -> str:
    if value is None:
        return "(missing)"
    if isinstance(value, tuple) and len(value) == 2:
        return f"{shorten(value[0]).strip(chr(39))} to {shorten(value[1]).strip(chr(39))}"
    if isinstance(value, (list, set, frozenset)):
        return " or ".join(_describe_value(one) for one in value)
    return shorten(value).strip("'")
