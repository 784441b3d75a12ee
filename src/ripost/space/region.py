"""Region: a part of a domain as disjoint selections, each of which lists intervals for some axes.

An axis that a selection does not list is unrestricted. A region without selections is empty. A selection without axes
is the whole domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ripost.errors import QueryError
from ripost.space.interval import Interval, merge
from ripost.space.work_limit import charge

Intervals = Sequence[Interval]  # positions of one axis, sorted and disjoint
Selection = Mapping[int, Intervals]
Region = tuple[Selection, ...]

EVERYTHING: Region = ({},)
MOST_BOXES = 500
TOO_MANY = (
    f"the condition falls into more than {MOST_BOXES} disjoint boxes; join fewer different attributes by OR, "
    "or ask in several steps"
)


def intersect(one: Region, other: Region) -> Region:
    """The intersection of two regions."""
    found = (_intersect_selections(a, b) for a in one for b in other)
    return _limit_selections(selection for selection in found if selection is not None)


def unite(regions: Iterable[Region], shape: Sequence[int]) -> Region:
    """The union of regions. Regions that bound the same single axis are merged first."""
    alone: dict[int, list[Interval]] = {}
    found: Region = ()
    rest: list[Region] = []
    for region in regions:
        if len(region) == 1 and len(region[0]) == 1:
            [(axis, intervals)] = region[0].items()
            alone.setdefault(axis, []).extend(intervals)
        else:
            rest.append(region)
    for region in [*(({axis: merge(intervals)},) for axis, intervals in alone.items()), *rest]:
        found = _limit_selections((*found, *subtract(region, found, shape)))
    return merge_selections(found)


def subtract(region: Region, other: Region, shape: Sequence[int]) -> Region:
    """The difference of two regions."""
    left = region
    for taken in other:
        left = _limit_selections(part for selection in left for part in subtract_selection(selection, taken, shape))
    return left


def intersect_intervals(one: Intervals, other: Intervals) -> list[Interval]:
    """The intersection of two lists of intervals."""
    charge(len(one) + len(other))
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


def complement_intervals(intervals: Intervals, size: float) -> list[Interval]:
    """The complement of intervals on an axis."""
    charge(2 * len(intervals))
    ends = [0.0, *(end for interval in merge(intervals) for end in interval), float(size)]
    return [(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True) if low < high]


def _intersect_selections(one: Selection, other: Selection) -> Selection | None:
    """The intersection of two selections; None if it is empty."""
    charge(2 + len(one) + len(other))
    found = dict(one)
    for axis, intervals in other.items():
        found[axis] = intersect_intervals(found[axis], intervals) if axis in found else intervals
    return found if all(found.values()) else None


def subtract_selection(selection: Selection, taken: Selection, shape: Sequence[int]) -> list[Selection]:
    """The difference of two selections, axis by axis: inside on the axes before, outside on this one.

    Axes are in the order of the domain, so that parts and their errors do not depend on how a condition was written.
    """
    charge(2 + len(selection) + len(taken))
    inside = dict(selection)
    parts: list[Selection] = []
    for axis, intervals in sorted(taken.items()):
        whole = inside.get(axis, [(0.0, float(shape[axis]))])
        if outside := intersect_intervals(whole, complement_intervals(intervals, shape[axis])):
            parts.append({**inside, axis: outside})
        inside[axis] = intersect_intervals(whole, intervals)
        if not inside[axis]:
            return [selection]
    return parts


def merge_selections(region: Region) -> Region:
    """The same region with fewer selections: two that differ on one axis are merged."""
    found: list[Selection] = []
    for selection in region:
        charge(len(found) * (1 + len(selection)))
        for number, other in enumerate(found):
            differ = [axis for axis in selection if other.get(axis) != selection[axis]]
            if selection.keys() == other.keys() and len(differ) == 1:
                [axis] = differ
                found[number] = {**other, axis: merge([*other[axis], *selection[axis]])}
                break
        else:
            found.append(selection)
    return tuple(found)


def _limit_selections(selections: Iterable[Selection]) -> Region:
    found: list[Selection] = []
    for selection in selections:
        if len(found) == MOST_BOXES:
            raise QueryError(TOO_MANY)
        found.append(selection)
    return tuple(found)
