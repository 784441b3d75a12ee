"""Audit: is a ledger what it was when its releases were made, and do they agree with it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ripost.budget_ledger.books import kept_heads, lost_heads, shown, unit_name
from ripost.budget_ledger.chain import Link
from ripost.budget_ledger.place import AnyPlace
from ripost.budget_ledger.records import Failed, Released
from ripost.budget_ledger.standing import Standing, standing
from ripost.budget_ledger.store import Target, store_of
from ripost.errors import LedgerError
from ripost.privacy.ledger import Debit

SHORTEST_HEAD = 16  # digits of a hash that are enough to know it by


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str  # what was found, or what is wrong


@dataclass(frozen=True, slots=True)
class Claim:
    """What a release file says about itself and its debit."""

    name: str
    digest: str
    debit: Debit | None
    epsilon: Fraction
    delta: Fraction
    unit: str | None


def audit(
    target: Target, claims: Sequence[Claim] = (), *, head: str | None = None, anchor: Target | None = None
) -> list[Check]:
    """What was checked, in order; a ledger that cannot be believed is not looked at any further."""
    try:
        found = store_of(target).read()
        state = standing(found.links)
    except LedgerError as error:
        return [Check("chain", False, str(error))]
    links = state.links
    checks = [Check("chain", True, f"{len(links):,} entries, each follows from those before it"), _budget(state)]
    checks += [_place(found.place, state), _kept(state, anchor)]
    if head is not None:
        checks.append(_head(links, head))
    checks += [check_claim(state, links, claim) for claim in claims]
    return [*checks, *_used_twice(claims)]


def audit_claim(target: Target, claim: Claim) -> list[Check]:
    """Whether a ledger can be believed, and paid for a release."""
    return [check for check in audit(target, [claim]) if check.name != "place"]


def check_claim(state: Standing, links: Sequence[Link], claim: Claim) -> Check:
    """Whether a release was paid for by the debit that it points to, and is the one that came of it."""
    if claim.debit is None:
        return Check("release", False, f"{claim.name} names no debit: it was published without a ledger")
    if fault := _lost(state, links, claim.debit) or _unlike(state, claim, claim.debit.number):
        return Check("release", False, f"{claim.name} {fault}")
    cost = f"epsilon {shown(claim.epsilon)}" + (f" and delta {shown(claim.delta)}" if claim.delta else "")
    found = f"{claim.name} is paid for by debit {claim.debit.number}: {cost} for {unit_name(claim.unit)}"
    outcome = state.paid[claim.debit.number].outcome
    if isinstance(outcome, Failed):
        found += ", though the ledger says that it failed"
    return Check("release", True, found if outcome else f"{found}, whose closing was not noted")


def _lost(state: Standing, links: Sequence[Link], pointer: Debit) -> str | None:
    """What is wrong with where a release points."""
    if pointer.ledger != state.opened.ledger:
        return "was debited in another ledger"
    if pointer.number >= len(links):
        return f"points to entry {pointer.number}, past the end: this ledger is an older copy, or was rolled back"
    paid = state.paid.get(pointer.number)
    if paid is None or paid.link.chain != pointer.chain:
        return f"was debited in a copy that has gone another way by entry {pointer.number}: both copies were spent"
    return None


def _unlike(state: Standing, claim: Claim, number: int) -> str | None:
    """How a release differs from what its debit was for."""
    paid = state.paid[number]
    if (claim.epsilon, claim.delta) != paid.record.cost or claim.unit != state.opened.unit:
        return f"promises something else than debit {number} paid for"
    if isinstance(paid.outcome, Released) and paid.outcome.digest != claim.digest:
        return f"is not the view that debit {number} was closed with"
    return None


def _budget(state: Standing) -> Check:
    (epsilon, delta), (cap, delta_cap) = state.spent, state.cap
    more = f", delta {shown(delta)} of {shown(delta_cap)}" if delta_cap else ""
    who = unit_name(state.opened.unit)
    return Check(
        "budget", True, f"{len(state.paid):,} debits, epsilon {shown(epsilon)} of {shown(cap)}{more} for {who}"
    )


def _place(place: AnyPlace, state: Standing) -> Check:
    if state.place.is_same(place):
        return Check("place", True, "this is the ledger that is debited")
    return Check("place", True, "this is a copy: it cannot be debited unless it is adopted")


def _kept(state: Standing, anchor: Target | None) -> Check:
    """Whether all entries that were seen before are there, adopted since or not: what they debited was spent."""
    try:
        kept, lost = kept_heads(state, anchor), lost_heads(state, anchor)
    except LedgerError as error:
        return Check("kept heads", False, str(error))
    if lost:
        newest = max(head.number for head in lost)
        what = f"entry {newest}, which was seen before, is not in it: it was set back, or is an older copy"
        return Check("kept heads", False, f"{what}; what was debited there is spent and not counted here")
    if not kept:
        return Check("kept heads", True, "none of this ledger was kept here, so nothing is known of its past")
    return Check("kept heads", True, f"all {len(kept):,} that were kept outside it are in it")


def _head(links: Sequence[Link], head: str) -> Check:
    if len(head) < SHORTEST_HEAD:
        return Check("head", False, f"a head needs at least {SHORTEST_HEAD} digits")
    found = next((link for link in links if link.chain.startswith(head.lower())), None)
    if found is None:
        return Check("head", False, "the ledger never had this head: it was rolled back, or is a copy gone another way")
    return Check("head", True, f"entry {found.number} of {len(links) - 1} had this head, and all since follows from it")


def _used_twice(claims: Sequence[Claim]) -> list[Check]:
    """Different views that point to one debit: only one of them was paid for."""
    seen: dict[Debit, Claim] = {}
    found = []
    for claim in claims:
        other = seen.setdefault(claim.debit, claim) if claim.debit else claim
        if other.digest != claim.digest:
            found.append(Check("release", False, f"{claim.name} and {other.name} share a debit that paid for one"))
    return found
