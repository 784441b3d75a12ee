"""Ledger: the charges along every path, as public facts that anyone can add up again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ripost.errors import ReleaseError
from ripost.privacy.budget import LARGEST_EPSILON
from ripost.privacy.discovery_ledger import DiscoveryLedger
from ripost.privacy.zcdp import epsilon_of, is_delta
from ripost.schema.measure import Unit

PURE = "pure epsilon-differential privacy, add or remove one unit"
APPROXIMATE = (
    "(epsilon, delta)-differential privacy by way of zero-concentrated differential privacy, add or remove one unit"
)
OPERATING_SYSTEM = "operating system"
ACCOUNTED = "(epsilon, delta)-differential privacy by a Renyi accountant, add or remove one unit"
DISCOVERED = "(epsilon, delta)-differential privacy, the sum of discovery and method, add or remove one unit"


class Currency(StrEnum):
    """The unit of an account's charges: epsilon, rho, or epsilon at the delta of the promise.

    Epsilon and rho add up; rho converts to epsilon and delta. An accountant computes epsilon at delta for one sequence
    of draws (proofs/composed.md).
    """

    EPSILON = "epsilon"
    RHO = "rho"
    ACCOUNTED = "epsilon at delta"

    @classmethod
    def of(cls, delta: Fraction) -> Currency:
        """The currency of a promise."""
        return cls.RHO if delta else cls.EPSILON


@dataclass(frozen=True, slots=True)
class Charge:
    """One charged draw over disjoint blocks; `epsilon` is its price in the currency of the account."""

    purpose: str
    mechanism: str
    statistic: str
    sensitivity: int
    epsilon: Fraction
    scale: float
    blocks: int
    terms: str = ""  # further parameters of the scale; see Mechanism.terms

    @property
    def mechanism_in_full(self) -> str:
        """The mechanism and its terms, for print."""
        return f"{self.mechanism}, {self.terms}" if self.terms else self.mechanism

    def to_json(self) -> dict[str, Any]:
        return {
            "purpose": self.purpose,
            "mechanism": self.mechanism,
            "statistic": self.statistic,
            "sensitivity": self.sensitivity,
            "epsilon": str(self.epsilon),
            "scale": self.scale,
            "blocks": self.blocks,
            **({"terms": self.terms} if self.terms else {}),
        }


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a path: after state `after` it was charged `entry`; `blocks` leaves end here."""

    after: int | None
    entry: int | None
    blocks: int


@dataclass(frozen=True)
class Ledger:
    """Entries, and the paths through them. Step 0 has no charge."""

    entries: tuple[Charge, ...]
    steps: tuple[Step, ...]

    def spent_by(self) -> list[Fraction]:
        """The total charge of the path to each step."""
        totals: list[Fraction] = []
        for number, step in enumerate(self.steps):
            if step.after is None or step.entry is None:
                if number != 0 or step.after is not None or step.entry is not None:
                    raise ReleaseError("the ledger is damaged: a path has no beginning")
                totals.append(Fraction(0))
                continue
            if not (0 <= step.after < number and 0 <= step.entry < len(self.entries)):
                raise ReleaseError("the ledger is damaged: a path refers to what is not there")
            totals.append(totals[step.after] + self.entries[step.entry].epsilon)
        return totals

    @property
    def spent(self) -> Fraction:
        """The most that any path has spent, before group privacy."""
        return max(self.spent_by(), default=Fraction(0))

    @property
    def largest_loss_path(self) -> tuple[Charge, ...]:
        """The entries of the path with the largest privacy loss, in order; they add up to `spent`."""
        totals = self.spent_by()
        step = self.steps[totals.index(max(totals))]
        path: list[Charge] = []
        while step.after is not None and step.entry is not None:
            path.append(self.entries[step.entry])
            step = self.steps[step.after]
        return tuple(reversed(path))

    @property
    def blocks(self) -> int:
        """Number of blocks at the ends of all paths."""
        return sum(step.blocks for step in self.steps)

    def ended_blocks(self) -> list[int]:
        """The number of blocks, at the ends of paths, whose path was charged each entry."""
        below, most = [step.blocks for step in self.steps], [0] * len(self.entries)
        for number in range(len(self.steps) - 1, 0, -1):
            step = self.steps[number]
            assert step.after is not None and step.entry is not None  # spent_by has checked it
            below[step.after] += below[number]
            most[step.entry] += below[number]
        return most

    def check_blocks(self) -> None:
        """ReleaseError unless every entry is on a path and covers no more blocks than its paths end in."""
        paths = [0] * len(self.entries)
        for step in self.steps[1:]:
            assert step.entry is not None  # spent_by has checked it
            paths[step.entry] += 1
        for entry, least, ended in zip(self.entries, paths, self.ended_blocks(), strict=True):
            if not 1 <= least <= entry.blocks <= ended:
                raise ReleaseError("the ledger is damaged: an entry touches other blocks than those of its paths")

    def to_json(self) -> dict[str, Any]:
        return {
            "entries": [entry.to_json() for entry in self.entries],
            "steps": [[step.after, step.entry, step.blocks] for step in self.steps],
        }

    @classmethod
    def from_json(cls, data: Any) -> Ledger:
        exact = (
            {**row, "epsilon": Fraction(row["epsilon"]), "terms": row.get("terms") or ""} for row in data["entries"]
        )
        return cls(tuple(Charge(**row) for row in exact), tuple(Step(*row) for row in data["steps"]))


