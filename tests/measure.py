"""Prints the size of the source, and how many functions of ripost one publish and one count pass through.

python -m tests.measure                                      of this clone
PYTHONPATH=../other/src python -m tests.measure              of another one
"""

from __future__ import annotations

import ast
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

import ripost

SOURCE = Path(ripost.__file__).parent
ROWS, SEED = 2_000, 7
SCHEMA = """
title = "A measured table"

[attributes.hour]
type = "integer"
min = 0
max = 23

[attributes.origin]
type = "category"
values = ["EWR", "JFK", "LGA"]

[attributes.delay]
type = "integer"
min = 0
max = 63
"""


def parse_source() -> dict[str, ast.Module]:
    return {str(path.relative_to(SOURCE)): ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}


def count_lines() -> tuple[int, int]:
    """Lines of Python, and those that are not blank."""
    lines = [line for path in SOURCE.rglob("*.py") for line in path.read_text("utf-8").splitlines()]
    return len(lines), sum(bool(line.strip()) for line in lines)


def count_repeated_classes(modules: dict[str, ast.Module]) -> int:
    """Class names that two or more modules define."""
    homes = Counter(
        name
        for tree in modules.values()
        for name in {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    )
    return sum(number > 1 for number in homes.values())


@contextmanager
def watch(passed: set[CodeType]) -> Iterator[None]:
    """Collect the functions of ripost that are called, in all threads; expressions within functions are not counted."""

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(SOURCE)) and not code.co_name.startswith("<"):
            passed.add(code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def passes(action: Callable[[], Any]) -> tuple[Any, int]:
    """What an action returns, and how many functions of ripost it called."""
    passed: set[CodeType] = set()
    with watch(passed):
        result = action()
    return result, len(passed)


def write_table(folder: Path) -> Path:
    """Write a small table, the same each time, and its schema."""
    rng = np.random.default_rng(SEED)
    origin = np.array(["EWR", "JFK", "LGA"])[rng.integers(0, 3, ROWS)]
    columns = {"hour": rng.integers(0, 24, ROWS), "origin": origin, "delay": rng.geometric(0.1, ROWS).clip(0, 63)}
    pyarrow.csv.write_csv(pa.table(columns), folder / "table.csv")
    (folder / "schema.toml").write_text(SCHEMA, "utf-8")
    return folder / "table.csv"


def main() -> None:
    modules = parse_source()
    with tempfile.TemporaryDirectory() as name:
        table = write_table(Path(name))
        schema = ripost.Schema.load(Path(name) / "schema.toml")
        view, publishing = passes(lambda: ripost.publish(table, schema, epsilon=1.0, seed=SEED))
        _, counting = passes(lambda: view.count(hour=(6, 9), origin="JFK"))
    lines, filled = count_lines()
    print(f"lines of Python in src                {lines:>7,}")
    print(f"lines that are not blank              {filled:>7,}")
    print(f"files                                 {len(modules):>7,}")
    print(f"class names defined in two modules    {count_repeated_classes(modules):>7,}")
    print(f"functions that one publish passes     {publishing:>7,}")
    print(f"functions that one count passes       {counting:>7,}")


if __name__ == "__main__":
    main()
