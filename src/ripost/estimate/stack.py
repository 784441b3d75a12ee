"""Stack: several Kronecker products measured together that share one matrix an axis, solved in closed form.

Each product measures some axes by their matrix A and adds up the others. With G = A'A and J all ones, the normal matrix
is M = sum over products of w (x) (G or J). Each axis has a basis V with V'GV = I and V'JV = diag(s, 0, ..., 0), where
s = 1'G^-1 1; in it M is diagonal, with one value for each set T of axes on which a basis vector is not the first:

    e(T) = sum over products that measure all of T: w times s of every axis that the product adds up.

With A = I this is the algebra of marginals (McKenna et al. 2018, section 6.3); one product alone is the Kronecker case.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from ripost.estimate.asked import Asked
from ripost.space.blocks import Codes

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Stack:
    """The Gram matrices of a stack of products. One product must measure all axes, so that every cell is known."""

    grams: tuple[Floats, ...]  # G of each axis, (size, size)
    measured: Mask  # (products, d): which axes a product measures; it adds up the others
    weight: Floats  # (products,) of its Gram matrix

    @classmethod
    def of(cls, grams: Sequence[Sequence[Floats]]) -> Stack | None:
        """The stack with these Gram matrices, (terms, axes), if they are such a stack."""
        shared, weight = list(grams[0]), np.ones(len(grams))
        measured = np.zeros((len(grams), len(shared)), bool)
        for axis, column in enumerate(zip(*grams, strict=True)):
            apart = [bool((gram != gram.flat[0]).any()) for gram in column]
            known = next((gram for gram, is_apart in zip(column, apart, strict=True) if is_apart), column[0])
            unit = known.flat[0] if known.size > 1 else 1.0
            shared[axis] = known / unit if any(apart) else np.ones_like(known)
            for term, (gram, is_apart) in enumerate(zip(column, apart, strict=True)):
                factor = gram.flat[0] / (shared[axis].flat[0] if is_apart else 1.0)
                if is_apart and not np.allclose(gram, factor * shared[axis], rtol=1e-9, atol=0):
                    return None
                measured[term, axis] = is_apart or gram.size == 1
                weight[term] *= factor
        return cls(tuple(shared), measured, weight) if measured.all(axis=1).any() else None

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

    def error(self, asked: Asked) -> float:
        """Mean variance of the questions, for noise of variance 1 on every row."""
        if len(self.weight) == 1:
            parts = [_parts(basis, gram) for basis, gram in zip(self.bases, asked.ranges, strict=True)]
            return asked.product_error(np.array([sum(part) for part in parts]), self.sums) / float(self.weight[0])
        return float((self.spectrum(asked) / self.eigenvalues).sum())

    def spectrum(self, asked: Asked) -> Floats:
        """What the questions have in each T, in the shape of `eigenvalues`: their mean variance is its sum over e."""
        ranged = [np.array(_parts(basis, gram)) for basis, gram in zip(self.bases, asked.ranges, strict=True)]
        whole = [np.array([s, 0.0]) for s in self.sums]
        found = np.zeros((2,) * len(self.grams))
        for bounded, share in zip(asked.bounded, asked.share.tolist(), strict=True):
            found += share * _outer([r if b else w for r, w, b in zip(ranged, whole, bounded, strict=True)])
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

    def variance(self, lower: Codes, upper: Codes) -> Floats:
        """Variance of each box (n, d), for noise of variance 1 on every row."""
        running = [np.vstack([np.zeros(len(basis)), basis.cumsum(axis=0)]) for basis in self.bases]
        parts = []
        for axis, sums in enumerate(running):
            inside = (sums[upper[:, axis]] - sums[lower[:, axis]]) ** 2
            parts.append(np.stack([inside[:, 0], inside[:, 1:].sum(axis=1)], axis=1))
        found = np.broadcast_to(1 / self.eigenvalues, (len(lower), *self.eigenvalues.shape))
        for part in parts:  # the axes of T go one by one
            found = np.einsum("nt...,nt->n...", found, part)
        return found


def along(matrices: Sequence[Floats], table: Floats) -> Floats:
    """A table multiplied by one matrix along each axis."""
    for axis, matrix in enumerate(matrices):
        table = np.moveaxis(np.tensordot(matrix, table, axes=(1, axis)), 0, axis)
    return table


def _basis(gram: Floats) -> Floats:
    root = np.linalg.cholesky(gram)  # G = root root'
    first = np.linalg.solve(root, np.ones(len(gram)))
    turn, _ = np.linalg.qr(np.column_stack([first, np.eye(len(gram))[:, 1:]]))
    if (turn[:, 0] @ first) < 0:
        turn = -turn
    basis: Floats = np.linalg.solve(root.T, turn)
    return basis


def _parts(basis: Floats, gram: Floats) -> tuple[float, float]:
    """Variance of a workload of one axis, by the first vector of the basis and by the others."""
    by_vector = (basis * (gram @ basis)).sum(axis=0)
    return float(by_vector[0]), float(by_vector[1:].sum())


def _outer(pairs: Sequence[Floats]) -> Floats:
    return reduce(np.multiply.outer, pairs)
