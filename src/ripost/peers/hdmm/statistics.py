"""Weighted sums of cells: exact sums by a public union of Kronecker products of whole numbers.

Parameters in which the weights of a cell add up to more than WEIGHT are refused before a count is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Margin, QueryParameters
from ripost.statistics.exact_sums import sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import Statistic

WEIGHT = 2**20  # the largest sum of the weights of one cell over all sums
EXACT = 2**53  # floats represent every whole number up to this
LARGEST = 2**62  # larger sums are capped
MOST = 2**31  # entries of the table that a product is applied to


@dataclass(frozen=True, slots=True)
class Product:
    """Weighted sums of cells: the Kronecker product of one integer matrix per axis, times an integer.

    Axes that are not named are summed out.
    """

    axes: tuple[int, ...]
    factors: tuple[Codes, ...]  # of these axes, (rows, size), none negative
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Products(QueryParameters):
    """A union of products. The statistic is all their weighted sums of a block."""

    terms: tuple[Product, ...]


def weighted_sum_steps(blocks: Blocks, parameters: Products) -> Steps:
    """Compute the sums of every block: those of the first product in row-major order, then of the next."""
    if not sum(_most(term, blocks) for term in parameters.terms) <= WEIGHT:
        raise PrivacyError(f"the weights of a cell add up to more than {WEIGHT}")
    found = [np.zeros((len(blocks), 0), np.int64)]
    for term in parameters.terms:
        sizes = tuple(factor.shape[1] for factor in term.factors)
        rows = math.prod(len(factor) for factor in term.factors)
        table = yield partial(_margin_totals, margin=Margin(term.axes, sizes))
        found.append(_product(table.reshape(-1, *sizes), term).reshape(len(blocks), rows))
    return np.concatenate(found, axis=1).ravel()


def _margin_totals(layout: Layout, margin: Margin) -> Ints:
    slot = layout.owner * len(margin) + margin.part(layout.coords)
    return sums_at(slot, layout.counts, len(layout.blocks) * len(margin))


def _most(term: Product, blocks: Blocks) -> int:
    """The most that a cell's weights in one product add up to; PrivacyError if it is no product."""
    if len(set(term.axes)) != len(term.axes) or len(term.axes) != len(term.factors):
        raise PrivacyError("a product needs one matrix for each of its axes")
    most, size = _whole(np.array([[term.weight]])), len(blocks)
    for axis, factor in zip(term.axes, term.factors, strict=True):
        known = range(blocks.lower.shape[1])
        if axis not in known or factor.ndim != 2 or blocks.upper[:, axis].max(initial=0) > factor.shape[1]:
            raise PrivacyError("a product needs matrices with a column for each code of their axes")
        most *= _whole(factor)
        size *= factor.shape[1]
    if size > MOST:
        raise PrivacyError(f"a product of {size} cells is too large")
    return most


def _whole(factor: Codes) -> int:
    """The largest sum of a column of whole numbers from 0 to WEIGHT, not all of them 0."""
    if factor.dtype != np.int64 or not ((factor >= 0) & (factor <= WEIGHT)).all() or not factor.any():
        raise PrivacyError(f"weights are whole numbers from 0 to {WEIGHT}, and not all of them 0")
    return int(factor.sum(axis=0).max())


def _product(table: Ints, term: Product) -> Ints:
    """The product applied to every block's table.

    Floats are fast, and exact while no sum exceeds EXACT. Larger counts are split into digits of few enough bits that
    the sums of each digit are exact, and the sums are combined from the highest digit.
    """
    fits = int(table.sum()) * WEIGHT <= EXACT
    bits = 63 if fits else (EXACT // WEIGHT).bit_length() - 1 - table.size.bit_length()
    found = 0
    for shift in reversed(range(0, 63, bits)):
        digit = ((table >> shift) & (2**bits - 1)).astype(np.float64)
        for axis, factor in enumerate(term.factors, start=1):
            digit = np.moveaxis(np.tensordot(factor.astype(np.float64), digit, axes=(1, axis)), 0, axis)
        sums = (digit * term.weight).astype(np.int64)
        found = np.minimum((np.minimum(found, LARGEST >> bits) << bits) + sums, LARGEST)
    return np.asarray(found)


WEIGHTED_SUM = Statistic(
    "weighted sum",
    weighted_sum_steps,
    Path(__file__).with_name("weighted_sum.md"),
    per_count=WEIGHT,
    is_measurement=True,
)
