"""The verbs of a ledger: open it with a cap, debit a release, close the debit, adopt a copy."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from ripost.budget_ledger.chain import Link
from ripost.budget_ledger.heads import Head, HeadFile, head_files, missing
from ripost.budget_ledger.place import AnyPlace
from ripost.budget_ledger.publisher import Publisher
from ripost.budget_ledger.records import Adopted, Debited, Failed, Opened, Reason, Record, Released
from ripost.budget_ledger.standing import Standing, standing
from ripost.budget_ledger.store import Snapshot, Store, Target, Transaction, store_of
from ripost.errors import LedgerError
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Debit

ONE_ROW = "one row"


def open_books(
    target: Target,
    *,
    dataset: str,
    epsilon: Number,
    delta: Number = 0,
    unit: str | None = None,
    publishers: Sequence[str] = (),
) -> Standing:
    """Make a ledger for a data set: all releases from it together never cost more than this.

    Args:
        target: a path, or the URL of a PostgreSQL database.
        unit: the column that tells people apart, as in the schema; without it each row is protected.
        publishers: roles of the PostgreSQL server that may debit the ledger, and change nothing that is in it.
    """
    if not (dataset.strip() and dataset.isprintable() and len(dataset) <= 200):
        raise LedgerError("a data set needs a name of at most 200 printable letters")
    cap, number = (parse_epsilon(epsilon), _parse_delta(delta)), secrets.token_hex(16)

    def first(place: AnyPlace) -> Opened:
        return Opened(
            ledger=number,
            dataset=dataset,
            epsilon=str(cap[0]),
            delta=str(cap[1]),
            unit=unit,
            place=place,
            at=_now(),
        )

    files = _writable_files(number, None)
    store_of(target).create(first, publishers)
    state = read_books(target)
    _keep(files, state)
    return state


def read_books(target: Target) -> Standing:
    """The state of a ledger, after checking all of it."""
    return standing(store_of(target).read().links)


def kept_heads(state: Standing, anchor: Target | None = None) -> set[Head]:
    """Heads of a ledger that were kept here, or in an anchor."""
    ledger = state.opened.ledger
    return {head for file in head_files(ledger, anchor) for head in file.read(ledger)}


def lost_heads(state: Standing, anchor: Target | None = None) -> list[Head]:
    """Heads that were kept and that the ledger does not have: it was set back."""
    return missing(kept_heads(state, anchor), state.links)


def check_debit(
    store: Store,
    found: Snapshot | Transaction,
    *,
    epsilon: Fraction,
    delta: Fraction,
    unit: str | None,
    anchor: Target | None = None,
) -> Standing:
    """The state of a ledger that allows such a release; LedgerError, and what is left, if it does not."""
    state = standing(found.links)
    _check_place(store, found.place, state, anchor)
    dataset = state.opened.dataset
    if unit != state.opened.unit:
        mine, theirs = unit_name(unit), unit_name(state.opened.unit)
        raise LedgerError(
            f"the ledger of {dataset} counts what {theirs} loses, and this release protects {mine}: the two do not add "
            f"up, so give the schema the unit of the ledger"
        )
    if delta and not state.cap[1]:
        why = f"this release has delta {shown(delta)} and the ledger of {dataset} allows none"
        raise LedgerError(f"{why}; choose a method without delta")
    for name, asked, left, cap in zip(("epsilon", "delta"), (epsilon, delta), state.left, state.cap, strict=True):
        if asked > left:
            has = f"the ledger of {dataset} has {name} {shown(left)} left of {shown(cap)}"
            raise LedgerError(f"{has}, and this release asks for {shown(asked)}; nothing was debited")
    return state


def _check_place(store: Store, place: AnyPlace, state: Standing, anchor: Target | None) -> None:
    """LedgerError for a ledger that could be spent beside another copy of it, or that was set back."""
    if not state.place.is_same(place):
        advice = "if the other is retired for good, say so with ripost ledger adopt"
        raise LedgerError(f"{store.name} is a copy of a ledger, or was restored, and both could be spent; {advice}")
    for head in lost_heads(state, anchor):
        if head.adoptions >= state.adoptions:  # otherwise it was adopted since
            what = f"{store.name} was set back: entry {head.number}, which was seen before, is not in it any more"
            raise LedgerError(f"{what}; find the newest copy, or accept what was lost with ripost ledger adopt")


def debit(
    target: Target,
    *,
    epsilon: Fraction,
    delta: Fraction,
    unit: str | None,
    method: str,
    view: str | None = None,
    anchor: Target | None = None,
) -> Debit:
    """Pay for a release. When this returns the debit and its head are on the disk; noise may be drawn from here on."""
    store = store_of(target)
    with store.writing() as transaction:
        state = check_debit(store, transaction, epsilon=epsilon, delta=delta, unit=unit, anchor=anchor)
        files = _writable_files(state.opened.ledger, anchor)
        record = Debited(
            epsilon=str(epsilon),
            delta=str(delta),
            method=method,
            view=view,
            publisher=Publisher.here(),
            nonce=secrets.token_hex(16),
            at=_now(),
        )
        link, state = _write(transaction, record)
    try:
        _keep(files, state)
    except LedgerError as error:
        raise LedgerError(f"{error}; debit {link.number} stays in {store.name}, and no noise was drawn") from None
    return Debit(state.opened.ledger, link.number, link.chain)


def close(target: Target, paid: Debit, outcome: str | Reason, *, anchor: Target | None = None) -> None:
    """Write down what came of a debit: the digest of a view, or why there is none."""
    with store_of(target).writing() as transaction:
        state = standing(transaction.links)
        if paid.number not in state.paid or state.pointer(paid.number) != paid:
            raise LedgerError("the ledger is not the one that was debited")
        if isinstance(outcome, Reason):
            _, state = _write(transaction, Failed(debit=paid.number, reason=outcome))
        else:
            _, state = _write(transaction, Released(debit=paid.number, digest=outcome))
    _keep(head_files(state.opened.ledger, anchor), state)


def adopt(target: Target, *, anchor: Target | None = None) -> Standing:
    """Make a copy the ledger: the steward vouches that no other copy will be debited again.

    That excuses heads which others have kept, of when it had been adopted fewer times. So a ledger whose lost part had
    been adopted is adopted once more than that.
    """
    with store_of(target).writing() as transaction:
        state = standing(transaction.links)
        files, before = _writable_files(state.opened.ledger, anchor), state.adoptions
        lost = [head.adoptions for head in lost_heads(state, anchor)]
        while state.adoptions <= max([before, *lost]):
            _, state = _write(transaction, Adopted(place=transaction.place, at=_now()))
    _keep(files, state)
    return state


def _writable_files(ledger: str, anchor: Target | None) -> list[HeadFile]:
    """The files of heads; LedgerError, before anything is debited, if one cannot be written to."""
    files = head_files(ledger, anchor)
    for file in files:
        file.check_writable()
    return files


def _keep(files: Sequence[HeadFile], state: Standing) -> None:
    """Keep the newest entry of a ledger outside it."""
    for file in files:
        file.append(Head(state.opened.ledger, state.adoptions, state.head.number, state.head.chain))


def _write(transaction: Transaction, record: Record) -> tuple[Link, Standing]:
    """Add an entry, unless the ledger would not be sound with it."""
    link = transaction.write(record)
    return link, standing(transaction.links)


def unit_name(unit: str | None) -> str:
    return ONE_ROW if unit is None else f"one {unit}"


def shown(amount: Fraction) -> str:
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
