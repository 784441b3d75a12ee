"""`ripost ledger`: the privacy budget of a data set, across releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_checks, print_json, print_table
from ripost.cli.source_options import format_command
from ripost.schema.measure import HISTORY_STAYS

if TYPE_CHECKING:
    from ripost.budget_ledger.ledger_state import LedgerDebit, LedgerState
    from ripost.budget_ledger.records import PeriodRecord

APART = (
    "A row is in one period of a rule, so of each rule the costliest period counts. What is left is for a release of "
    "all rows."
)
TOGETHER = "One person may have rows in all periods, so all debits add up."
FIRST = (
    "One person counts in at most max_periods periods of a rule, so of each rule as many of the costliest count. "
    "Debits without max_periods add up. What is left is for a release of all rows.\n"
    f"{HISTORY_STAYS}"
)
ledger = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Keep the privacy budget of a data set.")
Target = Annotated[str, typer.Argument(metavar="LEDGER", help="An SQLite file, or postgresql://ROLE@HOST/DATABASE.")]
Anchor = Annotated[Path | None, typer.Option(help="A file elsewhere that keeps heads of the ledger too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@ledger.command()
def init(
    target: Target,
    dataset: Annotated[str, typer.Option(help="The data set, in your own words.")],
    epsilon: Annotated[str, typer.Option("--epsilon", "-e", help="The most that all releases together may cost.")],
    delta: Annotated[str, typer.Option(help="The same for delta; 0 allows pure methods alone.")] = "0",
    unit: Annotated[
        str | None, typer.Option(help="The column that identifies people, as in the schema; without it, one row.")
    ] = None,
    publisher: Annotated[
        list[str] | None,
        typer.Option(help="A role of the PostgreSQL server that may debit it and change nothing; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a ledger. Its cap is set once."""
    from ripost.budget_ledger.ledger_store import open_store
    from ripost.budget_ledger.operations import create_ledger

    state = create_ledger(
        target, dataset=dataset, epsilon=epsilon, delta=delta, unit=unit, publishers=tuple(publisher or ())
    )
    if as_json:
        print_json(to_json(state))
        return
    out = console()
    name = open_store(target).name
    out.print(f"Made {name}, the ledger of {dataset}: {describe_budget(state)[0]}.")
    out.print(f"Next: {format_command('publish', 'TABLE', 'SCHEMA', '--epsilon', 'E', '--ledger', name)}")
    print_head(state)


@ledger.command()
def status(target: Target, as_json: AsJson = False) -> None:
    """Tell what was spent, what is left, and what came of each debit."""
    from ripost.budget_ledger.operations import find_lost_heads, read_ledger

    state = read_ledger(target)
    if as_json:
        print_json(to_json(state))
        return
    out = console()
    allowed, spent = describe_budget(state)
    out.print(f"Ledger of {state.opening.dataset}: {allowed}.")
    out.print(f"{spent}\n")
    if state.debits:
        _print_debits(state)
    if periods := [paid.record.period for paid in state.debits.values() if paid.record.period]:
        bounded = any(period.max_periods for period in periods)
        out.print(f"\n{APART if state.opening.unit is None else FIRST if bounded else TOGETHER}")
    if lost := [str(number) for number, paid in state.debits.items() if paid.state == "unknown"]:
        out.print(
            f"\nNobody knows what came of debit {', '.join(lost)}: the publisher is gone, and may have drawn noise."
        )
        out.print("What was debited stays so. If the view is there, ripost ledger audit tells whether it fits.")
    if find_lost_heads(state):
        out.print("\nEntries that were seen before are missing: it was set back, or is an older copy.")
    print_head(state)


@ledger.command()
def audit(
    target: Target,
    views: Annotated[list[Path] | None, typer.Argument(help="Release files, or series, that should be in it.")] = None,
    head: Annotated[str | None, typer.Option(help="A head of this ledger that you kept.")] = None,
    anchor: Anchor = None,
    as_json: AsJson = False,
) -> None:
    """Add everything up again, and compare.

    Compares the sums with release files and with heads that were kept.
    """
    from ripost.budget_ledger.audit import audit as audit_books
    from ripost.cli.release_claims import read_claims

    claims = [claim for view in views or [] for claim in read_claims(view)]
    print_checks(audit_books(target, claims, head=head, anchor=anchor), as_json=as_json)


