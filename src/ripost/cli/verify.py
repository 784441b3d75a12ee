"""`ripost verify`: is a view file whole, does its ledger add up, and was it paid for?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import print_checks, warn_if_not_private


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
    from ripost.cli.release_claims import read_files
    from ripost.errors import ReleaseError
    from ripost.release.verify import verify_file

    try:
        files = read_files(view)
    except ReleaseError as error:
        print_checks([("structure", False, str(error))], as_json=as_json)
        return
    checks: list[tuple[str, bool, str]] = []
    for of, file in files.items():
        found: list[tuple[str, bool, str]] = [*verify_file(file)]
        if ledger is not None and all(ok for _, ok, _ in found):
            from ripost.budget_ledger.audit import audit_release
            from ripost.cli.release_claims import claim_of_file

            claim = claim_of_file(file, of or view.name)
            found += [(f"ledger {name}", ok, detail) for name, ok, detail in audit_release(ledger, claim)]
        checks += [(f"{of} {name}".strip(), ok, detail) for name, ok, detail in found]
    print_checks(checks, as_json=as_json)
    for file in files.values():
        warn_if_not_private(file.manifest.promise)
