"""Statistics that take a question: totals of parts, and how far pairs of axes are from independent.

As in statistics.py nothing that meets the noise is a float: expected shares, which are public, are whole multiples of
2^-20 before they meet a count.
"""

from __future__ import annotations

import numpy as np

from ripost.errors import PrivacyError
from ripost.space.question import FULL, Distances, Pairs, Parts
from ripost.tensor.statistics import STRETCH, Ints, Layout, stretches, sums_at, totals

GRID = 2**20
SAFE = 2**40  # a total below this, times GRID, fits int64
FARTHEST = 2**61  # distances beyond are taken as this far


def part_totals(layout: Layout, question: Parts) -> Ints:
    """Sum of counts of each block in each part of it, block by block."""
    parts = len(question)
    found = np.zeros(len(layout.blocks) * parts, np.int64)
    for cells in stretches(len(layout.owner), max(STRETCH, 2 * len(found))):
        part = question.part(layout.coords[:, cells])
        if part.min() < 0 or part.max() >= parts:
            raise PrivacyError("a question gives a cell to no part of its block")
        found += sums_at(layout.owner[cells] * parts + part, layout.counts[cells], len(found))
    return found


def discrepancies(layout: Layout, question: Pairs) -> Ints:
    """For each block and axis: the largest |n - S c|, rounded down, over the partners of the axis and their positions.

    n counts what lies left of the axis' cut and below the position, S all of the block, and c is the share expected
    there. Where S is huge, Python integers take over.
    """
    total = totals(layout)
    number = int if (total < SAFE).all() else object
    whole = total.astype(number)[:, None]
    scores = np.zeros((len(layout.blocks), len(layout.coords)), number)
    for axis in range(len(layout.coords)):
        for partner, found in _left_of_cut(layout, question, axis).items():
            below = found.cumsum(axis=1)[:, :-1].astype(number)
            share = np.rint(GRID * (question.left[:, axis, None] * question.below[partner]))
            expected = whole * np.nan_to_num(share).clip(0, GRID).astype(np.int64)
            scores[:, axis] = np.maximum(scores[:, axis], (abs(below * GRID - expected) // GRID).max(axis=1))
    return scores.astype(np.int64).ravel()


def _left_of_cut(layout: Layout, question: Pairs, axis: int) -> dict[int, Ints]:
    """For each partner of an axis the counts left of the axis' cut, by block and stretch between looks."""
    looks = {p: len(question.edges[p]) + 1 for p in question.partners[axis] if p != axis and len(question.edges[p])}
    bins = {
        p: np.searchsorted(question.edges[p], np.arange(layout.blocks.upper[:, p].max(initial=0)), side="right")
        for p in looks
    }
    found = {p: np.zeros(len(layout.blocks) * size, np.int64) for p, size in looks.items()}
    cut = np.ascontiguousarray(question.cut[:, axis])
    for cells in stretches(len(layout.owner), max(STRETCH, 2 * max(map(len, found.values()), default=0))):
        left = np.flatnonzero(layout.coords[axis, cells] < cut.take(layout.owner[cells]))
        owner, counts = layout.owner[cells].take(left), layout.counts[cells].take(left)
        for p, size in looks.items():
            place = bins[p].take(layout.coords[p, cells].take(left))
            place += owner * size
            found[p] += sums_at(place, counts, len(found[p]))
    return {p: sums.reshape(-1, looks[p]) for p, sums in found.items()}


def distances(layout: Layout, question: Distances) -> Ints:
    """For each block and marginal: weight times the sum of |n - t| over its parts, plus the offset.

    n counts what lies in a part and t is what the question says of it. Sums are formed in Python's integers.
    """
    size = len(layout.blocks)
    scores = np.zeros((size, len(question.margins)), object)
    facts = zip(question.margins, question.tables, question.weight.tolist(), question.offset.tolist(), strict=True)
    for number, (margin, table, weight, offset) in enumerate(facts):
        found = part_totals(layout, margin).reshape(size, len(margin))
        gaps = abs(found - table.clip(0, FARTHEST))
        most = float(gaps.max(initial=0)) * gaps.shape[1]
        sums = (gaps if most < FARTHEST else gaps.astype(object)).sum(axis=1).astype(object)
        scores[:, number] = sums * min(max(weight, 0), FULL) + offset
    return scores.clip(-FARTHEST, FARTHEST).astype(np.int64).ravel()
