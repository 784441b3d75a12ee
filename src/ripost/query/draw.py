"""Synthetic rows drawn from a view.

What they are drawn from was released already, so the rows are post-processing: they cost no privacy whatever the
generator is, and a seed only makes them repeatable. Noise for privacy is never drawn here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ripost.answering.content.tables import TableContent
from ripost.answering.content.tree import TreeContent
from ripost.arrays import Codes, Floats
from ripost.errors import QueryError
from ripost.estimate.mixture import AT_ONCE
from ripost.query.key import label_type
from ripost.query.table import ResultColumn, Table
from ripost.schema.attribute import AttributeBase, Boolean, OrderedAttribute
from ripost.schema.attribute_base import shorten
from ripost.series import AXIS, Series
from ripost.space.public_randomness import Generator, public_generator
from ripost.view import View

MOST_ROWS = 10_000_000


def draw_rows(view: View, n: int, seed: int | None) -> Table:
    """n synthetic rows in the owner's units, one at a time from a block chosen by its value."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 0 <= n <= MOST_ROWS:
        raise QueryError(f"the number of rows must be a whole number from 0 to {MOST_ROWS:,}, got {shorten(n)}")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0):
        raise QueryError(f"a seed is a whole number from 0, got {shorten(seed)}")
    rng = public_generator() if seed is None else public_generator(seed)
    columns = _draw_series(view, n, rng) if isinstance(view, Series) else _draw_columns(view, n, rng)
    return Table(columns, warning=view.privacy.warning)


def _draw_series(series: Series, n: int, rng: Generator) -> list[ResultColumn]:
    """Each row from a period chosen by its total, then from the view of the period."""
    upto = np.cumsum([max(part.total, 0.0) for part in series.parts])
    if n and upto[-1] <= 0:
        raise QueryError("the series holds no total above 0, so there is nothing to draw from")
    chosen = np.searchsorted(upto, rng.random(n) * upto[-1], side="right").clip(0, len(series.parts) - 1)
    counts = np.bincount(chosen, minlength=len(series.parts)).tolist()
    drawn = [_draw_columns(part, count, rng) for part, count in zip(series.parts, counts, strict=True)]
    place = np.argsort(np.argsort(chosen, kind="stable")).tolist()  # of each row, period after period
    labels = series.domain.attributes[AXIS]
    columns = [ResultColumn(AXIS, "string", [labels.describe(code) for code in chosen.tolist()])]
    for each in zip(*drawn, strict=True):
        columns.append(replace(each[0], values=[value for column in each for value in column.values]).take(place))
    return columns


def _draw_columns(view: View, n: int, rng: Generator) -> list[ResultColumn]:
    """The columns of rows of one release."""
    if isinstance(view.content, TableContent):
        raise QueryError("a view of tables has no synthetic rows, because no table holds all attributes; ask it counts")
    blocks = view.blocks
    mass = np.maximum(blocks.value, 0.0)
    if n and mass.sum() <= 0:
        raise QueryError("the view holds no total above 0, so there is nothing to draw from")
    upto = np.cumsum(mass)
    chosen = np.searchsorted(upto, rng.random(n) * upto[-1], side="right").clip(0, len(mass) - 1)
    component = _components(view, chosen, rng)
    columns = []
    for axis, (name, attribute) in enumerate(view.domain):
        lower, upper = blocks.lower[chosen, axis], blocks.upper[chosen, axis]
        codes = _codes(lower, upper, _marginal(view, axis), rng)
        if component is not None:
            assert isinstance(view.content, TreeContent) and view.content.density_mixture is not None
            some = np.flatnonzero(component >= 0)
            bins, ends = view.content.density_mixture.bins[axis], (lower[some], upper[some])
            codes[some] = bins.draw_codes(component[some], *ends, rng.random(len(some)))
        columns.append(_column(name, attribute, codes, rng))
    return columns


def _marginal(view: View, axis: int) -> Floats | None:
    content = view.content
    return content.density[axis] if isinstance(content, TreeContent) and content.density is not None else None


def _components(view: View, chosen: Codes, rng: Generator) -> Codes | None:
    """The component of the mixture that each row comes from, -1 for rows of a correction; None without a mixture.

    A correction below 0 makes a block rarer; inside the block the mixture is then taken as it is.
    """
    content = view.content
    if not isinstance(content, TreeContent) or content.density_mixture is None:
        return None
    blocks, which = np.unique(chosen, return_inverse=True)
    lower, upper = (ends[blocks].astype(np.float64) for ends in (view.blocks.lower, view.blocks.upper))
    sides, corrections = content.density_mixture.box_sides(lower, upper), np.maximum(content.corrections[blocks], 0.0)
    found, uniform = np.full(len(chosen), -1), rng.random(len(chosen))
    order = np.argsort(which, kind="stable")
    count = len(content.density_mixture.mixture.weights)
    step = max(1, AT_ONCE // count)
    for first in range(0, len(blocks), step):
        here = np.arange(first, min(first + step, len(blocks)))
        rows = order[slice(*np.searchsorted(which[order], [first, here[-1] + 1]).tolist())]
        masses = np.column_stack([np.maximum(content.density_mixture.components(sides, here), 0.0), corrections[here]])
        upto = masses.cumsum(axis=1)
        upto /= np.maximum(upto[:, -1:], np.finfo(float).tiny)
        place = which[rows] - first
        place_of = np.searchsorted((upto + np.arange(len(here))[:, None]).ravel(), place + uniform[rows], side="right")
        number = np.minimum(place_of - place * (count + 1), count)
        found[rows] = np.where(number == count, -1, number)
    return found


def _codes(lower: Codes, upper: Codes, marginal: Floats | None, rng: Generator) -> Codes:
    """A code of each block's side, by the released mass of the codes there, or evenly where there is none."""
    uniform = rng.random(len(lower))
    codes: Codes = lower + np.minimum((uniform * (upper - lower)).astype(np.int64), upper - lower - 1)
    if marginal is None:
        return codes
    prefix = np.concatenate([[0.0], np.cumsum(marginal)])
    start, mass = prefix[lower], prefix[upper] - prefix[lower]
    found = np.searchsorted(prefix, start + uniform * mass, side="right") - 1
    return np.where(mass > 0, np.clip(found, lower, upper - 1), codes).astype(np.int64)


def _column(name: str, attribute: AttributeBase, codes: Codes, rng: Generator) -> ResultColumn:
    """Codes as values: evenly inside a bin, by name, None for what is missing."""
    distinct, which = np.unique(codes, return_inverse=True)
    kind, inside = label_type(attribute), rng.random(len(codes))
    if not isinstance(attribute, OrderedAttribute):
        labels = [_label(attribute, code) for code in distinct.tolist()]
        return ResultColumn(name, kind, [labels[i] for i in which.tolist()])
    bins = [min(code, attribute.count - 1) for code in distinct.tolist()]
    low, high = (np.array([attribute.bins.edge(code + end) for code in bins])[which] for end in (0, 1))
    tick = inside * (high - low)
    tick = low + (tick // attribute.step * attribute.step if attribute.step else tick)
    values = [attribute.value(one) for one in tick.tolist()]
    if attribute.has_other:
        kind, values = "string", [str(value) for value in values]
    for row in np.flatnonzero(codes >= attribute.count).tolist():
        values[row] = _label(attribute, int(codes[row]))
    return ResultColumn(name, kind, values)


def _label(attribute: AttributeBase, code: int) -> Any:
    if code >= attribute.missing_code:
        return None
    return bool(code) if isinstance(attribute, Boolean) else attribute.describe(code)
