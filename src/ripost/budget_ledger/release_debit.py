"""Release debit: debits a ledger for one release, before the first draw, and records the outcome."""

from __future__ import annotations

import warnings
from fractions import Fraction
from types import TracebackType
from typing import Self

from ripost.budget_ledger.ledger_store import Target, open_store
from ripost.budget_ledger.operations import check_debit, close, debit, format_amount
from ripost.budget_ledger.records import FailureReason, PeriodRecord
from ripost.errors import InputError, LedgerError, LedgerWarning, ReleaseError, SourceError
from ripost.privacy.ledger import Debit

REASONS: tuple[tuple[type[BaseException], FailureReason], ...] = (
    (SourceError, FailureReason.SOURCE),
    (ReleaseError, FailureReason.WRITE),
    (InputError, FailureReason.INPUT),
    (KeyboardInterrupt, FailureReason.STOPPED),
    (SystemExit, FailureReason.STOPPED),
    (MemoryError, FailureReason.MEMORY),
    (BaseException, FailureReason.FAULT),
)


class ReleaseDebit:
    """The cost of a release for one unit. It is debited once, and never refunded."""

    debited: Debit | None = None
    _closed = False

    def __init__(
        self,
        ledger: Target,
        *,
        epsilon: Fraction,
        delta: Fraction,
        unit: str | None,
        method: str,
        period: PeriodRecord | None = None,
        view: str | None = None,
        anchor: Target | None = None,
    ) -> None:
        """Check that the ledger allows the release; nothing is debited yet."""
        self._ledger, self._anchor, self._method, self._view = ledger, anchor, method, view
        self._epsilon, self._delta, self._unit, self._period = epsilon, delta, unit, period
        store = open_store(ledger)
        self._name = store.name
        check_debit(store, store.read(), epsilon=epsilon, delta=delta, unit=unit, period=period, anchor=anchor)

    def pay(self) -> None:
        """Debit the ledger; LedgerError, before any noise is drawn, if the ledger no longer allows the release."""
        if self.debited is None:
            self.debited = debit(
                self._ledger,
                epsilon=self._epsilon,
                delta=self._delta,
                unit=self._unit,
                method=self._method,
                period=self._period,
                view=self._view,
                anchor=self._anchor,
            )

    def close(self, digest: str) -> None:
        """Record the digest of the view. If this fails, the view is kept: it is sound without the record."""
        if self.debited is None:
            raise LedgerError("a release that was not paid for cannot be closed")
        self._closed = True
        try:
            close(self._ledger, self.debited, digest, anchor=self._anchor)
        except LedgerError as error:
            sentence = f"the view is sound and paid for, but its digest was not noted: {error}"
            warnings.warn(sentence, LedgerWarning, stacklevel=3)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or self.debited is None or self._closed:
            return
        reason = next(reason for cause, reason in REASONS if isinstance(error, cause))
        error.add_note(f"debit {self.debited.number} of epsilon {format_amount(self._epsilon)} stays in {self._name}")
        try:
            close(self._ledger, self.debited, reason, anchor=self._anchor)
        except LedgerError:
            error.add_note("and why it failed could not be noted there")
