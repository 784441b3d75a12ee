"""Shared by methods that measure marginals and publish synthetic rows of a graphical model."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.errors import InputError
from ripost.methods.method import Sample
from ripost.peers.graphical_model import MarginalMeasurement, Network
from ripost.peers.junction_tree import Axes
from ripost.peers.noisy_tables import draw_table
from ripost.peers.synthetic_rows import count_rows, number_of_rows
from ripost.privacy.account import Account
from ripost.schema.domain import format_count
from ripost.space.query_parameters import Margin
from ripost.space.workload import Workload

MOST_CELLS = 2**20  # of all candidate marginals
MOST_AXES = 40
MOST_ROWS = 2**20  # beyond, each synthetic row stands for several
LEAST_DEVIATIONS = 3  # codes with a noisy count below this many standard deviations share a bin


@dataclass(frozen=True)
class AttributeCodes:
    """The axes with more than one code, and the bin of each of their codes."""

    axes: Axes  # of the domain
    sizes: tuple[int, ...]  # of these axes
    bins: tuple[Ints, ...]  # (size,): 0 up to the number of bins

    @classmethod
    def of(cls, shape: Sequence[int]) -> AttributeCodes:
        axes = tuple(axis for axis, size in enumerate(shape) if size > 1) or (0,)
        sizes = tuple(shape[axis] for axis in axes)
        return cls(axes, sizes, tuple(np.arange(size) for size in sizes))

    @property
    def binned(self) -> tuple[int, ...]:
        """Number of bins of each axis."""
        return tuple(int(bins.max()) + 1 for bins in self.bins)

    def margin(self, which: Axes) -> Margin:
        """The marginal of some of these axes, by bins."""
        sizes = tuple(self.sizes[i] for i in which)
        binned = tuple(self.binned[i] for i in which)
        group = np.zeros(1, np.int64)
        for i, number in zip(which, binned, strict=True):
            group = (group[:, None] * number + self.bins[i]).ravel()
        alike = (group == np.arange(len(group))).all()
        return Margin(tuple(self.axes[i] for i in which), sizes, None if alike else group, math.prod(binned))

    def draw_codes(self, rows: Ints, uniforms: Floats) -> Ints:
        """Draw a code for each bin of each row, uniformly among the codes of the bin; uniforms are (axes, rows)."""
        codes = np.empty_like(rows)
        for i, bins in enumerate(self.bins):
            order, count = np.argsort(bins, kind="stable"), np.bincount(bins)
            first = np.cumsum(count) - count
            inside = np.minimum((uniforms[i] * count[rows[:, i]]).astype(np.int64), count[rows[:, i]] - 1)
            codes[:, i] = order[first[rows[:, i]] + inside]
        return codes


def pairs(number: int) -> list[Axes]:
    return list(itertools.combinations(range(number), 2))


def check_size(name: str, sizes: Sequence[int], candidates: Sequence[Axes]) -> None:
    """InputError if there are too many cells or attributes."""
    cells = sum(math.prod(sizes[i] for i in axes) for axes in candidates)
    if cells > MOST_CELLS:
        raise InputError(
            f"{name} needs marginals of {format_count(cells)} cells and stops at {MOST_CELLS:,}; choose another method"
        )
    check_attributes(name, sizes)


def check_attributes(name: str, sizes: Sequence[int]) -> None:
    """InputError if there are too many attributes."""
    if len(sizes) > MOST_AXES:
        raise InputError(f"{name} needs {len(sizes)} attributes and stops at {MOST_AXES}; choose another method")


def count_requests(codes: AttributeCodes, workload: Workload | None, degree: int) -> dict[Axes, float]:
    """The marginals of a workload with their numbers of boxes; without one, all marginals of `degree` axes once.

    A box that bounds more axes counts for all its parts of that degree.
    """
    number = len(codes.axes)
    if workload is None:
        return dict.fromkeys(itertools.combinations(range(number), min(degree, number)), 1.0)
    whole = np.array([[0, size] for size in codes.sizes])
    lower, upper = (np.asarray(side)[:, list(codes.axes)] for side in (workload.lower, workload.upper))
    bounded = (lower > whole[:, 0]) | (upper < whole[:, 1])
    wanted: dict[Axes, float] = {}
    for some, times in zip(*np.unique(bounded, axis=0, return_counts=True), strict=True):
        axes = np.flatnonzero(some).tolist()
        for part in itertools.combinations(axes, min(degree, len(axes))):
            wanted[part] = wanted.get(part, 0.0) + float(times)
    return {axes: times for axes, times in wanted.items() if axes}


def merge_rare_codes(
    codes: AttributeCodes, alone: list[MarginalMeasurement]
) -> tuple[AttributeCodes, list[MarginalMeasurement]]:
    """Merge the codes whose noisy counts may be mere noise into one bin, the last."""
    bins, kept = [], []
    for one in alone:
        many = one.values >= LEAST_DEVIATIONS * one.precision**-0.5
        rank = np.cumsum(many) - 1
        place = np.where(many, rank, many.sum())
        bins.append(place)
        values, spread = (np.bincount(place, part).astype(np.float64) for part in (one.values, 1 / one.precision))
        kept.append(MarginalMeasurement(one.axes, values, 1 / spread))
    return replace(codes, bins=tuple(bins)), kept


def measure(account: Account, codes: AttributeCodes, which: Axes, rho: Fraction, purpose: str) -> MarginalMeasurement:
    """A noisy marginal."""
    noisy, variance = draw_table(account, purpose, codes.margin(which), rho)
    shape = tuple(codes.binned[i] for i in which)
    precision = np.full(shape, 1 / max(variance, 1e-200))
    return MarginalMeasurement(which, noisy.astype(np.float64).reshape(shape), precision)


def synthesize(account: Account, codes: AttributeCodes, model: Network, total: float) -> Sample:
    """Synthetic rows of a model, as many as its estimated total."""
    number, weight = number_of_rows(total, MOST_ROWS)
    uniforms = account.noise.uniforms(3 * len(codes.axes) * number).reshape(3, len(codes.axes), number)
    rows = model.draw_rows(number, uniforms[:2].swapaxes(0, 1))
    coords = np.zeros((number, len(account.shape)), np.int64)
    coords[:, codes.axes] = codes.draw_codes(rows, uniforms[2])
    return count_rows(coords, weight)
