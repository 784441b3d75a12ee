"""Matrix: cells estimated by least squares from noisy products with a public matrix.

The matrix is a stack of Kronecker products, one factor an axis, known by the Gram matrices of its factors. With M the
sum over the stack of the products of Gram matrices, a question q has the variance q^T M^-1 q times that of one
measured row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.estimate.least_squares import Floats
from ripost.view import nodes
from ripost.view.answer import Answer
from ripost.view.content.cells import CellsContent, box_weights
from ripost.view.content.content import LARGEST, Selection, fixed

MOST_STEPS = 300  # of the conjugate gradients
CLOSE = 1e-9  # of what is left to solve
ROUNDING = 1e-9  # below this share a part of a question counts as nothing

Grams = tuple[tuple[Floats, ...], ...]  # (terms, axes) of (size, size)


class MatrixContent(CellsContent):
    """Every cell with the error of a least-squares solution."""

    kind = "matrix"

    def __init__(self, shape: Sequence[int], *, values: ArrayLike, grams: Grams, variance: float) -> None:
        super().__init__(shape, values)
        self.grams = tuple(tuple(fixed(gram) for gram in term) for term in grams)
        self.variance = variance  # of the noise of one measured row
        if not self.grams or any(tuple(map(len, term)) != self.shape for term in self.grams):
            raise ValueError("every term needs a Gram matrix for each axis")
        for gram in (gram for term in self.grams for gram in term):
            if gram.shape != (len(gram),) * 2 or not (abs(gram) <= LARGEST).all() or (gram != gram.T).any():
                raise ValueError("a Gram matrix must be square, symmetric and finite")

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        boxes = zip(lower, upper, strict=True)
        return np.array([self._variance(box_weights(*box, self.shape)) for box in boxes])

    def selection(self, selection: Selection) -> Answer:
        weights = self._weights(selection)
        return Answer.of(self._total(weights), noise=self._variance(weights), model=0.0)

    def _variance(self, weights: Sequence[Floats]) -> float:
        """The variance of one product of weights along the axes."""
        if not all(weight.any() for weight in weights):
            return 0.0
        if len(self.grams) == 1:
            return self._of_term(0, weights)
        if self._is_marginal:
            return self._of_marginals(weights)
        return self._by_solving(weights)

    @cached_property
    def _inverses(self) -> list[list[Floats]]:
        return [[fixed(np.linalg.pinv(gram, hermitian=True)) for gram in term] for term in self.grams]

    def _of_term(self, term: int, weights: Sequence[Floats]) -> float:
        """As if only this term had been measured: an upper figure if there are others."""
        found = self.variance
        for gram, inverse, weight in zip(self.grams[term], self._inverses[term], weights, strict=True):
            solved = inverse @ weight
            if np.abs(gram @ solved - weight).max() > ROUNDING * np.abs(weight).max():
                return math.inf
            found *= float(weight @ solved)
        return found

    @cached_property
    def _is_marginal(self) -> bool:
        """Whether every factor tells all codes of an axis apart, or none."""
        return all(_is_diagonal(gram) or _is_even(gram) for term in self.grams for gram in term)

    def _of_marginals(self, weights: Sequence[Floats]) -> float:
        """Marginals have common eigenvectors: along each axis what is alike for all codes, and what is not.

        A question's squared length in each of the 2^d spaces over the eigenvalue there, added up.
        """
        parts = [(weight.sum() ** 2 / len(weight), weight) for weight in weights]
        lengths = [(even, max(0.0, float(weight @ weight) - even)) for even, weight in parts]
        whole = math.prod(sum(length) for length in lengths)
        found = 0.0
        for space, eigenvalue in self._eigenvalues():
            length = math.prod(lengths[axis][side] for axis, side in enumerate(space))
            if length <= ROUNDING * whole:
                continue
            if eigenvalue <= 0:
                return math.inf
            found += length / eigenvalue
        return found * self.variance

    def _eigenvalues(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """The spaces, by axis 0 for what is alike and 1 for what is not, and the eigenvalue of each."""
        for space in product((0, 1), repeat=len(self.shape)):
            terms = [
                math.prod(_eigenvalue(gram, side) for gram, side in zip(term, space, strict=True))
                for term in self.grams
            ]
            yield space, sum(terms)

    def _by_solving(self, weights: Sequence[Floats]) -> float:
        """Conjugate gradients on all cells, helped by the inverse of a term; an upper figure if they do not settle."""
        question = np.ones(())
        for weight in weights:
            question = question[..., None] * weight
        above = [self._of_term(term, weights) for term in range(len(self.grams))]
        helper = self._inverses[int(np.argmin(above))] if math.isfinite(min(above)) else None
        solved, left = np.zeros(self.shape), question
        eased = left if helper is None else _times(helper, left)
        direction, gain = eased, float((left * eased).sum())
        start = gain
        for _ in range(MOST_STEPS):
            if gain <= CLOSE**2 * start:
                return float((question * solved).sum()) * self.variance
            moved = sum((_times(term, direction) for term in self.grams), np.zeros(self.shape))
            step = gain / float((direction * moved).sum())
            solved = solved + step * direction
            left = left - step * moved
            eased = left if helper is None else _times(helper, left)
            gain, before = float((left * eased).sum()), gain
            direction = eased + gain / before * direction
        return min(above)

    @cached_property
    def cell_variance(self) -> Floats:  # type: ignore[override]
        """The variance of every cell; with several terms that are no marginals, an upper figure for it."""
        cells = math.prod(self.shape)
        if self._is_marginal and len(self.grams) > 1:
            weights = [np.eye(1, size)[0] for size in self.shape]  # all cells are alike
            return np.full(cells, min(self._of_marginals(weights), LARGEST))
        found = np.full(cells, LARGEST)
        for term, inverses in zip(self.grams, self._inverses, strict=True):
            if all(np.linalg.matrix_rank(gram, hermitian=True) == len(gram) for gram in term):
                own = np.full((), self.variance)
                for inverse in inverses:
                    own = own[..., None] * inverse.diagonal()
                found = np.minimum(found, own.ravel())
        return found

    def columns(self) -> dict[str, NDArray[Any]]:
        return {"value": self.values, "variance": self.cell_variance}

    def facts(self) -> dict[str, Any]:
        grams = [[nodes.pack_floats(gram) for gram in term] for term in self.grams]
        return {
            "kind": self.kind,
            "marginals": None,
            "tree": None,
            "matrix": {"variance": self.variance, "grams": grams},
        }


def _times(factors: Sequence[Floats], cells: Floats) -> Floats:
    """A Kronecker product of square factors times cells."""
    for axis, factor in enumerate(factors):
        cells = np.moveaxis(np.tensordot(factor, cells, (1, axis)), 0, axis)
    return cells


def _is_diagonal(gram: Floats) -> bool:
    return bool((gram == gram[0, 0] * np.eye(len(gram))).all())


def _is_even(gram: Floats) -> bool:
    return bool((gram == gram[0, 0]).all())


def _eigenvalue(gram: Floats, side: int) -> float:
    """Of a multiple of the identity, or of the matrix of ones, for what is alike (0) or not (1)."""
    if _is_diagonal(gram):
        return float(gram[0, 0])
    return 0.0 if side else float(gram[0, 0]) * len(gram)
