"""Contents at random, of each kind."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import strategies as st

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tables import TableContent
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.estimate.table_union import CompletedTables, TableUnion
from ripost.privacy.mechanisms import laplace_variance
from ripost.space.blocks import Blocks
from ripost.space.tree import Growth, Tree
from tests.answering.making import Array, random_variances

shapes = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)

KINDS = ("buckets", "matrix", "union", "marginals", "tables", "sample")


def content_of(kind: str, shape: tuple[int, ...], seed: int) -> Content:
    """A content at random, of each kind and each way to work out its error."""
    rng = np.random.default_rng(seed)
    cells = math.prod(shape)
    values = rng.normal(20, 15, cells)
    match kind:
        case "sample":
            coords = np.stack([rng.integers(0, size, 30) for size in shape], axis=1)
            return SampleContent.of(shape, coords, rng.exponential(3, 30))
        case "buckets":
            number = int(rng.integers(1, cells + 1))
            bucket = rng.permutation(np.concatenate([np.arange(number), rng.integers(0, number, cells - number)]))
            tree = _down_to_leaves(number, rng)
            each = laplace_variance(4)  # of the two draws of `promise`: one for the root, one for the leaves
            variances = random_variances(tree, rng, inner=0.0, between=(each, each))
            variances[0] = each
            return BucketContent.of_totals(shape, bucket, tree, rng.normal(30, 20, number), variances)
        case "tables":
            return _tables(shape, rng)
    grams = tuple(np.eye(size) if kind == "marginals" else _gram(size, rng) for size in shape)
    measured = np.ones((1 if kind == "matrix" else 4, len(shape)), bool)
    measured[1:] = rng.random((len(measured) - 1, len(shape))) < 0.5
    return MatrixContent(
        shape, values=values, stack=KroneckerUnion(grams, measured, rng.uniform(1, 5, len(measured))), variance=25.0
    )


def _tables(shape: tuple[int, ...], rng: np.random.Generator) -> TableContent:
    """Tables of all pairs, some centered as residuals are, with residuals that add up to 0 along their axes."""
    number = min(2, len(shape))
    tables = [part for n in range(number + 1) for part in itertools.combinations(range(len(shape)), n)]
    grams = []
    for size in shape:
        root = rng.normal(size=(size, size + 2))
        gram = root @ root.T / size
        rows = gram - gram.mean(axis=0)
        gram = rows - rows.mean(axis=1, keepdims=True)
        gram = (gram + gram.T) / 2
        level = float(rng.integers(0, 2)) if size > 1 else 1.0
        grams.append(gram + level / size)
    union = TableUnion(tuple(grams), tuple(tables), rng.uniform(1, 5, len(tables)))
    residuals = {}
    for part in union.parts:
        table = rng.normal(20, 15, [shape[axis] for axis in part])
        for axis in range(len(part)):
            table = table - table.mean(axis=axis, keepdims=True)
        residuals[part] = table if part else np.array(100.0 * math.prod(shape))
    found = CompletedTables.of(shape, residuals)
    return TableContent(shape, values=found.values, density=found.density, union=union, variance=25.0)


def _down_to_leaves(number: int, rng: np.random.Generator) -> Tree:
    """A tree whose leaves are single buckets."""
    growth, nodes, blocks = Growth((number,)), np.array([0]), Blocks.whole((number,))
    while len(nodes):
        large = ~blocks.is_cell
        nodes, blocks = nodes[large], blocks.take(large)
        cut = rng.integers(blocks.lower[:, 0] + 1, blocks.upper[:, 0])
        axis = np.zeros_like(cut)
        nodes, blocks = growth.split(nodes, axis, cut), blocks.split(axis, cut)
    return growth.tree()


def _gram(size: int, rng: np.random.Generator) -> Array:
    factor = np.concatenate([np.eye(size), rng.random((2, size))])
    return factor.T @ factor
