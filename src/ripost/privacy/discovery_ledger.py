"""Discovery in the ledger of a release: what was found before its cells were counted, and what that cost one unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ripost.errors import ReleaseError
from ripost.privacy.budget import scale_for

VALUES, BOUNDS, MAX_ROWS = KINDS = ("values", "bounds", "max_rows")
VOTES = 1  # the most that one unit changes all votes together: it votes once (proofs/discover_votes.md)
CHANCE = Fraction(1, 1000)  # with which any empty cell of a grid is taken for a full one
ROUNDING = 1e-9  # relative, of floats that another machine computed


@dataclass(frozen=True, slots=True)
class DiscoveryCharge:
    """One charged draw of noisy votes; epsilon and delta are for one unit."""

    what: str  # values, bounds or max_rows
    attribute: str | None  # None for max_rows
    epsilon: Fraction
    delta: Fraction  # 0 unless values are discovered
    cells: int  # the most values that are listed, or the cells of the public grid

    @property
    def scale(self) -> float:
        """Scale of the discrete Laplace noise on each vote count."""
        return scale_for(VOTES, self.epsilon)

    @property
    def threshold(self) -> int:
        """The least noisy number of votes with which a value is listed, or a cell of a grid counts as full.

        A value with one vote reaches it with probability at most delta. Of the empty cells of a grid, any reaches it
        with probability at most CHANCE. max_rows is a quantile and has no threshold.
        """
        if self.what == MAX_ROWS:
            return 0
        if self.what == VALUES:
            return 1 + tail_length(self.scale, self.delta)
        return tail_length(self.scale, CHANCE / self.cells)

    @property
    def purpose(self) -> str:
        """What it paid for, in print."""
        return MAX_ROWS if self.attribute is None else f"{self.what} of {self.attribute}"

    @property
    def found_with(self) -> int:
        """Votes with which a value is listed, or a cell counts as full, with probability 99 % or more."""
        return self.threshold + tail_length(self.scale, Fraction(1, 100))

    def to_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "attribute": self.attribute,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "scale": self.scale,
            "threshold": self.threshold,
            "cells": self.cells,
        }


@dataclass(frozen=True, slots=True)
class DiscoveryLedger:
    """Every draw of discovery, in order. Their costs add up (proofs/discover_composition.md)."""

    entries: tuple[DiscoveryCharge, ...]

    @property
    def epsilon(self) -> Fraction:
        return sum((entry.epsilon for entry in self.entries), Fraction(0))

    @property
    def delta(self) -> Fraction:
        return sum((entry.delta for entry in self.entries), Fraction(0))

    def to_json(self) -> list[dict[str, Any]]:
        return [entry.to_json() for entry in self.entries]

    @classmethod
    def from_json(cls, data: Any) -> DiscoveryLedger:
        """The ledger of a file; ReleaseError where an entry contradicts itself."""
        entries = []
        for row in data:
            epsilon, delta = Fraction(row["epsilon"]), Fraction(row["delta"])
            entry = DiscoveryCharge(row["what"], row["attribute"], epsilon, delta, row["cells"])
            entry = _check_entry(entry)
            stated, threshold = row["scale"], row["threshold"]
            if not abs(stated - entry.scale) <= ROUNDING * entry.scale:
                raise ReleaseError(f"its discovery contradicts itself: the noise of {entry.purpose} has another price")
            if abs(threshold - entry.threshold) > ROUNDING * entry.threshold:
                raise ReleaseError(f"its discovery contradicts itself: {entry.purpose} has another threshold")
            entries.append(entry)
        if not entries:
            raise ReleaseError("its discovery is empty")
        parts = [(entry.what == MAX_ROWS, entry.attribute) for entry in entries]
        if len(set(parts)) < len(parts):
            raise ReleaseError("its discovery contradicts itself: one part was discovered twice")
        return cls(tuple(entries))


def _check_entry(entry: DiscoveryCharge) -> DiscoveryCharge:
    """The entry, if its cost is one that the account charges; else ReleaseError."""
    fits = entry.what in KINDS and (entry.attribute is None) == (entry.what == MAX_ROWS)
    if not fits or not 1 <= entry.cells < 2**31:
        raise ReleaseError("its discovery names what cannot be discovered")
    if entry.epsilon <= 0 or (entry.delta > 0) != (entry.what == VALUES) or entry.delta >= 1:
        raise ReleaseError(f"its discovery contradicts itself: {entry.purpose} cannot cost that")
    return entry


def tail_length(scale: float, chance: Fraction) -> int:
    """A whole number m from 1 with P(noise >= m) <= chance: the least one, or one more.

    Discrete Laplace noise has P(noise >= m) = q^m / (1 + q) with q = exp(-1 / scale).
    """
    log = math.log(chance.numerator) - math.log(chance.denominator)
    exact = scale * (-log - math.log1p(math.exp(-1 / scale)))
    return max(1, math.ceil(exact * (1 + 2**-40)))  # a margin above the error of the logarithms
