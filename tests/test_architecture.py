"""Who may import whom (`.importlinter`), who may draw randomness, how things are named, what stays out of start-up."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines import NUMERIC

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "ripost"

PUBLIC_RANDOMNESS = (
    "ripost.space.public_randomness"  # the one door to randomness for what is public: nothing private, no noise
)
RANDOMNESS = {"random", "secrets", "uuid", "numpy.random", PUBLIC_RANDOMNESS}
MAY_DRAW = {
    "privacy/noise.py": {"secrets"},
    "privacy/subsampling.py": {"secrets"},
    "privacy/seeded_noise.py": {"numpy.random"},
    "data/read.py": {"secrets"},
    "budget_ledger/operations.py": {"secrets"},  # the number of a new ledger, never noise
    "space/public_randomness.py": {"numpy.random"},
    "estimate/mixture_fit.py": {PUBLIC_RANDOMNESS},  # where a search begins, the same each time
    "estimate/mixture_support.py": {PUBLIC_RANDOMNESS},  # which side of impossible boxes components leave out
    "testing.py": {PUBLIC_RANDOMNESS},  # the tables that a method is examined on
    "query/draw.py": {PUBLIC_RANDOMNESS},  # synthetic rows from what is public already: post-processing
    "comparing/workloads.py": {PUBLIC_RANDOMNESS},  # what is asked of every method
    "comparing/measure.py": {PUBLIC_RANDOMNESS},  # of which questions the intervals are looked at
    **{
        f"planning/{name}.py": {PUBLIC_RANDOMNESS}
        for name in ("group_forecast", "random_queries", "row_distributions", "simulation", "stand_in")
    },
}
BANNED = {"pickle", "shelve", "marshal", "dill", "cloudpickle"}
HEAVY = {"ibis", "duckdb", "opendp", "pyarrow", "pandas", "polars", "rich", "sqlglot", "pydantic", "numpy", "scipy",
         "jinja2"}  # fmt: skip

MOST_PARTICIPLES = {
    "src/ripost": 2,  # Tensor.occupied is a public name, and DistributedCells.occupied its twin
    "benchmarks": 0,
    "docs/making": 0,
    "experiments": 17,
    "tests": 33,
}
IRREGULAR = {"begun", "brought", "built", "chosen", "done", "drawn", "given", "grown", "held", "hidden", "kept",
             "known", "laid", "lost", "made", "meant", "met", "paid", "said", "seen", "sent", "shown", "spent", "taken",
             "told", "understood", "written"}  # fmt: skip
VERBS_IN_ED = {"embed", "feed", "need", "seed"}


def sources(root: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), ast.parse(path.read_text("utf-8"))


def imports(tree: ast.AST) -> set[str]:
    """Full names of everything imported, and uses of numpy.random under any name of numpy."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found |= {f"{module}.{alias.name}" for alias in node.names} | {module}
        elif isinstance(node, ast.Attribute) and node.attr == "random" and isinstance(node.value, ast.Name):
            found |= {"numpy.random"} if node.value.id in ("np", "numpy") else set()
    return found


def within(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def violations(root: Path) -> list[str]:
    """Every broken rule on randomness and code, below a folder laid out like src/ripost."""
    broken = []
    for place, tree in sources(root):
        names = imports(tree)
        broken += [f"{place} imports {name}" for name in names if within(name, BANNED) or name.startswith(".")]
        drawn = {source for source in RANDOMNESS for name in names if within(name, {source})}
        broken += [f"{place} draws from {source}" for source in drawn - MAY_DRAW.get(place, set())]
        broken += [
            f"{place} calls {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec")
        ]
    return broken


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Hold `.importlinter` against the package ripost in a folder."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", ROOT / ".importlinter"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "300", "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_source_keeps_every_rule() -> None:
    assert violations(SOURCE) == []


def test_packages_import_only_what_they_may() -> None:
    linted = lint_imports(SOURCE.parent)
    assert linted.returncode == 0, linted.stdout + linted.stderr


IMPORTS = {
    "explore.leak": "from ripost.data.tensor import Tensor",
    "query.leak": "def f():\n    import ripost.data.read",
    "space.leak": "from ripost.privacy.account import Account",
    "release.leak": "from ripost.privacy.account import Account",
    "privacy.leak": "from ripost.data.memory import MemoryBlockData",
    "estimate.leak": "from ripost.privacy.account import Account",
    "methods.leak": "from ripost.view import View",
    "methods.leak_of_peer": "from ripost.peers.hdmm.method import Hdmm",
    "peers.leak": "from ripost.data.tensor import Tensor",
    "methods.leak_of_data": "from ripost import data",
    "budget_ledger.leak": "from ripost.data.tensor import Tensor",
    "budget_ledger.leak_of_noise": "from ripost.privacy.noise import SystemNoise",
    "answering.leak": "from ripost.budget_ledger.operations import debit",
    "planning.leak": "from ripost.data.read import read",
    "privacy.leak_of_html": "from ripost.markup.render import render",
}


