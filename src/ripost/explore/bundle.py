"""Bundle: the page's modules as one script, in the order of their imports.

Each module is written so that it runs by itself in a browser. To make one script of them, imports and the word
`export` are left out; names must then be different everywhere, which is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.abc import Traversable
from importlib.resources import files
from posixpath import dirname, join, normpath

IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=async function|function|class|const)", re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:async function|function|class|const|let) (\w+)", re.MULTILINE)


def assets() -> Traversable:
    return files("ripost.explore") / "assets"


def script(main: str = "main.js") -> str:
    """One script of a module and all that it imports."""
    modules = dict(_in_order(main, set()))
    owner: dict[str, str] = {}
    for path, text in modules.items():
        for name in DECLARED.findall(text):
            if name in owner:
                raise ValueError(f"{path} and {owner[name]} both declare {name}")
            owner[name] = path
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)).strip() + "\n" for text in modules.values())


def _in_order(path: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    """A module after those that it imports."""
    if path in seen:
        return
    seen.add(path)
    text = assets().joinpath(path).read_text("utf-8")
    for other in IMPORT.findall(text):
        yield from _in_order(normpath(join(dirname(path), other)), seen)
    yield path, text
