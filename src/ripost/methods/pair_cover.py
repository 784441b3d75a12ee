"""Pair cover: few tables of two or more attributes that contain all of the given pairs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from ripost.methods.pricing import split_budget

MOST_CELLS = 2**14  # of a table of more than two attributes

Pair = tuple[int, int]


@dataclass(frozen=True)
class CoverTable:
    """A table of some attributes, and its share of the budget of all tables."""

    axes: tuple[int, ...]
    part: Fraction


def cover_pairs(pairs: Collection[Pair], bins: Sequence[int], *, gaussian: bool) -> list[CoverTable]:
    """Tables that contain each of these pairs, given the bins of each attribute; their shares add up to 1.

    A range of a pair that is summed from a table of c cells has the variance c / price^2, or c / price with Gaussian
    noise, for each of its pairs. A table therefore has the cost c n, where n is the number of its pairs
    (`split_budget`), and each pair contributes in proportion to c / n^2, or c / n. The greedy search starts with the
    pairs of fewest cells and adds an attribute to a table as long as that lowers this number.
    """
    power = 1 if gaussian else 2
    left, tables, costs = set(pairs), list[tuple[int, ...]](), list[int]()
    attributes = sorted({axis for pair in pairs for axis in pair})
    for pair in sorted(pairs, key=lambda pair: (bins[pair[0]] * bins[pair[1]], pair)):
        if pair not in left:
            continue
        axes: tuple[int, ...] = pair
        number, cells = 1, bins[pair[0]] * bins[pair[1]]
        while True:
            further = []
            for axis in attributes:
                if axis not in axes and cells * bins[axis] <= MOST_CELLS:
                    more = number + len(left.intersection(_pairs_with(axis, axes)))
                    further.append((Fraction(cells * bins[axis], more**power), axis, more))
            if not further or min(further)[0] >= Fraction(cells, number**power):
                break
            _, axis, number = min(further)
            axes, cells = (*axes, axis), cells * bins[axis]
        tables.append(tuple(sorted(axes)))
        costs.append(number * cells)
        left -= set(combinations(tables[-1], 2))
    return [CoverTable(axes, part) for axes, part in zip(tables, split_budget(costs, gaussian=gaussian), strict=True)]


def range_noise(tables: Sequence[CoverTable], pairs: Collection[Pair], bins: Sequence[int], *, gaussian: bool) -> float:
    """The root mean square noise of ranges of pairs, relative to one cell of a table that has the whole price."""
    found = 0.0
    for pair in pairs:
        holding = [table for table in tables if set(pair) <= set(table.axes)]
        found += min(
            math.prod(bins[axis] for axis in table.axes) / float(table.part) ** (1 if gaussian else 2)
            for table in holding
        )
    return math.sqrt(found / len(pairs))


def _pairs_with(axis: int, others: Iterable[int]) -> list[Pair]:
    return [(min(axis, other), max(axis, other)) for other in others]
