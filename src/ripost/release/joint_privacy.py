"""Joint privacy: what the releases of several periods promise together (privacy/proofs/periods.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from ripost.privacy.ledger import Currency, Privacy

SEVERAL = "(epsilon, delta)-differential privacy of several releases by different definitions, add or remove one unit"


@dataclass(frozen=True)
class JointPrivacy(Privacy):
    """A row is in one period and a person in all. The ledger is that of the costliest release; each has its own."""

    parts: tuple[Privacy, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Privacy]) -> Self:
        """The largest epsilon and the largest delta for rows, and the sums for people."""
        add = max if parts[0].unit.column is None else _add
        worst = parts[find_costliest(parts)]
        return cls(
            add([one.epsilon for one in parts]),
            worst.unit,
            next((one.entropy for one in parts if not one.is_private), worst.entropy),
            worst.ledger,
            add([one.delta for one in parts]),
            worst.accounted,
            discovery=worst.discovery,
            measures=worst.measures,
            parts=tuple(parts),
        )

    @property
    def costliest(self) -> Privacy:
        return self.parts[find_costliest(self.parts)]

    @property
    def definition(self) -> str:
        found = {part.definition for part in self.parts}
        return found.pop() if len(found) == 1 else SEVERAL

    @property
    def currency(self) -> Currency:
        """What the ledger counts: that of the costliest release, whatever delta others add."""
        return self.costliest.currency

    @property
    def spent(self) -> Fraction:
        """By the costliest release, in its currency."""
        return self.costliest.spent

    @property
    def epsilon_spent(self) -> float:
        """The most that a release spent, or for people what all of them spent."""
        spent = [part.epsilon_spent for part in self.parts]
        return max(spent) if self.unit.column is None else sum(spent)

    @property
    def in_each(self) -> str:
        return " in each period" if len(self.parts) > 1 else ""


def find_costliest(promises: Sequence[Privacy]) -> int:
    """The place of the first promise with the largest epsilon."""
    return max(range(len(promises)), key=lambda place: promises[place].epsilon)


def _add(amounts: Sequence[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))
