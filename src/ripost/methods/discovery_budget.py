"""Shares of discovery: which part of epsilon and delta finds what a schema leaves open. The rule is public."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ripost.errors import InputError
from ripost.privacy.budget import Number, share
from ripost.privacy.discovery_ledger import VALUES, DiscoveryCharge, DiscoveryLedger
from ripost.schema.discovery import OpenParts

WEIGHTS = {"values": Fraction(3, 10), "bounds": Fraction(1, 20), "max_rows": Fraction(1, 20)}  # of epsilon, each
MOST_SHARE = Fraction(1, 2)  # of epsilon, unless another share is stated
LEAST_SHARE = Fraction(1, 1000)  # of epsilon, for discovery and for the method: noise beyond would pass 64 bits
DELTA_SHARE = Fraction(1, 2)  # of delta, if the method itself is run with delta


@dataclass(frozen=True)
class DiscoveryBudget:
    """What discovery will be charged, and what is left for the method."""

    charges: tuple[DiscoveryCharge, ...]
    epsilon: Fraction  # of discovery
    delta: Fraction  # of discovery

    @property
    def ledger(self) -> DiscoveryLedger:
        return DiscoveryLedger(self.charges)


def plan_discovery(
    parts: OpenParts, *, epsilon: Fraction, delta: Fraction, epsilon_share: Number | None = None
) -> DiscoveryBudget:
    """The charges of discovery from the epsilon of the release and the delta of discovery.

    Each part has its weight in epsilon; if together they are more than half, or another share is stated, all are
    scaled alike. Values share delta evenly.
    """
    weights = [WEIGHTS[part.what] for _, part in parts.parts]
    whole = sum(weights, Fraction(0))
    wanted = min(whole, MOST_SHARE) if epsilon_share is None else share(epsilon_share, name="discover_share")
    if not LEAST_SHARE <= wanted <= 1 - LEAST_SHARE:
        raise InputError(f"discover_share must lie between 0.001 and 0.999, got {epsilon_share}")
    listed = sum(part.what == VALUES for _, part in parts.parts)
    charges = tuple(
        DiscoveryCharge(
            part.what,
            name,
            epsilon * wanted * weight / whole,
            delta / listed if part.what == VALUES else Fraction(0),
            part.cells,
        )
        for (name, part), weight in zip(parts.parts, weights, strict=True)
    )
    return DiscoveryBudget(charges, epsilon * wanted, delta if listed else Fraction(0))


def split_delta(
    delta: Fraction, *, method_has_delta: bool, delta_share: Number | None = None
) -> tuple[Fraction, Fraction]:
    """The delta of discovery and the delta of the method: half each, or all for discovery if the method is pure."""
    if not method_has_delta:
        if delta_share is not None:
            raise InputError(
                "discover_delta_share divides delta with the method, and this method is pure; leave it out"
            )
        return delta, Fraction(0)
    part = DELTA_SHARE if delta_share is None else _read_share(delta_share)
    return delta * part, delta * (1 - part)


def _read_share(value: Number) -> Fraction:
    """A share of delta: above 0, and up to 1, which leaves the method pure."""
    return Fraction(1) if str(value) in ("1", "1.0") else share(value, name="discover_delta_share")
