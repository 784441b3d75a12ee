"""Result: the columns that a SELECT gives, which another SELECT may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ripost.errors import QueryError, suggest_nearest
from ripost.query.table import ResultColumn
from ripost.query.tabulate import ENDS
from ripost.query.words import quote
from ripost.space.work_limit import charge


@dataclass(frozen=True)
class Result:
    """Columns of one length, by their names in lower case."""

    columns: dict[str, ResultColumn]
    measures: frozenset[str] = frozenset()  # columns with an interval: the next two are its ends
    note: str = ""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())).values) if self.columns else 0

    def column(self, name: str) -> ResultColumn:
        """The column of that name in any case."""
        if name.lower() not in self.columns:
            raise QueryError(f"the result has no column {quote(name)}; {suggest_nearest(name[:100], self.columns)}")
        return self.columns[name.lower()]

    def with_ends(self, name: str) -> list[ResultColumn]:
        """A column and, if it is a measure, the ends of its interval."""
        column = self.column(name)
        ends = ENDS if name.lower() in self.measures else ENDS[:1]
        return [column, *(self.columns[f"{name.lower()}{end}"] for end in ends[1:])]

    def keep(self, numbers: Sequence[int]) -> Result:
        """Some of the rows, in this order."""
        charge(len(numbers) * (1 + len(self.columns)))
        return replace(self, columns={name: column.take(numbers) for name, column in self.columns.items()})


def sort_numbers(count: int, order: Sequence[Any], values_of: Callable[[Any], Sequence[Any]]) -> list[int]:
    """Numbers of rows in the order that ORDER BY asks for."""
    numbers = list(range(count))
    for one in reversed(order):
        charge(2 * count)
        values = values_of(one.this)
        there = [number for number in numbers if values[number] is not None]
        missing = [number for number in numbers if values[number] is None]
        there.sort(key=lambda number: values[number], reverse=bool(one.args.get("desc")))
        numbers = [*missing, *there] if one.args.get("nulls_first") else [*there, *missing]
    return numbers
