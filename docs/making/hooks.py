"""What MkDocs does not do by itself: pages outside docs/, notebooks as pages, and the reference of the commands."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from docs.making.commands import command_reference
from docs.making.notebooks import as_page

LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#])")
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)
COMMANDS = "<!-- commands -->"
IN_THE_MENU = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def on_files(files: Files, config: Any) -> Files:
    """Add what pages link to outside docs/, and each notebook as a page beside its file."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        page, images = as_page(Path(str(notebook.abs_src_path)))
        files.append(File.generated(config, notebook.src_uri.replace(".ipynb", ".md"), content=page))
        for name, content in images.items():
            place = f"{dirname(notebook.src_uri)}/{name}"
            files.append(File.generated(config, place, content=content))
    waiting = [
        target for file in files.documentation_pages() for target in outside(DOCS / file.src_uri, file.content_string)
    ]
    waiting += [ROOT / name for name in IN_THE_MENU]
    while waiting:
        target = waiting.pop()
        if target.is_file() and files.get_file_from_path(uri_of(target)) is None:
            files.append(File.generated(config, uri_of(target), content=target.read_bytes()))
            if target.suffix == ".md":
                waiting += outside(target, target.read_text("utf-8"))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links as the site needs them: they are written so that they work in the repository."""
    uri = page.file.src_uri
    place = ROOT / uri.removeprefix("repository/") if uri.startswith("repository/") else DOCS / uri
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, command_reference())

    def move_link(found: re.Match[str]) -> str:
        if re.match(r"[a-z]+:|/", found[0]):
            return found[0]
        return relpath(uri_of((place.parent / found[0]).resolve()), dirname(uri) or ".")

    parts = FENCE.split(markdown)  # code, at odd places, stays as it is
    parts[::2] = [LINK.sub(move_link, part) for part in parts[::2]]
    return "".join(parts)


def outside(place: Path, text: str) -> list[Path]:
    """The files outside docs/ that a page links to."""
    found = [link for part in FENCE.split(text)[::2] for link in LINK.findall(part) if ":" not in link]
    targets = [(place.parent / link).resolve() for link in found]
    return [target for target in targets if target.is_relative_to(ROOT) and not target.is_relative_to(DOCS)]


def uri_of(target: Path) -> str:
    """Where a file of the repository is in the sources of the site."""
    if not target.is_relative_to(DOCS):
        return f"repository/{target.relative_to(ROOT).as_posix()}" if target.is_relative_to(ROOT) else str(target)
    return re.sub(r"\.ipynb$", ".md", target.relative_to(DOCS).as_posix())
