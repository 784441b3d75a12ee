"""Standing: what a ledger's entries come to, from the first to the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ripost.budget_ledger.chain import Link
from ripost.budget_ledger.place import AnyPlace
from ripost.budget_ledger.publisher import Whereabouts
from ripost.budget_ledger.records import Adopted, Debited, Failed, Opened, Released, parse
from ripost.errors import LedgerError
from ripost.privacy.ledger import Debit


@dataclass(frozen=True, slots=True)
class Paid:
    """A debit, and what came of it; None where its publisher still runs, or was killed."""

    link: Link
    record: Debited
    outcome: Released | Failed | None = None

    @property
    def state(self) -> str:
        """released, failed, running, or unknown: then its publisher is gone, and the debit stays all the same."""
        if self.outcome is not None:
            return self.outcome.kind
        return "running" if self.record.publisher.whereabouts is Whereabouts.RUNNING else "unknown"


@dataclass(frozen=True)
class Standing:
    """The state of a ledger."""

    opened: Opened
    place: AnyPlace
    paid: dict[int, Paid]  # by number of entry
    links: tuple[Link, ...]
    adoptions: int  # how often it was adopted

    @property
    def head(self) -> Link:
        return self.links[-1]

    @property
    def cap(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.opened.epsilon), Fraction(self.opened.delta)

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta of all debits, whatever came of them: both add up (privacy/proofs/books.md)."""
        costs = [paid.record.cost for paid in self.paid.values()]
        return sum((cost[0] for cost in costs), Fraction(0)), sum((cost[1] for cost in costs), Fraction(0))

    @property
    def left(self) -> tuple[Fraction, Fraction]:
        (epsilon, delta), (cap_epsilon, cap_delta) = self.spent, self.cap
        return cap_epsilon - epsilon, cap_delta - delta

    def pointer(self, number: int) -> Debit:
        """What a release says of its debit."""
        return Debit(self.opened.ledger, number, self.paid[number].link.chain)


def standing(links: Sequence[Link]) -> Standing:
    """What the entries come to; LedgerError where one says what cannot be."""
    first = parse(*links[0][:3]) if links else None
    if not isinstance(first, Opened):
        raise LedgerError("the ledger does not begin with what it is for")
    place, paid, adoptions = first.place, dict[int, Paid](), 0
    left = [Fraction(first.epsilon), Fraction(first.delta)]
    for link in links[1:]:
        match record := parse(*link[:3]):
            case Debited():
                left = [amount - cost for amount, cost in zip(left, record.cost, strict=True)]
                if min(left) < 0:
                    raise LedgerError(f"entry {link.number} debits more than was left")
                paid[link.number] = Paid(link, record)
            case Released() | Failed():
                debit = paid.get(record.debit)
                if debit is None or debit.outcome is not None:
                    raise LedgerError(f"entry {link.number} closes a debit that is not open")
                paid[record.debit] = replace(debit, outcome=record)
            case Adopted():
                place, adoptions = record.place, adoptions + 1
            case _:
                raise LedgerError(f"entry {link.number} opens the ledger a second time")
    return Standing(first, place, paid, tuple(links), adoptions)
