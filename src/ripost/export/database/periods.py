"""A series in SQL: each release in a schema of its own, whose groups are added up over the periods.

The macros `found_by` and `found_count` of a part give every group with the variance of its noise, its half-width, and
what the model may cause of both. Here they are added up as answering/content/union.py does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
        made = [
            *cells.statements()[:-1],
            grouped,
            self._found("found_by", by=True),
            self._found("found_count", by=False),
        ]
        return [move_to(self.schema, prefix_names(one, self.macros.prefix)) for one in made]

    def _found(self, name: str, *, by: bool) -> str:
        groups = self.macros.find(by=by)
        given = ", ".join(
            [*([shares.BY] if by else []), *(f"{one} := NULL" for one in list_parameters(self.macros.axes, by=by))]
        )
        keys = ", ".join(f"k{axis.number} AS k{axis.number + 1}" for axis in self.macros.axes)
        note = "note" if groups.has_note else "''"
        errors = "NULL::DOUBLE AS noise, NULL::DOUBLE AS reach, 0.0 AS common, 0.0 AS shared"
        if groups.reach is not None:
            common = _finite("sqrt(noise)") if covers_model(self.macros.content) else "0.0"
            beyond = f"sqrt(greatest(0.0, ({groups.reach}) ** 2 - {Z * Z!r} * noise))"
            shared = _finite(groups.reach if _is_modeled(self.macros.content) else beyond)
            errors = f"noise, {groups.reach} AS reach, {common} AS common, {shared} AS shared"
        return (
            f"CREATE MACRO {name}({given}) AS TABLE WITH {', '.join(groups.steps)} "
            f"SELECT rounding, {keys}, value, {errors}, {note} AS note FROM found"
        )

    def ask(self, *, by: bool) -> str:
        """The call of its macro with the parameters of a question to the series."""
        given = [f"{one} := {one}" for one in list_parameters(self.macros.axes, by=by)]
        name, first = ("found_by", [shares.BY]) if by else ("found_count", [])
        return f"{self.schema}.{name}({', '.join([*first, *given])})"


def _is_modeled(content: Content) -> bool:
    return isinstance(content, TreeContent) and content.error_model is not None


def _finite(figure: str) -> str:
    return f"CASE WHEN isfinite({figure}) THEN {figure} ELSE 0.0 END"


@dataclass(frozen=True)
class SeriesMacros(Macros):
    """All releases together, with the axis of periods first."""

    parts: Sequence[PartMacros] = ()

    def find(self, *, by: bool) -> Groups:
        period = self.axes[0]
        keys = [f"k{axis.number}" for axis in self.axes[1:]]
        each = ", ".join(["rounding", *keys, "value", "noise", "reach", "common", "shared", "note"])
        rows = " UNION ALL ".join(
            f"SELECT {code} AS code, {each} FROM {part.ask(by=by)}" for code, part in enumerate(self.parts)
        )
        groups = ", ".join(["rounding", "s.key", *keys])
        variance, square = (_add_errors(*pair) for pair in (("noise", "common"), ("reach ** 2", "shared")))
        found = (
            f"SELECT rounding, s.key AS k0, {', '.join(keys)}, sum(value) AS value, {variance} AS noise, "
            f"{square} AS reach, max(note) AS note FROM every e "
            f"JOIN (SELECT DISTINCT key, interval_id FROM shares_0 WHERE share >= {1 - WHOLE!r}) s "
            f"ON s.interval_id = e.code GROUP BY {groups}"
        )
        nothing = ", ".join(["-1"] * (len(keys) + 1))  # a name that is no period is an error, whatever else is asked
        found += f" UNION ALL SELECT 0, {nothing}, 0.0, 0.0, 0.0, '' FROM asked_0 WHERE low < 0"
        steps = [*shares.of_axes([period], by=by, rounded=False), f"every AS ({rows})", f"found AS ({found})"]
        has_note = any(part.macros.find(by=by).has_note for part in self.parts)
        return Groups(steps, "sqrt(reach)", has_note=has_note)


def _add_errors(square: str, model: str) -> str:
    """Squares of errors over periods, with the covariance of what the model may cause; NULL if one is unknown."""
    alike = f"{CORRELATION!r} * greatest(0.0, sum({model}) ** 2 - sum({model} * {model}))"
    return f"CASE WHEN count({square}) = count(*) THEN sum({square}) + {alike} END"


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
