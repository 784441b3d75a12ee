"""Identity: noise on every cell, the baseline of Dwork et al. 2006."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import PublicInputs, check_cells
from ripost.methods.tree_builder import TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.privacy.account import Account

MOST_CELLS = 2**22


@dataclass(frozen=True)
class Identity(TreeMethod):
    """Every cell is a block. The splits halve the longest side and use no data."""

    name: ClassVar[str] = "identity"

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_CELLS)

    def measure(self, account: Account) -> MeasuredTree:
        builder = TreeBuilder(account)
        cells = builder.split_to_widths(builder.root, np.ones(len(account.shape), np.int64))
        builder.measure("cells", cells, account.epsilon)
        return builder.finish()
