"""Kronecker union: several Kronecker products that share one matrix per axis, solved in closed form by least squares.

Each product measures some axes by their matrix A and adds up the others. With G = A'A and J all ones, the normal matrix
is M = sum over products of w (x) (G or J). Each axis has a basis V with V'GV = I and V'JV = diag(s, 0, ..., 0), where
s = 1'G^-1 1; in it M is diagonal, with one value for each set T of axes on which a basis vector is not the first:

    e(T) = sum over products that measure all of T: w times s of every axis that the product adds up.

With A = I this is the algebra of marginals (McKenna et al. 2018, section 6.3); one product alone is the Kronecker case.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Floats, Mask


@dataclass(frozen=True)
class KroneckerUnion:
    """The Gram matrices of a union of Kronecker products, one of which must measure all axes."""

    grams: tuple[Floats, ...]  # G of each axis, (size, size)
    measured: Mask  # (products, d): which axes a product measures; it adds up the others
    weight: Floats  # (products,) of its Gram matrix

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(gram) for gram in self.grams)

    @cached_property
    def bases(self) -> tuple[Floats, ...]:
        """V of each axis; its first column is G^-1 1 over the root of s."""
        return tuple(_basis(gram) for gram in self.grams)

    @cached_property
    def sums(self) -> Floats:
        """s of each axis: the variance of its whole."""
        return np.array([basis[:, 0].sum() ** 2 for basis in self.bases])

    @cached_property
    def eigenvalues(self) -> Floats:
        """e(T), shape (2,) * d: index 1 where an axis is in T."""
        found = np.zeros((2,) * len(self.grams))
        for measured, weight in zip(self.measured, self.weight.tolist(), strict=True):
            where = tuple(slice(None) if is_measured else 0 for is_measured in measured)
            found[where] += weight * math.prod(self.sums[~measured].tolist())
        return found

    def solve(self, seen: Sequence[Floats]) -> Floats:
        """The least-squares cells, given A'y of every product in the shape of the axes that it measures."""
        found = np.zeros(self.shape)
        for measured, table in zip(self.measured, seen, strict=True):
            axes = np.flatnonzero(measured).tolist()
            turned = along([self.bases[axis].T for axis in axes], table)
            factor = math.sqrt(math.prod(self.sums[~measured].tolist()))
            found[tuple(slice(None) if is_measured else 0 for is_measured in measured)] += factor * turned
        found /= self.eigenvalues[np.ix_(*((np.arange(size) > 0).astype(int) for size in self.shape))]
        return along(self.bases, found)

    def variance(self, lower: Floats, upper: Floats) -> Floats:
        """Variance of each box (n, d), for noise of variance 1 on every row; fractions of codes are interpolated."""
        parts = []
        for axis, basis in enumerate(self.bases):
            sums = np.vstack([np.zeros(len(basis)), basis.cumsum(axis=0)])
            inside = _between(sums, upper[:, axis]) - _between(sums, lower[:, axis])
            parts.append(_square_coordinates(inside))
        found = np.broadcast_to(1 / self.eigenvalues, (len(lower), *self.eigenvalues.shape))
        for part in parts:  # the axes of T go one by one
            found = np.einsum("nt...,nt->n...", found, part)
        return found

    def covariances(
        self, weights: Mapping[int, Floats], which: Mapping[int, Codes], one: Codes, other: Codes
    ) -> Floats:
        """Covariances of pairs of products of weights along the axes, for noise of variance 1 on every row.

        Args:
            weights: Of some axes, rows of weights (rows, size); other axes are added up.
            which: Of these axes, the row that each product takes, (products,).
            one: Number of a product, (n,).
            other: The product it is paired with, (n,).
        """
        found = np.broadcast_to(1 / self.eigenvalues, (len(one), *self.eigenvalues.shape))
        for axis, basis in enumerate(self.bases):
            if axis in weights:
                turned = weights[axis] @ basis
                a, b = turned[which[axis][one]], turned[which[axis][other]]
                part = np.stack([a[:, 0] * b[:, 0], (a[:, 1:] * b[:, 1:]).sum(axis=1)], axis=1)
            else:
                part = np.tile([self.sums[axis], 0.0], (len(one), 1))
            found = np.einsum("nt...,nt->n...", found, part)
        return found

    @cached_property
    def cell_variance(self) -> Floats:
        """Variance of every cell, in the shape of the domain."""
        return along([_square_coordinates(basis) for basis in self.bases], 1 / self.eigenvalues)


def along(matrices: Sequence[Floats], table: Floats) -> Floats:
    """A table multiplied by one matrix along each axis."""
    for axis, matrix in enumerate(matrices):
        table = np.moveaxis(np.tensordot(matrix, table, axes=(1, axis)), 0, axis)
    return table


def _between(sums: Floats, position: Floats) -> Floats:
    """Running sums at positions, interpolated linearly between codes."""
    code = np.minimum(position.astype(np.int64), len(sums) - 2)
    at: Floats = sums[code] + (position - code)[:, None] * (sums[code + 1] - sums[code])
    return at


def _square_coordinates(inside: Floats) -> Floats:
    """Squares of coordinates in a basis: of the first vector, and of the others together, (n, 2)."""
    return np.stack([inside[:, 0] ** 2, (inside[:, 1:] ** 2).sum(axis=1)], axis=1)


def _basis(gram: Floats) -> Floats:
    root = np.linalg.cholesky(gram)  # G = root root'
    first = np.linalg.solve(root, np.ones(len(gram)))
    turn, _ = np.linalg.qr(np.column_stack([first, np.eye(len(gram))[:, 1:]]))
    if (turn[:, 0] @ first) < 0:
        turn = -turn
    basis: Floats = np.linalg.solve(root.T, turn)
    return basis
