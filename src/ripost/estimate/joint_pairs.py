"""Joint with pairs: histograms and pair tables as linear measurements of blocks that correct a mixture.

The expected value of a table's cell is total * mixture(cell) + sum over leaves of (value - total * mixture(leaf)) *
share of the leaf in the cell: corrections are distributed inside leaves as the densities say. A measurement minus the
mixture's part is therefore a linear measurement of the values, which joint.py takes. Only the interactions of pair
tables are used (mixture_fit.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.axis_intervals import AxisIntervals
from ripost.estimate.joint import Histograms, misfit
from ripost.estimate.marginal import running_sums
from ripost.estimate.mixture import MixtureIndex
from ripost.estimate.mixture_fit import PairTable, interaction


@dataclass(frozen=True)
class LeafTable:
    """Leaves by their intervals on two attributes, as a sparse table in compressed rows."""

    table: PairTable
    shape: tuple[int, int]  # intervals of the first attribute and of the second
    column: Codes  # (u,): interval of the second attribute
    starts: Codes  # where each interval of the first attribute begins among them
    which: Codes  # (leaves,): entry of each leaf

    @classmethod
    def of(cls, table: PairTable, one: AxisIntervals, other: AxisIntervals) -> LeafTable:
        shape = len(one.lower), len(other.lower)
        entry, which = np.unique(one.which * shape[1] + other.which, return_inverse=True)
        row, column = np.divmod(entry, shape[1])
        return cls(table, shape, column, np.searchsorted(row, np.arange(shape[0] + 1)), which)

    def times(self, leaves: Floats, right: Floats) -> Floats:
        """The table of these values times a matrix."""
        from scipy.sparse import csr_array  # loads slowly

        sums = np.bincount(self.which, leaves, len(self.column))
        product: Floats = csr_array((sums, self.column, self.starts), shape=self.shape) @ right
        return product

    def entries(self, left: Floats, right: Floats) -> Floats:
        """For each leaf, the entry of left @ right.T at its intervals."""
        row = np.repeat(np.arange(self.shape[0]), np.diff(self.starts))
        found: Floats = np.einsum("ij,ij->i", left[row], right[self.column]).take(self.which)
        return found


@dataclass(frozen=True)
class PairRows:
    """All histograms and pair tables, each row divided by its standard deviation."""

    histograms: Histograms
    tables: Sequence[PairTable]
    mixture: MixtureIndex
    base: Floats  # (leaves,): the mixture's expectation

    @cached_property
    def values(self) -> Floats:
        measured = [self.histograms.values, *((table.interaction * _sharp(table)).ravel() for table in self.tables)]
        expected: list[Floats] = []
        for axis, (_, tables) in enumerate(self.histograms.axes):
            mass = self.mixture.mixture.total * (np.diff(self.mixture.below[axis], axis=0) @ self._weights)
            expected += [np.add.reduceat(mass, table.edges[:-1]) * sharp for table, _, sharp in tables]
        for table in self.tables:
            one, other = (self.mixture.mixture.shares(axis) for axis in table.axes)
            model = self.mixture.mixture.total * ((one.T * self._weights) @ other)
            expected.append((interaction(model) * _sharp(table)).ravel())
        found: Floats = np.concatenate(measured) - np.concatenate(expected) + self.of(self.base)
        return found

    @property
    def variances(self) -> Floats:
        """Of the noise of each row, in squared rows of the table."""
        return np.concatenate([self.histograms.variances, *(np.full(t.values.size, t.variance) for t in self.tables)])

    def of(self, leaves: Floats) -> Floats:
        """What values of the leaves add to each row."""
        rows = [self.histograms.of(leaves)]
        for pair in self._pairs:
            one, other = (self._shares[axis] for axis in pair.table.axes)
            rows.append(interaction(one.T @ pair.times(leaves, other)).ravel() * _sharp(pair.table))
        return np.concatenate(rows)

    def back(self, rows: Floats) -> Floats:
        """The transpose of `of`."""
        first = len(self.histograms.values)
        leaves = self.histograms.back(rows[:first])
        for pair in self._pairs:
            one, other = (self._shares[axis] for axis in pair.table.axes)
            size = pair.table.values.size
            block = interaction(rows[first : first + size].reshape(pair.table.values.shape)) * _sharp(pair.table)
            first += size
            leaves += pair.entries(one @ block, other)
        return leaves

    def histogram_misfits(self, leaves: Floats) -> list[float]:
        """The misfit of the finest histogram of each axis."""
        return self.histograms.misfits_of(self.values - self.of(leaves))

    def misfits(self, leaves: Floats) -> list[float]:
        """The misfit of each interaction: its mean squared distance from the leaves, in noise variances, at least 1.

        Cells are weighted by their content: few cells contain most rows of attributes that depend on each other.
        """
        first, found = len(self.histograms.values), []
        distance = self.values - self.of(leaves)
        for table in self.tables:
            some = distance[first : first + table.values.size]
            first += table.values.size
            found.append(misfit(table.values.ravel(), some, _sharp(table)))
        return found

    @property
    def _weights(self) -> Floats:
        return self.mixture.mixture.weights

    @cached_property
    def _pairs(self) -> list[LeafTable]:
        along = self.histograms.intervals
        return [LeafTable.of(table, *(along[axis] for axis in table.axes)) for table in self.tables]

    @cached_property
    def _shares(self) -> list[Floats]:
        """Of each attribute: the share of every interval of leaves in every bin, (intervals, bins)."""
        found = []
        for axis, (shaped, _) in enumerate(self.histograms.axes):
            below, edges = running_sums(shaped.density), self.mixture.mixture.edges[axis]
            low, high = shaped.intervals.lower[:, None], shaped.intervals.upper[:, None]
            inside = below[np.clip(edges[1:], low, high)] - below[np.clip(edges[:-1], low, high)]
            found.append(inside / shaped.mass[:, None])
        return found


def _sharp(table: PairTable) -> float:
    return float(table.variance**-0.5)
