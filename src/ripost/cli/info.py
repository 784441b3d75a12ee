"""`ripost info`: what a view file holds and what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private
from ripost.release.promise import list_charges, promise


def info(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell what a view holds and what was promised."""
    from ripost.schema.domain import format_exactly
    from ripost.view import open_view

    opened = open_view(view)
    warn_if_not_private(opened.privacy)
    if as_json:
        print_json(
            {
                "measure": opened.measure.to_json(),
                "attributes": opened.domain.to_json(),
                "cells": format_exactly(opened.domain.size),
                "kind": opened.content.kind,
                "blocks": len(opened.blocks),
                "method": opened.method,
                "parameters": opened.parameters,
                "privacy": opened.privacy.to_json(),
                "debit": opened.debit and opened.debit.to_json(),
            }
        )
        return
    from rich.table import Table

    out = console()
    out.print(f"{opened.measure.title} over {len(opened.domain)} attributes, method {opened.method},")
    out.print(f"{len(opened.blocks):,} {opened.content.noun} for {opened.domain.size_in_words} cells.\n")
    attributes = Table("attribute", "codes", "from", "to", "unit", "label", box=None, pad_edge=False)
    for name, attribute in opened.domain:
        last = attribute.count - 1
        ends = attribute.describe(0), attribute.describe(last)
        attributes.add_row(name, f"{attribute.size:,}", *ends, attribute.unit or "", attribute.label or "")
    out.print(attributes)
    out.print(f"\n{promise(opened.privacy)}")
    spent, asked = opened.privacy.epsilon_spent, float(opened.privacy.epsilon)
    currency = opened.privacy.currency
    by_rho = f", by rho {float(opened.privacy.spent):.6g}" if currency == "rho" else ""
    out.print(f"The most spent along any path: {spent:.6g} of {asked:g}{by_rho}.\n")
    if opened.debit:
        out.print(f"Paid for by debit {opened.debit.number} in ledger {opened.debit.ledger}.\n")
    ledger = Table("spent on", "by", f"{currency} along the costliest path", box=None, pad_edge=False)
    for purpose, mechanism, price in list_charges(opened):
        ledger.add_row(purpose, mechanism, f"{float(price):.6g}")
    out.print(ledger)
    if (rows := opened.privacy.unit.max_rows) > 1:
        times = rows**2 if currency == "rho" else rows
        unit = opened.privacy.unit.column
        out.print(f"\nThese are for one row; one {unit} has up to {rows}, which costs {times} times the sum.")
