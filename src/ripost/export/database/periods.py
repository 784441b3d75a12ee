"""A series in SQL: each release in a schema of its own, whose groups are added up over the periods.

The macros `found_by` and `found_count` of a part give every group with the variance of its noise, its half-width, and
what the model may cause of both. Here they are added up as answering/content/union.py does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ripost.answering.answer import Z
from ripost.answering.content.content import Content
from ripost.answering.content.tree import TreeContent
from ripost.answering.content.union import CORRELATION, covers_model
from ripost.answering.query_batch import WHOLE
from ripost.export.database import shares
from ripost.export.database.axis import SqlAxis, ident
from ripost.export.database.cells import Cells
from ripost.export.database.hidden import prefix_names
from ripost.export.database.macros import Groups, Macros

CELLS = "cells"  # the relation of all cells of a release, in its schema
OTHERS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\bripost\.""")


def move_to(schema: str, sql: str) -> str:
    """SQL that asks the tables of another schema than `ripost`."""
    return OTHERS.sub(lambda found: f"{schema}." if found[0] == "ripost." else found[0], sql)


def list_parameters(axes: Sequence[SqlAxis], *, by: bool) -> list[str]:
    """The parameters of a question."""
    if not by:
        return [axis.given for axis in axes]
    return [parameter for axis in axes for parameter in (axis.given, *(ident(one.name) for one in axis.maps))]


def part_macro(name: str, axes: Sequence[SqlAxis], groups: Groups, figures: str, *, by: bool) -> str:
    """The macro of a part that gives figures of its groups, with their keys as the series numbers its axes."""
    given = ", ".join([*([shares.BY] if by else []), *(f"{one} := NULL" for one in list_parameters(axes, by=by))])
    keys = ", ".join(f"k{axis.number} AS k{axis.number + 1}" for axis in axes)
    note = "note" if groups.has_note else "''"
    return (
        f"CREATE MACRO {name}({given}) AS TABLE WITH {', '.join(groups.steps)} "
        f"SELECT rounding, {keys}, {figures}, {note} AS note FROM found"
    )


def ask_part(schema: str, name: str, axes: Sequence[SqlAxis], *, by: bool) -> str:
    """The call of a macro of a part with the parameters of a question to the series."""
    given = [f"{one} := {one}" for one in list_parameters(axes, by=by)]
    return f"{schema}.{name}({', '.join([*([shares.BY] if by else []), *given])})"


def share_errors(content: Content, reach: str | None) -> str:
    """The variance of the noise, the half-width, and what of the standard error and of this the model may cause."""
    if reach is None:
        return "NULL::DOUBLE AS noise, NULL::DOUBLE AS reach, 0.0 AS common, 0.0 AS shared"
    common = _finite("sqrt(noise)") if covers_model(content) else "0.0"
    beyond = f"sqrt(greatest(0.0, ({reach}) ** 2 - {Z * Z!r} * noise))"
    shared = _finite(reach if _is_modeled(content) else beyond)
    return f"noise, {reach} AS reach, {common} AS common, {shared} AS shared"


def _is_modeled(content: Content) -> bool:
    return isinstance(content, TreeContent) and content.error_model is not None


def _finite(figure: str) -> str:
    return f"CASE WHEN isfinite({figure}) THEN {figure} ELSE 0.0 END"


def add_periods(axes: Sequence[SqlAxis], asked: Sequence[str], figures: Mapping[str, str], *, by: bool) -> list[str]:
    """Expressions up to `found`, which adds up figures of groups over the periods that a question asks for.

    The first axis is that of the periods, and `asked` has a call for each of them.
    """
    period, *others = axes
    keys = ", ".join(f"k{axis.number}" for axis in others)
    rows = " UNION ALL ".join(f"SELECT {code} AS code, * FROM {call}" for code, call in enumerate(asked))
    sums = ", ".join(f"{sql} AS {name}" for name, sql in figures.items())
    found = (
        f"SELECT rounding, s.key AS k0, {keys}, {sums} FROM every e "
        f"JOIN (SELECT DISTINCT key, interval_id FROM shares_0 WHERE share >= {1 - WHOLE!r}) s "
        f"ON s.interval_id = e.code GROUP BY rounding, s.key, {keys}"
    )
    nothing = ", ".join(["-1"] * len(axes) + ["NULL"] * len(figures))
    found += f" UNION ALL SELECT 0, {nothing} FROM asked_0 WHERE low < 0"  # refuses names that are no period
    return [*shares.of_axes([period], by=by, rounded=False), f"every AS ({rows})", f"found AS ({found})"]


