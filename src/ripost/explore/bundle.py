"""Bundle: the page's modules as one script, in the order of their imports.

Each module is plain JavaScript that a browser could import by itself. To make one script of them, each becomes a
function that returns what it exports, and its imports are taken from those that ran before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function\*?|class|const) (\w+))", re.MULTILINE)


def assets() -> Traversable:
    """Where the sources of the page lie."""
    return files("ripost.explore") / "assets"


@cache
def script(main: str = "main.js") -> str:
    """One script of a module and all that it imports; the main one comes last and may wait for things."""
    *others, (last, text) = _in_order(main, [])
    parts = [f'modules["{path}"] = {_wrapped(path, module)};' for path, module in others]
    return "\n".join(["const modules = {};", *parts, _linked(last, text)])


def _wrapped(path: str, text: str) -> str:
    """A module as a function that has been called."""
    exported = ", ".join(EXPORT.findall(text))
    return f"(() => {{\n{EXPORT.sub('', _linked(path, text))}return {{ {exported} }};\n}})()"


def _linked(path: str, text: str) -> str:
    """A module whose imports are taken from other modules."""
    return IMPORT.sub(lambda found: f'const {found[1]} = modules["{_beside(path, found[2])}"];\n', text)


def _in_order(path: str, seen: list[str]) -> Iterator[tuple[str, str]]:
    """A module after those that it imports, with its text."""
    if path in seen:
        return
    seen.append(path)
    text = assets().joinpath(path).read_text("utf-8")
    for _, other in IMPORT.findall(text):
        yield from _in_order(_beside(path, other), seen)
    yield path, text


def _beside(path: str, other: str) -> str:
    return normpath(join(dirname(path), other))
