"""publish of many rows against the bare GROUP BY of the same columns, of many cells against passes of np.bincount."""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import duckdb
import numpy as np

import ripost
from benchmarks import subjects
from benchmarks.alone import alone
from benchmarks.side_by_side import report, side_by_side
from ripost.methods.tree_measurement import CHOSEN_LEVELS

GIBIBYTE = 1024  # mebibytes
CELLS = 10**7


def bare(path: Path) -> None:
    columns = ", ".join(subjects.SIX)
    duckdb.connect().sql(f"SELECT {columns}, count(*) AS n FROM '{path}' GROUP BY ALL").to_arrow_table()


def rows_against_group_by(rows: int, folder: Path, *, target: float, rounds: int) -> None:
    path, schema = subjects.flights_file(rows, folder), ripost.Schema.load(subjects.FLIGHTS)
    found = side_by_side(
        partial(ripost.publish, path, schema, epsilon=1), partial(bare, path), rounds=rounds, warm=rows <= 10**7
    )
    report(f"publish_{rows:.0e}", {f"publish {rows:,} rows x 6 / bare GROUP BY": found}, target=target)


def memory(rows: int, folder: Path) -> None:
    found = alone("growth:publish_rows", rows, folder)
    row = {"theirs": found["before"], "ours": found["mebibytes"], "ratio": found["mebibytes"] / GIBIBYTE}
    report(f"memory_{rows:.0e}", {f"publish {rows:,} rows: GiB at the peak": row}, target=4, unit="MiB")


def cells_against_bincount(*, rounds: int) -> None:
    tensor = subjects.tensor(CELLS)
    columns = np.ascontiguousarray(tensor.coords.T)
    view = ripost.publish(tensor, epsilon=1)
    # A level counts if something was asked of it: its totals, or which axes to cut.
    entries = [entry for entry in view.privacy.ledger.entries if not entry.purpose.startswith("axis ")]
    levels = {entry.purpose: CHOSEN_LEVELS if "sample" in entry.mechanism else 1 for entry in entries}
    passes = len(columns) + sum(levels.values())

    def bincounts() -> None:
        for number in range(passes):
            np.bincount(columns[number % len(columns)], weights=tensor.counts)

    found = side_by_side(partial(ripost.publish, tensor, epsilon=1), bincounts, rounds=rounds, warm=False)
    title = f"decompose {CELLS:,} cells x 6 / {passes} passes of bincount"
    report("cells", {title: found}, target=3)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows_against_group_by(10**7, folder, target=3, rounds=3)
        cells_against_bincount(rounds=5)
        if "--short" not in sys.argv:
            rows_against_group_by(10**8, folder, target=2, rounds=1)
            memory(10**8, folder)


if __name__ == "__main__":
    main()
