"""Macros: the SQL that answers from the tables of an exported view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ripost.export.database import errors, shares
from ripost.export.database.axis import Axis, ident, text
from ripost.export.database.hidden import hidden, prefix_of
from ripost.view.content.content import Content

MOST_CELLS = 10**8  # of a domain that has a relation of all its cells


@dataclass(frozen=True)
class Macros:
    """What is asked of a view in SQL: its name, the name of its measure, its axes and its content, and the width of its
    shortest interval.
    """

    name: str
    measure: str
    axes: Sequence[Axis]
    content: Content
    shortest: float
    cells: int  # of the domain

    def statements(self) -> list[str]:
        """Views and macros, in the order in which they need each other."""
        made = [self._parts(axis) for axis in self.axes if axis.is_listed]
        if self.has_cells:
            made.append(self._fact())
        return [hidden(one, self.prefix) for one in (*made, self._cells(), self._by(), self._count())]

    @property
    def prefix(self) -> str:
        """What own columns begin with."""
        return prefix_of([axis.name for axis in self.axes])

    @property
    def has_cells(self) -> bool:
        """Whether there is a relation with a row for every cell."""
        return self.cells <= MOST_CELLS and all(axis.is_listed for axis in self.axes)

    def _parts(self, axis: Axis) -> str:
        """Every stretch of an axis code by code: the label, and the share of the stretch that lies there."""
        i, even = axis.number, "1.0 / (s.high - s.low)"
        share, mass = even, ""
        if axis.has_mass:
            share = f"CASE WHEN s.flat THEN {even} ELSE m.mass / (s.stop - s.start) END"
            mass = f" JOIN ripost.mass_{i} m ON m.code = c.code"
        return (
            f"CREATE VIEW ripost.parts_{i} AS SELECT s.stretch, c.code, c.label, {share} AS share "
            f"FROM ripost.stretches_{i} s JOIN ripost.codes_{i} c ON c.code >= s.low AND c.code < s.high{mass}"
        )

    def _fact(self) -> str:
        labels = ", ".join(f"p{a.number}.label AS {ident(a.name)}" for a in self.axes)
        share = " * ".join(f"p{a.number}.share" for a in self.axes)
        joins = " ".join(
            f"JOIN ripost.parts_{a.number} p{a.number} ON p{a.number}.stretch = b.s{a.number}" for a in self.axes
        )
        return (
            f"CREATE VIEW {ident(self.name)} AS SELECT {labels}, b.value * {share} AS {ident(self.measure)} "
            f"FROM ripost.blocks b {joins}"
        )

    def _cells(self) -> str:
        """A row for every combination of codes of some dimensions; NULL on the others."""
        steps, labels, joins = [], [], []
        for axis in self.axes:
            i, wanted = axis.number, shares.grouped(axis)
            each = f"SELECT stretch, code, label, share FROM ripost.parts_{i} WHERE {wanted}"
            if not axis.is_listed:
                each = f"SELECT 0 AS stretch, 0 AS code, {_refusal(axis)} AS label, 0.0 AS share WHERE {wanted}"
            whole = f"SELECT stretch, -1, NULL, 1.0 FROM ripost.stretches_{i} WHERE NOT {wanted}"
            steps.append(f"p{i} AS ({each} UNION ALL {whole})")
            labels.append(f"any_value(p{i}.label) AS {ident(axis.name)}")
            joins.append(f"JOIN p{i} ON p{i}.stretch = b.s{i}")
        share = " * ".join(f"p{a.number}.share" for a in self.axes)
        codes = ", ".join(f"p{a.number}.code" for a in self.axes)
        return (
            f"CREATE MACRO {ident(self.name + '_cells')}({shares.BY}) AS TABLE WITH {', '.join(steps)} "
            f"SELECT {', '.join(labels)}, sum(b.value * {share}) AS {ident(self.measure)} "
            f"FROM ripost.blocks b {' '.join(joins)} GROUP BY {codes}"
        )

    def _by(self) -> str:
        """Groups of some dimensions, where others keep to ranges or names, with errors."""
        steps = [step for axis in self.axes for step in shares.of_axis(axis, shares.asked_in_units(axis), by=True)]
        labels, joins = [], []
        for axis in self.axes:
            i = axis.number
            if axis.is_listed:
                labels.append(f"codes_{i}.label AS {ident(axis.name)}")
                joins.append(f"LEFT JOIN ripost.codes_{i} codes_{i} ON codes_{i}.code = k{i}")
        order = ", ".join(f"k{axis.number}" for axis in self.axes)
        given = ", ".join([shares.BY, *(f"{axis.given} := NULL" for axis in self.axes)])
        body = f"{self._answered(steps, labels, joins, by=True)} ORDER BY {order}"
        return f"CREATE MACRO {ident(self.name + '_by')}({given}) AS TABLE {body}"

    def _count(self) -> str:
        """One box in codes, with errors."""
        steps = [step for axis in self.axes for step in shares.of_axis(axis, shares.asked_in_codes(axis), by=False)]
        given = ", ".join(f"{axis.given} := NULL" for axis in self.axes)
        return f"CREATE MACRO ripost_count({given}) AS TABLE {self._answered(steps, [], [], by=False)}"

    def _answered(self, steps: list[str], labels: list[str], joins: list[str], *, by: bool) -> str:
        """A SELECT of labels, the measure, its standard error and its interval, one row a group."""
        keys = ", ".join(f"k{axis.number}" for axis in self.axes)
        told = errors.told(self.content, self.axes, by=by)
        every = " CROSS JOIN ".join(f"(SELECT key AS k{a.number} FROM keys_{a.number}) q{a.number}" for a in self.axes)
        found = (
            f"found AS (SELECT {keys}, coalesce(totals.value, 0.0) AS value, {told.noise} AS noise, "
            f"{told.model} AS model FROM ({every}) {told.joins})"
        )
        value, stderr, low, high = (ident(self.measure + end) for end in ("", "_stderr", "_low", "_high"))
        steps = [*steps, shares.met(self.axes), *told.steps, found]
        if told.reach is None:
            source, known = "found", f"NULL::DOUBLE AS {stderr}, NULL::DOUBLE AS {low}, NULL::DOUBLE AS {high}"
        else:
            width = f"CASE WHEN noise > 0 THEN {self.shortest!r} ELSE 0.0 END"
            reach = f"greatest({told.reach!r} * sqrt(noise + model), width / 2)"
            steps += [
                f"sized AS (SELECT *, {width} AS width FROM found)",
                f"bound AS (SELECT *, greatest(0.0, value - {reach}) AS low, value + {reach} AS high FROM sized)",
            ]
            source, known = "bound", f"sqrt(noise) AS {stderr}, low AS {low}, greatest(high, low + width) AS {high}"
        figures = ", ".join([*labels, f"value AS {value}", known])
        return f"WITH {', '.join(steps)} SELECT {figures} FROM {source} {' '.join(joins)}"


def _refusal(axis: Axis) -> str:
    return f"error({text(f'{axis.name} has {axis.attribute.size} codes, too many to group by')})"
