"""Crossed: the totals of every combination of some dimensions, with intervals, ready for any format of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ripost.errors import QueryError
from ripost.query.groups import MOST_GROUPS, groups_of
from ripost.query.key import Key, by_name
from ripost.query.measured_figures import MeasuredFigure, list_figures
from ripost.query.measures import Asking, Figures, Total
from ripost.query.table import ResultColumn, Table
from ripost.query.tabulate import ENDS, figure_columns
from ripost.space.region import EVERYTHING, Region
from ripost.space.work_limit import count_work
from ripost.view import View

BOTH = ("sum", "mean")  # figures of each measure


@dataclass(frozen=True)
class Crossed:
    """A row a combination that meets a condition, the last dimension fastest."""

    view: View
    keys: tuple[Key, ...]
    codes: tuple[tuple[int, ...], ...]  # (rows, keys)
    figures: tuple[tuple[float, float, float], ...]  # (rows,): value, low, high; NaN where nothing is known
    note: str = ""  # what to know before relying on them
    measured: tuple[tuple[MeasuredFigure, Figures], ...] = ()  # the sum and the mean of each measure

    @classmethod
    @count_work()
    def of(cls, view: View, names: Sequence[str], where: Region = EVERYTHING) -> Crossed:
        if twice := {name for name in names if list(names).count(name) > 1}:
            raise QueryError(f"{min(twice)} is named twice; name each dimension once")
        keys = tuple(by_name(view.domain, name) for name in names)
        coded = [replace(key, labels=tuple(range(len(key)))) for key in keys]
        groups = groups_of(coded, [range(len(keys))], where)
        asking = Asking(view, coded, where, groups)
        found = Total().figures(asking)
        more = tuple((one, one.figures(asking)) for one in list_figures(view, dict.fromkeys(view.measures, BOTH)))
        return cls(view, keys, tuple(tuple(group.labels) for group in groups), tuple(found.rows), found.note, more)

    @property
    def title(self) -> str:
        return " by ".join([self.view.measure.title, ", ".join(key.name for key in self.keys)])

    @property
    def measured_titles(self) -> list[str]:
        return [figure.title for figure, _ in self.measured]

    @property
    def all_figures(self) -> list[list[float]]:
        """Of each row: the total with its ends, then each figure of a measure with its own."""
        each = zip(self.figures, *(figures.rows for _, figures in self.measured), strict=True)
        return [[number for figure in row for number in figure] for row in each]

    def words(self, key: int, code: int) -> str:
        """What a code stands for."""
        return self.view.domain.find(self.keys[key].name).describe(code)

    def table(self, measure: str) -> Table:
        """Labels as the results of questions have them, and the measure with its ends."""
        titles = title_columns(self.view, [key.name for key in self.keys], measure)
        columns = [
            ResultColumn(title, key.type, [key.labels[row[i]] for row in self.codes])
            for i, (title, key) in enumerate(zip(titles, self.keys, strict=True))
        ]
        figures = figure_columns(Figures(self.figures), measure)
        for figure, each in self.measured:
            figures += figure_columns(each, figure.title)
        return Table([*columns, *figures], warning=self.view.privacy.warning, note=self.note)


def title_columns(view: View, names: Sequence[str], measure: str) -> list[str]:
    """The heads of the columns of some dimensions: their labels with units, or their names if two would be the same."""
    attributes = [view.domain.find(name) for name in names]
    titles = [f"{one.label} ({one.unit})" if one.label and one.unit else one.label for one in attributes]
    found = [title or name for title, name in zip(titles, names, strict=True)]
    taken = [title.lower() for title in found] + [measure + end for end in ENDS]
    return found if len(set(taken)) == len(taken) else list(names)


def can_list(view: View, name: str) -> bool:
    """Whether a dimension has few enough codes for a table of them all."""
    return view.domain.find(name).size <= MOST_GROUPS
