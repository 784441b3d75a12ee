"""Synthetic rows drawn from a view.

What they are drawn from was released already, so the rows are post-processing: they cost no privacy whatever the
generator is, and a seed only makes them repeatable. Noise for privacy is never drawn here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ripost.errors import QueryError
from ripost.estimate.least_squares import Floats
from ripost.query.draw_mixed import draw_mixed
from ripost.query.key import label_type
from ripost.query.table import Column, Table
from ripost.space.attribute import Base, Boolean, Ordered
from ripost.space.blocks import Codes
from ripost.space.chance import Chance, chance
from ripost.view.content.tree import TreeContent
from ripost.view.view import View

MOST_ROWS = 10_000_000


def draw_rows(view: View, n: int, seed: int | None) -> Table:
    """n synthetic rows in the owner's units, one at a time from a block chosen by its value."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 0 <= n <= MOST_ROWS:
        raise QueryError(f"the number of rows must be a whole number from 0 to {MOST_ROWS:,}, got {n!r}")
    rng, blocks = chance() if seed is None else chance(seed), view.blocks
    mass = np.maximum(blocks.value, 0.0)
    if n and mass.sum() <= 0:
        raise QueryError("the view holds no total above 0, so there is nothing to draw from")
    upto = np.cumsum(mass)
    chosen = np.searchsorted(upto, rng.random(n) * upto[-1], side="right").clip(0, len(mass) - 1)
    content, columns = view.content, []
    mixed = draw_mixed(content, chosen, rng.random) if isinstance(content, TreeContent) and content.mixture else None
    for axis, (name, attribute) in enumerate(view.domain):
        lower, upper = blocks.lower[chosen, axis], blocks.upper[chosen, axis]
        codes = _codes(lower, upper, _marginal(view, axis), rng)
        if mixed is not None:
            codes[mixed.rows] = mixed.codes[axis]
        columns.append(_column(name, attribute, codes, rng))
    return Table(columns, warning=view.privacy.warning)


def _marginal(view: View, axis: int) -> Floats | None:
    content = view.content
    return content.density[axis] if isinstance(content, TreeContent) and content.density is not None else None


def _codes(lower: Codes, upper: Codes, marginal: Floats | None, rng: Chance) -> Codes:
    """A code of each block's side, by the released mass of the codes there, or evenly where there is none."""
    uniform = rng.random(len(lower))
    codes: Codes = lower + np.minimum((uniform * (upper - lower)).astype(np.int64), upper - lower - 1)
    if marginal is None:
        return codes
    prefix = np.concatenate([[0.0], np.cumsum(marginal)])
    start, mass = prefix[lower], prefix[upper] - prefix[lower]
    found = np.searchsorted(prefix, start + uniform * mass, side="right") - 1
    return np.where(mass > 0, np.clip(found, lower, upper - 1), codes).astype(np.int64)


def _column(name: str, attribute: Base, codes: Codes, rng: Chance) -> Column:
    """Codes as values: evenly inside a bin, by name, None for what is missing."""
    distinct, which = np.unique(codes, return_inverse=True)
    kind, inside = label_type(attribute), rng.random(len(codes))
    if not isinstance(attribute, Ordered):
        labels = [_label(attribute, code) for code in distinct.tolist()]
        return Column(name, kind, [labels[i] for i in which.tolist()])
    bins = [min(code, attribute.count - 1) for code in distinct.tolist()]
    low, high = (np.array([attribute.bins.edge(code + end) for code in bins])[which] for end in (0, 1))
    tick = inside * (high - low)
    tick = low + (tick // attribute.step * attribute.step if attribute.step else tick)
    values = [attribute.value(one) for one in tick.tolist()]
    if attribute.has_other:
        kind, values = "string", [str(value) for value in values]
    for row in np.flatnonzero(codes >= attribute.count).tolist():
        values[row] = _label(attribute, int(codes[row]))
    return Column(name, kind, values)


def _label(attribute: Base, code: int) -> Any:
    if code >= attribute.missing_code:
        return None
    return bool(code) if isinstance(attribute, Boolean) else attribute.describe(code)
