"""Discrepancy of a split: how far the table of a pair of axes is from the product of its margins.

Expected shares are public. They are whole multiples of 2^-20 before they meet a count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Pairs
from ripost.statistics.exact_sums import PIECE, pieces, sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps, group_tables, split_tables
from ripost.statistics.statistic import LARGEST, PROOFS, Statistic
from ripost.statistics.totals import totals

GRID = 2**20
SAFE = 2**40  # a total below this, times GRID, fits int64


def discrepancy_steps(blocks: Blocks, parameters: Pairs) -> Steps:
    """Compute, for each block and axis, the largest |n - S c|, rounded down, over its partners and their positions.

    n counts the rows left of the axis' cut and below the position, S all rows of the block, and c is the expected
    share. Each axis and partner needs one table. If S is large, Python integers are used.
    """
    size, dimensions = blocks.lower.shape
    total = yield totals
    number = int if (total < SAFE).all() else object
    whole = total.astype(number)[:, None]
    scores = np.zeros((size, dimensions), number)
    looks = [len(edges) for edges in parameters.edges]
    pairs = [(a, b) for a in range(dimensions) for b in parameters.partners[a] if looks[b] and a != b]
    entries = [size * (looks[partner] + 1) for _, partner in pairs]
    for first, last in group_tables(entries):
        asked = Aside(parameters.cut, parameters.edges, tuple(pairs[first:last]))
        found = yield partial(tables_aside, parameters=asked)
        for (axis, partner), table in zip(asked.pairs, split_tables(found, entries[first:last]), strict=True):
            below = table.reshape(size, looks[partner] + 1).cumsum(axis=1)[:, :-1].astype(number)
            share = np.rint(GRID * (parameters.left[:, axis, None] * parameters.below[partner]))
            expected = whole * np.nan_to_num(share).clip(0, GRID).astype(np.int64)
            scores[:, axis] = np.maximum(scores[:, axis], (abs(below * GRID - expected) // GRID).max(axis=1))
    return scores.astype(np.int64).ravel()


@dataclass(frozen=True, slots=True)
class Aside:
    """The cuts and positions of some pairs of axes, for tables of counts."""

    cut: Codes  # (n, d)
    edges: tuple[Codes, ...]
    pairs: tuple[tuple[int, int], ...]


def tables_aside(layout: Layout, parameters: Aside) -> Ints:
    """For each pair of axes, in each block: counts left of the cut of one, by bin of the other."""
    partners = sorted({partner for _, partner in parameters.pairs})
    longest = layout.blocks.upper.max(axis=0, initial=0)
    bins = {axis: np.searchsorted(parameters.edges[axis], np.arange(longest[axis]), side="right") for axis in partners}
    widths = {axis: len(parameters.edges[axis]) + 1 for axis in partners}
    found = [np.zeros(len(layout.blocks) * widths[partner], np.int64) for _, partner in parameters.pairs]
    cuts, counts = np.ascontiguousarray(parameters.cut.T), layout.weights
    for cells in pieces(len(layout.owner), max(PIECE, 2 * max(map(len, found)))):
        owner = layout.owner[cells]
        place = {axis: bins[axis].take(layout.coords[axis, cells]) + owner * widths[axis] for axis in partners}
        for axis, group in groupby(zip(parameters.pairs, found, strict=True), key=lambda one: one[0][0]):
            left = np.flatnonzero(layout.coords[axis, cells] < cuts[axis].take(owner))
            some = counts[cells].take(left)
            for (_, partner), table in group:
                np.add(table, sums_at(place[partner].take(left), some, len(table)), out=table)
    return np.concatenate(found)


DISCREPANCY = Statistic("discrepancy", discrepancy_steps, PROOFS / "discrepancy.md", per_count=1, norm=LARGEST)
