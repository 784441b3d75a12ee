"""Operations on a ledger: create it with a cap, debit a release, close the debit, adopt a copy."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.head_files import Head, HeadFile, find_missing, head_files
from ripost.budget_ledger.ledger_state import LedgerState, replay
from ripost.budget_ledger.ledger_store import LedgerStore, Snapshot, Target, Transaction, open_store
from ripost.budget_ledger.location import LedgerLocation
from ripost.budget_ledger.publisher import Publisher
from ripost.budget_ledger.records import (
    AdoptionRecord,
    DebitRecord,
    FailureReason,
    FailureRecord,
    OpeningRecord,
    PeriodRecord,
    Record,
    ReleaseRecord,
)
from ripost.errors import LedgerError
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Debit

ONE_ROW = "one row"


def create_ledger(
    target: Target,
    *,
    dataset: str,
    epsilon: Number,
    delta: Number = 0,
    unit: str | None = None,
    publishers: Sequence[str] = (),
) -> LedgerState:
    """Make a ledger for a data set: all releases from it together never cost more than this.

    Args:
        target: a path, or the URL of a PostgreSQL database.
        unit: the column that identifies people, as in the schema; without it each row is protected.
        publishers: roles of the PostgreSQL server that may debit the ledger, and change nothing that is in it.
    """
    if not (dataset.strip() and dataset.isprintable() and len(dataset) <= 200):
        raise LedgerError("a data set needs a name of at most 200 printable letters")
    cap, number = (parse_epsilon(epsilon), _parse_delta(delta)), secrets.token_hex(16)

    def first(place: LedgerLocation) -> OpeningRecord:
        return OpeningRecord(
            ledger=number,
            dataset=dataset,
            epsilon=str(cap[0]),
            delta=str(cap[1]),
            unit=unit,
            place=place,
            at=_now(),
        )

    files = _writable_files(number, None)
    open_store(target).create(first, publishers)
    state = read_ledger(target)
    _keep(files, state)
    return state


def read_ledger(target: Target) -> LedgerState:
    """Check all entries of a ledger and return its state."""
    return replay(open_store(target).read().entries)


def read_kept_heads(state: LedgerState, anchor: Target | None = None) -> set[Head]:
    """Heads of a ledger from the state folder and the anchor."""
    ledger = state.opening.ledger
    return {head for file in head_files(ledger, anchor) for head in file.read(ledger)}


def find_lost_heads(state: LedgerState, anchor: Target | None = None) -> list[Head]:
    """Kept heads that the ledger does not have. If there are any, it was set back."""
    return find_missing(read_kept_heads(state, anchor), state.entries)


def check_debit(
    store: LedgerStore,
    found: Snapshot | Transaction,
    *,
    epsilon: Fraction,
    delta: Fraction,
    unit: str | None,
    period: PeriodRecord | None = None,
    anchor: Target | None = None,
) -> LedgerState:
    """Return the state of a ledger that allows this release; else raise LedgerError, which says what is left."""
    state = replay(found.entries)
    _check_location(store, found.location, state, anchor)
    dataset = state.opening.dataset
    if unit != state.opening.unit:
        mine, theirs = unit_name(unit), unit_name(state.opening.unit)
        advice = (
            f"keep the unit, and make a ledger that counts it: ripost ledger init --unit {unit}"
            if state.opening.unit is None
            else f"protect {theirs}: set unit = {json.dumps(state.opening.unit)} and max_rows in the schema"
        )
        raise LedgerError(
            f"the ledger of {dataset} counts what {theirs} loses, but this release protects {mine}; {advice}"
        )
    if delta and not state.cap[1]:
        why = f"this release has delta {format_amount(delta)} and the ledger of {dataset} allows none"
        raise LedgerError(f"{why}; choose a method without delta")
    rest = state.left_for(period)
    if min(rest) < 0 and period is not None:
        raise LedgerError(
            f"with max_periods = {period.max_periods} the releases of {period.rule} that the ledger of {dataset} has "
            f"debited would cost more than its cap; keep the max_periods that they had"
        )
    for name, asked, left, cap in zip(("epsilon", "delta"), (epsilon, delta), rest, state.cap, strict=True):
        if asked > left:
            apart = period is not None and (unit is None or period.max_periods is not None)
            of = f" for {period}" if apart else ""
            has = f"the ledger of {dataset} has {name} {format_amount(left)} left of {format_amount(cap)}{of}"
            raise LedgerError(f"{has}, and this release asks for {format_amount(asked)}; nothing was debited")
    return state


def _check_location(store: LedgerStore, place: LedgerLocation, state: LedgerState, anchor: Target | None) -> None:
    """Raise LedgerError for a ledger that is a copy, so that both could be spent, or that was set back."""
    if not state.location.is_same(place):
        advice = "if the other is retired for good, say so with ripost ledger adopt"
        raise LedgerError(f"{store.name} is a copy of a ledger, or was restored, and both could be spent; {advice}")
    for head in find_lost_heads(state, anchor):
        if head.adoptions >= state.adoptions:  # else it was adopted later
            what = f"{store.name} was set back: entry {head.number}, which was seen before, is not in it any more"
            raise LedgerError(f"{what}; find the newest copy, or accept what was lost with ripost ledger adopt")


def debit(
    target: Target,
    *,
    epsilon: Fraction,
    delta: Fraction,
    unit: str | None,
    method: str,
    period: PeriodRecord | None = None,
    view: str | None = None,
    anchor: Target | None = None,
) -> Debit:
    """Debit a release. When this returns, the debit and its head are on the disk, and noise may be drawn."""
    store = open_store(target)
    with store.begin() as transaction:
        state = check_debit(store, transaction, epsilon=epsilon, delta=delta, unit=unit, period=period, anchor=anchor)
        files = _writable_files(state.opening.ledger, anchor)
        record = DebitRecord(
            epsilon=str(epsilon),
            delta=str(delta),
            method=method,
            view=view,
            publisher=Publisher.here(),
            nonce=secrets.token_hex(16),
            at=_now(),
            period=period,
        )
        entry, state = _write(transaction, record)
    try:
        _keep(files, state)
    except LedgerError as error:
        raise LedgerError(f"{error}; debit {entry.number} stays in {store.name}, and no noise was drawn") from None
    return Debit(state.opening.ledger, entry.number, entry.chain)


def close(target: Target, paid: Debit, outcome: str | FailureReason, *, anchor: Target | None = None) -> None:
    """Record the outcome of a debit: the digest of the view, or the reason for the failure."""
    with open_store(target).begin() as transaction:
        state = replay(transaction.entries)
        if paid.number not in state.debits or state.pointer(paid.number) != paid:
            raise LedgerError("the ledger is not the one that was debited")
        if isinstance(outcome, FailureReason):
            _, state = _write(transaction, FailureRecord(debit=paid.number, reason=outcome))
        else:
            _, state = _write(transaction, ReleaseRecord(debit=paid.number, digest=outcome))
    _keep(head_files(state.opening.ledger, anchor), state)


def adopt(target: Target, *, anchor: Target | None = None) -> LedgerState:
    """Make a copy the ledger: the steward vouches that no other copy will be debited again.

    An adoption excuses missing heads from before it, which have a smaller number of adoptions. If the lost part of a
    ledger itself had adoptions, the new number exceeds theirs.
    """
    with open_store(target).begin() as transaction:
        state = replay(transaction.entries)
        files, before = _writable_files(state.opening.ledger, anchor), state.adoptions
        lost = [head.adoptions for head in find_lost_heads(state, anchor)]
        while state.adoptions <= max([before, *lost]):
            _, state = _write(transaction, AdoptionRecord(place=transaction.location, at=_now()))
    _keep(files, state)
    return state


def _writable_files(ledger: str, anchor: Target | None) -> list[HeadFile]:
    """The files of heads; LedgerError if one cannot be written. It is called before a debit."""
    files = head_files(ledger, anchor)
    for file in files:
        file.check_writable()
    return files


def _keep(files: Sequence[HeadFile], state: LedgerState) -> None:
    """Append the newest entry of a ledger to the files of heads."""
    for file in files:
        file.append(Head(state.opening.ledger, state.adoptions, state.head.number, state.head.chain))


def _write(transaction: Transaction, record: Record) -> tuple[LedgerEntry, LedgerState]:
    """Add an entry; LedgerError, which undoes it, if the ledger is not sound with it."""
    entry = transaction.write(record)
    return entry, replay(transaction.entries)


def unit_name(unit: str | None) -> str:
    return ONE_ROW if unit is None else f"one {unit}"


def format_amount(amount: Fraction) -> str:
    """A budget for print: as a decimal if that is exact."""
    text = f"{float(amount):.12g}"
    return text if Fraction(text) == amount else str(amount)


def _parse_delta(value: Number) -> Fraction:
    try:
        delta = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise LedgerError(f"the cap of delta must be a number from 0 to 0.1, got {value!r}") from None
    if not 0 <= delta <= Fraction(1, 10):
        raise LedgerError(f"the cap of delta must be a number from 0 to 0.1, got {value}")
    return delta


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
