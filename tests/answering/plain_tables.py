"""Tables by dense matrices over all cells: the slow twin of answering/content/tables.py."""

from __future__ import annotations

import math

import numpy as np

from ripost.answering.content.tables import TableContent
from tests.answering.making import Array


def row_shares(content: TableContent, weights: Array) -> Array:
    """The share of each row's box that lies in a question, by the densities of the axes that its part lacks."""
    shares = []
    for part in content.union.parts:
        free = tuple(axis for axis in range(len(content.shape)) if axis not in part)
        mass = weights.reshape(content.shape)
        for axis in free:
            mass = mass * content.density[axis].reshape([-1 if a == axis else 1 for a in range(len(content.shape))])
        shares.append(mass.sum(axis=free).ravel())
    return np.concatenate(shares)


def table_variance(content: TableContent, weights: Array) -> float:
    """By one dense matrix of all that was measured; NaN if it does not determine the answer."""
    union, normal = content.union, np.zeros((weights.size, weights.size))
    for table, weight in zip(union.tables, union.weight.tolist(), strict=True):
        product = np.full((1, 1), weight)
        for axis, gram in enumerate(union.grams):
            product = np.kron(product, gram if axis in table else np.ones_like(gram))
        normal += product
    solved = np.linalg.pinv(normal, hermitian=True, rcond=1e-9) @ weights
    if abs(normal @ solved - weights).max() > 1e-6:
        return math.nan
    return float(weights @ solved) * content.variance
