"""`ripost append`: one file over the releases of several periods."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private
from ripost.cli.source_options import format_command
from ripost.release.promise import promise


def append(
    series: Annotated[Path, typer.Argument(help="The series, a file that ends in .zip; made if there is none.")],
    views: Annotated[list[Path], typer.Argument(help="View files that were published with --period.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Add views of further periods to a series.

    A series answers across its periods. It holds the view files whole. Nothing is drawn, and nothing is charged.
    """
    from ripost.series import union

    with _lock_folder(series.parent):
        old = [series] if series.exists() else []
        made = union([*old, *views])
        made.save(series, force=bool(old))
    warn_if_not_private(made.privacy)
    labels = [part.period.label for part in made.parts if part.period]
    if as_json:
        private = made.privacy.is_private
        print_json({"series": str(series), "periods": labels, "digest": made.digest, "private": private})
        return
    out = console()
    out.print(f"{series} holds {len(labels):,} periods, {labels[0]} to {labels[-1]}.")
    out.print(promise(made.privacy))
    out.print(f"Next: {format_command('query', series, 'SELECT period, COUNT(*) FROM view GROUP BY period')}")


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Let one append at a time read and replace a series; nothing is left behind. Windows locks no folders."""
    from filelock import lock_descriptor

    with ExitStack() as stack:
        with suppress(OSError):  # no folder, which is said later, or a file system without locks
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            lock_descriptor(handle)
        yield
