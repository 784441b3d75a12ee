"""Statistics that take a question: totals of parts, and how far pairs of axes are from independent.

As in statistics.py nothing that meets the noise is a float: expected shares, which are public, are whole multiples of
2^-20 before they meet a count.
"""

from __future__ import annotations

import numpy as np

from ripost.errors import PrivacyError
from ripost.space.question import FULL, Distances, Pairs, Parts
from ripost.tensor.statistics import Ints, Layout, sums_at, totals

GRID = 2**20
SAFE = 2**40  # a total below this, times GRID, fits int64
FARTHEST = 2**61  # distances beyond are taken as this far


def part_totals(layout: Layout, question: Parts) -> Ints:
    """Sum of counts of each block in each part of it, block by block."""
    part = question.part(layout.coords)
    if not ((part >= 0) & (part < len(question))).all():
        raise PrivacyError("a question gives a cell to no part of its block")
    return sums_at(layout.owner * len(question) + part, layout.counts, len(layout.blocks) * len(question))


def discrepancies(layout: Layout, question: Pairs) -> Ints:
    """For each block and axis: the largest |n - S c|, rounded down, over the partners of the axis and their positions.

    n counts what lies left of the axis' cut and below the position, S all of the block, and c is the share expected
    there. Where S is huge, Python integers take over.
    """
    total = totals(layout)
    number = int if (total < SAFE).all() else object
    whole = total.astype(number)[:, None]
    size = len(layout.blocks)
    scores = np.zeros((size, len(layout.coords)), number)
    bins = [
        np.searchsorted(edges, np.arange(int(layout.blocks.upper[:, axis].max(initial=0))), side="right")
        for axis, edges in enumerate(question.edges)
    ]
    place = [table[at] if len(table) else at for table, at in zip(bins, layout.coords, strict=True)]
    for axis, at in enumerate(layout.coords):
        inside = np.flatnonzero(at < question.cut[layout.owner, axis])
        owner, counts = layout.owner[inside], layout.counts[inside]
        for partner in question.partners[axis]:
            looks = len(question.edges[partner])
            if looks == 0 or partner == axis:
                continue
            found = sums_at(owner * (looks + 1) + place[partner][inside], counts, size * (looks + 1))
            below = found.reshape(size, looks + 1).cumsum(axis=1)[:, :-1].astype(number)
            share = np.rint(GRID * (question.left[:, axis, None] * question.below[partner]))
            expected = whole * np.nan_to_num(share).clip(0, GRID).astype(np.int64)
            scores[:, axis] = np.maximum(scores[:, axis], (abs(below * GRID - expected) // GRID).max(axis=1))
    return scores.astype(np.int64).ravel()


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
