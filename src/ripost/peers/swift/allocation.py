"""Allocation: which marginals are worth their noise, and how much of the budget each gets.

A marginal of s cells and weight w whose error by the present model is e gains w (e - s sqrt(2 / pi) sigma) if it is
measured with noise of standard deviation sigma. For a set of marginals, shares of the budget in proportion to
y = (w s sqrt(2 / pi))^(2/3) gain most, in all the sum of w e minus the sum of y to the power 3/2 over the root of the
budget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ripost.peers.junction_tree import Axes

FINEST = 2**20  # the largest share, in whole numbers


@dataclass(frozen=True)
class Candidate:
    """What is known of a marginal before it is measured."""

    axes: Axes
    cells: int
    weight: float  # above 0
    error: float  # noisy L1 distance from the model

    @property
    def cost(self) -> float:
        return math.pow(self.weight * self.cells * math.sqrt(2 / math.pi), 2 / 3)

    @property
    def reward(self) -> float:
        return self.weight * self.error


def allocate(candidates: list[Candidate], precision: float) -> Mapping[Axes, int]:
    """The chosen marginals with the shares of their budgets; `precision` is 1 / sigma^2 if one of them gets all.

    Candidates join in the order of reward per cost until one lowers the gain; the first always joins.
    """
    chosen: list[Candidate] = []
    best, reward, cost = -math.inf, 0.0, 0.0
    for each in sorted(candidates, key=lambda each: -each.reward / each.cost):
        gain = reward + each.reward - (cost + each.cost) ** 1.5 / math.sqrt(precision)
        if gain <= best:
            break
        best, reward, cost = gain, reward + each.reward, cost + each.cost
        chosen.append(each)
    most = max(each.cost for each in chosen)
    return {each.axes: math.ceil(FINEST * each.cost / most) for each in chosen}
