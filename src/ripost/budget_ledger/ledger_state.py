"""Ledger state: the cap, the debits and the remaining budget that follow from the entries of a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.location import LedgerLocation
from ripost.budget_ledger.publisher import ProcessStatus
from ripost.budget_ledger.records import (
    AdoptionRecord,
    DebitRecord,
    FailureRecord,
    OpeningRecord,
    PeriodRecord,
    ReleaseRecord,
    parse,
)
from ripost.budget_ledger.worst_loss import WorstLoss
from ripost.errors import LedgerError
from ripost.privacy.ledger import Debit


@dataclass(frozen=True, slots=True)
class LedgerDebit:
    """A debit and its outcome; None while its publisher runs, or if the publisher was killed."""

    entry: LedgerEntry
    record: DebitRecord
    outcome: ReleaseRecord | FailureRecord | None = None

    @property
    def state(self) -> str:
        """released, failed, running or unknown. If unknown, the publisher ended without an outcome; the debit stays."""
        if self.outcome is not None:
            return self.outcome.kind
        return "running" if self.record.publisher.process_status is ProcessStatus.RUNNING else "unknown"


@dataclass(frozen=True)
class LedgerState:
    """The state of a ledger."""

    opening: OpeningRecord
    location: LedgerLocation
    debits: dict[int, LedgerDebit]  # by number of entry
    entries: tuple[LedgerEntry, ...]
    adoptions: int  # how often it was adopted

    @property
    def head(self) -> LedgerEntry:
        return self.entries[-1]

    @property
    def cap(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.opening.epsilon), Fraction(self.opening.delta)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta of all debits for one unit, whatever their outcome (privacy/proofs/books.md)."""
        return self._loss.total

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta that a release of all rows may cost."""
        return self.left_for(None)

    def left_for(self, period: PeriodRecord | None) -> tuple[Fraction, Fraction]:
        """Epsilon and delta that a release of a period may cost, so that no unit loses more than the cap.

        They are negative where its `max_periods` alone makes earlier debits cost more than the cap.
        """
        return self._loss.left(self.cap, period)

    @property
    def _loss(self) -> WorstLoss:
        return WorstLoss.of((paid.record for paid in self.debits.values()), unit=self.opening.unit)

    def pointer(self, number: int) -> Debit:
        """A debit as a release file states it: the ledger, the number of the entry and its hash."""
        return Debit(self.opening.ledger, number, self.debits[number].entry.chain)


def replay(entries: Sequence[LedgerEntry]) -> LedgerState:
    """Compute the state from the entries; LedgerError if an entry is impossible after those before it."""
    first = parse(*entries[0][:3]) if entries else None
    if not isinstance(first, OpeningRecord):
        raise LedgerError("the ledger does not begin with what it is for")
    place, paid, adoptions = first.place, dict[int, LedgerDebit](), 0
    loss, cap = WorstLoss(unit=first.unit), (Fraction(first.epsilon), Fraction(first.delta))
    for entry in entries[1:]:
        match record := parse(*entry[:3]):
            case DebitRecord():
                loss.add(record)
                if any(spent > most for spent, most in zip(loss.total, cap, strict=True)):
                    raise LedgerError(f"entry {entry.number} debits more than was left")
                paid[entry.number] = LedgerDebit(entry, record)
            case ReleaseRecord() | FailureRecord():
                debit = paid.get(record.debit)
                if debit is None or debit.outcome is not None:
                    raise LedgerError(f"entry {entry.number} closes a debit that is not open")
                paid[record.debit] = replace(debit, outcome=record)
            case AdoptionRecord():
                place, adoptions = record.place, adoptions + 1
            case _:
                raise LedgerError(f"entry {entry.number} opens the ledger a second time")
    return LedgerState(first, place, paid, tuple(entries), adoptions)
