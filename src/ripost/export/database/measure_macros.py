"""MeasureMacros: the SQL that answers the sum and the mean of a measure (answering/measured_answers.py).

The counts of a group are worked out as without a measure. What its rows add above `min` lies in tables of the same
form, in a schema of the measure's own: its sums, along histograms and a mixture of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ripost.answering.axis_index import AxisIndex
from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.tree import TreeContent
from ripost.answering.measured_answers import MeasureSums
from ripost.export.database import errors, impossible, mixture, shares
from ripost.export.database.axis import SqlAxis, ident
from ripost.export.database.hidden import prefix_names
from ripost.export.database.macros import (
    ALONE,
    FIGURES,
    TOGETHER,
    Groups,
    box_macro,
    every_group,
    find_groups,
    group_macro,
    list_labels,
)


@dataclass(frozen=True)
class MeasureMacros(ABC):
    """What is asked of a measure: the name of the view, that of the measure, the axes, the sums, the width of the
    shortest interval of a sum, and what own columns begin with.
    """

    view: str
    measure: str
    axes: Sequence[SqlAxis]
    sums: MeasureSums
    shortest: float
    prefix: str

    @abstractmethod
    def find(self, *, by: bool) -> Groups:
        """Expressions up to `found`, which has a row for each group: its count with the variance of its noise, what its
        rows add above `min` (total) with its variance (known), and whether rows can lie there (possible).
        """

    def statements(self) -> list[str]:
        """Macros of groups, of groups with simultaneous intervals, and of one box in codes."""
        labels, joins = list_labels(self.axes)
        made = [
            group_macro(
                f"{self.view}_{self.measure}_{ending}",
                self.axes,
                self._columns,
                self._select_answers(labels, joins, by=True, longer=longer),
            )
            for ending, longer in (("by", ALONE), ("simultaneous", TOGETHER))
        ]
        box = self._select_answers([], [], by=False, longer=ALONE)
        made.append(box_macro(f"ripost_{self.measure}", self.axes, box))
        return [prefix_names(one, self.prefix) for one in made]

    @property
    def _columns(self) -> list[str]:
        """The columns of figures, whose names no dimension has."""
        taken = {name.lower() for axis in self.axes for name in (axis.name, *(one.name for one in axis.maps))}
        names = [f"{word}_{self.measure}{end}" for word in ("sum", "avg") for end in FIGURES[:-1]]
        names += [f"{self.measure}_note"] * self.find(by=True).has_note
        while taken & {name.lower() for name in names}:
            names = [f"{name}_" for name in names]
        return names

    def _select_answers(self, labels: list[str], joins: list[str], *, by: bool, longer: tuple[str, str]) -> str:
        """A SELECT of labels, the sum and the mean, one row a group."""
        groups = self.find(by=by)
        assert groups.reach is not None
        steps = ", ".join([*groups.steps, *self._bound(groups.reach, longer)])
        columns = [ident(name) for name in self._columns]
        figures = [f"{sql} AS {name}" for sql, name in zip(self._figures, columns, strict=False)]
        figures += [f"note AS {columns[-1]}"] * groups.has_note
        return f"WITH {steps} SELECT {', '.join([*labels, *figures])} FROM spanned {' '.join(joins)}"

    def _bound(self, reach: str, longer: tuple[str, str]) -> list[str]:
        """The half-widths of the count and of the sum of that many rows, the mean, and the rows that are sure."""
        measured = self.sums.measured
        inner = f"least({measured.max!r}, greatest({measured.min!r}, {measured.min!r} + total / value))"
        mean = f"CASE WHEN value > 0 THEN {inner} ELSE {measured.min!r} END"
        return [
            f"varied AS (SELECT * EXCLUDE (reach), {reach} * {longer[0]} AS reach, {self.shortest!r} * {longer[1]} AS "
            f"width, {self.sums.errors.z!r} * sqrt(known) * {longer[0]} AS rest, {mean} AS part FROM found)",
            "spanned AS (SELECT *, value - reach AS inside FROM varied)",
        ]

    @property
    def _figures(self) -> list[str]:
        """The sum and the mean, each with its standard error and the ends of its interval.

        Where no row can lie, sums are exactly 0 and there is no mean.
        """
        measured = self.sums.measured
        low, high = f"({measured.min!r})", f"({measured.max!r})"
        total = f"({low} * value + total)"
        far = "greatest(sqrt((part * reach) ** 2 + rest ** 2), width / 2)"
        ends = [f"{total} {sign} {far}" for sign in "-+"]
        ends = [f"least({end}, 0.0)" for end in ends] if measured.max <= 0 else ends
        ends = [f"greatest({end}, 0.0)" for end in ends] if measured.min >= 0 else ends
        ends = [f"{hold}({end}, {total})" for hold, end in zip(("least", "greatest"), ends, strict=True)]
        near = "greatest(rest, width / 2) / inside"
        sums = [total, "sqrt(part * part * noise + known)", *ends]
        means = [
            "CASE WHEN value > 0 THEN part END",
            "CASE WHEN value > 0 THEN sqrt(known) / value END",
            f"CASE WHEN inside > 0 THEN least({high}, greatest({low}, part - {near})) ELSE {low} END",
            f"CASE WHEN inside > 0 THEN least({high}, greatest({low}, part + {near})) ELSE {high} END",
        ]
        return [
            *(f"CASE WHEN possible THEN {one} ELSE 0.0 END" for one in sums),
            *(f"CASE WHEN possible THEN {one} END" for one in means),
        ]


@dataclass(frozen=True)
class ReleaseMeasure(MeasureMacros):
    """The measure of one release: over the blocks of its counts, in tables of a schema of its own."""

    sums: MeasureContent
    counts: TreeContent
    home: str

    def tables(self) -> dict[str, dict[str, Any]]:
        """The tables of its schema. In `blocks` the columns are the sum, its variance, and that of single rows."""
        found, sums = self._own_axes, self.sums
        spread = sums.errors.spread * np.maximum(sums.counts, 0.0)
        blocks = {"value": sums.corrections, "noise": sums.block_variances, "spread": spread}
        made = {"blocks": blocks | {f"s{axis.number}": axis.index.which.astype(np.int32) for axis in found}}
        for axis in found:
            made[f"intervals_{axis.number}"] = axis.interval_columns()
            if axis.has_mass:
                made[f"mass_{axis.number}"] = axis.mass_columns()
        return made if sums.mixture is None else made | mixture.tables(sums.mixture, found)

    def find(self, *, by: bool) -> Groups:
        told = errors.write_errors(self.counts, self.axes)
        keys = ", ".join(f"k{axis.number}" for axis in self.axes)
        steps = [
            *shares.of_axes(self.axes, by=by, rounded=False),
            shares.join_rows(self.axes),
            *told.steps,
            *impossible.write_steps(self.counts, self.axes),
            find_groups(self.counts, self.axes, told, name="counted"),
            f"sums AS ({self._sums(keys)})",
            f"found AS (SELECT * EXCLUDE (model, known), {told.reach!r} * sqrt(noise + model) AS reach, "
            f"known + {self._untold} AS known FROM counted JOIN sums USING (rounding, {keys}))",
        ]
        return Groups(steps, "reach", has_note=bool(told.note))

    @property
    def _own_axes(self) -> list[SqlAxis]:
        """The axes with what lies along them of the measure."""
        density, blocks = self.sums.density, self.counts.blocks
        assert density is not None
        return [
            replace(axis, home=self.home, index=AxisIndex.of(mass, blocks.lower[:, i], blocks.upper[:, i]))
            for i, (axis, mass) in enumerate(zip(self.axes, density, strict=True))
        ]

    def _sums(self, keys: str) -> str:
        """What the rows of each group add above `min`, and the variance of that as blocks tell it.

        Its expressions have the names of those of the counts, and hide them.
        """
        found, by = self._own_axes, f"rounding, {keys}"
        steps = [*(shares.share_intervals(axis) for axis in found), shares.join_rows(found)]
        known = "sum(noise * share * share + spread * share * (1 - share))"
        steps.append(f"totals AS (SELECT {by}, sum(value * share) AS value, {known} AS known FROM met GROUP BY {by})")
        value, joins = "coalesce(totals.value, 0.0)", f"LEFT JOIN totals USING ({by})"
        if self.sums.mixture is not None:
            halves = mixture.Halves.of(found)
            steps += [step for axis in found for step in (mixture.cover_bins(axis), mixture.masses(axis))]
            steps += halves.steps("masses", lambda axis: f"m{axis.number}.key AS k{axis.number}", rounded=True)
            steps.append(f"mixed AS (SELECT {by}, {mixture.TOTAL} AS value FROM {mixture.FROM_ROUNDED_HALVES})")
            value, joins = f"{value} + mixed.value", f"{joins} LEFT JOIN mixed USING ({by})"
        figures = f"{value} AS total, coalesce(totals.known, 0.0) AS known"
        return f"WITH {', '.join(steps)} SELECT {by}, {figures} FROM {every_group(self.axes)} {joins}"

    @property
    def _untold(self) -> str:
        """The variance that blocks do not tell (answering/content/measure.py)."""
        model = self.sums.errors
        share = f"least(1.0, greatest(0.0, value / {max(self.counts.total, 1.0)!r}))"
        unseen = f"least({model.histogram!r}, {model.variation!r} * greatest(value, 0.0) ** 2)"
        return f"{unseen} * (1 - {share}) + {model.total!r} * {share} ** 2"