@ledger.command()
def adopt(target: Target, anchor: Anchor = None, as_json: AsJson = False) -> None:
    """Make this copy the ledger from now on.

    State by it that no other copy will be debited again.
    """
    from ripost.budget_ledger.ledger_store import open_store
    from ripost.budget_ledger.operations import adopt as adopt_books
    from ripost.budget_ledger.operations import find_lost_heads

    state = adopt_books(target, anchor=anchor)
    if as_json:
        print_json(to_json(state))
        return
    name = open_store(target).name
    console().print(f"{name} is the ledger of {state.opening.dataset} now. Delete every other copy, or keep it unused.")
    if find_lost_heads(state, anchor):
        console().print("Entries that were seen before are missing: what they debited is spent and not counted here.")
    print_head(state)


def describe_budget(state: LedgerState) -> tuple[str, str]:
    """What the ledger allows, and what was spent and is left, in words."""
    from ripost.budget_ledger.operations import format_amount, unit_name

    names = ("epsilon", "delta") if state.cap[1] else ("epsilon",)
    allowed = " and ".join(f"{name} {format_amount(cap)}" for name, cap in zip(names, state.cap, strict=False))
    spent = "; ".join(
        f"{name} {format_amount(spent)} spent, {format_amount(left)} left"
        for name, spent, left in zip(names, state.spent, state.left, strict=False)
    )
    return f"at most {allowed} in all for {unit_name(state.opening.unit)}", f"{spent[0].upper()}{spent[1:]}."


def _print_debits(state: LedgerState) -> None:
    from ripost.budget_ledger.operations import format_amount

    amounts = ["epsilon", "delta"] if state.cap[1] else ["epsilon"]
    rows = []
    series = any(paid.record.period for paid in state.debits.values())
    for paid in state.debits.values():
        when = paid.record.at.replace("T", " ").rstrip("Z")
        costs = [format_amount(amount) for amount in paid.record.cost][: len(amounts)]
        period = paid.record.period
        of = [_describe_period(period)] if series else []
        outcome = describe_outcome(paid)
        rows.append([str(paid.entry.number), when, paid.record.method, *of, *costs, outcome, paid.record.view or ""])
    head, first = ["debit", "when (UTC)", "method", *["period"] * series, *amounts, "state", "view"], 3 + series
    print_table(head, rows, right={0, *range(first, first + len(amounts))})


def _describe_period(period: PeriodRecord | None) -> str:
    if period is None:
        return "all rows"
    return str(period) if period.max_periods is None else f"{period}, max_periods {period.max_periods:,}"


def describe_outcome(paid: LedgerDebit) -> str:
    """What came of a debit, in words."""
    from ripost.budget_ledger.records import FailureRecord

    return f"failed: {paid.outcome.reason}" if isinstance(paid.outcome, FailureRecord) else paid.state


def print_head(state: LedgerState) -> None:
    console().print(f"Head: {state.head.chain}")


def to_json(state: LedgerState) -> dict[str, Any]:
    """A ledger as JSON."""
    return {
        "ledger": state.opening.ledger,
        "dataset": state.opening.dataset,
        "unit": state.opening.unit,
        "cap": _amounts(state.cap),
        "spent": _amounts(state.spent),
        "left": _amounts(state.left),
        "debits": [_debit(paid) for paid in state.debits.values()],
        "head": state.head.chain,
    }


def _debit(paid: LedgerDebit) -> dict[str, Any]:
    from ripost.budget_ledger.records import FailureRecord, ReleaseRecord

    record, outcome = paid.record, paid.outcome
    return {
        "number": paid.entry.number,
        "chain": paid.entry.chain,
        "at": record.at,
        "method": record.method,
        "view": record.view,
        **({} if record.period is None else {"period": record.period.model_dump()}),
        **_amounts(record.cost),
        "state": paid.state,
        "reason": str(outcome.reason) if isinstance(outcome, FailureRecord) else None,
        "digest": outcome.digest if isinstance(outcome, ReleaseRecord) else None,
    }


def _amounts(pair: tuple[Any, Any]) -> dict[str, str]:
    return {"epsilon": str(pair[0]), "delta": str(pair[1])}
