"""Macros: the SQL that answers from the tables of an exported view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ripost.answering.answer import LEVEL
from ripost.answering.content.content import Content
from ripost.export.database import errors, impossible, shares
from ripost.export.database.axis import SqlAxis, ident, text
from ripost.export.database.cells import Cells
from ripost.export.database.hidden import prefix_names, prefix_of
from ripost.schema.mapped_attribute import MappedAttribute

FIGURES = ("", "_stderr", "_low", "_high", "_note")  # ends of the names of columns
ALONE = ("1.0", "1.0")
TOGETHER = (
    f"(ln(count(*) OVER () / {1 - LEVEL!r}) / {-math.log(1 - LEVEL)!r})",
    f"(ln(count(*) OVER () / {1 - LEVEL!r} - 1) / {math.log(LEVEL / (1 - LEVEL))!r})",
)
"""How many times as long as alone the intervals of all groups are if they hold together, and the shortest of them:
each may miss with an equal share of the probability (Bonferroni; answering/answer.py has both formulas)."""


@dataclass(frozen=True)
class Groups:
    """Common table expressions up to `found`, which has the groups; their half-width in its columns, None if nothing is
    known of errors; and whether it has a note.
    """

    steps: Sequence[str]
    reach: str | None
    has_note: bool


@dataclass(frozen=True)
class Macros:
    """What is asked of a view in SQL: its name, the name of its measure, its axes and its content, the width of its
    shortest interval, and the relations of its cells.
    """

    name: str
    measure: str
    axes: Sequence[SqlAxis]
    content: Content
    shortest: float
    cells: Cells

    def statements(self) -> list[str]:
        """Views and macros, in the order in which they need each other."""
        macros = (self._by("_by", ALONE), self._by("_simultaneous", TOGETHER), self._count())
        return [prefix_names(one, self.prefix) for one in (*self.cells.statements(), *macros)]

    @property
    def prefix(self) -> str:
        """What own columns begin with."""
        return prefix_of([name for axis in self.axes for name in (axis.name, *(one.name for one in axis.maps))])

    def _by(self, ending: str, longer: tuple[str, str]) -> str:
        """Groups of some dimensions, where others keep to ranges or names, with errors."""
        labels, joins = list_labels(self.axes)
        inner = self._select_answers(labels, joins, by=True, longer=longer)
        figures = [self.measure + end for end in self._figures]
        return group_macro(self.name + ending, self.axes, figures, inner)

    @property
    def _figures(self) -> Sequence[str]:
        """The ends of the names of the columns of figures that there are."""
        return FIGURES if self.find(by=True).has_note else FIGURES[:-1]

    def _count(self) -> str:
        """One box in codes, with errors."""
        return box_macro("ripost_count", self.axes, self._select_answers([], [], by=False))

    def _select_answers(self, labels: list[str], joins: list[str], *, by: bool, longer: tuple[str, str] = ALONE) -> str:
        """A SELECT of labels, the measure, its standard error and its interval, one row a group."""
        groups = self.find(by=by)
        found = [*groups.steps]
        value, stderr, low, high, note = (ident(self.measure + end) for end in FIGURES)
        if groups.reach is None:
            source, known = "found", f"NULL::DOUBLE AS {stderr}, NULL::DOUBLE AS {low}, NULL::DOUBLE AS {high}"
        else:
            found += self._bound(groups.reach, longer, has_note=groups.has_note)
            ends = [
                f"CASE WHEN reach IS NOT NULL THEN {end} END AS {name}" for end, name in (("low", low), ("high", high))
            ]
            source, known = "bound", ", ".join([f"sqrt(noise) AS {stderr}", *ends])
        figures = ", ".join([*labels, f"value AS {value}", known, *([f"note AS {note}"] if groups.has_note else [])])
        return f"WITH {', '.join(found)} SELECT {figures} FROM {source} {' '.join(joins)}"

    def find(self, *, by: bool) -> Groups:
        """Every group in each rounding: its value, the variance of its noise, its half-width, and perhaps a note."""
        told = errors.write_errors(self.content, self.axes)
        steps = [
            *shares.of_axes(self.axes, by=by, rounded=told.reach is not None),
            shares.join_rows(self.axes),
            *told.steps,
            *impossible.write_steps(self.content, self.axes),
            find_groups(self.content, self.axes, told, name="found"),
        ]
        reach = None if told.reach is None else f"{told.reach!r} * sqrt(noise + model)"
        return Groups(steps, reach, has_note=bool(told.note))

    @property
    def _keys(self) -> str:
        return ", ".join(f"k{axis.number}" for axis in self.axes)

    def _bound(self, reach: str, longer: tuple[str, str], *, has_note: bool) -> list[str]:
        """The interval of every group; with ends inside codes it reaches to those of rounded ends (docs/format.md)."""
        own = {"value": "value", "noise": "noise", "reach": reach, **({"note": "note"} if has_note else {})}
        figures = [f"any_value({figure}) FILTER (WHERE rounding = 0) AS {name}" for name, figure in own.items()]
        for rounding, side in ((1, "inner"), (2, "outer")):
            for name, figure in (("value", "value"), ("reach", reach)):
                some = f"any_value({figure}) FILTER (WHERE rounding = {rounding})"
                figures.append(f"coalesce({some}, 0.0) AS {side}_{name}")
        width = f"CASE WHEN noise > 0 THEN {self.shortest!r} * {longer[1]} ELSE 0.0 END"
        sides = ("", "inner_", "outer_")
        low = [f"greatest(0.0, {side}value - {side}reach * factor)" for side in sides]
        high = [f"greatest(0.0, {side}value) + {side}reach * factor" for side in sides]
        return [
            f"merged AS (SELECT {self._keys}, {', '.join(figures)}, count(*) > 1 AS rounded "
            f"FROM found GROUP BY {self._keys})",
            f"sized AS (SELECT *, {longer[0]} AS factor, {width} AS width FROM merged)",
            f"spanned AS (SELECT *, CASE WHEN rounded THEN least({low[0]}, {low[1]}) ELSE {low[0]} END AS low, "
            f"CASE WHEN rounded THEN greatest({high[0]}, {high[2]}) ELSE {high[0]} END AS high FROM sized)",
            "lengthened AS (SELECT *, greatest(0.0, width - (high - low)) AS lacking FROM spanned)",
            "bound AS (SELECT * REPLACE (greatest(0.0, low - lacking / 2) AS low, CASE WHEN lacking > 0 "
            "THEN greatest(high + lacking / 2, greatest(0.0, low - lacking / 2) + width) ELSE high END AS high) "
            "FROM lengthened)",
        ]


def list_labels(axes: Sequence[SqlAxis]) -> tuple[list[str], list[str]]:
    """The columns of groups, their keys first, and the joins that give them labels."""
    labels, joins = [f"k{axis.number}" for axis in axes], []
    for axis in axes:
        i = axis.number
        if axis.is_listed:
            labels.append(f"codes_{i}.label AS {ident(axis.name)}")
            labels += [f"{_label(i, number, one)} AS {ident(one.name)}" for number, one in enumerate(axis.maps)]
            joins.append(f"LEFT JOIN ripost.codes_{i} codes_{i} ON codes_{i}.code = k{i}")
        else:  # grouping by it is refused in words of its own
            labels.append(f"NULL AS {ident(axis.name)}")
    return labels, joins


def group_macro(name: str, axes: Sequence[SqlAxis], figures: Sequence[str], inner: str) -> str:
    """The macro that gives figures of groups, where dimensions keep to ranges or names."""
    order = ", ".join(f"k{axis.number}" for axis in axes)
    asked = [parameter for axis in axes for parameter in (axis.given, *(ident(one.name) for one in axis.maps))]
    given = ", ".join([shares.BY, *(f"{parameter} := NULL" for parameter in asked)])
    body = f"SELECT {shares.grouped_columns(figures)} FROM ({inner}) ORDER BY {order}"
    return f"CREATE MACRO {ident(name)}({given}) AS TABLE {body}"


def box_macro(name: str, axes: Sequence[SqlAxis], inner: str) -> str:
    """The macro that gives figures of one box in codes."""
    given = ", ".join(f"{axis.given} := NULL" for axis in axes)
    return f"CREATE MACRO {ident(name)}({given}) AS TABLE {inner}"


def every_group(axes: Sequence[SqlAxis]) -> str:
    """All groups in each rounding."""
    each = " ".join(f"JOIN (SELECT rounding, key AS k{a.number} FROM keys_{a.number}) USING (rounding)" for a in axes)
    return f"(SELECT * FROM roundings {each})"


def find_groups(content: Content, axes: Sequence[SqlAxis], told: errors.ErrorSql, *, name: str) -> str:
    """Each group and rounding with its value, its variances, and whether rows can lie there, as an expression."""
    figures = {"value": told.value, "noise": told.noise, "model": told.model}
    told_of = [f"{impossible.keep_zero(content, sql)} AS {name}" for name, sql in figures.items()]
    told_of.append(f"{impossible.keep_zero(content, 'TRUE', zero='FALSE')} AS possible")
    if told.note:
        told_of.append(f"{impossible.keep_zero(content, told.note, zero=text(''))} AS note")
    joins = f"{told.joins} {impossible.write_join(content, axes)}"
    keys = ", ".join(f"k{axis.number}" for axis in axes)
    return f"{name} AS (SELECT rounding, {keys}, {', '.join(told_of)} FROM {every_group(axes)} {joins})"


def _label(axis: int, number: int, mapped: MappedAttribute) -> str:
    """The group of a key, as the results of questions have it: NULL where the value is missing."""
    group = f"codes_{axis}.map_{number}"
    if mapped.groups.missing == "drop":
        return group
    return f"nullif({group}, {text(mapped.groups.missing_name)})"
