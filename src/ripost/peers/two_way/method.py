"""Two-way: the table of every pair of attributes with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ripost.methods.method import Method, PublicInputs, Tables
from ripost.methods.parameters import Delta
from ripost.peers.noisy_tables import check_tables, publish_tables
from ripost.privacy.account import Account


@dataclass(frozen=True)
class TwoWay(Method):
    """An even part of the budget for each pair (proof.md)."""

    name: ClassVar[str] = "two-way"

    delta: Delta = 0  # above 0: (epsilon, delta) by Gaussian noise

    def check(self, inputs: PublicInputs) -> None:
        check_tables(self.name, inputs.shape, 2)

    def run(self, account: Account) -> Tables:
        return publish_tables(account, 2)
