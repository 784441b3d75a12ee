"""Pair measurement: measure tables that contain every pair of attributes, and return one noisy table per pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.marginal import NoisyHistogram
from ripost.estimate.mixture_fit import PairTable
from ripost.methods.pair_cover import CoverTable, Pair, cover_pairs
from ripost.methods.pair_plan import PROTECTED, bins_of, pairs_of, spine_bins
from ripost.methods.pricing import Pricing
from ripost.privacy.account import Account
from ripost.privacy.partition import Partition
from ripost.space.query_parameters import BinnedMargin
from ripost.statistics.totals import TOTAL_OF_PART


@dataclass(frozen=True)
class NoisyMargin:
    """A noisy table of some attributes."""

    axes: tuple[int, ...]
    edges: tuple[Codes, ...]  # of the bins of each
    values: Floats  # one dimension per attribute
    variance: float  # of the noise in each value

    def onto(self, axes: tuple[int, ...]) -> NoisyMargin:
        """Sums over the other attributes, whose noise adds up."""
        others = tuple(place for place, axis in enumerate(self.axes) if axis not in axes)
        sums: Floats = np.asarray(self.values.sum(axis=others))
        edges = tuple(self.edges[self.axes.index(axis)] for axis in axes)
        return NoisyMargin(axes, edges, sums, self.variance * (self.values.size // sums.size))


@dataclass(frozen=True)
class MeasuredPairs:
    """The noisy tables of all pairs, and their sums."""

    edges: tuple[Codes, ...]  # of the bins of each attribute
    tables: list[PairTable]  # of each pair
    one_way: list[list[NoisyHistogram]]  # of each attribute, a table of its bins if it is in a pair
    totals: list[NoisyMargin]  # of each table that was measured

    @classmethod
    def of(cls, shape: Sequence[int], margins: Sequence[NoisyMargin]) -> MeasuredPairs:
        """What these tables tell; an attribute has the same bins in all of them."""
        known = {axis: edges for margin in margins for axis, edges in zip(margin.axes, margin.edges, strict=True)}
        edges = tuple(known.get(axis, np.array([0, size])) for axis, size in enumerate(shape))
        tables = [_mean(margins, pair) for pair in pairs_of(shape)]
        return cls(
            edges,
            [
                PairTable(pair, table.values, table.variance)
                for pair, table in zip(pairs_of(shape), tables, strict=True)
            ],
            [
                [NoisyHistogram(edge, alone.values, alone.variance) for alone in _means(margins, axis)]
                for axis, edge in enumerate(edges)
            ],
            [margin.onto(()) for margin in margins],
        )

    def one_way_of(self, total: float) -> list[list[NoisyHistogram]]:
        """The tables of single attributes, shifted evenly to a total, because several may share its noise."""
        return [
            [replace(table, value=table.value + (total - table.value.sum()) / len(table.value)) for table in tables]
            for tables in self.one_way
        ]


def measure_pairs(
    account: Account,
    root: Partition,
    pricing: Pricing,
    *,
    spend: Fraction,
    density: Sequence[Floats],
    protect: Sequence[Sequence[int]],
) -> MeasuredPairs:
    """Measure all pairs of attributes, those inside protected sets first and with less noise."""
    pairs = pairs_of(account.shape)
    parts = _parts(pairs, protect)
    rows = sum(float(mass.sum()) for mass in density) / len(density)
    bins = [1] * len(density)
    for some, part in parts:
        for axis, number in bins_of(some, account.shape, rows / pricing.scale(spend * part / len(some))).items():
            bins[axis] = max(bins[axis], number)
    edges = tuple(
        spine_bins(mass, number, account.spine, axis)
        for axis, (mass, number) in enumerate(zip(density, bins, strict=True))
    )
    cover = [
        CoverTable(table.axes, part * table.part)
        for some, part in parts
        for table in cover_pairs(some, [len(edge) - 1 for edge in edges], gaussian=pricing.gaussian)
    ]
    margins = []
    for number, table in enumerate(cover):
        mechanism = pricing.noise(TOTAL_OF_PART, spend * table.part)
        question = BinnedMargin(table.axes, tuple(edges[axis] for axis in table.axes))
        noisy = (
            account.charge_query(f"pairs, {number + 1} of {len(cover)}", mechanism, root).measure(question)
            / account.bound
        )
        values, variance = noisy.reshape(question.sizes), pricing.variance(mechanism)
        margins.append(NoisyMargin(table.axes, question.edges, values, variance))
    return MeasuredPairs.of(account.shape, margins)


def _parts(pairs: Sequence[Pair], protect: Sequence[Sequence[int]]) -> list[tuple[list[Pair], Fraction]]:
    """Pairs inside protected sets and the others, each with its share of the budget of pair tables."""
    protected = [pair for pair in pairs if any(set(pair) <= set(axes) for axes in protect)]
    others = [pair for pair in pairs if pair not in protected]
    if not (protected and others):
        return [(list(pairs), Fraction(1))]
    return [(protected, PROTECTED), (others, 1 - PROTECTED)]


def _means(margins: Sequence[NoisyMargin], axis: int) -> list[NoisyMargin]:
    """The mean table of one attribute, if any margin has it."""
    return [_mean(margins, (axis,))] if any(axis in margin.axes for margin in margins) else []


def _mean(margins: Sequence[NoisyMargin], axes: tuple[int, ...]) -> NoisyMargin:
    """The mean of the margins' tables of some attributes, weighted by precision."""
    found = [margin.onto(axes) for margin in margins if set(axes) <= set(margin.axes)]
    precision = np.array([1 / margin.variance for margin in found])
    values: Floats = np.average([margin.values for margin in found], axis=0, weights=precision)
    return NoisyMargin(axes, found[0].edges, values, float(1 / precision.sum()))