@pytest.fixture(scope="module")
def linted_leaks(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the linter says of a copy of the source in which modules import what they may not."""
    folder = tmp_path_factory.mktemp("leaks")
    shutil.copytree(SOURCE, folder / "ripost", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    for module, line in IMPORTS.items():
        (folder / "ripost" / f"{module.replace('.', '/')}.py").write_text(line, "utf-8")
    return lint_imports(folder).stdout


@pytest.mark.parametrize("module", IMPORTS)
def test_a_forbidden_import_is_seen(linted_leaks: str, module: str) -> None:
    assert re.search(rf"- +ripost\.{re.escape(module)} -> ripost\.", linted_leaks), linted_leaks


@pytest.mark.parametrize(
    ("place", "line", "verdict"),
    [
        ("methods/leak.py", "import numpy as np\nx = np.random.default_rng()", "draws from numpy.random"),
        ("privacy/leak.py", "from random import random", "draws from random"),
        (
            "methods/leak.py",
            "from ripost.space.public_randomness import public_generator",
            "draws from ripost.space.public_randomness",
        ),
        ("privacy/leak.py", "from ripost.space import public_randomness", "draws from ripost.space.public_randomness"),
        ("privacy/leak.py", "import secrets", "draws from secrets"),
        ("view/leak.py", "import pickle", "imports pickle"),
        ("view/leak.py", "from .tree import Tree", "imports .tree"),
        ("view/leak.py", "eval('1')", "calls eval"),
    ],
)
def test_a_broken_rule_is_seen(tmp_path: Path, place: str, line: str, verdict: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(line, "utf-8")
    assert any(found == f"{place} {verdict}" for found in violations(tmp_path)), violations(tmp_path)


def test_the_trusted_core_imports_at_the_top() -> None:
    """Except for OpenDP, which takes a second to import, and dp-accounting, which is optional."""
    late = {
        f"{place}: {getattr(node, 'name', 'if')}"
        for place, tree in sources(SOURCE / "privacy")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.If)
        and any(isinstance(child, ast.Import | ast.ImportFrom) for child in ast.walk(node))
    }
    assert late == {"opendp_measurements.py: import_opendp", "gaussian_accounting.py: import_dp_accounting"}


def test_a_class_name_is_defined_in_one_module() -> None:
    homes: dict[str, set[str]] = defaultdict(set)
    for place, tree in sources(SOURCE):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(place)
    twice = {name: sorted(places) for name, places in homes.items() if len(places) > 1}
    assert twice == {}


def imports_a_test_file(text: str) -> bool:
    """Whether some line imports a test file or something in it, also a line of a program kept as text."""
    return re.search(r"^\s*(from|import)\s(.*[\s.,])?test_\w", text, re.MULTILINE) is not None


def test_no_test_file_is_a_library() -> None:
    """Helpers that several tests share stand in modules without tests."""
    folders = ("tests", "docs", "experiments", "benchmarks", "src")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in paths if imports_a_test_file(path.read_text("utf-8"))] == []


def test_an_import_of_a_test_file_is_seen() -> None:
    assert imports_a_test_file("from tests.release.test_file import published")
    assert imports_a_test_file("def f():\n    from tests.release import making, test_file")
    assert imports_a_test_file("import tests.release.test_file as library")
    assert imports_a_test_file('CODE = """\nfrom tests.release.test_file import published\n"""')
    assert not imports_a_test_file("from tests.methods.latest_file import attest_all")


def test_folders_that_are_named_exist() -> None:
    """Lists of folders and files of tests name none that is gone."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = {f"tests/{folder}" for folder in NUMERIC} | set(re.findall(r"tests/[\w/]+(?:\.py)?", makefile))
    assert "tests/privacy" in named and [place for place in sorted(named) if not (ROOT / place).exists()] == []


def test_every_package_has_a_reader() -> None:
    """CONTRIBUTING.md says for each package who must reread a change of it, and names no place that is gone."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.split("## Who rereads what")[1].split("## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    places = {place for row in rows for place in re.findall(r"`([^`]+)`", row)}
    assert [place for place in sorted(places) if not (ROOT / place).exists()] == []
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert sorted(packages - {Path(place).name for place in places if place.startswith("src/ripost/")}) == []


def is_participle(function: ast.FunctionDef) -> bool:
    """Whether a function is named by a bare participle and is neither a property nor a question of yes or no."""
    name = function.name.lstrip("_")
    if name not in IRREGULAR and (not name.endswith("ed") or "_" in name or name in VERBS_IN_ED):
        return False
    if any("property" in ast.unparse(decorator) for decorator in function.decorator_list):
        return False
    returned = ast.unparse(function.returns) if function.returns else ""
    return returned not in ("bool", "Mask", "NDArray[np.bool_]")


@pytest.mark.parametrize("folder", MOST_PARTICIPLES)
def test_functions_are_verbs(folder: str) -> None:
    bare = [
        f"{place}: {node.name}"
        for place, tree in sources(ROOT / folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and is_participle(node)
    ]
    assert len(bare) <= MOST_PARTICIPLES[folder], bare


def test_a_bare_participle_is_seen() -> None:
    def judge(text: str) -> bool:
        (function,) = ast.parse(text).body
        assert isinstance(function, ast.FunctionDef)
        return is_participle(function)

    assert judge("def told() -> str: ...")
    assert judge("def _flipped() -> Ints: ...")
    assert not judge("def sampled(box) -> bool: ...")
    assert not judge("@property\ndef spent(self) -> Fraction: ...")
    assert not judge("def read_rows() -> Rows: ...")


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
        ("import ripost.publishing.publish", {"opendp", "ibis", "duckdb", "pandas", "scipy", "jinja2"}),
    ],
)
def test_imports_are_lazy(statement: str, unwanted: set[str]) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted({unwanted!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
