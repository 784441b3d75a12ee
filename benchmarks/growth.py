"""How time and memory grow: each step of the flow at growing sizes of each variable, each in a process of its own.

The fit is the power of n log n that time grows with between the two largest sizes, where fixed costs weigh least.
"""

from __future__ import annotations

import json
import math
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import ripost
from benchmarks import subjects
from benchmarks.alone import Run, alone
from benchmarks.side_by_side import RESULTS
from ripost.arrays import Codes
from ripost.data.memory import MemoryBlockData
from ripost.space.blocks import Blocks
from ripost.statistics.totals import TOTAL

SEED = 0  # for the draws of the tree: all sizes alike
SIZES = {
    "ingest:rows": (10**5, 10**6, 10**7, 10**8),
    "publish:rows": (10**5, 10**6, 10**7, 10**8),
    "publish:cells": (10**4, 10**5, 10**6, 10**7, 3 * 10**7),
    "publish:dimensions": (2, 4, 8, 16, 35),
    "level:cells": (10**5, 10**6, 10**7),
    "answer:blocks": (10**3, 10**4, 10**5, 10**6),
    "answer:queries": (10**2, 10**3, 10**4, 10**5),
    "sql:groups": (64, 64**2),
    "open:blocks": (10**3, 10**4, 10**5, 10**6),
}
ALLOWED = 1.15  # the fit's power of n log n: 1, and room for noise


def ingest_rows(rows: int, folder: Path) -> Run:
    schema = ripost.Schema.load(subjects.FLIGHTS)
    ripost.Tensor.from_table(subjects.flights_file(1000, folder), schema)  # imports
    return partial(ripost.Tensor.from_table, subjects.flights_file(rows, folder), schema)


def publish_rows(rows: int, folder: Path) -> Run:
    schema = ripost.Schema.load(subjects.FLIGHTS)
    ripost.publish(subjects.flights_file(1000, folder), schema, epsilon=1)
    return partial(ripost.publish, subjects.flights_file(rows, folder), schema, epsilon=1)


def publish_cells(cells: int, _: Path) -> Run:
    ripost.publish(subjects.tensor(1000), epsilon=1)
    return partial(ripost.publish, subjects.tensor(cells), epsilon=1)


def publish_dimensions(dimensions: int, _: Path) -> Run:
    ripost.publish(subjects.tensor(1000, dimensions), epsilon=1)
    return partial(ripost.publish, subjects.tensor(5000 if dimensions == 2 else 10**5, dimensions), epsilon=1)


def level_cells(cells: int, _: Path) -> Run:
    """One level of a tree of 1,024 blocks: cut all, count all."""
    held = MemoryBlockData.of(subjects.tensor(cells))
    for depth in range(10):
        held = held.split(np.full(2**depth, depth % 6), _middle(held.blocks, depth % 6))

    def run() -> None:
        half = held.split(np.zeros(1024, np.int64), _middle(held.blocks, 0))
        half.compute(TOTAL, 0, len(half.blocks))

    return run


def _middle(blocks: Blocks, axis: int) -> Codes:
    middle: Codes = (blocks.lower[:, axis] + blocks.upper[:, axis]) // 2
    return middle


def answer_blocks(blocks: int, _: Path) -> Run:
    view, asked = subjects.view(blocks), subjects.boxes(1000)
    view.answer(*subjects.boxes(10))
    return lambda: view.answer(*asked)


def answer_queries(queries: int, _: Path) -> Run:
    view, asked = subjects.view(10**4), subjects.boxes(queries)
    view.answer(*subjects.boxes(10))
    return lambda: view.answer(*asked)


def sql_groups(groups: int, _: Path) -> Run:
    view = subjects.view(10**4)
    view.sql("SELECT COUNT(*) FROM view")
    names = ", ".join(view.domain.names[: round(math.log(groups, 64))])
    return lambda: view.sql(f"SELECT {names}, COUNT(*) FROM view GROUP BY {names}")


def open_blocks(blocks: int, folder: Path) -> Run:
    path = folder / f"view{blocks}.ripost.parquet"
    subjects.view(blocks).save(path, force=True)
    ripost.open(path)
    return lambda: ripost.open(path)


def power(sizes: tuple[int, ...], seconds: list[float]) -> float:
    """Between the two largest sizes: 1 is growth as n log n."""
    (n, m), (a, b) = sizes[-2:], seconds[-2:]
    return math.log(b / a) / math.log(m * math.log2(m) / (n * math.log2(n)))


def main() -> None:
    kept = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes in SIZES.items():
            step, variable = name.split(":")
            found = [alone(f"growth:{step}_{variable}", size, Path(folder)) for size in sizes]
            fit = power(sizes, [row["seconds"] for row in found])
            kept[name] = {"sizes": sizes, "found": found, "power": fit}
            for size, row in zip(sizes, found, strict=True):
                used = f"{row['seconds']:9.3f} s  {row['mebibytes']:8.0f} MiB at the peak"
                print(f"{step:8} {size:12,} {variable:11} {used}")
            verdict = "ok" if fit <= ALLOWED else "MISSED"
            print(
                f"{step:8} grows as (n log n)^{fit:.2f} in {variable}, target <= 1 (allowed {ALLOWED:g})  {verdict}\n"
            )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "growth.json").write_text(json.dumps(kept, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
