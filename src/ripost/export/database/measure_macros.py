"""MeasureMacros: the SQL that answers the sum and the mean of a measure (answering/measured_answers.py).

The counts of a group are worked out as without a measure. What its rows add above `min` lies in tables of the same
form, in a schema of the measure's own: its sums, along histograms and a mixture of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ripost.answering.axis_index import AxisIndex
from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.tree import TreeContent
from ripost.export.database import errors, impossible, mixture, shares
from ripost.export.database.axis import SqlAxis, ident
from ripost.export.database.hidden import prefix_names
from ripost.export.database.macros import (
    ALONE,
    FIGURES,
    TOGETHER,
    box_macro,
    every_group,
    find_groups,
    group_macro,
    list_labels,
)


@dataclass(frozen=True)
class MeasureMacros:
    """What is asked of a measure: the name of the view, that of the measure, the axes and the content of the counts,
    the sums, the width of the shortest interval of a sum, the schema of its tables, and what own columns begin with.
    """

    view: str
    measure: str
    axes: Sequence[SqlAxis]
    counts: TreeContent
    sums: MeasureContent
    shortest: float
    home: str
    prefix: str

    @property
    def own_axes(self) -> list[SqlAxis]:
        """The axes with what lies along them of the measure."""
        density, blocks = self.sums.density, self.counts.blocks
        assert density is not None
        return [
            replace(axis, home=self.home, index=AxisIndex.of(mass, blocks.lower[:, i], blocks.upper[:, i]))
            for i, (axis, mass) in enumerate(zip(self.axes, density, strict=True))
        ]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The tables of its schema. In `blocks` the columns are the sum, its variance, and that of single rows."""
        found, sums = self.own_axes, self.sums
        spread = sums.errors.spread * np.maximum(sums.counts, 0.0)
        blocks = {"value": sums.corrections, "noise": sums.block_variances, "spread": spread}
        made = {"blocks": blocks | {f"s{axis.number}": axis.index.which.astype(np.int32) for axis in found}}
        for axis in found:
            made[f"intervals_{axis.number}"] = axis.interval_columns()
            if axis.has_mass:
                made[f"mass_{axis.number}"] = axis.mass_columns()
        return made if sums.mixture is None else made | mixture.tables(sums.mixture, found)

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
    def _has_note(self) -> bool:
        return bool(errors.write_errors(self.counts, self.axes, by=True).note)

    @property
    def _columns(self) -> list[str]:
        """The columns of figures, whose names no dimension has."""
        taken = {name.lower() for axis in self.axes for name in (axis.name, *(one.name for one in axis.maps))}
        names = [f"{word}_{self.measure}{end}" for word in ("sum", "avg") for end in FIGURES[:-1]]
        names += [f"{self.measure}_note"] * self._has_note
        while taken & {name.lower() for name in names}:
            names = [f"{name}_" for name in names]
        return names

    def _select_answers(self, labels: list[str], joins: list[str], *, by: bool, longer: tuple[str, str]) -> str:
        """A SELECT of labels, the sum and the mean, one row a group."""
        told = errors.write_errors(self.counts, self.axes, by=by)
        keys = ", ".join(f"k{axis.number}" for axis in self.axes)
        steps = [
            *shares.of_axes(self.axes, by=by, rounded=False),
            shares.join_rows(self.axes),
            *told.steps,
            *impossible.write_steps(self.counts, self.axes),
            find_groups(self.counts, self.axes, told),
            f"sums AS ({self._sums(keys)})",
            *self._bound(keys, told, longer),
        ]
        columns = [ident(name) for name in self._columns]
        figures = [f"{sql} AS {name}" for sql, name in zip(self._figures, columns, strict=False)]
        figures += [f"note AS {columns[-1]}"] * self._has_note
        return f"WITH {', '.join(steps)} SELECT {', '.join([*labels, *figures])} FROM spanned {' '.join(joins)}"

    def _sums(self, keys: str) -> str:
        """What the rows of each group add above `min`, and the variance of that as blocks tell it.

        Its expressions have the names of those of the counts, and hide them.
        """
        found, by = self.own_axes, f"rounding, {keys}"
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

    def _bound(self, keys: str, told: errors.ErrorSql, longer: tuple[str, str]) -> list[str]:
        """The error of a mean: what blocks tell, and what they do not (answering/content/measure.py)."""
        model, measured = self.sums.errors, self.sums.measured
        note = ", note" if told.note else ""
        share = f"least(1.0, greatest(0.0, value / {max(self.counts.total, 1.0)!r}))"
        unseen = f"least({model.histogram!r}, {model.variation!r} * greatest(value, 0.0) ** 2)"
        mean = f"CASE WHEN value > 0 THEN {self._within('total / value')} ELSE {measured.min!r} END"
        return [
            f"counted AS (SELECT {keys}, value, total, known, sqrt(noise) AS noise, {share} AS share, "
            f"{told.reach!r} * sqrt(noise + model) * {longer[0]} AS reach, {longer[0]} AS factor, "
            f"{self.shortest!r} * {longer[1]} AS width, possible{note} FROM found JOIN sums USING (rounding, {keys}))",
            f"varied AS (SELECT *, known + {unseen} * (1 - share) + {model.total!r} * share ** 2 AS model, "
            f"{mean} AS part FROM counted)",
            f"spanned AS (SELECT *, {model.z!r} * sqrt(model) * factor AS rest, value - reach AS inside FROM varied)",
        ]

    def _within(self, above: str) -> str:
        """What lies above `min`, in the range of the measure."""
        measured = self.sums.measured
        return f"least({measured.max!r}, greatest({measured.min!r}, {measured.min!r} + {above}))"

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
        near = "greatest(rest, width / 2) / inside"
        sums = [total, "sqrt((part * noise) ** 2 + model)", *ends]
        means = [
            "CASE WHEN value > 0 THEN part END",
            "CASE WHEN value > 0 THEN sqrt(model) / value END",
            f"CASE WHEN inside > 0 THEN least({high}, greatest({low}, part - {near})) ELSE {low} END",
            f"CASE WHEN inside > 0 THEN least({high}, greatest({low}, part + {near})) ELSE {high} END",
        ]
        return [
            *(f"CASE WHEN possible THEN {one} ELSE 0.0 END" for one in sums),
            *(f"CASE WHEN possible THEN {one} END" for one in means),
        ]
