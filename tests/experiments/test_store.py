"""Trials are kept once, survive an interruption, and end when the code behind them changes, not before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from experiments.digest import SOURCE, code_digest, decisive, digest_of
from experiments.store import Store

from ripost import METHODS


def test_a_trial_is_kept_once_and_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "trials.jsonl")
    store.add({"case": "x", "seed": 1}, {"rmse": {"2": 5.0}})
    with store.path.open("a", encoding="utf-8") as lines:
        lines.write('{"inputs": {"case": "y"')
    again = Store(store.path)
    assert again.get({"seed": 1, "case": "x"}) == {"rmse": {"2": 5.0}}
    assert again.get({"case": "y"}) is None


def test_the_trial_after_a_torn_line_is_not_glued_to_it(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    path.write_text('{"inputs": {"case": "y"', "utf-8")
    store = Store(path)
    store.add({"case": "y"}, {"seconds": 1.0})
    store.add({"case": "z"}, {"seconds": 2.0})
    assert Store(path).get({"case": "y"}) == {"seconds": 1.0} and Store(path).get({"case": "z"}) == {"seconds": 2.0}


@pytest.mark.parametrize(
    ("changed", "redone"),
    [
        ("methods/identity.py", {"identity"}),
        ("methods/ripost.py", {"ripost"}),
        ("methods/method.py", {"identity", "ripost"}),
        ("methods/__init__.py", set()),
        ("space/tree.py", {"identity", "ripost"}),
        ("answering/answer.py", {"identity", "ripost"}),
        ("publishing/publish.py", {"identity", "ripost"}),
        ("cli/app.py", set()),
        ("data/read.py", set()),
    ],
)
def test_a_change_of_code_redoes_what_depends_on_it(tmp_path: Path, changed: str, redone: set[str]) -> None:
    copy = tmp_path / "ripost"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    modules = {name: METHODS[name].__module__ for name in ("identity", "ripost")}
    before = {name: digest_of(module, copy) for name, module in modules.items()}
    assert before == {name: code_digest(name) for name in modules}
    with (copy / changed).open("a", encoding="utf-8") as lines:
        lines.write("\n# changed\n")
    assert {name for name, module in modules.items() if digest_of(module, copy) != before[name]} == redone


def test_a_method_depends_on_what_it_imports_step_by_step(tmp_path: Path) -> None:
    files = {
        "__init__.py": "",
        "errors.py": "",
        "publishing/publish.py": "from ripost.methods import METHODS\nfrom ripost.data.read import read",
        "methods/__init__.py": "import ripost.methods.identity",
        "methods/method.py": "",
        "methods/plus/__init__.py": "from ripost.methods.plus.run import Plus",
        "methods/plus/run.py": "def f():\n    from ripost.methods import grid\n    import ripost.methods.plus.walk",
        "methods/plus/walk.py": "import ripost.methods.plus.run, numpy\nfrom ripost.methods.method import Method",
        "methods/plus/alone.py": "",
        "methods/grid.py": "from ripost.fit.squares import f\nfrom ripost.errors import InputError",
        "methods/identity.py": "import ripost.methods.plus",
        "fit/__init__.py": "",
        "fit/squares.py": "import os.path",
        "fit/alone.py": "",
        "data/read.py": "",
        "privacy/account.py": "",
        "space/tree.py": "",
        "data/memory.py": "",
        "schema/domain.py": "",
        "statistics/totals.py": "",
        "answering/engine.py": "",
        "release/file.py": "",
        "view.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    shared = {
        "publishing/publish.py",
        "methods/method.py",
        "privacy/account.py",
        "space/tree.py",
        "data/memory.py",
        "schema/domain.py",
        "statistics/totals.py",
        "answering/engine.py",
        "release/file.py",
        "view.py",
    }
    own = {"methods/plus/__init__.py", "methods/plus/run.py", "methods/plus/walk.py", "methods/grid.py"}
    for module in ("ripost.methods.plus", "ripost.methods.plus.run"):
        assert decisive(module, tmp_path) == shared | own | {"fit/__init__.py", "fit/squares.py"}
    assert decisive("numpy.linalg", tmp_path) == shared
