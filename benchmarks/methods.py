"""publish by every method: one table of flights in four dimensions, each method in a process of its own."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import ripost
from benchmarks.alone import Run, alone
from benchmarks.publish import FIVE, FLIGHTS
from benchmarks.side_by_side import RESULTS
from benchmarks.subjects import flights
from ripost.methods import METHODS

ROWS = 1_000_000
NAMES = sorted(METHODS)
NEEDS = {"p3gm": "dp_accounting"}  # a package of the extra `p3gm`


def publish_by(number: int, _: Path) -> Run:
    tensor = ripost.Tensor.from_table(flights(ROWS, FIVE), ripost.Schema.parse(FLIGHTS))
    return partial(ripost.publish, tensor, epsilon=1, method=NAMES[number])


def main() -> None:
    kept = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(NAMES):
            if find_spec(NEEDS.get(name, "ripost")) is None:
                print(f"{name:14} left out: it needs {NEEDS[name]}")
                continue
            kept[name] = found = alone("methods:publish_by", number, Path(folder))
            print(f"{name:14} {found['seconds']:9.3f} s  {found['mebibytes']:8.0f} MiB at the peak")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "methods.json").write_text(json.dumps(kept, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
