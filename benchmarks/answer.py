"""3,000 range queries on 100,000 blocks in six dimensions: the tree against all blocks in NumPy; opening the file."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import ripost
from benchmarks.side_by_side import report, side_by_side
from ripost.privacy.ledger import Ledger, Privacy, Step
from ripost.space.cuts import Cuts
from ripost.space.measure import ROW
from ripost.space.tree import Growth, Tree
from ripost.view.content.tree import TreeContent

SHAPE, LEAVES, QUERIES = (64,) * 6, 100_000, 3_000
Boxes = NDArray[np.int64]


def grown(rng: np.random.Generator) -> Tree:
    """A random tree: leaves of every level are cut with even odds until there are enough."""
    growth = Growth(SHAPE)
    nodes, blocks = np.array([0]), growth.tree().boxes
    made = 1
    while made < LEAVES:
        chosen = np.flatnonzero((rng.random(len(nodes)) < 0.9) & ~blocks.is_cell)[: LEAVES - made]
        cuts = Cuts.of(blocks.take(chosen))
        axis, cut = cuts.locate((rng.random(len(chosen)) * np.diff(cuts.start)).astype(np.int64))
        nodes, blocks = growth.split(nodes[chosen], axis, cut), blocks.take(chosen).split(axis, cut)
        made += len(chosen)
    return growth.tree()


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
    rng = np.random.default_rng(0)
    tree = grown(rng)
    view = ripost.View(
        domain=ripost.Domain.of(SHAPE),
        content=TreeContent(
            SHAPE,
            tree=tree,
            values=rng.normal(10, 30, LEAVES),
            variances=np.where(tree.is_leaf, 200.0, np.inf),
        ),
        privacy=Privacy(Fraction(1), ROW, "seed 0", Ledger((), (Step(None, None, LEAVES),))),
        method="benchmark",
    )
    ends = np.sort(rng.integers(0, 65, (QUERIES, 6, 2)), axis=2)
    lower, upper = ends[:, :, 0], ends[:, :, 1]
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
