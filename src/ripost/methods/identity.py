"""Identity: noise on every cell, the baseline of Dwork et al. 2006."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.errors import InputError
from ripost.methods.grid import MOST_BLOCKS, Grid
from ripost.methods.method import Decomposition, Method
from ripost.privacy.account import Account


@dataclass(frozen=True)
class Identity(Method):
    """Every cell is a block; the cuts that get there halve the longest side and look at no data."""

    name: ClassVar[str] = "identity"

    def run(self, account: Account) -> Decomposition:
        cells = math.prod(account.shape)
        if cells > MOST_BLOCKS:
            raise InputError(
                f"identity needs a value for each of {cells:,} cells and stops at {MOST_BLOCKS:,}; "
                "choose another method"
            )
        grid = Grid(account)
        grid.measure("cells", grid.cut(grid.whole, np.ones(len(account.shape), np.int64)), account.epsilon)
        return grid.decomposition()
