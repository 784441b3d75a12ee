"""ChartAxis: an attribute in print: the bins of codes that a chart tells apart, and what to write beside them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ripost.arrays import Ints
from ripost.query.calendar import PERIODS, periods, span_length
from ripost.schema.attribute_base import AttributeBase, OrderedAttribute
from ripost.schema.dates import Calendar

if TYPE_CHECKING:
    from ripost.view import View

UNITS = ("hour", "day", "week", "month", "quarter", "year")  # of dates, the finest first
STEPS = tuple(step * 10**power for power in range(9) for step in (1, 2, 5))
CALENDAR_STEPS = (1, 2, 3, 6, 12, 24, *(12 * step for step in STEPS[2:]))  # of months, of hours, and of days
MOST_NAMES = 24  # that are told apart, or written
MOST_BARS = 120  # of numbers
MOST_PERIODS = 40  # of dates


@dataclass(frozen=True)
class ChartAxis:
    """An attribute in bins. Those of other and missing values come last, each by itself."""

    name: str
    title: str
    edges: Ints  # (n + 1,): first code of each bin, and the end of the last
    labels: tuple[str, ...]  # (n,): what each stands for
    marks: tuple[str, ...]  # (n,): what to write on the axis: where a bin of numbers begins, or the label
    is_ordered: bool
    regular: int  # bins of values that are neither other nor missing

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, view: View, name: str, most: int) -> ChartAxis:
        """An attribute in about so many bins at most; dates are cut at the ends of periods."""
        attribute = view.domain.attributes[view.domain.names[view.domain.axis(name)]]
        regular = _period_edges(attribute, most) or _even_edges(attribute, most)
        edges = [*regular, *range(attribute.count + 1, attribute.size + 1)]
        labels = tuple(_describe_interval(attribute, *ends) for ends in itertools.pairwise(edges))
        title = attribute.label or name
        is_ordered, number = isinstance(attribute, OrderedAttribute), len(regular) - 1
        marks = labels
        if isinstance(attribute, OrderedAttribute):
            starts = [attribute.text(attribute.bins.edge(code)) for code in regular[:-1]]
            marks = (*(_shorten_moments(starts) if isinstance(attribute, Calendar) else starts), *labels[number:])
        title = f"{title} ({attribute.unit})" if attribute.unit else title
        return cls(name, title, np.array(edges, np.int64), labels, marks, is_ordered, number)

    @classmethod
    def of_bars(cls, view: View, name: str) -> ChartAxis:
        """The bins that a chart of bars tells apart: all names, or as many as are read at a glance."""
        attribute = view.domain.attributes[view.domain.names[view.domain.axis(name)]]
        if not isinstance(attribute, OrderedAttribute):
            return cls.of(view, name, attribute.size)
        return cls.of(view, name, MOST_PERIODS if isinstance(attribute, Calendar) else MOST_BARS)

    def pick(self, chosen: Sequence[int]) -> ChartAxis:
        """Some of the bins, in another order."""
        labels, marks = (tuple(texts[i] for i in chosen) for texts in (self.labels, self.marks))
        regular, edges = sum(i < self.regular for i in chosen), np.arange(len(labels) + 1)
        left_out = f", {regular} largest of {self.regular}" if regular < self.regular else ""
        return replace(self, title=self.title + left_out, edges=edges, labels=labels, marks=marks, regular=regular)

    def ticks(self, room: int) -> Ints:
        """Bins that get a mark, so that marks of numbers and dates fit side by side in a room of letters."""
        if not self.is_ordered:
            return np.arange(0, len(self), max(1, -(-len(self) // MOST_NAMES)))
        special = list(range(self.regular, len(self)))
        letters = max(map(len, self.marks[: self.regular])) + 3
        numbers = _numbers(self.marks[: self.regular])
        steps = CALENDAR_STEPS if numbers is None else STEPS
        stride = next(step for step in steps if step * room >= letters * len(self) or step >= len(self))
        first = 0
        if numbers is not None and len(numbers) > 1:  # begin at a round number
            multiples = np.round(numbers / (numbers[1] - numbers[0]) % stride, 6)
            first = int(np.argmax((multiples == 0) | (multiples == stride)))
        last = len(self) - (max((len(self.marks[i]) for i in special), default=0) + letters) * len(self) / room / 2
        regular = [i for i in range(first, self.regular, stride) if not special or i <= last]
        return np.array([*regular, *special], np.int64)


def _even_edges(attribute: AttributeBase, most: int) -> list[int]:
    """Codes of regular values in bins of a round number each, and where the last ends."""
    step = next(step for step in STEPS if -(-attribute.count // step) <= max(most, 1))
    return [*range(0, attribute.count, step), attribute.count]


def _period_edges(attribute: AttributeBase, most: int) -> list[int] | None:
    """Codes where the finest periods begin that are few enough and cut no code; None if there are none."""
    if not isinstance(attribute, Calendar) or attribute.count <= most:
        return None
    first, last = attribute.bins.edge(0), attribute.bins.edge(attribute.count)
    for period in (PERIODS[unit] for unit in UNITS):
        if span_length(attribute.span) > period.length or (last - first) / period.length > 1.2 * most + 2:
            continue
        places = [attribute.bins.position(edge) for edge in periods(attribute, period)]
        if len(places) <= most + 1 and all(place == int(place) for place in places):
            return sorted({int(place) for place in places})
    return None


def _describe_interval(attribute: AttributeBase, first: int, end: int) -> str:
    """What a bin of codes stands for."""
    whole = attribute.describe(first)
    return whole if end == first + 1 else f"{whole} … {attribute.describe(end - 1)}"


def _shorten_moments(texts: Sequence[str]) -> list[str]:
    """Dates and moments without what all of them have: the time of midnight, the first of a month, the year."""
    inner = texts[1:]  # the first may begin inside a period
    days = [text[:10] for text in inner]
    if any(text[10:] not in ("", " 00:00:00") for text in inner):
        return [text[11:16] if len(set(days)) <= 1 else text[5:16] for text in texts]
    if all(day.endswith("-01-01") for day in days):
        return [text[:4] for text in texts]
    return [text[: 7 if all(day.endswith("-01") for day in days) else 10] for text in texts]


def _numbers(marks: Sequence[str]) -> Ints | None:
    try:
        return np.array([float(mark) for mark in marks])
    except ValueError:
        return None
