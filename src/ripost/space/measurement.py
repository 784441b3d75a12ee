"""Measurement: the noisy values that one paid draw released, and what each of them measures.

privacy/proofs/measurements.md shows that whoever gets them learns no more than the promise allows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import BinnedMargin, Grid, Margin, QueryParameters, Slabs


@dataclass(frozen=True)
class Measurement:
    """The values of one draw, in counts: totals of blocks, or of the cells of a table of the whole domain.

    A draw of another statistic has values alone. They stand in the order in which the statistic lists them.
    """

    entry: int  # of the ledger
    values: Ints  # (n,)
    blocks: Blocks | None = None  # n of them
    table: BinnedMargin | None = None  # of n cells, row-major

    @property
    def boxes(self) -> Blocks | None:
        """What each value is a total of; None for another statistic. Those of a table span the axes that it lacks."""
        if self.table is None or self.blocks is None:
            return self.blocks
        lower, upper = (side.repeat(len(self.table), axis=0) for side in (self.blocks.lower, self.blocks.upper))
        bins = np.indices(self.table.sizes).reshape(len(self.table.axes), -1)
        for axis, edges, number in zip(self.table.axes, self.table.edges, bins, strict=True):
            lower[:, axis], upper[:, axis] = edges[number], edges[number + 1]
        return Blocks(lower, upper)


def to_table(parameters: QueryParameters | None) -> BinnedMargin | None:
    """The table of bins that these parameters ask for; None if their parts are no boxes."""
    match parameters:
        case BinnedMargin():
            return parameters
        case Slabs(axis, edges):
            return BinnedMargin((axis,), (edges,))
        case Margin(axes, sizes, None):
            return BinnedMargin(axes, tuple(np.arange(size + 1) for size in sizes))
        case Grid(axes, sizes, bins):
            return BinnedMargin(axes, tuple(map(_even_edges, sizes, bins)))
    return None


def _even_edges(size: int, bins: int) -> Codes:
    """Edges of the bins: code c lies in bin c * bins // size."""
    return -(-np.arange(bins + 1) * size // bins)
