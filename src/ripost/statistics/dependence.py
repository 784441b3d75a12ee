"""Dependence of two partitions of a block's cells: how far their joint table is from the product of its margins.

As in exact_sums.py, noise is never added to a float.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Ints
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Couples, Parts
from ripost.statistics.exact_sums import sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps, group_tables, split_tables
from ripost.statistics.statistic import LARGEST, PROOFS, Statistic
from ripost.statistics.totals import totals

SAFE = 2**30  # for a total below this, twice its square fits int64


def largest_dependence_steps(blocks: Blocks, parameters: Couples) -> Steps:
    """Compute the largest dependence of the couples of each block, 0 if there is none."""
    scores = yield from dependence_steps(blocks, parameters)
    found: Ints = scores.reshape(len(blocks), len(parameters)).max(axis=1, initial=0)
    return found


def dependence_steps(blocks: Blocks, parameters: Couples) -> Steps:
    """Compute half the sum of |c - a b / n| over the joint table of each couple in each block, rounded down.

    c counts the rows in a part of one and a part of the other, a and b those in each of the two parts, n the whole
    block; the result is 0 for an empty block. Over cells with c = 0 the sum of a b is n^2 minus that over the others,
    so only the others are visited. If n is large, Python integers are used.
    """
    size = len(blocks)
    total = yield totals
    number = int if (total < SAFE).all() else object
    whole = total.astype(number)
    scores = np.zeros((size, len(parameters)), np.int64)
    entries = [size * len(one) * len(other) for one, other in parameters.couples]
    for first, last in group_tables(entries):
        some = parameters.couples[first:last]
        found = yield partial(_joint_tables, couples=some)
        for column, (pair, joint) in enumerate(zip(some, split_tables(found, entries[first:last]), strict=True), first):
            scores[:, column] = _dependence(joint.reshape(size, *map(len, pair)), whole, number)
    return scores.ravel()


def _dependence(joint: Ints, whole: NDArray[Any], number: type) -> NDArray[Any]:
    block, row, side = np.nonzero(joint)
    found: NDArray[Any] = joint[block, row, side].astype(number)
    product = joint.sum(axis=2)[block, row].astype(number) * joint.sum(axis=1)[block, side].astype(number)
    off = whole**2
    np.add.at(off, block, abs(whole[block] * found - product) - product)
    halved: NDArray[Any] = off // np.maximum(2 * whole, 1)
    return halved


def _joint_tables(layout: Layout, couples: Sequence[tuple[Parts, Parts]]) -> Ints:
    """The joint table of each couple in each block, laid end to end."""
    places: dict[int, Codes] = {}
    found = []
    for one, other in couples:
        for parts in (one, other):
            if id(parts) not in places:
                places[id(parts)] = _places(layout, parts)
        slot = (layout.owner * len(one) + places[id(one)]) * len(other) + places[id(other)]
        found.append(sums_at(slot, layout.counts, len(layout.blocks) * len(one) * len(other)))
    return np.concatenate(found)


def _places(layout: Layout, parts: Parts) -> Codes:
    """In which part each cell lies, a number from 0 to len(parts) - 1."""
    place = parts.part(layout.coords)
    if not ((place >= 0) & (place < len(parts))).all():
        raise PrivacyError("query parameters place a cell in no part of its block")
    return place


DEPENDENCE = Statistic("dependence", dependence_steps, PROOFS / "dependence.md", per_count=2, norm=LARGEST)
LARGEST_DEPENDENCE = Statistic(
    "largest dependence", largest_dependence_steps, PROOFS / "largest_dependence.md", per_count=2
)
