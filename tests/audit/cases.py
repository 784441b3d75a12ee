"""Which methods, shapes and options the exact audit enumerates, and how it is run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ripost.methods import METHODS, dense_plan, histograms
from ripost.methods.histograms import FEW_ROWS, FEW_ROWS_OF_A_CODE
from ripost.methods.root_measurement import ENOUGH_TO_CHOOSE, FEW, PLANNING, WORTH_CHOOSING

from .enumeration import TOLERANCE, Audit, audit
from .family import Family

SMALL = [(2,), (3,), (4,), (2, 2), (2, 1, 2)]

LARGE = [(5,), (6,), (2, 3), (3, 1, 2)]

EPSILONS = ["0.1", "1", "3"]

OPTIONS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "tight": {"tight": True},
    "reuse_unspent": {"reuse_unspent": True},
    "test_every": {"test_every": 2},
    "refine": {"refine": True},
    "theta": {"theta_1": 3, "theta_2": 3, "k": 1},
    "other shares": {"alpha": 0.9, "gamma": 0.4, "beta": 0.6, "k": 2, "tight": True},
    "all": {"tight": True, "reuse_unspent": True, "test_every": 2, "refine": True, "theta_1": 1, "theta_2": 2},
}


def run(name: str, family: Family, epsilon: str, *, grid: bool = False, **options: Any) -> Audit:
    """The audit of a method, sound or not; all outputs were seen, as their probabilities add up to 1."""
    method = METHODS[name](**options)

    def cutpoints(purpose: str) -> Sequence[int]:
        if "planning" in purpose:
            return branches(family, epsilon)
        return [options.get("theta_1", 0)] if "test" in purpose else []

    result = audit(method, family, Fraction(epsilon), cutpoints=cutpoints, grid=grid)
    if not grid:  # a grid leaves out the far tails
        np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


def branches(family: Family, epsilon: str) -> list[int]:
    """Totals that lead ripost+ to another look, to one block, to other histograms, to more depths, or to axes."""
    few = FEW * len(family.shape)
    clear = [few + margin for _, margin in PLANNING]
    codes = [fewer * max(family.shape) for fewer in FEW_ROWS_OF_A_CODE]
    demand = histograms.histogram_demand(family.shape, gaussian=False)
    codes += [math.ceil(fewer * demand) for fewer in FEW_ROWS if len(family.shape) >= histograms.WIDE]
    cells = math.prod(family.shape)
    codes += [plan.rows * cells for plan in dense_plan.DENSE if cells <= plan.cells and len(family.shape) > 2][:1]
    records = [few - 1, clear[1] - 1, clear[0] - 1, *(number - 1 for number in codes), WORTH_CHOOSING // 2]
    last = 2 * ENOUGH_TO_CHOOSE - 1 if len(family.shape) > 2 else round(2 * WORTH_CHOOSING / Fraction(epsilon))
    return sorted({*(round(number / Fraction(epsilon)) for number in records), last})


PLUS: dict[str, dict[str, Any]] = {
    "plus": {},
    "plus, depths": {"depths": 2, "marginals": 0.5},
    "plus, plain": dict.fromkeys(("choose_axes", "widest", "weigh_axes", "adapt", "shrink", "joint", "refit"), False),
}

PLUS_SHAPES = [Family(shape) for shape in SMALL] + [Family((2, 2, 2), most=1)]