def add_errors(square: str, model: str) -> str:
    """Squares of errors over periods, with the covariance of what the model may cause; NULL if one is unknown."""
    alike = f"{CORRELATION!r} * greatest(0.0, sum({model}) ** 2 - sum({model} * {model}))"
    return f"CASE WHEN count({square}) = count(*) THEN sum({square}) + {alike} END"


COUNTED = {
    "value": "sum(value)",
    "noise": add_errors("noise", "common"),
    "reach": add_errors("reach ** 2", "shared"),
    "note": "max(note)",
}


@dataclass(frozen=True)
class PartMacros:
    """One release of a series, in its schema."""

    macros: Macros
    schema: str

    @property
    def statements(self) -> list[str]:
        """Macros of its groups, and relations of its cells."""
        cells = self.macros.cells
        steps, rows = cells.group_cells()
        grouped = f"CREATE MACRO grouped_cells({shares.BY}) AS TABLE WITH {', '.join(steps)} {rows}"
        made = [*cells.statements()[:-1], grouped, self._found(by=True), self._found(by=False)]
        return [move_to(self.schema, prefix_names(one, self.macros.prefix)) for one in made]

    def _found(self, *, by: bool) -> str:
        groups = self.macros.find(by=by)
        figures = f"value, {share_errors(self.macros.content, groups.reach)}"
        return part_macro(_name(by=by), self.macros.axes, groups, figures, by=by)

    def ask(self, *, by: bool) -> str:
        """The call of its macro with the parameters of a question to the series."""
        return ask_part(self.schema, _name(by=by), self.macros.axes, by=by)


def _name(*, by: bool) -> str:
    return "found_by" if by else "found_count"


@dataclass(frozen=True)
class SeriesMacros(Macros):
    """All releases together, with the axis of periods first."""

    parts: Sequence[PartMacros] = ()

    def find(self, *, by: bool) -> Groups:
        steps = add_periods(self.axes, [part.ask(by=by) for part in self.parts], COUNTED, by=by)
        return Groups(steps, "sqrt(reach)", has_note=any(part.macros.find(by=by).has_note for part in self.parts))


@dataclass(frozen=True)
class SeriesCells(Cells):
    """The relations of the cells of all periods."""

    parts: Sequence[PartMacros] = ()

    @property
    def are_listed(self) -> bool:
        return all(part.macros.cells.are_listed for part in self.parts)

    def statements(self) -> list[str]:
        period, *others = self.axes
        names = [ident(axis.name) for axis in others]
        measure, label = ident(self.measure), f"p.label AS {ident(period.name)}"
        made = []
        if self.are_listed:
            rows = " UNION ALL ".join(
                f"SELECT {code} AS code, {', '.join(names)}, {measure} FROM {part.schema}.{ident(CELLS)}"
                for code, part in enumerate(self.parts)
            )
            joined = f"({rows}) e JOIN ripost.codes_0 p USING (code)"
            made.append(
                f"CREATE VIEW {ident(self.name)} AS SELECT {label}, {', '.join(names)}, {measure} FROM {joined}"
            )
        keys = [f"k{axis.number - 1}" for axis in others]
        rows = " UNION ALL ".join(
            f"SELECT {code} AS code, {', '.join([*keys, *names])}, {measure} "
            f"FROM {part.schema}.grouped_cells({shares.BY})"
            for code, part in enumerate(self.parts)
        )
        wanted = shares.is_grouped(period)
        labels = ", ".join(f"any_value({name}) AS {name}" for name in names)
        key = f"CASE WHEN {wanted} THEN p.code ELSE -1 END"
        grouped = (
            f"SELECT any_value(p.label) AS {ident(period.name)}, {labels}, sum({measure}) AS {measure} "
            f"FROM ({rows}) e JOIN ripost.codes_0 p USING (code) GROUP BY {key}, {', '.join(keys)}"
        )
        made.append(
            f"CREATE MACRO {ident(self.name + '_cells')}({shares.BY}) AS TABLE "
            f"SELECT {shares.grouped_columns([self.measure])} FROM ({grouped})"
        )
        return made
