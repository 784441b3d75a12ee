"""Signed sums of cells: exact sums by a public union of Kronecker products of whole numbers of either sign.

Parameters in which the squares of the weights of a cell add up to more than the square of LENGTH_OF_WEIGHTS are refused
before a count is read.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.errors import PrivacyError
from ripost.peers.hdmm.statistics import MOST, Product, Products
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Margin
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import LENGTH, Statistic
from ripost.statistics.totals import part_totals

LENGTH_OF_WEIGHTS = 2**26  # the largest root of the sum of squares of the weights of one cell over all sums
EXACT_SUM = 2**53  # floats represent every whole number up to this
LARGEST_SUM = 2**62  # sums beyond this, of either sign, are capped


def signed_sum_steps(blocks: Blocks, parameters: Products) -> Steps:
    """Compute the sums of every block: those of the first product in row-major order, then of the next."""
    if not sum(_most_squares(term, blocks) for term in parameters.terms) <= LENGTH_OF_WEIGHTS**2:
        raise PrivacyError(f"the squares of the weights of a cell add up to more than {LENGTH_OF_WEIGHTS} squared")
    found = [np.zeros((len(blocks), 0), np.int64)]
    for term in parameters.terms:
        sizes = tuple(factor.shape[1] for factor in term.factors)
        table = yield partial(part_totals, parameters=Margin(term.axes, sizes))
        rows = math.prod(factor.shape[0] for factor in term.factors)
        found.append(_apply(table.reshape(len(blocks), *sizes), term).reshape(len(blocks), rows))
    return np.concatenate(found, axis=1).ravel()


def _most_squares(term: Product, blocks: Blocks) -> int:
    """The most that the squares of a cell's weights in one product add up to; PrivacyError if it is no product."""
    if len(set(term.axes)) != len(term.axes) or len(term.axes) != len(term.factors):
        raise PrivacyError("a product needs one matrix for each of its axes")
    most, size = _column_squares(np.array([[term.weight]])), len(blocks)
    for axis, factor in zip(term.axes, term.factors, strict=True):
        known = range(blocks.lower.shape[1])
        if axis not in known or factor.ndim != 2 or blocks.upper[:, axis].max(initial=0) > factor.shape[1]:
            raise PrivacyError("a product needs matrices with a column for each code of their axes")
        most *= _column_squares(factor)
        size *= max(factor.shape)
    if size > MOST:
        raise PrivacyError(f"a product of {size} cells is too large")
    return most


def _column_squares(factor: Codes) -> int:
    """The largest sum of squares of a column of whole numbers of moderate size, not all of them 0."""
    within = (factor >= -LENGTH_OF_WEIGHTS) & (factor <= LENGTH_OF_WEIGHTS)
    if factor.dtype != np.int64 or not within.all() or not factor.any():
        raise PrivacyError(f"weights are whole numbers up to {LENGTH_OF_WEIGHTS}, and not all of them 0")
    squares: list[int] = [sum(weight * weight for weight in column) for column in factor.T.tolist()]
    return max(squares)


def _apply(table: Ints, term: Product) -> Ints:
    """The product applied to every block's table: by floats where no sum can round, else by Python integers."""
    total = int(table.sum())
    kind: Any = np.float64 if total * LENGTH_OF_WEIGHTS <= EXACT_SUM else object
    found = table.astype(kind)
    for axis, factor in enumerate(term.factors, start=1):
        found = np.moveaxis(np.tensordot(factor.astype(kind), found, axes=(1, axis)), 0, axis)
    sums: Ints = np.clip(found * term.weight, -LARGEST_SUM, LARGEST_SUM).astype(np.int64)
    return sums


SIGNED_SUM = Statistic(
    "signed sum",
    signed_sum_steps,
    Path(__file__).with_name("signed_sum.md"),
    per_count=LENGTH_OF_WEIGHTS,
    norm=LENGTH,
    is_measurement=True,
)
