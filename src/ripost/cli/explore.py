"""`ripost explore`: a view file becomes one page that anyone can open and ask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private


def explore(
    view: Annotated[Path, typer.Argument(help="The view file, or a series of them.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page; by default beside the view, ending in .html.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What to call it; by default as the schema does.")] = None,
    rows: Annotated[str, typer.Option(help='What the page calls rows, such as "flights".')] = "rows",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the page.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make a view a page for any browser.

    Writes one HTML file that holds the view and answers by itself, without a server or a network.
    """
    from ripost.explore.page import write_page
    from ripost.release.atomic import check_target
    from ripost.release.file import stem
    from ripost.view import open_view

    target = output or view.with_name(f"{stem(view)}.html")
    check_target(target, force=force, reads=(view,))
    opened = open_view(view)
    write_page(opened, target, title=title or opened.title or stem(view), rows=rows, force=force)
    warn_if_not_private(opened.privacy)
    size = target.stat().st_size
    if as_json:
        print_json({"page": str(target), "bytes": size, "private": opened.privacy.is_private})
        return
    out = console()
    out.print(f"Wrote {target} ({size / 1024:,.0f} KiB): {len(opened.content.values):,} {opened.content.noun} inside.")
    out.print("Open it in a browser, or give it away with the view: it needs no server and no network.")
