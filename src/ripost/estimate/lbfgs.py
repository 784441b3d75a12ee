"""L-BFGS-B of SciPy: minimize a smooth function of numbers that may have a lower bound."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ripost.arrays import Floats

Smooth = Callable[[Floats], tuple[float, Floats]]  # point -> value and gradient, of the same shape

CLOSE = 1e-9  # decrease of a step, as a share of the first value, below which the search ends


def minimize(function: Smooth, start: Floats, *, steps: int, lower: float | None = 0.0) -> tuple[float, Floats]:
    """Return the least value found from a starting point, and where it is; no number is below `lower`, if given."""
    from scipy.optimize import minimize as search  # loads slowly

    first, _ = function(start)
    unit = abs(first) or 1.0  # SciPy stops at absolute differences where values are small

    def evaluate(point: Floats) -> tuple[float, Floats]:
        value, gradient = function(point.reshape(start.shape))
        return value / unit, gradient.ravel() / unit

    options = {"maxiter": steps, "ftol": CLOSE, "gtol": CLOSE}
    bounds = None if lower is None else [(lower, None)] * start.size
    found = search(evaluate, start.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return unit * float(found.fun), np.asarray(found.x, np.float64).reshape(start.shape)
