"""3,000 range queries on made-up views: the engine against all blocks in NumPy; opening the file."""

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
WIDE, ATTRIBUTES, BOUNDED = (
    45_000,
    10,
    (2, 3, 5, 10),
)  # blocks and dimensions of the wide view, and how many are bounded
Boxes = NDArray[np.int64]


def brute(view: ripost.View, lower: Boxes, upper: Boxes) -> NDArray[np.float64]:
    """Every block against every query, on the axes that it bounds."""
    blocks, answers, shape = view.blocks, np.empty(len(lower)), np.array(view.domain.shape)
    order = np.lexsort(((lower > 0) | (upper < shape)).T)
    for first in range(0, len(lower), 20):
        some = order[first : first + 20]
        share = np.ones((len(lower[some]), len(blocks)))
        for axis in np.flatnonzero(((lower[some] > 0) | (upper[some] < shape)).any(axis=0)):
            low, high = blocks.lower[:, axis], blocks.upper[:, axis]
            overlap = np.minimum(upper[some, axis, None], high) - np.maximum(lower[some, axis, None], low)
            share *= np.maximum(overlap, 0) / (high - low)
        answers[some] = share @ blocks.value
    return answers


def compare_speed(view: ripost.View, lower: Boxes, upper: Boxes) -> dict[str, float]:
    """Seconds of the engine and of every block against every query, and how many times as long those take."""
    assert np.allclose(brute(view, lower[:50], upper[:50]), view.answer(lower[:50], upper[:50]))
    timed = side_by_side(lambda: brute(view, lower, upper), lambda: view.answer(lower, upper), rounds=3)
    return {"theirs": timed["ours"], "ours": timed["theirs"], "ratio": timed["ratio"]}


def main() -> None:
    view = subjects.view(LEAVES)
    row = compare_speed(view, *subjects.boxes(QUERIES))
    report("answer", {"3,000 queries, 10^5 blocks x 6, brute force / engine": row}, target=10, at_most=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.parquet"
        view.save(path)
        opened = side_by_side(lambda: ripost.open(path), lambda: pq.read_table(path))
    report("open", {"open 10^5 blocks x 6 / read its bytes": opened}, target=3)
    wide = subjects.view(WIDE, ATTRIBUTES)
    rows = {
        f"3,000 queries, 45,000 blocks x 10, {number} bounded, brute force / engine": compare_speed(
            wide, *subjects.boxes(QUERIES, ATTRIBUTES, bounded=number)
        )
        for number in BOUNDED
    }
    report("wide", rows, target=5, at_most=False)


if __name__ == "__main__":
    main()
