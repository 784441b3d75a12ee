"""Tables of groups: GROUP BY, with subtotals or shares, value counts, and pivots."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ripost.errors import QueryError
from ripost.query.calendar import ALIASES, PERIODS
from ripost.query.key import Key, by_name, by_part, by_width
from ripost.query.measured_figures import Wanted, list_figures
from ripost.query.measures import Share, Total
from ripost.query.table import ResultColumn, Table
from ripost.query.tabulate import ENDS, Rows, figure_columns, measure_name
from ripost.schema.attribute_base import shorten
from ripost.space.work_limit import count_work

if TYPE_CHECKING:
    from ripost.query.cube import Cube
    from ripost.queryable import KeyName
    from ripost.schema.domain import Domain


@count_work()
def group_table(
    part: Cube,
    keys: Iterable[KeyName | Sequence[KeyName]],
    *,
    subtotals: bool = False,
    shares: bool = False,
    simultaneous: bool = False,
    agg: Wanted | None = None,
) -> Table:
    """A row a group: its labels, its total with the ends of its interval, and further figures if asked for."""
    names = _list_keys(keys)
    cut = _make_keys(part.view.domain, names)
    lengths = range(len(cut), -1, -1) if subtotals else [len(cut)]
    sets = [range(length) for length in lengths]
    added = list_figures(part.view, agg or {})
    together = 1 + shares + len(added) if check_flag("simultaneous", simultaneous) else 0
    rows = Rows.of(part.view, cut, sets, part.where, together=together)
    made = [rows.labels(i, _title(key)) for i, key in enumerate(names)]
    if subtotals:
        made.append(rows.grouping(range(len(cut)), "grouping"))
    made += figure_columns(rows.figures(0, Total()), measure_name(part.view.measure, [one.name for one in made]))
    if shares:
        made += figure_columns(rows.figures(1, Share()), "share")
    for number, figure in enumerate(added, 2):
        made += figure_columns(rows.figures(number, figure), figure.title)
    return Table(made, warning=part.view.privacy.warning, note=rows.note)


@count_work()
def value_table(part: Cube, key: KeyName, *, normalize: bool) -> Table:
    """The groups of one key by falling total, or by falling share of the whole."""
    rows = Rows.of(part.view, [make_key(part.view.domain, key)], [[0]], part.where)
    totals = [row[0] for row in rows.figures(0, Total()).rows]
    rows = rows.keep(sorted(range(len(rows)), key=lambda number: -totals[number]))
    name = measure_name(part.view.measure, [_title(key)])
    measure, name = (Share(), "share") if check_flag("normalize", normalize) else (Total(), name)
    made = figure_columns(rows.figures(1 if normalize else 0, measure), name)
    return Table([rows.labels(0, _title(key)), *made], warning=part.view.privacy.warning, note=rows.note)


@count_work()
def pivot_table(
    part: Cube, down: KeyName, across: KeyName, *, intervals: bool, simultaneous: bool, agg: Wanted | None = None
) -> Table:
    """Totals with the labels of one key down the side and those of another across the top."""
    if check_flag("simultaneous", simultaneous) and not check_flag("intervals", intervals):
        raise QueryError("simultaneous is about intervals; ask pivot with intervals=True too")
    keys = _make_keys(part.view.domain, [down, across])
    rows = Rows.of(part.view, keys, [(0, 1)], part.where, together=int(simultaneous))
    added = list_figures(part.view, agg or {})
    if len(added) > 1:
        raise QueryError("a pivot holds one figure; ask for one of them at a time, or use groupby")
    figures = zip(rows.asking.groups, rows.figures(0, added[0] if added else Total()).rows, strict=True)
    found = {group.labels: figure for group, figure in figures}
    side, top = (list(dict.fromkeys(labels[i] for labels in found)) for i in (0, 1))
    missing = [part.view.domain.find(key.name).missing_name for key in keys]
    made = [ResultColumn(keys[0].name, keys[0].type, side, [missing[0]] * len(side), keys[0].describe)]
    nothing = (None,) * len(ENDS)
    for label in top:
        each = [found.get((row, label), nothing) for row in side]
        name = missing[1] if label is None else keys[1].describe(label)
        ends = enumerate(ENDS if check_flag("intervals", intervals) else ENDS[:1])
        made += [ResultColumn(name + end, "double", [figure[i] for figure in each]) for i, end in ends]
    return Table(made, warning=part.view.privacy.warning, note=rows.note)


def make_key(domain: Domain, key: Any) -> Key:
    """The key that a question names: an attribute, (attribute, width of bins) or (date, part of the calendar)."""
    if isinstance(key, str):
        return by_name(domain, key)
    if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[0], str):
        raise QueryError(
            f"group by the name of an attribute, or by a pair such as ('distance', 1000), got {shorten(key)}"
        )
    name, cut = key
    if isinstance(cut, str) and (cut.lower() in PERIODS or cut.lower() in ALIASES):
        return by_part(domain, name, cut)
    if isinstance(cut, numbers.Real) and not isinstance(cut, (bool, int, float)):  # of NumPy
        cut = int(cut) if isinstance(cut, numbers.Integral) else float(cut)
    try:
        return by_width(domain, name, cut)
    except OverflowError:
        raise QueryError(f"the width of bins of {name} is too large: {shorten(cut)}") from None


def _list_keys(keys: Iterable[KeyName | Sequence[KeyName]]) -> list[Any]:
    """Keys that were given one by one, or as one list."""
    given = list(keys)
    return list(given[0]) if len(given) == 1 and isinstance(given[0], list) else given


def _make_keys(domain: Domain, names: Sequence[Any]) -> list[Key]:
    """The keys that a question names, each once."""
    keys, titles = [make_key(domain, name) for name in names], [_title(name) for name in names]
    for number, title in enumerate(titles):
        if title in titles[:number]:
            raise QueryError(f"group by {shorten(title)} once; it is named twice")
    return keys


def check_flag(name: str, value: object) -> bool:
    """Return a switch; QueryError unless it is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise QueryError(f"{name} must be True or False, got {shorten(value)}")
    return bool(value)


def _title(key: Any) -> str:
    return key if isinstance(key, str) else f"{key[0]}_{key[1]}"
