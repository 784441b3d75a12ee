"""Sums and means of the measures of a view, as SQL and Python ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ripost.answering.measured_answers import What
from ripost.errors import QueryError, UnknownAttribute, suggest_nearest
from ripost.query.measures import Asking, Figures
from ripost.schema.attribute_base import shorten
from ripost.space.region import EVERYTHING, Region

if TYPE_CHECKING:
    from ripost.release.release import Release

WORDS: dict[str, What] = {"sum": "sum", "mean": "mean", "avg": "mean"}
Wanted = Mapping[str, str | Sequence[str]]  # by measure: "sum", "mean", or both


@dataclass(frozen=True)
class MeasuredFigure:
    """The sum or the mean of a measure of each group, inside a condition."""

    name: str
    what: What
    condition: Region = EVERYTHING

    def figures(self, asking: Asking) -> Figures:
        answers = asking.view.answer_measures(self.name, self.what, asking.regions(self.condition))
        rows = np.stack([answers.value, answers.low, answers.high], axis=1).tolist()
        return Figures([(value, low, high) for value, low, high in rows], note=asking.view.describe_limits(answers))

    @property
    def title(self) -> str:
        """What its column is called."""
        return f"{'sum' if self.what == 'sum' else 'avg'}_{self.name}"


def find_measure(release: Release, name: Any) -> str | None:
    """The measure that a name means, by its own name or by that of its column; None if there is none."""
    if not isinstance(name, str):
        return None
    names = {known.lower(): known for known in release.measures}
    columns: dict[str, list[str]] = {}
    for known, content in release.measures.items():
        columns.setdefault((content.measured.column or known).lower(), []).append(known)
    of_column = columns.get(name.lower(), [])
    return names.get(name.lower(), of_column[0] if len(of_column) == 1 else None)


def what_is_known(name: str) -> str:
    """What can be asked of a measure where an attribute is wanted."""
    return (
        f"{name} is a measure, of which the view knows SUM({name}) and AVG({name}); an attribute has quantiles and "
        "counts of its values"
    )


@contextmanager
def naming_measures(release: Release) -> Iterator[None]:
    """Tell of an unknown attribute whether it is a measure, or which measures there are."""
    try:
        yield
    except UnknownAttribute as error:
        if not release.measures:
            raise
        if (found := find_measure(release, error.name)) is not None:
            raise QueryError(what_is_known(found)) from None
        known = [*release.domain.asked_names, *release.measures]
        raise UnknownAttribute(error.name, error.quoted, suggest_nearest(error.name[:100], known)) from None


def require_measure(release: Release, name: Any) -> str:
    """The measure of that name; QueryError if there is none."""
    found = find_measure(release, name)
    if found is None:
        known = list(release.measures)
        hint = suggest_nearest(str(name)[:100], known) if known else "its schema has no [measures.NAME]"
        raise QueryError(f"the view has no measure {shorten(name)}; {hint}")
    return found


def list_figures(release: Release, wanted: Any) -> list[MeasuredFigure]:
    """The figures that a dictionary asks for, such as {"seats": "sum", "delay": ["sum", "mean"]}."""
    if not isinstance(wanted, Mapping):
        raise QueryError(f"agg is a dictionary such as {{'seats': 'sum', 'delay': 'mean'}}, got {shorten(wanted)}")
    found = []
    for name, given in wanted.items():
        for word in [given] if isinstance(given, str) else given:
            what = WORDS.get(word.lower()) if isinstance(word, str) else None
            if what is None:
                raise QueryError(f"a measure has a 'sum' and a 'mean', got {shorten(word)}")
            found.append(MeasuredFigure(require_measure(release, name), what))
    return found
