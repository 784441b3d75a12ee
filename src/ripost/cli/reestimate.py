"""`ripost reestimate`: an old view file becomes a new one, by this version's estimator, at no cost in privacy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private
from ripost.cli.source_options import format_command

if TYPE_CHECKING:
    from ripost.series import Series

FREE = "This cost no privacy: no table was read and no ledger was debited."


def reestimate(
    view: Annotated[Path, typer.Argument(help="The old view file, or a series of them.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The new file.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the new file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate a view again from its noisy measurements.

    Reads no table and debits no ledger: whatever is computed from a release costs no privacy.
    """
    from ripost.reestimating import reestimate as estimate_again
    from ripost.release.atomic import check_release_target
    from ripost.release.file import is_series
    from ripost.series import Series, check_series_target

    (check_series_target if is_series(view) else check_release_target)(output, force=force)
    found = estimate_again(view)
    found.save(output, force=force)
    warn_if_not_private(found.privacy)
    if isinstance(found, Series):
        _describe_series(found, view, output, as_json=as_json)
        return
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
    out.print(FREE)
    out.print(f"Next: {format_command('info', output)}")


def _describe_series(found: Series, view: Path, output: Path, *, as_json: bool) -> None:
    """Print the new series, each part of which names the view that it comes from."""
    parts = [(part.period, part.origin) for part in found.parts if part.period and part.origin]
    if as_json:
        periods = [{**period.to_json(), "origin": origin.to_json()} for period, origin in parts]
        facts = {"series": str(output), "periods": periods, "software": found.software}
        print_json({**facts, "private": found.privacy.is_private})
        return
    out = console()
    out.print(f"Estimated {view} again: {output} with {len(parts):,} periods.")
    out.print("Each names the view that was published.")
    out.print(FREE)
    out.print(f"Next: {format_command('info', output)}")
