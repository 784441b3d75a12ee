"""Identity: noise on every cell, the baseline of Dwork et al. 2006."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.methods.grid import MOST_BLOCKS, Grid
from ripost.methods.method import Decomposition, Method, PublicInputs, check_cells
from ripost.privacy.account import Account


@dataclass(frozen=True)
class Identity(Method):
    """Every cell is a block; the cuts that get there halve the longest side and look at no data."""

    name: ClassVar[str] = "identity"

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_BLOCKS)

    def run(self, account: Account) -> Decomposition:
        grid = Grid(account)
        grid.measure("cells", grid.cut(grid.whole, np.ones(len(account.shape), np.int64)), account.epsilon)
        return grid.decomposition()
