"""Quasi-Newton: the least value of a smooth function of numbers that may not be negative, near a starting point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Smooth = Callable[[Floats], tuple[float, Floats]]  # point -> value and gradient, of the same shape

MEMORY = 10  # steps that tell of the curvature
HALVINGS = 40
ENOUGH = 1e-4  # of the decrease that the slope promises
CLOSE = 1e-7  # relative decrease over PATIENCE steps below which it ends
PATIENCE = 5


def minimise(function: Smooth, start: Floats, *, steps: int) -> tuple[float, Floats]:
    """The least value found and its point: L-BFGS on the square roots, so that no sign needs watching."""
    shape = start.shape

    def of_root(root: Floats) -> tuple[float, Floats]:
        value, gradient = function((root * root).reshape(shape))
        return value, 2 * root * gradient.ravel()

    root = np.sqrt(start).ravel()
    value, slope = of_root(root)
    moves: list[tuple[Floats, Floats]] = []
    values = [value]
    for _ in range(steps):
        direction = _direction(slope, moves)
        if direction @ slope >= 0:
            moves, direction = [], -slope
        found = _step(of_root, root, value, slope, direction)
        if found is None:
            if not moves:
                break
            moves = []
            continue
        new_root, new_value, new_slope = found
        moved, bent = new_root - root, new_slope - slope
        if moved @ bent > 1e-12 * np.sqrt((moved @ moved) * (bent @ bent)):
            moves = [*moves[1 - MEMORY :], (moved, bent)]
        root, value, slope = new_root, new_value, new_slope
        values.append(value)
        if len(values) > PATIENCE and values[-1 - PATIENCE] - value <= CLOSE * abs(value):
            break
    return value, (root * root).reshape(shape)


def _direction(slope: Floats, moves: list[tuple[Floats, Floats]]) -> Floats:
    """Minus the inverse curvature, as the last moves tell it, times the slope (Nocedal 1980)."""
    ahead = -slope
    shares = []
    for moved, bent in reversed(moves):
        share = (moved @ ahead) / (moved @ bent)
        ahead = ahead - share * bent
        shares.append(share)
    if moves:
        moved, bent = moves[-1]
        ahead = ahead * (moved @ bent) / (bent @ bent)
    for (moved, bent), share in zip(moves, reversed(shares), strict=True):
        ahead = ahead + (share - (bent @ ahead) / (moved @ bent)) * moved
    return ahead


def _step(
    function: Smooth, root: Floats, value: float, slope: Floats, direction: Floats
) -> tuple[Floats, float, Floats] | None:
    """The first of ever shorter steps along a direction that gains enough, or None."""
    promised = float(direction @ slope)
    size = min(1.0, 1.0 / max(float(np.abs(direction).max(initial=0.0)), 1e-300))
    for _ in range(HALVINGS):
        point = root + size * direction
        new_value, new_slope = function(point)
        if new_value <= value + ENOUGH * size * promised and np.isfinite(new_value):
            return point, new_value, new_slope
        size /= 2
    return None
