"""Two neighboring tables, released with real noise by every method.

One table has 20 rows in a cell of a 2 x 2 domain and nothing elsewhere, its neighbor has 21 there: no estimate is cut
off at zero, and all trees, pairs and models have something to choose. A larger epsilon makes the loss of a method
visible that spends little of it on any one figure; with a larger delta Gaussian noise shows more of its loss.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ripost
from ripost.data.tensor import Tensor
from ripost.view import View

from .sampled import Bound, Floats, figures_of, lower_bound

SHAPE, ROWS = (2, 2), 20
LOOSE = {"delta": 1e-3}
# Few steps of training for speed, and most of the budget for the number of rows, which is published.
TOTAL = {"steps": 4, "iterations": 1, "components": 2, "hidden": 3, "rate": 0.25}
TOTAL |= {"for_total": 0.8, "for_directions": 0.05, "for_mixture": 0.05}


@dataclass(frozen=True)
class Case:
    """One method and how it is released."""

    method: str
    epsilon: int = 4
    runs: int = 500  # of each neighbor
    options: Mapping[str, Any] = field(default_factory=dict)

    def audit(self, runs: int = 0) -> tuple[View, Bound]:
        """The last view, and a lower bound of the epsilon that the releases spend."""
        one, other = (Tensor.from_arrays(SHAPE, [[0, 0]], [rows]) for rows in (ROWS, ROWS + 1))
        views: list[View] = []

        def release(tensor: Tensor) -> Floats:
            views[:] = [ripost.publish(tensor, epsilon=self.epsilon, method=self.method, **self.options)]
            return figures(views[0])

        found = figures_of(lambda: release(one), lambda: release(other), runs or self.runs)
        assert views[0].privacy.is_private
        return views[0], lower_bound(*found, delta=float(views[0].privacy.delta))


def figures(view: View) -> Floats:
    """What a reader sees: the count of every cell, the total, and how many rows the release file has."""
    lower = np.array(list(itertools.product(*(range(size) for size in view.domain.shape))))
    return np.array([*view.answer(lower, lower + 1), view.total, len(view.content.values)])


CASES = [
    Case("ripost+"),
    Case("ripost"),
    Case("privtree"),
    Case("hdpview", 8, 1500),
    Case("p3gm", 8, 300, LOOSE | TOTAL),
    Case("identity"),
    Case("uniform-grid"),
    Case("adaptive-grid"),
    Case("quadtree"),
    Case("hierarchy"),
    Case("hdmm"),
    Case("dawa"),
    Case("ahp", 8, 1000),
    Case("privbayes", 8, 1500),
    Case("privsyn", 8, 800, LOOSE),
    Case("slimview"),
    Case("one-way"),
    Case("two-way"),
    Case("residual-planner", 8, 800, LOOSE),
    Case("residual-planner+", 8, 800, LOOSE),
    Case("mst", 8, 2000, LOOSE),
    Case("aim", 8, 500, LOOSE),
    Case("aim-residuals", 8, 500, LOOSE),
    Case("swift", 8, 500, LOOSE),
    Case("privmrf", 8, 500, LOOSE),
]
