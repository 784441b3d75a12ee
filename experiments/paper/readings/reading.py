"""Reading: RIPOST as its text may be read otherwise, for experiments. Some readings overspend, so it takes seeded noise
only, and its own epsilon apart from the account's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from experiments.paper.readings.reading_run import ReadingRun
from experiments.paper.readings.without_noise import ExactLeaves, ExactTests
from ripost.errors import PrivacyError
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import Decomposition
from ripost.methods.ripost import Ripost
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.statistics.totals import TOTAL


@dataclass(frozen=True)
class Reading(Ripost):
    """With no option it is RIPOST as we implement it, draw for draw."""

    name: ClassVar[str] = "reading"

    nominal: float = 0.1  # the epsilon that the reading believes to spend
    offset: Annotated[int, Field(ge=0)] | None = None  # omega_i = S^k_(i + offset); None for k - 1
    series: bool = True  # False: every draw has all that its phase has for tests, or for cuts
    whole: Literal["none", "tests", "all"] = "none"  # draws that have omega_i of all of epsilon
    score: Literal["min", "sum", "random"] = "min"  # of a cut in phase 1
    axes: Literal["all", "in turn", "at random", "widest"] = "all"  # whose cuts are candidates
    phases: Literal["both", "first", "second"] = "both"
    reset: bool = True  # whether a block's depth is 1 again in phase 2
    exact: Literal["none", "tests", "leaves"] = "none"  # draws without noise
    on_mean: bool = False  # a leaf's mean, not its sum, has noise of the scale 1 / epsilon_p

    @property
    def keeps_epsilon(self) -> bool:
        """Whether the weights of a path add up to at most 1 and every draw has its noise."""
        enough = self.offset is None or self.offset >= self.k - 1
        return self.series and enough and self.whole == "none" and self.exact == "none"

    def measure(self, account: Account) -> MeasuredTree:
        noise = account.noise
        if not isinstance(noise, SeededNoise):
            raise PrivacyError("a reading of the paper may spend more than epsilon; give a seed")
        alpha, gamma = share(self.alpha, name=""), share(self.gamma, name="")
        epsilon = Fraction(str(self.nominal))
        first = {"both": gamma, "first": Fraction(1), "second": Fraction(0)}[self.phases] * alpha * epsilon
        run = ReadingRun(self, account)
        account.noise = ExactTests(noise) if self.exact == "tests" else noise
        leaves = run.grow(first, alpha * epsilon - first)
        account.noise = ExactLeaves(noise) if self.exact == "leaves" or self.on_mean else noise
        run.builder.measure("leaves", leaves, epsilon * (1 - alpha))
        account.noise = noise
        return run.builder.finish()

    def run(self, account: Account) -> Decomposition:
        found = super().run(account)
        if not self.on_mean:
            return found
        for_leaves = Laplace(TOTAL, Fraction(str(self.nominal)) * (1 - share(self.alpha, name="")))
        drawn = account.noise.laplace(np.zeros(len(found.values), np.int64), for_leaves, account.bound)
        cells = found.tree.boxes.sizes[found.tree.leaves].prod(axis=1, dtype=np.float64)
        return replace(found, values=found.values + drawn * cells)
