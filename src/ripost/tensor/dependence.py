"""Dependence of two partitions of a block's cells: how far their joint table is from the product of its margins.

As in statistics.py nothing that meets the noise is a float.
"""

from __future__ import annotations

import numpy as np

from ripost.errors import PrivacyError
from ripost.space.blocks import Codes
from ripost.space.question import Couples, Parts
from ripost.tensor.statistics import Ints, Layout, sums_at, totals

SAFE = 2**30  # for a total below this, twice its square fits int64


def dependences(layout: Layout, question: Couples) -> Ints:
    """For each block and couple: half the sum of |c - a b / n| over the couple's joint table, rounded down.

    c is what lies in a part of one and a part of the other, a and b what lies in each of them, n the whole block; 0 for
    an empty block. Over cells with c = 0 the sum of a b is n^2 less that over the others, so only those are looked at.
    Where n is huge, Python integers take over.
    """
    total = totals(layout)
    number = int if (total < SAFE).all() else object
    whole, size = total.astype(number), len(layout.blocks)
    places: dict[int, Codes] = {}
    scores = np.zeros((size, len(question)), np.int64)
    for column, (one, other) in enumerate(question.couples):
        for parts in (one, other):
            if id(parts) not in places:
                places[id(parts)] = _places(layout, parts)
        slot = (layout.owner * len(one) + places[id(one)]) * len(other) + places[id(other)]
        joint = sums_at(slot, layout.counts, size * len(one) * len(other)).reshape(size, len(one), len(other))
        block, row, side = np.nonzero(joint)
        found = joint[block, row, side].astype(number)
        product = joint.sum(axis=2)[block, row].astype(number) * joint.sum(axis=1)[block, side].astype(number)
        off = whole**2
        np.add.at(off, block, abs(whole[block] * found - product) - product)
        scores[:, column] = off // np.maximum(2 * whole, 1)
    return scores.ravel()


def _places(layout: Layout, parts: Parts) -> Codes:
    """In which part each cell lies, a number from 0 to len(parts) - 1."""
    place = parts.part(layout.coords)
    if not ((place >= 0) & (place < len(parts))).all():
        raise PrivacyError("a question gives a cell to no part of its block")
    return place
