"""`ripost verify`: is a view file whole, does its ledger add up, and was it paid for?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import print_checks, shout


def verify(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    ledger: Annotated[
        str | None, typer.Option(help="The ledger of the data set: was this view paid for there?")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that a view file is whole and adds up.

    Looks at structure, digest and ledger, and whether the blocks tile the domain exactly once.
    """
    from ripost.release.verify import verify_view
    from ripost.view import open_view

    checks: list[tuple[str, bool, str]] = [*verify_view(view)]
    if ledger is not None and all(ok for _, ok, _ in checks):
        from ripost.budget_ledger.audit import audit_claim
        from ripost.cli.claims import claim_of

        checks += [(f"ledger {name}", ok, detail) for name, ok, detail in audit_claim(ledger, claim_of(view))]
    print_checks(checks, as_json=as_json)
    shout(open_view(view).privacy)
