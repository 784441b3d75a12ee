"""Cube: a view, or a part of it, to be sliced, diced, grouped and drilled into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ripost.answering.answer import Answer
from ripost.errors import QueryError
from ripost.query.calendar import ALIASES, PERIODS
from ripost.query.distribution import BinTotals, require_ordered
from ripost.query.key import Key, by_code, by_part, by_width
from ripost.query.measures import DistributionMeasure, Share, Total
from ripost.query.table import ResultColumn, Table
from ripost.query.tabulate import Rows, figure_columns
from ripost.schema.attribute_base import MISSING
from ripost.space.region import EVERYTHING, Region, intersect
from ripost.space.work_limit import count_work
from ripost.view import View

KeyName = str | tuple[str, Any]  # a dimension; or with the width of its bins, or a part of its dates


@dataclass(frozen=True)
class Cube:
    """The part of a view where some conditions hold. Conditions are those of `View.count`."""

    view: View
    where: Region = EVERYTHING

    def slice(self, conditions: Mapping[str, Any] | None = None, /, **named: Any) -> Cube:
        """The part at one value of each named dimension."""
        asked = {**(conditions or {}), **named}
        for name, condition in asked.items():
            if isinstance(condition, (tuple, list, set, frozenset)):
                raise QueryError(f"a slice is at one value of {name}; dice takes ranges and lists")
        return self.dice(asked)

    def dice(self, conditions: Mapping[str, Any] | None = None, /, **named: Any) -> Cube:
        """The part in a range, or a list of values, of each named dimension."""
        return Cube(self.view, intersect(self.where, (self.view.domain.select({**(conditions or {}), **named}),)))

    def count(self, conditions: Mapping[str, Any] | None = None, /, **named: Any) -> Answer:
        """The total, with its error."""
        return self.view.answer_region(self.dice(conditions, **named).where)

    def groupby(self, *keys: KeyName, simultaneous: bool = False, **named: Any) -> Table:
        """A row a group of the named dimensions: its labels, its total, and the ends of its interval.

        `simultaneous` makes all intervals of the table hold together as often as the level of the view says.
        """
        return self._table(keys, [range(len(keys))], named, simultaneous=simultaneous)

    def rollup(self, *keys: KeyName, simultaneous: bool = False, **named: Any) -> Table:
        """The groups, the totals of all but the last dimension, and so on up to everything; None stands for all."""
        return self._table(
            keys, [range(length) for length in range(len(keys), -1, -1)], named, levels=True, simultaneous=simultaneous
        )

    def drilldown(self, *keys: KeyName, simultaneous: bool = False, **named: Any) -> Table:
        """What the part is made of along further dimensions: each group's total, and its share of the whole."""
        return self._table(keys, [range(len(keys))], named, shares=True, simultaneous=simultaneous)

    @count_work()
    def pivot(self, rows: KeyName, columns: KeyName, /, **named: Any) -> Table:
        """Totals with the labels of one dimension down the side and those of another across the top; no intervals."""
        if "simultaneous" in named and "simultaneous" not in self.view.domain.attributes:
            raise QueryError("a pivot shows no intervals; ask groupby with simultaneous=True")
        part, keys = self.dice(named), (self._key(rows), self._key(columns))
        found = Rows.of(part.view, keys, [(0, 1)], part.where)
        values = {
            (g.labels): row[0] for g, row in zip(found.asking.groups, found.figures(0, Total()).rows, strict=True)
        }
        side, top = (list(dict.fromkeys(labels[i] for labels in values)) for i in (0, 1))
        made = [ResultColumn(keys[0].name, keys[0].type, side)]
        made += [ResultColumn(_word(label), "double", [values.get((row, label)) for row in side]) for label in top]
        return Table(made, warning=self.view.privacy.warning, note=found.note)

    @count_work()
    def quantile(
        self, name: str, levels: float | Sequence[float] = 0.5, /, *, simultaneous: bool = False, **named: Any
    ) -> Table:
        """Values of an ordered dimension below which the given shares lie: a row a level."""
        part = self.dice(named)
        wanted = [levels] if isinstance(levels, (int, float)) else list(levels)
        for level in wanted:
            if not 0 <= level <= 1:
                raise QueryError(f"a quantile is a number from 0 to 1, got {level!r}")
        part._needs_rows(name)
        rows = Rows.of(part.view, (), [()], part.where, together=len(wanted) if simultaneous else 0)
        figures = [DistributionMeasure(name, "quantile", float(level)).figures(rows.asking) for level in wanted]
        columns = [figure_columns(one, name) for one in figures]
        made = [
            ResultColumn(each[0].name, each[0].type, [column.values[0] for column in each])
            for each in zip(*columns, strict=True)
        ]
        note = next((one.note for one in figures), "")
        return Table([ResultColumn("level", "double", wanted), *made], warning=self.view.privacy.warning, note=note)

    @count_work()
    def cdf(self, name: str, /, *, simultaneous: bool = False, **named: Any) -> Table:
        """The share of rows up to the end of each bin of an ordered dimension, with its band."""
        part = self.dice(named)
        part._needs_rows(name)
        attribute = require_ordered(part.view.domain, name)
        view = part.view.jointly(attribute.count) if simultaneous else part.view
        totals = BinTotals(view, name, [part.where])
        [found] = totals.distributions()
        whole = float(found.mass.sum())
        share = np.cumsum(found.mass) / whole if whole > 0 else np.full(len(found.mass), np.nan)
        ends = {
            "cdf": share,
            "cdf_low": np.minimum(found.low[1:], share),
            "cdf_high": np.maximum(found.high[1:], share),
        }
        labels = ResultColumn(
            name, by_code(part.view.domain, name).type, [attribute.value(tick) for tick in found.last]
        )
        made = [
            ResultColumn(end, "double", [None if np.isnan(v) else float(v) for v in values])
            for end, values in ends.items()
        ]
        return Table([labels, *made], warning=self.view.privacy.warning, note=totals.note)

    @count_work()
    def _table(
        self,
        keys: Sequence[KeyName],
        sets: Sequence[Sequence[int]],
        named: Mapping[str, Any],
        *,
        levels: bool = False,
        shares: bool = False,
        simultaneous: bool = False,
    ) -> Table:
        part, cut = self.dice(named), [self._key(key) for key in keys]
        rows = Rows.of(part.view, cut, sets, part.where, together=1 + shares if simultaneous else 0)
        made = [rows.labels(i, _title(key)) for i, key in enumerate(keys)]
        if levels:
            made.append(rows.grouping(range(len(keys)), "grouping"))
        made += figure_columns(rows.figures(0, Total()), _measure_name(self.view))
        if shares:
            made += figure_columns(rows.figures(1, Share()), "share")
        return Table(made, warning=self.view.privacy.warning, note=rows.note)

    def _key(self, key: KeyName) -> Key:
        domain = self.view.domain
        if isinstance(key, str):
            return by_code(domain, key)
        name, cut = key
        if isinstance(cut, str) and (cut.lower() in PERIODS or cut.lower() in ALIASES):
            return by_part(domain, name, cut)
        return by_width(domain, name, cut)

    def _needs_rows(self, name: str) -> None:
        held = self.view.measure
        if held.column is not None or held.cells:
            raise QueryError(f"the view holds {held.title} and no rows, so quantiles of {name} are not known")


def _title(key: KeyName) -> str:
    return key if isinstance(key, str) else f"{key[0]}_{key[1]}"


def _measure_name(view: View) -> str:
    held = view.measure
    return "cells" if held.cells else "count" if held.column is None else f"sum_{held.column}"


def _word(label: Any) -> str:
    if isinstance(label, float):
        return f"{label:g}"
    return MISSING if label is None else str(label).lower() if isinstance(label, bool) else str(label)