@dataclass(frozen=True, slots=True)
class Debit:
    """The debit of a release: an entry in the ledger of its data set, and the hash of all entries up to it."""

    ledger: str
    number: int
    chain: str

    def to_json(self) -> dict[str, Any]:
        return {"ledger": self.ledger, "number": self.number, "chain": self.chain}


@dataclass(frozen=True)
class Privacy:
    """The promise of a release."""

    epsilon: Fraction  # requested, for one unit
    unit: Unit
    entropy: str  # "operating system", or "seed 7", which is NOT PRIVATE
    ledger: Ledger
    delta: Fraction = Fraction(0)  # 0 for pure differential privacy
    accounted: bool = False  # whether the ledger counts epsilon at this delta, not rho
    discovery: DiscoveryLedger | None = None  # what was found before, apart from the ledger; None if nothing was
    measures: Mapping[str, Ledger] = field(default_factory=dict)  # what the sums of each measure cost, besides

    @property
    def definition(self) -> str:
        if self.discovery is not None and self.delta:
            return DISCOVERED
        return {Currency.EPSILON: PURE, Currency.RHO: APPROXIMATE, Currency.ACCOUNTED: ACCOUNTED}[self.currency]

    @property
    def currency(self) -> Currency:
        """What the ledger counts."""
        return Currency.ACCOUNTED if self.accounted else Currency.of(self.method_delta)

    @property
    def method_epsilon(self) -> Fraction:
        """What discovery leaves the ledger of epsilon (proofs/discover_composition.md)."""
        return self.epsilon - (self.discovery.epsilon if self.discovery else 0)

    @property
    def method_delta(self) -> Fraction:
        """What discovery leaves the ledger of delta."""
        return self.delta - (self.discovery.delta if self.discovery else 0)

    @property
    def spent(self) -> Fraction:
        """The privacy loss of one unit: that of a path times the rows of a unit, squared for rho (proofs/unit.md).

        The losses by the counts and by each measure add up (proofs/measures.md).
        """
        rows = self.unit.max_rows
        spent = sum((ledger.spent for ledger in self.measures.values()), self.ledger.spent)
        return spent * (rows**2 if self.currency is Currency.RHO else rows)

    @property
    def epsilon_spent(self) -> float:
        """Epsilon spent for one unit, by discovery and ledger, for print; rounded up if it follows from rho."""
        if self.discovery is None:
            return float(self._method_spent)
        return float(Fraction(self._method_spent) + self.discovery.epsilon)

    @property
    def _method_spent(self) -> float | Fraction:
        """Epsilon that the ledger spends for one unit."""
        return epsilon_of(self.spent, self.method_delta) if self.currency is Currency.RHO else self.spent

    @property
    def ledgers(self) -> dict[str | None, Ledger]:
        """The ledger of the counts, by None, and those of the measures in the order of their names."""
        return {None: self.ledger, **dict(sorted(self.measures.items()))}

    @property
    def all_entries(self) -> list[Charge]:
        """The entries of all ledgers, those of a measure with its name before their purpose."""
        return [
            entry if name is None else replace(entry, purpose=f"sums of {name}, {entry.purpose}")
            for name, ledger in self.ledgers.items()
            for entry in ledger.entries
        ]

    @property
    def in_each(self) -> str:
        """Of what the bound on the rows of a unit is, where it is not the whole release, for print."""
        return ""

    @property
    def precondition(self) -> str:
        """What else the promise rests on, in one sentence for print; empty for one release."""
        return ""

    @property
    def is_private(self) -> bool:
        """Whether the noise comes from the operating system. With any other source, a file protects nobody."""
        return self.entropy == OPERATING_SYSTEM

    @property
    def warning(self) -> str | None:
        """The warning that every output must show if the noise can be repeated."""
        return None if self.is_private else f"NOT PRIVATE: the noise comes from {self.entropy}"

    def check(self, *, blocks: int) -> None:
        """Add up the ledger again; ReleaseError if it does not fit the promise."""
        if not 0 < self.epsilon <= LARGEST_EPSILON:
            raise ReleaseError(f"epsilon is not above 0 and up to {LARGEST_EPSILON}")
        if not is_delta(self.delta):
            raise ReleaseError("delta is too large for a promise")
        if self.method_epsilon <= 0 or not is_delta(self.method_delta):
            raise ReleaseError("its discovery spends more than the promise")
        if self.accounted and (
            not self.delta or len(self.ledger.entries) != 1 or self.unit.max_rows > 1 or self.measures
        ):
            raise ReleaseError("epsilon at a delta is for one sequence of draws and units of one row")
        if self._method_spent > self.method_epsilon:
            raise ReleaseError(f"the ledger spends {self.epsilon_spent:g}, more than epsilon {float(self.epsilon):g}")
        for ledger in (self.ledger, *self.measures.values()):
            if ledger.blocks != blocks:
                raise ReleaseError("the ledger does not account for every block")
            if any(entry.epsilon <= 0 for entry in ledger.entries):
                raise ReleaseError("the ledger is damaged: an entry costs nothing")
            ledger.check_blocks()

    def to_json(self) -> dict[str, Any]:
        return {
            "definition": self.definition,
            "epsilon": str(self.epsilon),
            **({"delta": str(self.delta)} if self.delta else {}),
            **({} if self.currency is Currency.EPSILON else {"currency": str(self.currency)}),
            "spent": str(self.spent),
            "unit": self.unit.to_json(),
            "entropy": self.entropy,
            "ledger": self.ledger.to_json(),
            **({} if self.discovery is None else {"discovery": self.discovery.to_json()}),
            **({"measures": {name: one.to_json() for name, one in self.measures.items()}} if self.measures else {}),
        }

    @classmethod
    def from_json(cls, data: Any) -> Privacy:
        ledger, delta = Ledger.from_json(data["ledger"]), Fraction(data.get("delta") or 0)
        accounted = data.get("currency") == Currency.ACCOUNTED
        found = data.get("discovery")
        return cls(
            Fraction(data["epsilon"]),
            Unit(**data["unit"]),
            data["entropy"],
            ledger,
            delta,
            accounted,
            discovery=None if found is None else DiscoveryLedger.from_json(found),
            measures={name: Ledger.from_json(one) for name, one in (data.get("measures") or {}).items()},
        )


def group(entries: Sequence[Charge]) -> list[tuple[str, str, Fraction]]:
    """The entries of one path, summed by the first part of their purpose, for print: (purpose, mechanism, epsilon)."""
    sums: dict[tuple[str, str], Fraction] = {}
    for entry in entries:
        key = (entry.purpose.split(",")[0], entry.mechanism)
        sums[key] = sums.get(key, Fraction(0)) + entry.epsilon
    return [(purpose, mechanism, epsilon) for (purpose, mechanism), epsilon in sums.items()]
