"""Key: a dimension cut into labelled parts, one for each group that it makes."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ripost.errors import QueryError
from ripost.query.calendar import Period, periods, span_length
from ripost.query.table import print_value
from ripost.schema.attribute import Boolean, Calendar, Date, Integer, LabeledAttribute, Number, OrderedAttribute, Span
from ripost.schema.attribute_base import shorten
from ripost.schema.dates import DAY
from ripost.schema.domain import Domain
from ripost.schema.mapped_attribute import MappedAttribute
from ripost.space.interval import Interval
from ripost.space.region import Intervals, Selection
from ripost.space.work_limit import charge

MOST_PARTS = 100_000
WIDEST = 1e300  # width of bins: multiples of it are still numbers


@dataclass(frozen=True)
class Key:
    """One axis in disjoint parts. What is missing has the label None."""

    name: str
    axis: int
    type: str  # of the labels, as Arrow calls it
    labels: tuple[Any, ...]
    parts: tuple[Intervals, ...]  # positions on the axis, of each label
    binned: OrderedAttribute | None = None  # the attribute whose bins the labels begin

    def __len__(self) -> int:
        return len(self.labels)

    def describe(self, label: Any) -> str:
        """A label in print; that of a bin is the range of its values."""
        [(low, high), *_] = self._part_of[label]
        if self.binned is None or high > self.binned.count:
            return print_value(label)
        return self.binned.describe_range(_tick(self.binned, low), _tick(self.binned, high))

    def near(self, boxes: Sequence[Selection]) -> Sequence[int]:
        """Numbers of the parts that may share something with some boxes, rising."""
        if len(boxes) != 1 or len(spans := boxes[0].get(self.axis, ())) != 1:
            return range(len(self))
        lows, highs, numbers = self._spans
        first, last = bisect_right(highs, spans[0][0]), bisect_left(lows, spans[0][1])
        return sorted(set(numbers[first:last]))

    @cached_property
    def _spans(self) -> tuple[list[float], list[float], list[int]]:
        """The disjoint intervals of all parts in order: where they begin and end, and the part of each."""
        listed = sorted((low, high, number) for number, part in enumerate(self.parts) for low, high in part)
        lows, highs, numbers = zip(*listed, strict=True) if listed else ((), (), ())
        return [*lows], [*highs], [*numbers]

    @cached_property
    def _part_of(self) -> dict[Any, Intervals]:
        return dict(zip(self.labels, self.parts, strict=True))


def by_code(domain: Domain, name: str) -> Key:
    """Every code by itself, labelled by its name or by where its bin begins."""
    axis, attribute = domain.axis(name), domain.attributes[name]
    _check_number(name, attribute.size)
    charge(2 * attribute.size)
    if isinstance(attribute, OrderedAttribute):
        labels = [attribute.value(attribute.bins.edge(code)) for code in range(attribute.count)]
    elif isinstance(attribute, Boolean):
        labels = [False, True]
    else:
        labels = [attribute.describe(code) for code in range(attribute.count)]
    parts = [[(float(code), code + 1.0)] for code in range(attribute.count)]
    return _key(domain, name, axis, labels, parts)


def by_name(domain: Domain, name: str) -> Key:
    """Every code of an attribute, or every group of a level or of what is derived."""
    return by_group(domain.mapped[name]) if name in domain.mapped else by_code(domain, name)


def by_group(mapped: MappedAttribute) -> Key:
    """Every group, labelled by its name, then other and missing values."""
    groups = mapped.groups
    charge(2 * groups.size)
    labels: list[str | None] = [groups.describe(code) for code in range(groups.missing_code)]
    if groups.missing == "bin":
        labels.append(None)
    return Key(mapped.name, mapped.axis, "string", tuple(labels), mapped.parts)


def by_width(domain: Domain, name: str, width: Any) -> Key:
    """Bins of one width, each labelled by where it begins: a multiple of the width, or a moment."""
    axis, attribute = domain.axis(name), domain.attributes[name]
    if isinstance(attribute, Calendar):
        return _by_span(domain, name, attribute, width)
    if not isinstance(attribute, OrderedAttribute):
        raise QueryError(f"{name} has no order, so it has no bins of a width; group by {name} itself")
    if isinstance(width, bool) or not isinstance(width, (int, float)) or not (0 < width < math.inf):
        raise QueryError(f"the width of bins of {name} must be a number above 0, got {shorten(width)}")
    if isinstance(attribute, Integer) and width % 1:
        raise QueryError(f"the width of bins of {name} must be a whole number, got {shorten(width)}")
    if width > WIDEST:
        raise QueryError(f"the width of bins of {name} must be at most {WIDEST:.0e}, got {shorten(width)}")
    first, last = attribute.bins.edge(0), attribute.bins.edge(attribute.count)
    start = math.floor(first / width)
    count = math.ceil(last / width) - start
    _check_number(name, count)
    edges = [(start + i) * width for i in range(count + 1)]
    return _between(domain, name, axis, edges[:-1], edges)


def by_period(domain: Domain, name: str, period: str) -> Key:
    """Periods of the calendar, such as months, each labelled by when it begins."""
    attribute = _calendar(domain, name, period)
    edges = periods(attribute, Period.of_name(period, name))
    return _between(domain, name, domain.axis(name), edges[:-1], edges)


def by_part(domain: Domain, name: str, part: str) -> Key:
    """A part of the calendar, such as the month of any year or the hour of any day, labelled by its number."""
    attribute = _calendar(domain, name, part)
    period = Period.of_name(part, name)
    edges = periods(attribute, period)
    spans: dict[int, list[Interval]] = {}
    position = attribute.bins.position
    charge(4 * len(edges))
    for low, high in pairwise(edges):
        number = period.number(low)
        begin, end = position(low), position(high)
        of_part = spans.setdefault(number, [])
        if of_part and of_part[-1][1] == begin:
            of_part[-1] = (of_part[-1][0], end)
        elif begin < end:
            of_part.append((begin, end))
    labels = sorted(number for number, found in spans.items() if found)
    return _key(domain, name, domain.axis(name), labels, [spans[label] for label in labels], kind="int64")


def _by_span(domain: Domain, name: str, attribute: Calendar, width: Any) -> Key:
    try:
        span = Span.parse(str(width).lower())
    except ValueError as error:
        raise QueryError(f"{name}: {error}") from None
    if span.microseconds is None:
        step = span.months
        edges = periods(attribute, Period.of_name("month", name))
        chosen = [edge for edge in edges[:-1] if Period.month_number(edge) % step == 0]
        edges = [*([] if chosen[:1] == edges[:1] else edges[:1]), *chosen, edges[-1]]
    else:
        if isinstance(attribute, Date) and span.microseconds % DAY:
            raise QueryError(f"{name} is a date, so its bins last whole days, got {shorten(str(width))}")
        first, last = attribute.bins.edge(0), attribute.bins.edge(attribute.count)
        count = math.ceil((last - first) / span.microseconds)
        _check_number(name, count)
        edges = [first + i * span.microseconds for i in range(count + 1)]
    return _between(domain, name, domain.axis(name), edges[:-1], edges)


def _between(domain: Domain, name: str, axis: int, starts: Sequence[float], edges: Sequence[float]) -> Key:
    """Parts between edges in ticks, labelled by where they begin."""
    attribute = domain.attributes[name]
    assert isinstance(attribute, OrderedAttribute)
    charge(8 * len(edges))
    labels, parts = [], []
    for start, low, high in zip(starts, edges, edges[1:], strict=False):
        begin, end = attribute.bins.position(low), attribute.bins.position(high)
        if begin < end:
            labels.append(attribute.value(start))
            parts.append([(begin, end)])
    return _key(domain, name, axis, labels, parts)


def _key(
    domain: Domain, name: str, axis: int, labels: Sequence[Any], parts: Sequence[Intervals], *, kind: str | None = None
) -> Key:
    """A key with the codes for other and missing values added; with an `(other)`, all labels are words."""
    attribute = domain.attributes[name]
    labels, parts = list(labels), list(parts)
    binned = attribute if kind is None and isinstance(attribute, OrderedAttribute) else None
    kind = kind or label_type(attribute)
    if attribute.has_other:
        labels, kind = [str(label) for label in labels], "string"
        labels.append(attribute.other_name)
        parts.append([(float(attribute.other_code), attribute.other_code + 1.0)])
    if attribute.missing == "bin":
        labels.append(None)
        parts.append([(float(attribute.missing_code), attribute.missing_code + 1.0)])
    return Key(name, axis, kind, tuple(labels), tuple(parts), binned)


def _tick(attribute: OrderedAttribute, position: float) -> float:
    """The tick at a position, which may lie inside a bin."""
    code = min(int(position), attribute.count - 1)
    low, high = attribute.bins.edge(code), attribute.bins.edge(code + 1)
    tick = low + (position - code) * (high - low)
    return round(tick / attribute.step) * attribute.step if attribute.step else tick


def label_type(attribute: Any) -> str:
    """The type of an attribute's values, as Arrow calls it."""
    if isinstance(attribute, LabeledAttribute):
        return "bool" if isinstance(attribute, Boolean) else "string"
    if isinstance(attribute, (Integer, Number)):
        return "int64" if isinstance(attribute, Integer) else "double"
    return "date32" if isinstance(attribute, Date) else "timestamp"


def _calendar(domain: Domain, name: str, part: str) -> Calendar:
    domain.axis(name)
    attribute = domain.attributes[name]
    if not isinstance(attribute, Calendar):
        raise QueryError(f"{name} is no date, so it has no {part}; group by {name} or width({name}, …)")
    length = Period.of_name(part, name).length
    if isinstance(attribute, Date) and length < DAY:
        raise QueryError(f"{name} is a date without a time of day, so it has no {part}; ask for day, month or year")
    if span_length(attribute.span) > length:
        raise QueryError(
            f"{name} has bins of {attribute.width}, so its {part} is not known; ask for a longer period, or group by "
            f"{name}"
        )
    return attribute


def _check_number(name: str, count: int) -> None:
    if count > MOST_PARTS:
        raise QueryError(f"{name} falls into {count:,} groups, at most {MOST_PARTS:,}; ask for width({name}, …)")
