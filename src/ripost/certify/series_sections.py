"""What the certificate of a series says of its periods, beside what it says of any release."""

from __future__ import annotations

from ripost.certify.certificate_statement import Section, SectionTable
from ripost.series import Series


def explain_promise(series: Series) -> str:
    """Why the promises of all periods together are what they are."""
    count, unit = len(series.parts), series.privacy.unit
    if count == 1:
        return f"There is one period of {series.rule}; a further one can change the promise."
    if unit.column is None:
        alike = series.privacy.delta == series.costliest.privacy.delta
        most = "what the costliest promises" if alike else "the largest epsilon and the largest delta of any of them"
        return (
            f"Each row is in at most one of the {count:,} periods of {series.rule}, so all of them together promise "
            f"{most}."
        )
    if unit.max_periods is not None and unit.max_periods < count:
        return (
            f"Rows of a {unit.column} are kept in its {unit.first_periods} of {series.rule} alone, so the promise of "
            f"all {count:,} periods together has the sum of their {unit.max_periods:,} largest epsilons and deltas."
        )
    return (
        f"A {unit.column} may have rows in all {count:,} periods of {series.rule}, so the promise of all of them "
        "together has the sum of their epsilons and deltas."
    )


def describe_periods(series: Series) -> Section:
    """A line for each period: how it was made, what it cost and who paid."""
    rows = tuple(
        (
            part.period.label,
            part.method,
            str(part.debit.number) if part.debit else "",
            f"{float(part.privacy.epsilon):g}",
            f"{float(part.privacy.delta):g}",
            f"{part.privacy.epsilon_spent:.6g}",
        )
        for part in series.parts
        if part.period is not None
    )
    ledgers = sorted({part.debit.ledger for part in series.parts if part.debit})
    words = ["Each period is a release file of its own, with a ledger of its own, and is in the series whole."]
    if ledgers:
        words.append(f"Debits are entries of the ledger {', '.join(ledgers)}, which the steward keeps.")
    head = ("period", "method", "debit", "epsilon", "delta", "spent")
    return Section("The periods", tuple(words), table=SectionTable(head, rows, right=2))


def list_digests(series: Series) -> Section:
    """The digest of the file of each period."""
    facts = tuple((line["period"], line["digest"]) for line in series.list_periods())
    return Section("SHA-256 of each view", facts=facts)
