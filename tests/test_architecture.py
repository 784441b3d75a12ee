"""Who may import whom, who may draw randomness, and what stays out of start-up. There are no exceptions."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "ripost"

LEDGER = {"privacy.ledger", "privacy.ledger_check", "privacy.budget"}  # of privacy what a reader of releases needs
PUBLIC = {"errors", "temporary", "markup", "space", "schema", "estimate", "answering", "release", "view", "query",
          "explore", "export", *LEDGER}  # fmt: skip
PRIVATE = {"errors", "temporary", "space", "schema", "sources"}
MAY_IMPORT = {
    "errors": set(),
    "temporary": set(),
    "markup": {"markup"},
    "space": {"errors", "space"},
    "schema": {"errors", "space", "schema"},
    "sources": PRIVATE,
    "check": {*PRIVATE, "check", "draft.names"},
    "draft": {*PRIVATE, "draft"},
    "data": {*PRIVATE, "data"},
    "privacy": {"errors", "markup", "space", "schema", "privacy"},
    "estimate": {"errors", "space", "estimate"},
    "methods": {"errors", "space", "schema", "privacy", "methods", "estimate"},
    "answering": {"errors", "markup", "space", "schema", "estimate", "answering", "release", "view", *LEDGER},
    "release": {"errors", "temporary", "space", "schema", "estimate", "answering", "release", "view", *LEDGER},
    "view": PUBLIC,
    "query": PUBLIC,
    "explore": PUBLIC,
    "export": {"errors", "space", "schema", "estimate", "answering", "release", "view", "query", "export",
               "privacy.ledger"},
    "certify": PUBLIC | {"certify"},
    "budget_ledger": {"errors", "temporary", "privacy.budget", "privacy.ledger", "budget_ledger"},
    "publishing": {"errors", "space", "schema", "answering", "release", "view", "data", "sources", "privacy", "methods",
                   "budget_ledger"},
    "planning": {"errors", "space", "schema", "answering", "view", "release.upward", "data.tensor", "methods",
                 "publishing", "explore.look", "planning"},  # the tensor alone: it cannot read a table
    "cli": {"", "errors", "space", "schema", "budget_ledger", "answering", "release", "view", "query", "explore",
            "export", "sources", "check", "draft", "data", "privacy.ledger", "privacy.account", "privacy.budget",
            "publishing", "planning", "certify", "methods", "cli"},
}  # fmt: skip
PUBLIC_CHANCE = "ripost.space.chance"  # the one door to randomness for what is public: nothing private, no noise
RANDOMNESS = {"random", "secrets", "uuid", "numpy.random", PUBLIC_CHANCE}
MAY_DRAW = {
    "privacy/noise.py": {"secrets"},
    "privacy/seeded.py": {"numpy.random"},
    "data/read.py": {"secrets"},
    "budget_ledger/books.py": {"secrets"},  # the number of a new ledger, never noise
    "space/chance.py": {"numpy.random"},
    "estimate/mixture_fit.py": {PUBLIC_CHANCE},  # where a search begins, the same each time
    "query/draw.py": {PUBLIC_CHANCE},  # synthetic rows from what is public already: post-processing
    **{f"planning/{name}.py": {PUBLIC_CHANCE} for name in ("questions", "shapes", "simulate", "standin")},
}
BANNED = {"pickle", "shelve", "marshal", "dill", "cloudpickle"}
HEAVY = {"ibis", "duckdb", "opendp", "pyarrow", "pandas", "polars", "rich", "sqlglot", "pydantic", "numpy", "scipy",
         "jinja2"}  # fmt: skip


def imports(tree: ast.AST) -> set[str]:
    """Full names of everything imported, and uses of numpy.random under any name of numpy."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
        elif isinstance(node, ast.Attribute) and node.attr == "random" and isinstance(node.value, ast.Name):
            found |= {"numpy.random"} if node.value.id in ("np", "numpy") else set()
    return found


def within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages if package)


def violations(root: Path) -> list[str]:
    """Every broken rule below a folder laid out like src/ripost."""
    broken = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root).as_posix()
        layer = place.split("/")[0].removesuffix(".py")
        tree = ast.parse(path.read_text("utf-8"))
        names = imports(tree)
        if layer != "__init__":
            for name in sorted(n.removeprefix("ripost.") for n in names if n.startswith("ripost.")):
                known = name.split(".")[0] in MAY_IMPORT
                if known and not within(name, MAY_IMPORT[layer]) and not _package_of_allowed(name, layer):
                    broken.append(f"{place} imports {name}")
        broken += [f"{place} imports {name}" for name in names if within(name, BANNED)]
        drawn = {source for source in RANDOMNESS for name in names if within(name, {source})}
        broken += [f"{place} draws from {source}" for source in drawn - MAY_DRAW.get(place, set())]
        broken += [
            f"{place} calls {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec")
        ]
    return broken


def _package_of_allowed(name: str, layer: str) -> bool:
    """`from ripost.privacy.ledger import X` names ripost.privacy.ledger and ripost.privacy.ledger.X only."""
    return name == "privacy" and any(package.startswith("privacy.") for package in MAY_IMPORT[layer])


def test_the_source_keeps_every_rule() -> None:
    assert violations(SOURCE) == []


def test_every_folder_has_a_rule() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders <= set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("place", "line", "verdict"),
    [
        ("view/leak.py", "from ripost.data.tensor import Tensor", "imports data.tensor"),
        ("query/leak.py", "def f():\n    import ripost.data.read", "imports data.read"),
        ("space/leak.py", "from ripost.privacy.account import Account", "imports privacy.account"),
        ("view/leak.py", "from ripost.privacy.account import Account", "imports privacy.account"),
        ("privacy/leak.py", "from ripost.data.cells import Cells", "imports data.cells"),
        ("estimate/leak.py", "from ripost.privacy.account import Account", "imports privacy.account"),
        ("methods/leak.py", "from ripost.view import View", "imports view"),
        ("methods/leak.py", "from ripost import data", "imports data"),
        ("methods/leak.py", "import numpy as np\nx = np.random.default_rng()", "draws from numpy.random"),
        ("privacy/leak.py", "from random import random", "draws from random"),
        ("methods/leak.py", "from ripost.space.chance import chance", "draws from ripost.space.chance"),
        ("privacy/leak.py", "from ripost.space import chance", "draws from ripost.space.chance"),
        ("privacy/leak.py", "import secrets", "draws from secrets"),
        ("budget_ledger/leak.py", "from ripost.data.tensor import Tensor", "imports data.tensor"),
        ("budget_ledger/leak.py", "from ripost.privacy.noise import SystemNoise", "imports privacy.noise"),
        ("view/leak.py", "from ripost.budget_ledger.books import debit", "imports budget_ledger.books"),
        ("view/leak.py", "import pickle", "imports pickle"),
        ("view/leak.py", "eval('1')", "calls eval"),
    ],
)
def test_a_broken_rule_is_seen(tmp_path: Path, place: str, line: str, verdict: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(line, "utf-8")
    assert any(found == f"{place} {verdict}" for found in violations(tmp_path)), violations(tmp_path)


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import ripost", HEAVY),
        ("import ripost.cli.app", HEAVY),
        ("from ripost import Schema", HEAVY - {"pydantic"}),
        (
            "from ripost.view import View",
            {"ibis", "duckdb", "opendp", "pandas", "polars", "sqlglot", "scipy", "jinja2"},
        ),
        ("import ripost.publishing", {"opendp", "ibis", "duckdb", "pandas", "scipy", "jinja2"}),
    ],
)
def test_imports_are_lazy(statement: str, unwanted: set[str]) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted({unwanted!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
