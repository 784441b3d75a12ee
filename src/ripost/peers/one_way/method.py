"""One-way: the histogram of every attribute with noise. Attributes are taken as independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ripost.methods.method import Method, PublicInputs, Tables
from ripost.methods.parameters import Delta
from ripost.peers.noisy_tables import check_tables, publish_tables
from ripost.privacy.account import Account


@dataclass(frozen=True)
class OneWay(Method):
    """An even part of the budget for each attribute (proof.md)."""

    name: ClassVar[str] = "one-way"

    delta: Delta = 0  # above 0: (epsilon, delta) by Gaussian noise

    def check(self, inputs: PublicInputs) -> None:
        check_tables(self.name, inputs.shape, 1)

    def run(self, account: Account) -> Tables:
        return publish_tables(account, 1)
