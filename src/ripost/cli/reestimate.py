"""`ripost reestimate`: an old view file becomes a new one, by this version's estimator, at no cost in privacy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private
from ripost.cli.source_options import format_command


def reestimate(
    view: Annotated[Path, typer.Argument(help="The old view file.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The new view file.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the new view file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate a view again from its noisy measurements.

    Reads no table and debits no ledger: whatever is computed from a release costs no privacy.
    """
    from ripost.reestimating import reestimate as estimate_again
    from ripost.release.atomic import check_release_target

    check_release_target(output, force=force)
    found = estimate_again(view)
    found.save(output, force=force)
    warn_if_not_private(found.privacy)
    assert found.origin is not None
    if as_json:
        print_json(
            {
                "view": str(output),
                "blocks": len(found.blocks),
                "origin": found.origin.to_json(),
                "software": found.software,
                **found.privacy.to_json(),
            }
        )
        return
    out = console()
    out.print(f"Estimated {view} again: {output} with {len(found.blocks):,} {found.content.noun}.")
    out.print(f"It names the published view: sha256 {found.origin.digest[:16]}….")
    out.print("This cost no privacy: no table was read and no ledger was debited.")
    out.print(f"Next: {format_command('info', output)}")
