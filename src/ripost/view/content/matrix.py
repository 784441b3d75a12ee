"""Matrix: cells estimated by least squares from noisy products with a public matrix (estimate/stack.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.estimate.least_squares import Floats
from ripost.estimate.stack import Stack
from ripost.view import nodes
from ripost.view.answer import Answer
from ripost.view.content.cells import CellsContent
from ripost.view.content.content import LARGEST, Selection


class MatrixContent(CellsContent):
    """Every cell, with the noise of all measurements together."""

    kind = "matrix"

    def __init__(self, shape: Sequence[int], *, values: ArrayLike, stack: Stack, variance: float) -> None:
        super().__init__(shape, values)
        self.stack = stack
        self.variance = variance  # of the noise of one measured row
        _check(stack, self.shape)

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        return self.stack.variance(lower, upper) * self.variance

    def selection(self, selection: Selection) -> Answer:
        weights = self._weights(selection)
        return Answer.of(self._total(weights), noise=self.stack.variance_of(weights) * self.variance, model=0.0)

    @cached_property
    def cell_variance(self) -> Floats:  # type: ignore[override]
        return self.stack.cell_variance.ravel() * self.variance

    def columns(self) -> dict[str, NDArray[Any]]:
        return {"value": self.values, "variance": self.cell_variance}

    def facts(self) -> dict[str, Any]:
        products = zip(self.stack.measured, self.stack.weight.tolist(), strict=True)
        return {
            "kind": self.kind,
            "marginals": None,
            "tree": None,
            "matrix": {
                "variance": self.variance,
                "grams": [nodes.pack_floats(gram) for gram in self.stack.grams],
                "products": [
                    {"axes": np.flatnonzero(measured).tolist(), "weight": weight} for measured, weight in products
                ],
            },
        }


def _check(stack: Stack, shape: tuple[int, ...]) -> None:
    """ValueError unless the stack measures every cell of the domain."""
    for gram, size in zip(stack.grams, shape, strict=True):
        if gram.shape != (size, size) or not (abs(gram) <= LARGEST).all() or (gram != gram.T).any():
            raise ValueError("a Gram matrix must be square, symmetric and finite")
        if np.linalg.eigvalsh(gram).min() <= 0:
            raise ValueError("a Gram matrix must tell all codes apart")
    if not stack.measured.all(axis=1).any() or not ((stack.weight > 0) & (stack.weight <= LARGEST)).all():
        raise ValueError("one product must measure all dimensions, and all must have a weight above 0")
