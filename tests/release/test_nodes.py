"""Measured nodes survive packing, in an order that needs no numbering."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from ripost.release.node_packing import pack, unpack
from ripost.space.tree import Tree
from tests.answering.making import random_tree, random_variances, seeds, shapes, sizes


def walk(tree: Tree, node: int = 0) -> list[int]:
    """Nodes as a plain recursion visits them."""
    if tree.is_leaf[node]:
        return [node]
    child = int(tree.child[node])
    return [node, *walk(tree, child), *walk(tree, child + 1)]


@settings(deadline=None)
@given(shapes, sizes, seeds)
def test_packing(shape: tuple[int, ...], leaves: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree(shape, leaves, rng)
    assert np.argsort(tree.preorder).tolist() == walk(tree)
    variances = random_variances(tree, rng, inner=0.5)
    distinct, packed = pack(tree, variances)
    assert distinct == sorted(set(distinct))
    np.testing.assert_array_equal(unpack(tree, distinct, packed), variances)
