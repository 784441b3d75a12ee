"""Digest: what a method's trials depend on, so that changing one method leaves the trials of the others valid."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ripost
from ripost import METHODS, Tensor

SOURCE = Path(ripost.__file__).parent
SHARED = (  # decide every outcome
    "space", "schema", "data", "statistics", "privacy", "answering", "release", "view.py", "methods/method.py",
    "publishing",
)  # fmt: skip
ASIDE = (  # decide none: a trial starts from a tensor and asks boxes
    "cli", "errors.py", "explore", "export", "sources", "check", "draft", "query", "markup", "budget_ledger",
    "data/read.py", "data/dataset.py",
)  # fmt: skip
LISTS = ("__init__.py", "methods/__init__.py")  # lists of names: one name more changes no outcome
HERE = Path(__file__).parent
MEASURE = (HERE / "cases.py", HERE / "trial.py")  # what is asked of a view, and how it is scored


@cache
def code_digest(method: str, measure: tuple[Path, ...] = MEASURE) -> str:
    """A digest of the code that decides the outcomes of a method: change it, and its old trials no longer count."""
    return digest_of(METHODS[method].__module__, SOURCE, measure)


def digest_of(module: str, source: Path, measure: tuple[Path, ...] = MEASURE) -> str:
    """The same for the module of a method below a folder laid out like src/ripost."""
    digest = hashlib.sha256()
    named = [(name, source / name) for name in sorted(decisive(module, source))]
    for name, path in [*named, *((path.name, path) for path in measure)]:
        digest.update(name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def decisive(module: str, source: Path) -> set[str]:
    """The files below source that decide outcomes: the shared ones, the method's own, and what they import in turn.

    Imports are read, not run, wherever they stand in a file, and are absolute, as the architecture demands.
    """
    found: set[str] = set()
    waiting = [*_shared_files(source), *_files(module, source)]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in (*LISTS, *ASIDE) and name.split("/")[0] not in ASIDE:
            found.add(name)
            for imported in _imported_names((source / name).read_text("utf-8")):
                waiting += _files(imported, source)
    return found


def _shared_files(source: Path) -> Iterator[str]:
    for place in (source / name for name in SHARED):
        files = place.rglob("*.py") if place.is_dir() else [place]
        yield from (path.relative_to(source).as_posix() for path in files)


@cache  # methods share most of their files
def _imported_names(text: str) -> tuple[str, ...]:
    """Names that may be modules: `from a import b` may mean the module a.b."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def _files(module: str, source: Path) -> Iterator[str]:
    """The file of a module of ripost, and of each package above it; nothing for another name."""
    package, *parts = module.split(".")
    for depth in range(1, len(parts) + 1) if package == "ripost" else ():
        place = "/".join(parts[:depth])
        yield from (name for name in (f"{place}.py", f"{place}/__init__.py") if (source / name).is_file())


def cells_digest(tensor: Tensor) -> str:
    """A digest of the cells of a tensor."""
    told = repr((tensor.domain.shape, tensor.coords.shape)).encode()
    return hashlib.sha256(told + tensor.coords.tobytes() + tensor.counts.tobytes()).hexdigest()[:16]
