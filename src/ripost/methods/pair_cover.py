"""Pair cover: few tables of two and more attributes in which given pairs of attributes occur."""

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
    """A table of some attributes, and its part of what all of them spend."""

    axes: tuple[int, ...]
    part: Fraction


def cover_pairs(pairs: Collection[Pair], bins: Sequence[int], *, gaussian: bool) -> list[CoverTable]:
    """Tables in which each of these pairs occurs, given the bins of each attribute; their parts add up to 1.

    A range of a pair that is read off a table of c cells has an error of variance c / price^2, or c / price with
    Gaussian noise, whichever of its pairs it is. So a table costs c times the number n of pairs that it is for
    (`split_budget`), and then a pair adds the more the larger c / n^2 is, or c / n. So a table takes in a further
    attribute as long as that lowers this number, beginning with the pairs of fewest cells.
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
    """The root mean square of the noise in ranges of pairs, over that of one cell if one table had the whole price."""
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
