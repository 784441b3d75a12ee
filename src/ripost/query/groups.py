"""Groups: the regions that keys cut a condition into, for one or several grouping sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ripost.errors import QueryError
from ripost.query.key import Key
from ripost.schema.domain import format_count
from ripost.space.region import Intervals, Region, Selection, intersect_intervals
from ripost.space.work_limit import charge

MOST_GROUPS = 50_000
MOST_BOXES = 500_000


@dataclass(frozen=True)
class Group:
    """One row of a result: what it stands for, and where it lies."""

    active: tuple[bool, ...]  # of each key, whether it is one of the grouping set; NULL stands for all where it is not
    labels: tuple[Any, ...]  # of each key
    region: Region


def groups_of(keys: Sequence[Key], sets: Sequence[Sequence[int]], where: Region) -> list[Group]:
    """The groups of each grouping set, which lists numbers of keys, that share something with a region."""
    intervals = [sum(map(len, key.parts)) if len(key.parts) > 1 else 1 for key in keys]
    rows = sum(_most_groups(keys, intervals, chosen) for chosen in sets)
    if rows > MOST_GROUPS:
        raise QueryError(
            f"the question makes {format_count(rows)} groups, at most {MOST_GROUPS:,}; group by fewer dimensions, or "
            "by wider bins as width(dimension, 10) does"
        )
    if rows * len(where) > MOST_BOXES:
        raise QueryError(
            f"the question makes {rows:,} groups of {len(where):,} boxes each, at most {MOST_BOXES:,} boxes; "
            "join fewer attributes by OR, or group by fewer dimensions"
        )
    meeting = _Meeting()
    return [group for chosen in sets for group in _of_set(keys, sorted(set(chosen)), where, meeting)]


def _most_groups(keys: Sequence[Key], intervals: Sequence[int], chosen: Sequence[int]) -> int:
    """How many groups keys make at most: those of one axis meet in no more groups than they have intervals together."""
    labels: dict[int, int] = {}
    spans: dict[int, int] = {}
    for number in chosen:
        axis = keys[number].axis
        labels[axis] = labels.get(axis, 1) * len(keys[number])
        spans[axis] = spans.get(axis, 0) + intervals[number]
    return math.prod(min(labels[axis], spans[axis]) for axis in labels)


class _Meeting:
    """What selections have in common with parts of keys, each looked at once."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], Intervals] = {}

    def of(self, held: Intervals | None, part: Intervals) -> Intervals:
        if held is None:
            return part
        pair = (id(held), id(part))  # both stay alive: one in a key or here, one in a region or here
        if pair not in self.known:
            self.known[pair] = intersect_intervals(held, part)
        return self.known[pair]


def _of_set(keys: Sequence[Key], chosen: Sequence[int], where: Region, meeting: _Meeting) -> list[Group]:
    charge(len(keys))
    active = tuple(map(set(chosen).__contains__, range(len(keys))))
    rows: list[tuple[tuple[Any, ...], list[Selection]]] = [((None,) * len(keys), list(where))]
    for i in chosen:
        key = keys[i]
        found: list[tuple[tuple[Any, ...], list[Selection]]] = []
        for labels, boxes in rows:
            near = key.near(boxes)
            charge(len(near) * (len(keys) + sum(map(len, boxes)) + len(boxes)))
            for label, part in ((key.labels[number], key.parts[number]) for number in near):
                left: list[Selection] = [
                    {**box, key.axis: spans} for box in boxes if (spans := meeting.of(box.get(key.axis), part))
                ]
                if left:
                    found.append(((*labels[:i], label, *labels[i + 1 :]), left))
        rows = found
    return [Group(active, labels, tuple(boxes)) for labels, boxes in rows]
