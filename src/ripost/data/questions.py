"""Statistics that take a parameters: totals of parts, and how far pairs of axes are from independent.

As in statistics.py nothing that meets the noise is a float: expected shares, which are public, are whole multiples of
2^-20 before they meet a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.data.map_reduce import Rounds, run_steps_on, stretches, tables
from ripost.data.statistics import PIECE, Layout, pieces, sums_at, totals
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import FULL, Distances, Margin, Pairs, Parts, Slabs

GRID = 2**20
SAFE = 2**40  # a total below this, times GRID, fits int64
FARTHEST = 2**61  # distances beyond are taken as this far


def part_totals(layout: Layout, parameters: Parts) -> Ints:
    """Sum of counts of each block in each part of it, block by block."""
    parts = len(parameters)
    if isinstance(parameters, Slabs):
        by_code = layout.along(parameters.axis)
        stretch = _checked(parameters.stretch[: by_code.shape[1]], parts)
        slot = np.arange(len(by_code))[:, None] * parts + stretch
        return sums_at(slot.ravel(), by_code.ravel(), len(by_code) * parts)
    found, counts = np.zeros(len(layout.blocks) * parts, np.int64), layout.weights
    for cells in pieces(len(layout.owner), max(PIECE, 2 * len(found))):
        part = _checked(parameters.part(layout.coords[:, cells]), parts)
        found += sums_at(layout.owner[cells] * parts + part, counts[cells], len(found))
    return found


def _checked(part: Codes, parts: int) -> Codes:
    if part.min(initial=0) < 0 or part.max(initial=0) >= parts:
        raise PrivacyError("a parameters gives a cell to no part of its block")
    return part


def rounds_of_part_total(_: Blocks, parameters: Parts) -> Rounds:
    return (yield partial(part_totals, parameters=parameters))


def discrepancies(layout: Layout, parameters: Pairs) -> Ints:
    """For each block and axis: the largest |n - S c|, rounded down, over the partners of the axis and their positions.

    n counts what lies left of the axis' cut and below the position, S all of the block, and c is the share expected
    there.
    """
    return run_steps_on(rounds_of_discrepancy(layout.blocks, parameters), layout)


def rounds_of_discrepancy(blocks: Blocks, parameters: Pairs) -> Rounds:
    """One table for each axis and partner; where S is huge, Python integers take over."""
    size, dimensions = blocks.lower.shape
    total = yield totals
    number = int if (total < SAFE).all() else object
    whole = total.astype(number)[:, None]
    scores = np.zeros((size, dimensions), number)
    looks = [len(edges) for edges in parameters.edges]
    pairs = [(a, b) for a in range(dimensions) for b in parameters.partners[a] if looks[b] and a != b]
    entries = [size * (looks[partner] + 1) for _, partner in pairs]
    for first, last in stretches(entries):
        asked = Aside(parameters.cut, parameters.edges, tuple(pairs[first:last]))
        found = yield partial(tables_aside, parameters=asked)
        for (axis, partner), table in zip(asked.pairs, tables(found, entries[first:last]), strict=True):
            below = table.reshape(size, looks[partner] + 1).cumsum(axis=1)[:, :-1].astype(number)
            share = np.rint(GRID * (parameters.left[:, axis, None] * parameters.below[partner]))
            expected = whole * np.nan_to_num(share).clip(0, GRID).astype(np.int64)
            scores[:, axis] = np.maximum(scores[:, axis], (abs(below * GRID - expected) // GRID).max(axis=1))
    return scores.astype(np.int64).ravel()


@dataclass(frozen=True, slots=True)
class Aside:
    """What of some pairs of axes a table of counts must know."""

    cut: Codes  # (n, d)
    edges: tuple[Codes, ...]
    pairs: tuple[tuple[int, int], ...]


def tables_aside(layout: Layout, parameters: Aside) -> Ints:
    """For each pair of axes, in each block: counts left of the cut of one, by stretch of the other."""
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


def distances(layout: Layout, parameters: Distances) -> Ints:
    """For each block and marginal: weight times the sum of |n - t| over its parts, plus the offset.

    n counts what lies in a part and t is what the parameters says of it.
    """
    return run_steps_on(rounds_of_distance(layout.blocks, parameters), layout)


def rounds_of_distance(blocks: Blocks, parameters: Distances) -> Rounds:
    """Sums are formed in Python's integers."""
    size = len(blocks)
    scores = np.zeros((size, len(parameters.margins)), object)
    facts = list(zip(parameters.tables, parameters.weight.tolist(), parameters.offset.tolist(), strict=True))
    entries = [size * len(margin) for margin in parameters.margins]
    for first, last in stretches(entries):
        found = yield partial(margin_totals, margins=parameters.margins[first:last])
        for column, table in enumerate(tables(found, entries[first:last]), first):
            said, weight, offset = facts[column]
            gaps = abs(table.reshape(size, len(parameters.margins[column])) - said.clip(0, FARTHEST))
            most = float(gaps.max(initial=0)) * gaps.shape[1]
            sums = (gaps if most < FARTHEST else gaps.astype(object)).sum(axis=1).astype(object)
            scores[:, column] = sums * min(max(weight, 0), FULL) + offset
    return scores.clip(-FARTHEST, FARTHEST).astype(np.int64).ravel()


def margin_totals(layout: Layout, margins: Sequence[Margin]) -> Ints:
    """Sums of counts of each block in each part of each marginal, laid end to end."""
    return np.concatenate([part_totals(layout, margin) for margin in margins])
