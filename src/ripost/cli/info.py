"""`ripost info`: what a view file holds and what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_json, print_table, warn_if_not_private
from ripost.release.promise import describe_first_periods, describe_kept_rows, list_charges, promise

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy
    from ripost.schema.domain import Domain
    from ripost.series import Series
    from ripost.view import View


def info(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell what a view holds and what was promised."""
    from ripost.release.domain_facts import write_impossible
    from ripost.schema.domain import format_exactly
    from ripost.series import Series
    from ripost.view import open_view

    opened = open_view(view)
    warn_if_not_private(opened.privacy)
    if isinstance(opened, Series):
        _describe_series(opened, as_json=as_json)
        return
    if as_json:
        print_json(
            {
                "title": opened.title,
                "description": opened.description,
                "measure": opened.measure.to_json(),
                **_measures_field(opened),
                "attributes": opened.domain.to_json(),
                **write_impossible(opened.domain),
                "cells": format_exactly(opened.domain.size),
                "kind": opened.content.kind,
                "blocks": len(opened.blocks),
                "method": opened.method,
                "parameters": opened.parameters,
                "privacy": opened.privacy.to_json(),
                "note": opened.describe_limits(),
                **({} if opened.period is None else {"period": opened.period.to_json()}),
                "debit": opened.debit and opened.debit.to_json(),
                "measurements": 0 if opened.measured is None else len(opened.measured.value),
                "origin": opened.origin and opened.origin.to_json(),
            }
        )
        return
    out, privacy = console(), opened.privacy
    for words in (opened.title, opened.description):
        if words:
            out.print(words)
    out.print(f"{opened.measure.title} over {len(opened.domain)} attributes, method {opened.method},")
    out.print(f"{len(opened.blocks):,} {opened.content.noun} for {opened.domain.size_in_words} cells.")
    _print_measures(opened)
    if opened.period is not None:
        out.print(f"Counts only the rows of the period {opened.period}.")
    if opened.measured is not None:
        out.print(f"Holds {len(opened.measured.value):,} noisy measurements; ripost reestimate starts from them.")
    if opened.origin is not None:
        out.print(f"Estimated again by {opened.software} from the view {opened.origin.digest}.")
    if kept := describe_kept_rows(privacy):
        out.print(f"Note: {kept}.")
    out.print()
    _print_attributes(opened.domain)
    out.print(f"\n{promise(privacy)}")
    for sentence in describe_first_periods(privacy):
        out.print(sentence)
    by_rho = f", by rho {float(privacy.spent):.6g}" if privacy.currency == "rho" else ""
    out.print(f"The most spent along any path: {privacy.epsilon_spent:.6g} of {float(privacy.epsilon):g}{by_rho}.\n")
    if opened.debit:
        out.print(f"Paid for by debit {opened.debit.number} in ledger {opened.debit.ledger}.\n")
    charges = list_charges(opened)
    digits = max((_count_decimals(float(price)) for _, _, price in charges), default=0)
    rows = [(purpose, mechanism, f"{float(price):.{digits}f}") for purpose, mechanism, price in charges]
    print_table(("spent on", "by", f"largest {privacy.currency} along a path"), rows, right={2})
    _print_discovery(privacy)
    if (most := privacy.unit.max_rows) > 1:
        times = most**2 if privacy.currency == "rho" else most
        whole = f"one {privacy.unit.column} has up to {most}, which costs {times} times the sum"
        out.print(f"\nThese are for one row; {whole}.")


def _print_discovery(privacy: Privacy) -> None:
    """Print what was discovered from the data, and what each draw cost one unit."""
    if privacy.discovery is None:
        return
    console().print("\nDiscovered from the data first, with noisy votes of units:\n")
    rows = [
        (one.purpose, f"{float(one.epsilon):.6g}", f"{float(one.delta):.3g}" if one.delta else "", f"{one.threshold:,}")
        for one in privacy.discovery.entries
    ]
    print_table(("discovered", "epsilon", "delta", "threshold"), rows, right={1, 2, 3})


def _measures_field(opened: View) -> dict[str, Any]:
    """The measures as the schema states them, if there are any."""
    found = {
        name: content.measured.model_dump(mode="json", exclude_none=True) for name, content in opened.measures.items()
    }
    return {"measures": found} if found else {}


def _print_measures(opened: View) -> None:
    """Print the measures that sums and means are known of, a line each."""
    for name, content in opened.measures.items():
        console().print(f"{content.measured.describe(name)}.")


def _describe_series(series: Series, *, as_json: bool) -> None:
    """Print the periods of a series, each with its promise and debit."""
    periods = [(part, part.period) for part in series.parts if part.period is not None]
    if as_json:
        facts = [
            {
                **period.to_json(),
                "digest": part.digest,
                "method": part.method,
                "privacy": part.privacy.to_json(),
                "debit": part.debit and part.debit.to_json(),
            }
            for part, period in periods
        ]
        print_json(
            {
                "title": series.title,
                "description": series.description,
                "measure": series.measure.to_json(),
                "attributes": series.domain.to_json(),
                "epsilon": str(series.privacy.epsilon),
                "delta": str(series.privacy.delta),
                "private": series.privacy.is_private,
                "note": series.describe_limits(),
                "periods": facts,
            }
        )
        return
    out = console()
    for words in (series.title, series.description):
        if words:
            out.print(words)
    out.print(f"{series.measure.title} over {len(series.domain)} attributes, {len(periods):,} periods.")
    _print_measures(series)
    if kept := describe_kept_rows(series.privacy):
        out.print(f"Note: {kept}.")
    out.print()
    _print_attributes(series.domain)
    out.print(f"\nAll periods together: {promise(series.privacy)}\n")
    rows = [
        (str(period), part.method, f"{float(part.privacy.epsilon):g}", f"{float(part.privacy.delta):g}",
         str(part.debit.number) if part.debit else "")
        for part, period in periods
    ]  # fmt: skip
    print_table(("period", "method", "epsilon", "delta", "debit"), rows, right={2, 3, 4})


def _print_attributes(domain: Domain) -> None:
    """Print what each attribute is; labels, descriptions and expressions have columns only if the schema has any."""
    rows = []
    for name, attribute in domain:
        ends = attribute.describe(0), attribute.describe(attribute.count - 1)
        words = attribute.unit or "", attribute.label or "", attribute.description or "", attribute.expression or ""
        rows.append((name, f"{attribute.size:,}", *ends, *words))
    head = ("attribute", "codes", "from", "to", "unit", "label", "description", "expression")
    filled = [i for i, _ in enumerate(head) if i < 4 or any(row[i] for row in rows)]
    print_table([head[i] for i in filled], [[row[i] for i in filled] for row in rows], right={1})
    for name, told in domain.describe_structure():
        console().print(f"{name[:1].upper()}{name[1:]}: {told}.")


def _count_decimals(price: float) -> int:
    """Decimals that six significant digits of a price need."""
    return len(f"{price:.6g}".partition(".")[2]) if "e" not in f"{price:.6g}" else 9
