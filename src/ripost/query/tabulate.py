"""From groups and measures to columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ripost.query.groups import groups_of
from ripost.query.key import Key
from ripost.query.measures import Asking, Figures, QueryMeasure
from ripost.query.table import ResultColumn
from ripost.schema.dates import from_microseconds
from ripost.schema.measure import Measure
from ripost.space.region import Region
from ripost.space.work_limit import charge
from ripost.view import View

ENDS = ("", "_low", "_high")
ALL = "(all)"  # what a subtotal is called in print; in tables it is NULL


@dataclass(frozen=True)
class Rows:
    """Groups, and the figures of measures that were asked of them so far, by the number of the measure."""

    asking: Asking
    known: dict[int, Figures] = field(default_factory=dict)

    @classmethod
    def of(
        cls, view: View, keys: Sequence[Key], sets: Sequence[Sequence[int]], where: Region, *, together: int = 0
    ) -> Rows:
        """The groups of some grouping sets. The intervals of `together` measures of all groups hold simultaneously."""
        groups = groups_of(keys, sets, where)
        return cls(Asking(view.jointly(together * len(groups)), keys, where, groups))

    def __len__(self) -> int:
        return len(self.asking.groups)

    def figures(self, number: int, measure: QueryMeasure) -> Figures:
        if number not in self.known:
            self.known[number] = measure.figures(self.asking)
        return self.known[number]

    @property
    def note(self) -> str:
        """What to know before relying on the figures so far."""
        return max((figures.note for figures in self.known.values()), key=len, default="")  # it holds the shorter ones

    def keep(self, numbers: Sequence[int]) -> Rows:
        """Some of the rows, in this order."""
        charge(len(numbers) * (1 + len(self.known)))
        groups = [self.asking.groups[number] for number in numbers]
        known = {i: replace(figures, rows=[figures.rows[n] for n in numbers]) for i, figures in self.known.items()}
        return Rows(replace(self.asking, groups=groups, totals=[]), known)

    def labels(self, key: int, name: str) -> ResultColumn:
        """The labels of a key. A bin is printed as a range, None as `(missing)`, or as `(all)` in a subtotal."""
        charge(len(self))
        of, groups = self.asking.keys[key], self.asking.groups
        missing = self.asking.view.domain.find(of.name).missing_name
        blanks = [missing if group.active[key] else ALL for group in groups]
        return ResultColumn(name, of.type, [group.labels[key] for group in groups], blanks, of.describe)

    def grouping(self, keys: Sequence[int], name: str) -> ResultColumn:
        """Which of some keys stand for all, as bits, the last key's lowest."""
        charge(len(self) * (1 + len(keys)))
        bits = [[not group.active[key] for key in keys] for group in self.asking.groups]
        return ResultColumn(name, "int64", [sum(bit << i for i, bit in enumerate(reversed(row))) for row in bits])


def figure_columns(figures: Figures, name: str) -> list[ResultColumn]:
    """The columns of a measure: its value, and the ends of its interval."""
    charge(3 * len(figures.rows))
    convert = _CONVERT[figures.type]
    return [
        ResultColumn(
            name + end, figures.type, [convert(row[i]) if math.isfinite(row[i]) else None for row in figures.rows]
        )
        for i, end in enumerate(ENDS)
    ]


def measure_name(measure: Measure, taken: Sequence[str]) -> str:
    """What the column of totals is called, in no way like what is taken: count, sum_pay or cells."""
    name = "count" if measure.column is None else f"sum_{measure.column}"
    name = "cells" if measure.cells else name
    lower = {one.lower() for one in taken}
    while lower & {f"{name}{end}".lower() for end in ("", "_stderr", "_low", "_high", "_note")}:
        name += "_"
    return name


_CONVERT: dict[str, Callable[[float], Any]] = {
    "double": float,
    "timestamp": from_microseconds,
    "date32": lambda tick: from_microseconds(tick).date(),
}
