"""Identity: noise on every cell, the baseline of Dwork et al. 2006."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.errors import InputError
from ripost.methods.method import Decomposition, Method
from ripost.privacy.account import Account, Frontier
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.sensitivity import TOTAL
from ripost.space.blocks import Codes
from ripost.space.tree import Growth

MOST_CELLS = 2**22


@dataclass(frozen=True)
class Identity(Method):
    """Every cell is a block; the cuts that get there halve the longest side and look at no data."""

    name: ClassVar[str] = "identity"

    def run(self, account: Account) -> Decomposition:
        cells = math.prod(account.shape)
        if cells > MOST_CELLS:
            raise InputError(
                f"identity needs a value for each of {cells:,} cells and stops at {MOST_CELLS:,}; choose another method"
            )
        growth = Growth(account.shape)
        done: list[Frontier] = []
        numbers: list[Codes] = []
        live, nodes = account.root, np.array([0])
        while len(live):
            single = live.blocks.is_cell
            finished, live = live.part(single)
            done.append(finished)
            numbers.append(nodes[single])
            nodes = nodes[~single]
            rows = np.arange(len(live))
            axis = live.blocks.sizes.argmax(axis=1) if len(live) else rows
            cut = live.blocks.lower[rows, axis] + live.blocks.sizes[rows, axis] // 2
            live, nodes = live.split(axis, cut), growth.split(nodes, axis, cut)
        leaves, where = done[0].join(*done[1:]), np.concatenate(numbers)
        noise = Laplace(TOTAL, account.epsilon)
        noisy = account.open("cells", noise, leaves).values()
        tree = growth.tree()
        values, variances = np.zeros(len(tree)), np.full(len(tree), np.inf)
        values[where], variances[where] = noisy, noise.variance(account.bound)
        return Decomposition(tree, values[tree.leaves], variances)
