"""The verbs of a ledger: open it with a cap, debit a release, close the debit, adopt a copy."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from ripost.books.chain import Link
from ripost.books.place import Place
from ripost.books.publisher import Publisher
from ripost.books.records import Adopted, Debited, Failed, Opened, Reason, Record, Released
from ripost.books.standing import Standing, standing
from ripost.books.store import Pen, create, read, writing
from ripost.errors import LedgerError
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Debit

ONE_ROW = "one row"


def open_books(
    path: str | os.PathLike[str], *, dataset: str, epsilon: Number, delta: Number = 0, unit: str | None = None
) -> Standing:
    """A new ledger for a data set: all releases from it together never cost more than this.

    Args:
        unit: the column that tells people apart, as in the schema; without it each row is protected.
    """
    if not (dataset.strip() and dataset.isprintable() and len(dataset) <= 200):
        raise LedgerError("a data set needs a name of at most 200 printable letters")
    cap, target = (parse_epsilon(epsilon), _parse_delta(delta)), Path(path)

    def first() -> Opened:
        return Opened(
            ledger=secrets.token_hex(16),
            dataset=dataset,
            epsilon=str(cap[0]),
            delta=str(cap[1]),
            unit=unit,
            place=Place.of(target),
            at=_now(),
        )

    create(target, first)
    return read_books(target)


def read_books(path: str | os.PathLike[str]) -> Standing:
    """The state of a ledger, after checking all of it."""
    return standing(read(Path(path)))


def check_debit(path: Path, state: Standing, *, epsilon: Fraction, delta: Fraction, unit: str | None) -> None:
    """LedgerError, and what is left, if the ledger does not allow such a release."""
    _check_place(path, state)
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


def _check_place(path: Path, state: Standing) -> None:
    """LedgerError for a file that could be spent beside another of the same ledger, or seen under two names."""
    if not state.place.is_same(Place.of(path)):
        advice = "if the other is retired for good, say so with ripost ledger adopt"
        raise LedgerError(f"{path} is a copy of a ledger, or was restored, and both could be spent; {advice}")
    if os.stat(path).st_nlink > 1:  # noqa: PTH116
        raise LedgerError(f"{path} has a second name (a hard link), under which a crash would not be seen; unlink it")


def debit(
    path: Path, *, epsilon: Fraction, delta: Fraction, unit: str | None, method: str, view: str | None = None
) -> Debit:
    """Pay for a release. When this returns the disk has the debit; noise may be drawn from here on."""
    with writing(path) as pen:
        state = standing(pen.links)
        check_debit(path, state, epsilon=epsilon, delta=delta, unit=unit)
        record = Debited(
            epsilon=str(epsilon),
            delta=str(delta),
            method=method,
            view=view,
            publisher=Publisher.here(),
            at=_now(),
        )
        link = _write(pen, record)
        return Debit(state.opened.ledger, link.number, link.chain)


def close(path: Path, paid: Debit, outcome: str | Reason) -> None:
    """Write down what came of a debit: the digest of a view, or why there is none."""
    with writing(path) as pen:
        state = standing(pen.links)
        if paid.number not in state.paid or state.pointer(paid.number) != paid:
            raise LedgerError("the ledger is not the one that was debited")
        if isinstance(outcome, Reason):
            _write(pen, Failed(debit=paid.number, reason=outcome))
        else:
            _write(pen, Released(debit=paid.number, digest=outcome))


def adopt(path: str | os.PathLike[str]) -> Standing:
    """Make a copy the ledger: the steward vouches that no other copy will be debited again."""
    target = Path(path)
    with writing(target) as pen:
        if not standing(pen.links).place.is_same(here := Place.of(target)):
            _write(pen, Adopted(place=here, at=_now()))
    return read_books(target)


def _write(pen: Pen, record: Record) -> Link:
    """Add an entry, unless the ledger would not be sound with it."""
    link = pen.write(record)
    standing(pen.links)
    return link


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
