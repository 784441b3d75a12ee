"""HDPView (Kato et al. 2022): noisy cuts by the deviation of both halves, and a biased test of each half's deviation.

docs/methods/hdpview.md lists the choices that the paper leaves open and the faults of its public code.
peers/hdpview/proof.md proves that no path spends more than epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import PublicInputs, check_cuts
from ripost.methods.parameters import Share, Threshold
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import BiasedThresholdTest, Exponential
from ripost.space.cuts import Cuts
from ripost.statistics.cut_scores import DEVIATION_OF_CUT
from ripost.statistics.deviation import DEVIATION

RANDOM: Final = "random"

MOST_BLOCKS = 2**20  # growth ends there


@dataclass(frozen=True)
class HDPView(TreeMethod):
    """Cut every block where its halves look most uniform, until a half looks uniform enough."""

    name: ClassVar[str] = "hdpview"

    ratio: Share = 0.9  # share of epsilon for the decomposition, the rest for the leaves
    gamma: Share = 0.9  # share of that for tests, the rest for cuts
    alpha: Annotated[float, Field(ge=1.01, le=1000)] = 1.6  # decay of the tests
    beta: Annotated[float, Field(ge=0.01, le=100)] = 1.2  # cuts that a path can pay for, in parts of log2(cells)
    theta: Threshold | None = None  # None: the noise of a leaf
    beyond: Literal["random", "stop"] = RANDOM  # after that many cuts, cut a block at a random place, or stop
    tight: bool = False  # charge a score once (2 Delta), not twice (4 Delta) as published
    reuse_unspent: bool = False  # a leaf spends the whole budget that its path has left

    def check(self, inputs: PublicInputs) -> None:
        check_cuts(self.name, inputs.shape)

    def measure(self, account: Account) -> MeasuredTree:
        builder = TreeBuilder(account)
        cells = math.prod(account.shape)
        if cells < 3:  # no block would be tested, and there is at most one cut
            builder.measure("leaves", _cut_anywhere(builder, builder.root), account.epsilon)
            return builder.finish()
        ratio, gamma = share(self.ratio, name="ratio"), share(self.gamma, name="gamma")
        division, leaves = account.epsilon * ratio, account.epsilon * (1 - ratio)
        most = self.most_cuts(cells)
        cut = Exponential(DEVIATION_OF_CUT, division * (1 - gamma) / most, halved=not self.tight)
        theta = round(account.bound / leaves) if self.theta is None else self.theta
        test = BiasedThresholdTest(DEVIATION, division * gamma, theta, decay=Fraction(str(self.alpha)), first=1)
        sequence = account.charge_threshold_sequence("tests", test, account.root)
        live, done, depth = builder.root, list[Branch](), 0
        while len(live) and sum(map(len, done)) + 2 * len(live) <= MOST_BLOCKS:
            depth += 1
            if depth <= most:
                choice = account.charge_query(f"cuts, depth {depth}", cut, live.partition).choose_cuts()
                live = builder.split(live, *Cuts.of(live.blocks).locate(choice))
            elif self.beyond == RANDOM:
                live = _cut_anywhere(builder, live)
            else:
                break
            single, live = live.select(live.blocks.is_cell)
            ended, live = live.select(sequence.at_most(live.partition))
            done += [single, ended]
        if self.reuse_unspent:
            builder.measure_unspent("leaves", live.merge(*done))
        else:
            builder.measure("leaves", live.merge(*done), leaves)
        return builder.finish()

    def most_cuts(self, cells: int) -> int:
        """Cuts that a path can pay for."""
        return math.ceil(self.beta * math.log2(cells))


def _cut_anywhere(builder: TreeBuilder, live: Branch) -> Branch:
    """Split every block of several cells along a uniformly drawn axis at a uniformly drawn position."""
    where = ~live.blocks.is_cell
    if not where.any():
        return live
    blocks, noise = live.blocks.take(where), builder.account.noise
    wide = blocks.sizes > 1
    axis = (wide.cumsum(axis=1) > noise.below(wide.sum(axis=1))[:, None]).argmax(axis=1)
    rows = np.arange(len(axis))
    place = noise.below(blocks.sizes[rows, axis] - 1)
    return builder.split(live, axis, blocks.lower[rows, axis] + 1 + place, where)
