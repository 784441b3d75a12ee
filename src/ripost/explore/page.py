"""Page: the explorer as one HTML file that needs nothing else and may fetch nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from typing import TYPE_CHECKING

from ripost.explore.packing import facts_of
from ripost.markup.render import render
from ripost.release.atomic import check_target, write_whole
from ripost.release.file import stem

if TYPE_CHECKING:
    from ripost.view import View


def write_page(
    view: View, path: str | PathLike[str], *, title: str | None = None, rows: str = "rows", force: bool = False
) -> None:
    """Write the explorer of a view, whole or not at all; an existing file is replaced only by `force`."""
    check_target(path, force=force)
    write_whole(path, page(view, title=title or view.title or stem(path), rows=rows).encode(), force=force)


def page(view: View, *, title: str, rows: str = "rows") -> str:
    """The explorer of a view; `rows` is what it calls rows."""
    from markupsafe import Markup

    code, style = (assets().joinpath(name).read_text("utf-8") for name in ("explorer.js", "page.css"))
    return render(
        "ripost.explore",
        "assets/page.html",
        title=title,
        policy=Markup(policy(code, style)),
        style=Markup(style),
        view=Markup(data(facts_of(view, title=title, rows=rows))),
        script=Markup(code),
    )


def assets() -> Traversable:
    """The folder of the script, which is built from `explorer/` at the root of the repository, and of the style."""
    return files("ripost.explore") / "assets"


def policy(code: str, style: str) -> str:
    """The content security policy: this script and this style by their digests, and nothing from anywhere."""
    return (
        f"default-src 'none'; script-src '{digest(code)}'; style-src '{digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def data(facts: object) -> str:
    """JSON in ASCII that no parser of HTML can take for markup."""
    text = json.dumps(facts, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
