"""Joint privacy: what the releases of several periods promise together (privacy/proofs/periods.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self, TypeVar

from ripost.privacy.ledger import Currency, Privacy
from ripost.schema.measure import HISTORY_STAYS

Amount = TypeVar("Amount", Fraction, float)
SEVERAL = "(epsilon, delta)-differential privacy of several releases by different definitions, add or remove one unit"


@dataclass(frozen=True)
class JointPrivacy(Privacy):
    """Of all releases together, of which one unit counts in `Unit.most_periods`.

    The ledger is that of the costliest release; each has its own.
    """

    parts: tuple[Privacy, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Privacy]) -> Self:
        """The sum of the largest epsilons, of as many releases as one unit counts in, and of the largest deltas."""
        worst = parts[find_costliest(parts)]
        most = worst.unit.most_periods
        return cls(
            _add_largest([one.epsilon for one in parts], most),
            worst.unit,
            next((one.entropy for one in parts if not one.is_private), worst.entropy),
            worst.ledger,
            _add_largest([one.delta for one in parts], most),
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
        """The most that the releases spent together of one unit."""
        return sum(_take_largest([part.epsilon_spent for part in self.parts], self.unit.most_periods))

    @property
    def in_each(self) -> str:
        if len(self.parts) == 1:
            return ""
        first, most = self.unit.first_periods, self.unit.max_periods
        return " in each period" if most is None else f" in its {first}" if most == 1 else f" in each of its {first}"

    @property
    def precondition(self) -> str:
        """That the releases were made as `max_periods` needs, where it makes them cost less."""
        most = self.unit.max_periods
        return HISTORY_STAYS if most is not None and most < len(self.parts) else ""


def find_costliest(promises: Sequence[Privacy]) -> int:
    """The place of the first promise with the largest epsilon."""
    return max(range(len(promises)), key=lambda place: promises[place].epsilon)


def _add_largest(amounts: Sequence[Fraction], most: int | None) -> Fraction:
    return sum(_take_largest(amounts, most), Fraction(0))


def _take_largest(amounts: Sequence[Amount], most: int | None) -> Sequence[Amount]:
    """The largest amounts; all of them without `most`."""
    return sorted(amounts, reverse=True)[:most]
