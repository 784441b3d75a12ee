"""Summaries of attributes: mean, quantiles, cumulative shares, and one row for each attribute."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ripost.answering.answer import Answer, standard_error
from ripost.errors import QueryError
from ripost.query.distribution import BinTotals, require_ordered
from ripost.query.key import by_code
from ripost.query.measures import DistributionMeasure, Share
from ripost.query.table import ResultColumn, Table, print_value
from ripost.query.tabulate import Rows, figure_columns
from ripost.schema.attribute import Calendar, OrderedAttribute
from ripost.schema.attribute_base import shorten
from ripost.space.region import intersect
from ripost.space.work_limit import count_work

if TYPE_CHECKING:
    from ripost.query.cube import Cube
    from ripost.schema.attribute_base import AttributeBase

MOST_COUNTED = 2_000  # codes of an attribute whose most frequent value is described


@count_work()
def mean_answer(part: Cube, name: str) -> Answer:
    """The mean of an attribute that holds numbers, with its interval; its standard error is that of the totals."""
    _check_rows(part, name)
    attribute = require_ordered(part.view.domain, name)
    if isinstance(attribute, Calendar):
        raise QueryError(
            f"{name} is a date, so its mean is not a number; ask view.quantile({name!r}) or AVG({name}) in SQL"
        )
    totals = BinTotals(part.view, name, [part.where])
    [found] = totals.distributions()
    value, low, high = found.mean()
    if math.isnan(low):
        return Answer(value, math.nan, math.nan, math.nan, totals.note, part.view.level)
    (least, most), (lowest, highest) = found.mean_of_middles(), found.outermost_mean()
    stderr = standard_error((most - least) / 2, part.view.level)
    answer = Answer(value, stderr, low, high, totals.note, part.view.level)
    if lowest < low or high < highest:
        ends = f"{answer.format_number(lowest)} to {answer.format_number(highest)}"
        told = f"values inside bins of {name} are unknown; if all lie at the same end of their bins, the mean is {ends}"
        answer = replace(answer, note="; ".join(filter(None, [totals.note, told])))
    return answer


@count_work()
def quantile_table(part: Cube, name: str, levels: float | Sequence[float], *, simultaneous: bool) -> Table:
    """Values of an ordered attribute below which the given shares lie: a row a level."""
    wanted = _read_levels(levels)
    _check_rows(part, name)
    rows = Rows.of(part.view, (), [()], part.where, together=len(wanted) if simultaneous else 0)
    figures = [DistributionMeasure(name, "quantile", level).figures(rows.asking) for level in wanted]
    columns = [figure_columns(one, name) for one in figures]
    made = [
        ResultColumn(each[0].name, each[0].type, [column.values[0] for column in each])
        for each in zip(*columns, strict=True)
    ]
    note = next((one.note for one in figures), "")
    asked = ResultColumn("level", "double", wanted, show="{:g}".format)
    return Table([asked, *made], warning=part.view.privacy.warning, note=note)


@count_work()
def cdf_table(part: Cube, name: str, *, simultaneous: bool) -> Table:
    """The share of rows up to the end of each bin of an ordered attribute, with its band."""
    _check_rows(part, name)
    attribute = require_ordered(part.view.domain, name)
    view = part.view.jointly(attribute.count) if simultaneous else part.view
    totals = BinTotals(view, name, [part.where])
    [found] = totals.distributions()
    whole = float(found.mass.sum())
    share = np.cumsum(found.mass) / whole if whole > 0 else np.full(len(found.mass), np.nan)
    low, high = np.minimum(found.low[1:], share), np.maximum(found.high[1:], share)
    labels = [attribute.value(tick) for tick in found.last]
    made = [ResultColumn(name, by_code(part.view.domain, name).type, labels)]
    for end, values in (("cdf", share), ("cdf_low", low), ("cdf_high", high)):
        made.append(ResultColumn(end, "double", [None if np.isnan(v) else float(v) for v in values]))
    return Table(made, warning=part.view.privacy.warning, note=totals.note)


@count_work()
def describe_table(part: Cube) -> Table:
    """A row an attribute: its domain, what share is missing, the most frequent value, and the mean of numbers."""
    held, columns = (
        part.view.measure,
        ["attribute", "label", "type", "values", "missing", "top", "top_share", "mean", "mean_low", "mean_high"],
    )
    rows: list[tuple[Any, ...]] = []
    for name, attribute in part.view.domain:
        ends: tuple[float | None, ...] = (None, None, None)
        if isinstance(attribute, OrderedAttribute) and not isinstance(attribute, Calendar) and held.holds_rows:
            [found] = BinTotals(part.view, name, [part.where]).distributions()
            ends = tuple(None if math.isnan(end) else end for end in found.mean())
        rows.append((name, attribute.label, *_describe(part, name, attribute), *ends))
    kinds = ["string"] * 4 + ["double", "string"] + ["double"] * 4
    made = [
        ResultColumn(title, kind, [row[i] for row in rows], [""] * len(rows), print_value if "mean" in title else None)
        for i, (title, kind) in enumerate(zip(columns, kinds, strict=True))
    ]
    return Table(made, warning=part.view.privacy.warning)


def _describe(part: Cube, name: str, attribute: AttributeBase) -> tuple[Any, ...]:
    """The type of an attribute, its values, the share that is missing, and the most frequent value with its share."""
    first, last = attribute.describe(0), attribute.describe(attribute.count - 1)
    values = first if attribute.count == 1 else f"{first} … {last}"
    kind = str(getattr(attribute, "type", ""))
    missing = 0.0
    top: tuple[str | None, float | None] = (None, None)  # of a view of sums: shares of the sum
    axis, whole = part.view.domain.axis(name), part.count().value
    if attribute.missing == "bin" and whole > 0:
        code = float(attribute.missing_code)
        missing = max(0.0, part.view.answer_region(intersect(part.where, ({axis: [(code, code + 1)]},))).value) / whole
    if attribute.size <= MOST_COUNTED and whole > 0:
        key = by_code(part.view.domain, name)
        rows = Rows.of(part.view, [key], [[0]], part.where)
        shares = [row[0] for row in rows.figures(0, Share()).rows]
        largest = max(range(len(shares)), key=shares.__getitem__)
        code = key.labels.index(rows.asking.groups[largest].labels[0])
        top = (attribute.describe(code), shares[largest])
    return kind, values, missing, *top


def _read_levels(levels: Any) -> list[float]:
    """The levels of quantiles, one or several."""
    given = levels.tolist() if hasattr(levels, "tolist") and not isinstance(levels, type) else levels
    wanted: list[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    for level in wanted:
        number: Any = level if isinstance(level, numbers.Real) and not isinstance(level, bool) else -1
        if not 0 <= number <= 1:
            raise QueryError(f"a quantile is a number from 0 to 1, got {shorten(level)}")
    if not wanted:
        raise QueryError("ask for at least one quantile, such as 0.5")
    return [float(level) for level in wanted]


def _check_rows(part: Cube, name: str) -> None:
    held = part.view.measure
    part.view.domain.axis(name)
    if not held.holds_rows:
        raise QueryError(f"the view holds {held.title} and no rows, so the mean and quantiles of {name} are not known")
