"""3,000 range queries on 100,000 blocks in six dimensions: the tree against all blocks in NumPy; opening the file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import ripost
from benchmarks import subjects
from benchmarks.side_by_side import report, side_by_side

LEAVES, QUERIES = 100_000, 3_000
Boxes = NDArray[np.int64]


def brute(view: ripost.View, lower: Boxes, upper: Boxes) -> NDArray[np.float64]:
    """Every block against every query."""
    blocks, answers = view.blocks, np.empty(len(lower))
    for first in range(0, len(lower), 20):
        some = slice(first, first + 20)
        share = np.ones((len(lower[some]), len(blocks)))
        for axis in range(lower.shape[1]):
            low, high = blocks.lower[:, axis], blocks.upper[:, axis]
            overlap = np.minimum(upper[some, axis, None], high) - np.maximum(lower[some, axis, None], low)
            share *= np.maximum(overlap, 0) / (high - low)
        answers[some] = share @ blocks.value
    return answers


def main() -> None:
    view = subjects.view(LEAVES)
    lower, upper = subjects.boxes(QUERIES)
    assert np.allclose(brute(view, lower[:50], upper[:50]), view.answer(lower[:50], upper[:50]))
    timed = side_by_side(lambda: brute(view, lower, upper), lambda: view.answer(lower, upper), rounds=3)
    row = {"theirs": timed["ours"], "ours": timed["theirs"], "ratio": timed["ratio"]}
    report("answer", {"3,000 queries, 10^5 blocks x 6, brute force / tree": row}, target=10, at_most=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.parquet"
        view.save(path)
        opened = side_by_side(lambda: ripost.open(path), lambda: pq.read_table(path))
    report("open", {"open 10^5 blocks x 6 / read its bytes": opened}, target=3)


if __name__ == "__main__":
    main()
