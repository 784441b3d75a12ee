"""Queryable: the questions that a view and a part of it answer alike."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ripost.errors import QueryError
from ripost.schema.attribute_base import shorten
from ripost.space.region import EVERYTHING, Region, intersect

if TYPE_CHECKING:
    from ripost.answering.answer import Answer
    from ripost.query.comparison import Comparison
    from ripost.query.cube import Cube
    from ripost.query.measured_figures import Wanted
    from ripost.query.table import Table
    from ripost.query.view_attribute import ViewAttribute
    from ripost.schema.domain import Domain

Condition = str | Mapping[str, Any] | None  # as SQL writes it, by attribute, or none
KeyName = str | tuple[str, Any]  # an attribute; or with the width of its bins, or a part of its dates


class Queryable(ABC):
    """What a view, or a part of it, can be asked.

    A condition is a text such as `"origin = 'JFK' and hour < 9"`, a dictionary, or keywords: a value, (low, high) with
    both ends included, a list of values, or None for missing values, which NaN, NaT and NA of pandas mean too. Names
    that are not Python identifiers, and names of arguments such as `level`, go into a dictionary or a text. `level` is
    the coverage of intervals, 0.95 by default.
    """

    @abstractmethod
    def _part(
        self, where: Condition = None, named: Mapping[str, Any] | None = None, level: float | None = None
    ) -> Cube:
        """The part where a condition holds, with intervals of a level."""

    def count(self, where: Condition = None, /, *, level: float | None = None, **named: Any) -> Answer:
        """The total where a condition holds, with its confidence interval."""
        part = self._part(where, named, level)
        return part.view.answer_region(part.where)

    def difference(self, one: Condition, other: Condition, /, *, level: float | None = None) -> Answer:
        """The total where one condition holds, less that where the other does: `count(one) - count(other)`."""
        return self.count(one, level=level) - self.count(other, level=level)

    def ratio(self, one: Condition, other: Condition, /, *, level: float | None = None) -> Answer:
        """The total where one condition holds, over that where the other does: `count(one) / count(other)`.

        Where the second total may be 0, the interval has no upper end. The ratio of a part to its whole is at most 1.
        """
        return self.count(one, level=level) / self.count(other, level=level)

    def compare(self, one: Condition, other: Condition, /, *, level: float | None = None) -> Comparison:
        """Whether one total is larger than the other, as far as the view can tell: the difference and a verdict."""
        from ripost.query.comparison import compare_conditions

        return compare_conditions(self._part(level=level), one, other)

    def sum(self, name: str, /, *, where: Condition = None, level: float | None = None, **named: Any) -> Answer:
        """The sum of a measure where a condition holds, with its interval; `[measures.NAME]` of the schema names it."""
        from ripost.query.measured_figures import require_measure

        part = self._part(where, named, level)
        return part.view.answer_measure(require_measure(part.view, name), "sum", part.where)

    def filter(self, where: Condition = None, /, **named: Any) -> Cube:
        """The part where a condition holds, to be asked like the view; filters can follow each other."""
        return self._part(where, named)

    def dice(self, where: Condition = None, /, **named: Any) -> Cube:
        """The same as `filter`."""
        return self._part(where, named)

    def slice(self, where: Condition = None, /, **named: Any) -> Cube:
        """The part at one value of each named attribute."""
        listed = {**where, **named} if isinstance(where, Mapping) else named
        for name, condition in listed.items():
            if isinstance(condition, (tuple, list, set, frozenset)):
                raise QueryError(f"a slice is at one value of {name}; filter takes ranges and lists")
        return self._part(where, named)

    def groupby(
        self,
        *keys: KeyName | Sequence[KeyName],
        where: Condition = None,
        level: float | None = None,
        simultaneous: bool = False,
        agg: Wanted | None = None,
        **named: Any,
    ) -> Table:
        """One row for each group. A key is an attribute, (attribute, bin width), or (date, "month").

        `simultaneous` makes all intervals of the table hold at once with the level. `agg` adds figures of measures,
        such as {"seats": "sum", "delay": ["sum", "mean"]}.
        """
        from ripost.query.group_tables import group_table

        return group_table(self._part(where, named, level), keys, simultaneous=simultaneous, agg=agg or {})

    def rollup(
        self,
        *keys: KeyName | Sequence[KeyName],
        where: Condition = None,
        level: float | None = None,
        simultaneous: bool = False,
        agg: Wanted | None = None,
        **named: Any,
    ) -> Table:
        """The groups with their subtotals, up to everything. Where `grouping` is not 0, None stands for all."""
        from ripost.query.group_tables import group_table

        part = self._part(where, named, level)
        return group_table(part, keys, subtotals=True, simultaneous=simultaneous, agg=agg or {})

    def drilldown(
        self,
        *keys: KeyName | Sequence[KeyName],
        where: Condition = None,
        level: float | None = None,
        simultaneous: bool = False,
        **named: Any,
    ) -> Table:
        """The groups, each with its total and its share of the whole."""
        from ripost.query.group_tables import group_table

        return group_table(self._part(where, named, level), keys, shares=True, simultaneous=simultaneous)

    def value_counts(
        self,
        key: KeyName,
        /,
        *,
        where: Condition = None,
        level: float | None = None,
        normalize: bool = False,
        **named: Any,
    ) -> Table:
        """The total of each value of an attribute, the largest first; with `normalize` the share of each."""
        from ripost.query.group_tables import value_table

        return value_table(self._part(where, named, level), key, normalize=normalize)

    def pivot(
        self,
        rows: KeyName,
        columns: KeyName,
        /,
        *,
        where: Condition = None,
        level: float | None = None,
        intervals: bool = False,
        simultaneous: bool = False,
        agg: Wanted | None = None,
        **named: Any,
    ) -> Table:
        """Totals with one attribute down the side and another across the top.

        With `intervals`, each column is followed by the ends of its intervals, such as JFK, JFK_low, JFK_high. With
        `agg`, such as {"delay": "mean"}, the table holds that figure of a measure in place of counts.
        """
        from ripost.query.group_tables import pivot_table

        part = self._part(where, named, level)
        return pivot_table(part, rows, columns, intervals=intervals, simultaneous=simultaneous, agg=agg)

    def mean(self, name: str, /, *, where: Condition = None, level: float | None = None, **named: Any) -> Answer:
        """The mean of a measure, or of an attribute that holds numbers where it is not missing, with its interval."""
        from ripost.query.measured_figures import find_measure
        from ripost.query.summaries import mean_answer

        part = self._part(where, named, level)
        if (found := find_measure(part.view, name)) is not None and name not in part.view.domain.attributes:
            return part.view.answer_measure(found, "mean", part.where)
        return mean_answer(part, name)

    def quantile(
        self,
        name: str,
        levels: float | Sequence[float] = 0.5,
        /,
        *,
        where: Condition = None,
        level: float | None = None,
        simultaneous: bool = False,
        **named: Any,
    ) -> Table:
        """Values of an ordered attribute below which the given shares of rows lie, with bounds: one row each."""
        from ripost.query.summaries import quantile_table

        return quantile_table(self._part(where, named, level), name, levels, simultaneous=simultaneous)

    def cdf(
        self,
        name: str,
        /,
        *,
        where: Condition = None,
        level: float | None = None,
        simultaneous: bool = False,
        **named: Any,
    ) -> Table:
        """The share of rows up to the end of each bin of an ordered attribute, with its band."""
        from ripost.query.summaries import cdf_table

        return cdf_table(self._part(where, named, level), name, simultaneous=simultaneous)

    def describe(self, *, where: Condition = None, level: float | None = None, **named: Any) -> Table:
        """One row for each attribute: its domain, the share that is missing, the most frequent value, the mean."""
        from ripost.query.summaries import describe_table

        return describe_table(self._part(where, named, level))

    @property
    def columns(self) -> list[str]:
        """The names of the attributes."""
        return list(self._part().view.domain.names)

    def __len__(self) -> int:
        """The number of attributes. A view holds no rows; `count()` estimates how many it was made from."""
        return len(self.columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.columns

    def __getitem__(self, name: str) -> ViewAttribute:
        """One attribute, to be asked for its value counts, mean and quantiles."""
        from ripost.query.view_attribute import ViewAttribute

        part = self._part()
        part.view.domain.find(name)
        return ViewAttribute(part, name)


def read_region(domain: Domain, where: Condition, named: Mapping[str, Any] | None = None) -> Region:
    """The region where a condition and all named ones hold; QueryError if it cannot be read."""
    if isinstance(where, str):
        from ripost.query.condition import parse_condition

        found = parse_condition(where, domain)
        return intersect(found, (domain.select(_plain(named or {})),)) if named else found
    if where is not None and not isinstance(where, Mapping):
        raise QueryError(
            "a condition is a text such as \"hour < 9\" or a dictionary such as {'hour': (6, 9)}, "
            f"got {shorten(where)}"
        )
    asked = dict(where or {})
    if twice := asked.keys() & (named or {}).keys():
        raise QueryError(f"{min(twice)} is asked for twice")
    asked |= named or {}
    return (domain.select(_plain(asked)),) if asked else EVERYTHING


def _plain(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions as Python's own values: NumPy's scalars and arrays, pandas' columns and ranges become those."""
    return {name: _plain_value(value) for name, value in asked.items()}


def _is_missing(value: Any) -> bool:
    """Whether a value is what NumPy and pandas have for None: NaN, NaT or NA."""
    return (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NaTType", "NAType")


def _plain_value(value: Any) -> Any:
    if _is_missing(value):
        return None
    if isinstance(value, range):
        return list(value)
    if hasattr(value, "tolist") and not isinstance(value, type):
        return _plain_value(value.tolist())
    if isinstance(value, tuple):  # a range, of which only None is an open end
        plain = [_plain_value(end) for end in value]
        return tuple(math.nan if one is None is not end else one for one, end in zip(plain, value, strict=True))
    if isinstance(value, (list, set, frozenset)):
        return [_plain_value(one) for one in value]
    return value
