"""The measures of a series in SQL: what each release tells of every group, added up over the periods.

Errors add up as answering/content/union_measure.py adds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ripost.export.database.hidden import prefix_names
from ripost.export.database.macros import Groups
from ripost.export.database.measure_macros import MeasureMacros, ReleaseMeasure
from ripost.export.database.periods import (
    COUNTED,
    add_errors,
    add_periods,
    ask_part,
    move_to,
    part_macro,
    share_errors,
)


@dataclass(frozen=True)
class PartMeasure:
    """The measure of one release of a series, in the schema of that release; its macros have its number."""

    macros: ReleaseMeasure
    schema: str
    number: int

    @property
    def statements(self) -> list[str]:
        """Macros of its groups and of one box, with counts and sums."""
        made = [prefix_names(self._found(by=by), self.macros.prefix) for by in (True, False)]
        return [move_to(self.schema, one) for one in made]

    def _found(self, *, by: bool) -> str:
        groups = self.macros.find(by=by)
        figures = f"value, {share_errors(self.macros.counts, groups.reach)}, total, known, possible"
        return part_macro(self._name(by=by), self.macros.axes, groups, figures, by=by)

    def ask(self, *, by: bool) -> str:
        """The call of its macro with the parameters of a question to the series."""
        return ask_part(self.schema, self._name(by=by), self.macros.axes, by=by)

    def _name(self, *, by: bool) -> str:
        return f"{'summed_by' if by else 'summed_count'}_{self.number}"


SUMMED = COUNTED | {"total": "sum(total)", "known": add_errors("known", "sqrt(known)"), "possible": "bool_or(possible)"}


@dataclass(frozen=True)
class SeriesMeasure(MeasureMacros):
    """The measure over all releases, with the axis of periods first."""

    parts: Sequence[PartMeasure]

    def find(self, *, by: bool) -> Groups:
        steps = add_periods(self.axes, [part.ask(by=by) for part in self.parts], SUMMED, by=by)
        return Groups(steps, "sqrt(reach)", has_note=any(part.macros.find(by=by).has_note for part in self.parts))
