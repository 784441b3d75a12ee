"""Audit: check that a ledger was not changed since its releases, and that they agree with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.ledger_state import LedgerState, replay
from ripost.budget_ledger.ledger_store import Target, open_store
from ripost.budget_ledger.location import LedgerLocation
from ripost.budget_ledger.operations import find_lost_heads, format_amount, read_kept_heads, unit_name
from ripost.budget_ledger.records import FailureRecord, PeriodRecord, ReleaseRecord
from ripost.errors import LedgerError
from ripost.privacy.ledger import Debit

MIN_HEAD_DIGITS = 16  # digits of a hash that are enough to know it by


class LedgerCheck(NamedTuple):
    """The result of one check."""

    name: str
    ok: bool
    detail: str  # what was found, or what is wrong


@dataclass(frozen=True, slots=True)
class ReleaseClaim:
    """What a release file says about itself and its debit."""

    name: str
    digest: str
    debit: Debit | None
    epsilon: Fraction
    delta: Fraction
    unit: str | None
    period: PeriodRecord | None = None  # whose rows alone it counts


def audit(
    target: Target, claims: Sequence[ReleaseClaim] = (), *, head: str | None = None, anchor: Target | None = None
) -> list[LedgerCheck]:
    """Check a ledger, and return the results in order. If the ledger itself is unsound, no further check runs."""
    try:
        found = open_store(target).read()
        state = replay(found.entries)
    except LedgerError as error:
        return [LedgerCheck("chain", False, str(error))]
    entries = state.entries
    checks = [
        LedgerCheck("chain", True, f"{len(entries):,} entries, each follows from those before it"),
        _budget(state),
    ]
    checks += [_place(found.location, state), _check_kept_heads(state, anchor)]
    if head is not None:
        checks.append(_head(entries, head))
    checks += [check_claim(state, entries, claim) for claim in claims]
    return [*checks, *_check_shared_debits(claims)]


def audit_release(target: Target, claim: ReleaseClaim) -> list[LedgerCheck]:
    """Check that a ledger is sound and paid for a release."""
    return [check for check in audit(target, [claim]) if check.name != "place"]


def check_claim(state: LedgerState, entries: Sequence[LedgerEntry], claim: ReleaseClaim) -> LedgerCheck:
    """Check that the debit that a release points to paid for it, and was closed with this release."""
    if claim.debit is None:
        return LedgerCheck("release", False, f"{claim.name} names no debit: it was published without a ledger")
    if fault := _find_pointer_fault(state, entries, claim.debit) or _find_mismatch(state, claim, claim.debit.number):
        return LedgerCheck("release", False, f"{claim.name} {fault}")
    cost = f"epsilon {format_amount(claim.epsilon)}" + (
        f" and delta {format_amount(claim.delta)}" if claim.delta else ""
    )
    of = "" if claim.period is None else f" of {claim.period.label}"
    found = f"{claim.name} is paid for by debit {claim.debit.number}: {cost} for {unit_name(claim.unit)}{of}"
    outcome = state.debits[claim.debit.number].outcome
    if isinstance(outcome, FailureRecord):
        found += ", though the ledger says that it failed"
    return LedgerCheck("release", True, found if outcome else f"{found}, whose closing was not noted")


def _find_pointer_fault(state: LedgerState, entries: Sequence[LedgerEntry], pointer: Debit) -> str | None:
    """Why the entry that a release points to is not in this ledger; None if it is."""
    if pointer.ledger != state.opening.ledger:
        return "was debited in another ledger"
    if pointer.number >= len(entries):
        return f"points to entry {pointer.number}, past the end: this ledger is an older copy, or was rolled back"
    paid = state.debits.get(pointer.number)
    if paid is None or paid.entry.chain != pointer.chain:
        return f"was debited in a copy that has gone another way by entry {pointer.number}: both copies were spent"
    return None


def _find_mismatch(state: LedgerState, claim: ReleaseClaim, number: int) -> str | None:
    """How a release differs from the one that its debit paid for; None if it does not."""
    paid = state.debits[number]
    if (claim.epsilon, claim.delta) != paid.record.cost or claim.unit != state.opening.unit:
        return f"promises something else than debit {number} paid for"
    if claim.period != paid.record.period:
        mine, theirs = ((one and (one.rule, one.label)) for one in (claim.period, paid.record.period))
        what = "another max_periods" if mine == theirs else "the rows of another period"
        return f"counts {what} than debit {number} paid for"
    if isinstance(paid.outcome, ReleaseRecord) and paid.outcome.digest != claim.digest:
        return f"is not the view that debit {number} was closed with"
    return None


def _budget(state: LedgerState) -> LedgerCheck:
    (epsilon, delta), (cap, delta_cap) = state.spent, state.cap
    more = f", delta {format_amount(delta)} of {format_amount(delta_cap)}" if delta_cap else ""
    who = unit_name(state.opening.unit)
    return LedgerCheck(
        "budget",
        True,
        f"{len(state.debits):,} debits, epsilon {format_amount(epsilon)} of {format_amount(cap)}{more} for {who}",
    )


def _place(place: LedgerLocation, state: LedgerState) -> LedgerCheck:
    if state.location.is_same(place):
        return LedgerCheck("place", True, "this is the ledger that is debited")
    return LedgerCheck("place", True, "this is a copy: it cannot be debited unless it is adopted")


def _check_kept_heads(state: LedgerState, anchor: Target | None) -> LedgerCheck:
    """Check that the ledger has all entries whose heads were kept, also after an adoption: their debits were spent."""
    try:
        kept, lost = read_kept_heads(state, anchor), find_lost_heads(state, anchor)
    except LedgerError as error:
        return LedgerCheck("kept heads", False, str(error))
    if lost:
        newest = max(head.number for head in lost)
        what = f"entry {newest}, which was seen before, is not in it: it was set back, or is an older copy"
        return LedgerCheck("kept heads", False, f"{what}; what was debited there is spent and not counted here")
    if not kept:
        return LedgerCheck("kept heads", True, "none of this ledger was kept here, so nothing is known of its past")
    return LedgerCheck("kept heads", True, f"all {len(kept):,} that were kept outside it are in it")


def _head(entries: Sequence[LedgerEntry], head: str) -> LedgerCheck:
    if len(head) < MIN_HEAD_DIGITS:
        return LedgerCheck("head", False, f"a head needs at least {MIN_HEAD_DIGITS} digits")
    found = next((entry for entry in entries if entry.chain.startswith(head.lower())), None)
    if found is None:
        return LedgerCheck(
            "head", False, "the ledger never had this head: it was rolled back, or is a copy gone another way"
        )
    return LedgerCheck(
        "head", True, f"entry {found.number} of {len(entries) - 1} had this head, and all since follows from it"
    )


def _check_shared_debits(claims: Sequence[ReleaseClaim]) -> list[LedgerCheck]:
    """Find different views that point to one debit, which paid for only one of them."""
    seen: dict[Debit, ReleaseClaim] = {}
    found = []
    for claim in claims:
        other = seen.setdefault(claim.debit, claim) if claim.debit else claim
        if other.digest != claim.digest:
            found.append(
                LedgerCheck("release", False, f"{claim.name} and {other.name} share a debit that paid for one")
            )
    return found
