"""`ripost verify`: is a view file whole, and does its ledger add up?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, shout


def verify(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that a view file is whole and adds up.

    Looks at structure, digest and ledger, and whether the blocks tile the domain exactly once.
    """
    from ripost.view.file import open_view
    from ripost.view.verify import verify_view

    checks = verify_view(view)
    fine = all(check.ok for check in checks)
    if as_json:
        print_json({"ok": fine, "checks": [{"check": c.name, "ok": c.ok, "detail": c.detail} for c in checks]})
    else:
        for check in checks:
            style = "green" if check.ok else "bold red"
            console().print(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}", style=style)
    if not fine:
        raise typer.Exit(2)
    shout(open_view(view).privacy)
