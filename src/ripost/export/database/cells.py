"""Relations of cells in SQL, to be filtered and added up: all of them, or those of some dimensions.

A view with a mixture has its parts in both: what the mixture holds of each cell, and what its block corrects there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ripost.export.database import mixture, shares
from ripost.export.database.axis import SqlAxis, ident, text

MOST_CELLS = 10**8  # of a domain that has a relation of all its cells
MOST_PRODUCTS = 10**10  # of cells and components of a mixture, for the same
MOST_LISTED = 5 * 10**7  # of the cells of half of the axes and components


@dataclass(frozen=True)
class Cells:
    """What the relations are made of; without a mixture there are no components."""

    name: str
    measure: str
    axes: Sequence[SqlAxis]
    count: int  # of the domain
    components: int

    @property
    def are_listed(self) -> bool:
        """Whether there is a relation of all cells."""
        each = self.components * mixture.Halves.of(self.axes).cells
        few = self.count <= MOST_CELLS and self.count * self.components <= MOST_PRODUCTS and each <= MOST_LISTED
        return few and all(axis.is_listed for axis in self.axes)

    def statements(self) -> list[str]:
        """Views of the codes of each axis, the view of all cells, and the macro of those of some dimensions."""
        listed = [axis for axis in self.axes if axis.is_listed]
        made = [_parts(axis) for axis in listed]
        made += [mixture.of_codes(axis) for axis in listed if self.components]
        return [*made, *([self._all()] if self.are_listed else []), self._some()]

    def _all(self) -> str:
        labels = ", ".join(f"p{a.number}.label AS {ident(a.name)}" for a in self.axes)
        joins = " ".join(
            f"JOIN ripost.parts_{a.number} p{a.number} ON p{a.number}.interval_id = b.s{a.number}" for a in self.axes
        )
        rows = f"SELECT {labels}, {self._of_block} AS {ident(self.measure)} FROM ripost.blocks b {joins}"
        if self.components:
            halves = self._halves("ripost.mixture_codes")
            names = ", ".join(ident(axis.name) for axis in self.axes)
            mixed = f"SELECT {names}, {mixture.TOTAL} AS {ident(self.measure)} FROM {mixture.FROM_HALVES}"
            rows = f"WITH {halves} {mixed} UNION ALL {rows}"
        return f"CREATE VIEW {ident(self.name)} AS {rows}"

    def _some(self) -> str:
        """A row for every combination of codes of some dimensions."""
        steps, rows = self.group_cells()
        return (
            f"CREATE MACRO {ident(self.name + '_cells')}({shares.BY}) AS TABLE WITH {', '.join(steps)} "
            f"SELECT {shares.grouped_columns([self.measure])} FROM ({rows})"
        )

    def group_cells(self) -> tuple[list[str], str]:
        """The same with its codes, and with all dimensions: common table expressions, and a SELECT from them."""
        steps, joins = [], []
        for axis in self.axes:
            i, wanted = axis.number, shares.is_grouped(axis)
            each = f"SELECT interval_id, code, label, share FROM ripost.parts_{i} WHERE {wanted}"
            if not axis.is_listed:
                each = f"SELECT 0 AS interval_id, 0 AS code, {_refusal(axis)} AS label, 0.0 AS share WHERE {wanted}"
            whole = f"SELECT interval_id, -1, NULL, 1.0 FROM ripost.intervals_{i} WHERE NOT {wanted}"
            steps.append(f"p{i} AS ({each} UNION ALL {whole})")
            joins.append(f"JOIN p{i} ON p{i}.interval_id = b.s{i}")
        names, codes = [ident(axis.name) for axis in self.axes], ", ".join(f"k{axis.number}" for axis in self.axes)
        select_labels = ", ".join(
            f"p{a.number}.code AS k{a.number}, p{a.number}.label AS {name}"
            for a, name in zip(self.axes, names, strict=True)
        )
        rows = f"SELECT {select_labels}, {self._of_block} AS value FROM ripost.blocks b {' '.join(joins)}"
        if self.components:
            steps += [*(_mass_by_code(axis) for axis in self.axes), self._halves("coded")]
            both = ", ".join(f"k{a.number}, {name}" for a, name in zip(self.axes, names, strict=True))
            rows += f" UNION ALL SELECT {both}, {mixture.TOTAL} FROM {mixture.FROM_HALVES}"
        labels = ", ".join(f"any_value({name}) AS {name}" for name in names)
        return steps, f"SELECT {codes}, {labels}, sum(value) AS {ident(self.measure)} FROM ({rows}) GROUP BY {codes}"

    @property
    def _of_block(self) -> str:
        share = " * ".join(f"p{axis.number}.share" for axis in self.axes)
        return f"b.{'correction' if self.components else 'value'} * {share}"

    def _halves(self, source: str) -> str:
        def select_labels(axis: SqlAxis) -> str:
            return f"m{axis.number}.code AS k{axis.number}, m{axis.number}.label AS {ident(axis.name)}"

        return ", ".join(mixture.Halves.of(self.axes).steps(source, select_labels))


def _parts(axis: SqlAxis) -> str:
    """Every interval of an axis code by code: the label, and the share of the interval that lies there."""
    i, even = axis.number, "1.0 / (s.high - s.low)"
    share, mass = even, ""
    if axis.has_mass:
        share = f"CASE WHEN s.flat THEN {even} ELSE m.mass / (s.stop - s.start) END"
        mass = f" JOIN ripost.mass_{i} m ON m.code = c.code"
    return (
        f"CREATE VIEW ripost.parts_{i} AS SELECT s.interval_id, c.code, c.label, {share} AS share "
        f"FROM ripost.intervals_{i} s JOIN ripost.codes_{i} c ON c.code >= s.low AND c.code < s.high{mass}"
    )


def _mass_by_code(axis: SqlAxis) -> str:
    """The mass of each component at every code of an axis that is wanted, or over all of the axis."""
    i, wanted = axis.number, shares.is_grouped(axis)
    whole = f"SELECT -1 AS code, NULL AS label, component, 1.0 AS mass FROM ripost.components WHERE NOT {wanted}"
    each = f"SELECT code, label, component, mass FROM ripost.mixture_codes_{i} WHERE {wanted} UNION ALL "
    return f"coded_{i} AS ({each if axis.is_listed else ''}{whole})"


def _refusal(axis: SqlAxis) -> str:
    return f"error({text(f'{axis.name} has {axis.attribute.size} codes, too many to group by')})"
