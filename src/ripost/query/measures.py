"""Measures: what a question asks of each group. Each gives a value, a low and a high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from ripost.answering.contrast import RegionPair, differences, ratios, shares
from ripost.errors import QueryError
from ripost.query.distribution import BinTotals, Bounded, require_ordered
from ripost.query.groups import Group, groups_of
from ripost.query.key import Key
from ripost.schema.attribute import Calendar, Date, OrderedAttribute
from ripost.space.region import EVERYTHING, Region, intersect
from ripost.space.work_limit import charge
from ripost.view import View

ROUNDING = 1e-9  # of the last decimal: an end that is a whole number but for the last bits stays


@dataclass(frozen=True)
class Asking:
    """What every measure is given: the view, the groups, and the keys and the condition that made them.

    Totals of bins are worked out once for all measures of a dimension under one condition.
    """

    view: View
    keys: Sequence[Key]
    where: Region
    groups: Sequence[Group]
    totals: list[tuple[str, Region, BinTotals]] = field(default_factory=list)

    def regions(self, condition: Region) -> list[Region]:
        """What of each group lies in a condition."""
        if condition is EVERYTHING:
            return [group.region for group in self.groups]
        return [intersect(group.region, condition) for group in self.groups]

    def bin_totals(self, name: str, condition: Region) -> BinTotals:
        for known, same, found in self.totals:
            charge(sum(len(spans) for box in condition for spans in box.values()))
            if known == name and same == condition:
                return found
        made = BinTotals(self.view, name, self.regions(condition))
        self.totals.append((name, condition, made))
        return made


@dataclass(frozen=True)
class Figures:
    """A figure a group, as numbers: value, low and high, NaN where there is none, and the type they stand for."""

    rows: Sequence[Bounded]
    type: str = "double"
    note: str = ""  # what to know before relying on them


@dataclass(frozen=True)
class Total:
    """The view's own measure, rows or the sum of a column, inside a condition."""

    condition: Region = EVERYTHING

    def figures(self, asking: Asking) -> Figures:
        answers = asking.view.answer_regions(asking.regions(self.condition))
        rows = zip(answers.value.tolist(), answers.low.tolist(), answers.high.tolist(), strict=True)
        return Figures(list(rows), note=asking.view.describe_limits(answers))


@dataclass(frozen=True)
class Share:
    """A group's total over that of its parent: what the condition and some of the keys select.

    Bounds are those of a ratio of a part to its whole, from 0 to 1 (answering/contrast.py).
    """

    within: tuple[int, ...] = ()  # keys of the parent

    def figures(self, asking: Asking) -> Figures:
        parents: dict[tuple[object, ...], int] = {}
        regions: list[Region] = []
        for group in asking.groups:
            key = self._parent(group)
            if key not in parents:
                parents |= self._parents(asking, group, regions)
        answers = asking.view.answer_regions([*(group.region for group in asking.groups), *regions])
        charge(len(asking.groups) * (20 + len(self.within)))
        count = len(asking.groups)
        parts, wholes = (
            np.arange(count),
            count + np.array([parents[self._parent(group)] for group in asking.groups], int),
        )
        low, high = shares(answers, parts, wholes, asking.view.min_interval_width / 2)
        whole = answers.value[wholes]
        value = np.divide(answers.value[parts], whole, out=np.full(count, np.nan), where=whole != 0)
        rows = np.stack([value, low, high], axis=1).tolist()
        return Figures([(one, *ends) for one, *ends in rows], note=asking.view.describe_limits(answers))

    def _parent(self, group: Group) -> tuple[object, ...]:
        return tuple((i, group.labels[i]) for i in self.within if group.active[i])

    def _parents(self, asking: Asking, group: Group, regions: list[Region]) -> dict[tuple[object, ...], int]:
        """Numbers of the regions, here added, of all parents that keep the same keys as this group's."""
        kept = [i for i in self.within if group.active[i]]
        found: dict[tuple[object, ...], int] = {}
        for parent in groups_of(asking.keys, [kept], asking.where):
            found[tuple((i, parent.labels[i]) for i in kept)] = len(regions)
            regions.append(parent.region)
        return found


@dataclass(frozen=True)
class Contrast:
    """The difference or the ratio of two totals of a group, with the covariance of their errors."""

    what: str  # "difference" or "ratio"
    one: Region
    other: Region

    def figures(self, asking: Asking) -> Figures:
        shape = asking.view.domain.shape
        both_regions = zip(asking.regions(self.one), asking.regions(self.other), strict=True)
        compare = differences if self.what == "difference" else ratios
        found = compare(asking.view, [RegionPair.of(one, other, shape) for one, other in both_regions])
        rows = zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
        return Figures(list(rows), note=asking.view.describe_limits(found))


@dataclass(frozen=True)
class DistributionMeasure:
    """The mean, the sum or a quantile of an ordered dimension, over rows where it is not missing."""

    name: str
    what: str  # "mean", "sum" or "quantile"
    level: float = 0.5
    condition: Region = EVERYTHING

    def figures(self, asking: Asking) -> Figures:
        attribute = require_ordered(asking.view.domain, self.name)
        if self.what == "sum" and isinstance(attribute, Calendar):
            raise QueryError(f"{self.name} is a date, so it has no sum; ask AVG({self.name}) or MEDIAN({self.name})")
        levels = [self.level] if self.what == "quantile" else []
        rows: list[Bounded] = []
        totals = asking.bin_totals(self.name, self.condition)
        for found in totals.distributions(levels):
            if self.what == "quantile":
                rows.append(found.quantile(self.level))
            else:
                rows.append(found.mean() if self.what == "mean" else found.sum())
        return Figures(rows, calendar_type(attribute, whole=self.what == "quantile"), totals.note)


def calendar_type(attribute: OrderedAttribute, *, whole: bool) -> str:
    """The type of figures about an attribute; a date has `whole` days, but for its mean."""
    if not isinstance(attribute, Calendar):
        return "double"
    return "date32" if whole and isinstance(attribute, Date) else "timestamp"


class QueryMeasure(Protocol):
    """What a question asks of each group."""

    def figures(self, asking: Asking) -> Figures: ...


@dataclass(frozen=True)
class Scaled:
    """A number times a measure."""

    measure: QueryMeasure
    factor: float

    def figures(self, asking: Asking) -> Figures:
        found = self.measure.figures(asking)
        if found.type != "double":
            raise QueryError("a date cannot be multiplied or divided; ask for it as it is")
        rows = (self.factor * np.array(found.rows, float).reshape(-1, 3)).tolist()
        return replace(found, rows=[(value, *(ends if self.factor > 0 else ends[::-1])) for value, *ends in rows])


@dataclass(frozen=True)
class Rounded:
    """A measure to some decimals; the ends of its interval are rounded outward."""

    measure: QueryMeasure
    decimals: int

    def figures(self, asking: Asking) -> Figures:
        found, unit = self.measure.figures(asking), 10.0**self.decimals
        if found.type != "double":
            raise QueryError("a date cannot be rounded; ask for it as it is")
        value, low, high = np.array(found.rows, float).reshape(-1, 3).T * unit
        rounded = np.stack([np.floor(value + 0.5), np.floor(low + ROUNDING), np.ceil(high - ROUNDING)]) / unit
        return replace(found, rows=[tuple(row) for row in rounded.T.tolist()])
