"""Tree: leaves tile the domain, and the leaves alone give the tree back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts
from ripost.space.tree import LEAF, Growth, Tree

shapes = st.lists(st.integers(1, 6), min_size=1, max_size=3)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree grown level by level, some nodes of each level cut at random."""
    shape = draw(shapes)
    growth = Growth(shape)
    nodes, blocks = np.array([0]), Blocks.whole(shape)
    while len(nodes):
        able = np.flatnonzero(~blocks.is_cell)
        chosen = np.array([i for i in able if draw(st.integers(0, 2))], np.int64)
        if not len(chosen):
            break
        blocks = blocks.take(chosen)
        cuts = Cuts.of(blocks)
        ways = np.diff(cuts.start)
        axis, cut = cuts.locate(np.array([draw(st.integers(0, int(n) - 1)) for n in ways]))
        nodes = growth.split(nodes[chosen], axis, cut)
        blocks = blocks.split(axis, cut)
    return growth.tree()


def test_a_stump_is_one_leaf() -> None:
    tree = Tree.stump([3, 4])
    assert (len(tree), tree.leaves.tolist(), tree.depth.tolist()) == (1, [0], [0])
    assert tree.boxes.upper.tolist() == [[3, 4]]


def test_a_small_tree_is_what_was_grown() -> None:
    growth = Growth([4, 2])
    left, right = growth.split(np.array([0]), np.array([0]), np.array([3]))
    growth.split(np.array([left]), np.array([1]), np.array([1]))
    tree = growth.tree()
    assert tree.axis.tolist() == [0, 1, LEAF, LEAF, LEAF]
    assert tree.leaves.tolist() == [3, 4, right] and tree.depth.tolist() == [0, 1, 1, 2, 2]
    assert tree.boxes.take(tree.leaves).lower.tolist() == [[0, 0], [0, 1], [3, 0]]
    assert tree.boxes.take(tree.leaves).upper.tolist() == [[3, 1], [3, 2], [4, 2]]


@given(trees())
def test_leaves_tile_the_domain_once(tree: Tree) -> None:
    covered = np.zeros(tree.shape, int)
    leaves = tree.boxes.take(tree.leaves)
    for low, high in zip(leaves.lower, leaves.upper, strict=True):
        covered[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] += 1
    assert (covered == 1).all()


@given(trees())
def test_levels_depths_and_leaves_agree(tree: Tree) -> None:
    assert sorted(np.concatenate(tree.levels).tolist()) == list(range(len(tree)))
    assert sorted(tree.leaves.tolist()) == np.flatnonzero(tree.is_leaf).tolist()
    inner = np.flatnonzero(~tree.is_leaf)
    assert (tree.depth[tree.child[inner]] == tree.depth[inner] + 1).all()
    assert len(tree) == 2 * len(inner) + 1


@given(trees())
def test_ranks_name_the_inner_nodes_of_each_level_and_their_halves(tree: Tree) -> None:
    assert len(tree.ranks) == len(tree.levels) - 1
    for rank, level in zip(tree.ranks, tree.levels[:-1], strict=True):
        inner = level[~tree.is_leaf[level]]
        for nodes in (tree.inner[rank.number], tree.order[rank.node]):
            assert nodes.tolist() == inner.tolist()
        assert tree.order[rank.left].tolist() == tree.child[inner].tolist()
        assert tree.order[rank.right].tolist() == (tree.child[inner] + 1).tolist()
        assert (
            tree.order[rank.halves].tolist() == np.stack([tree.child[inner], tree.child[inner] + 1], 1).ravel().tolist()
        )
    assert tree.order[tree.place].tolist() == list(range(len(tree)))
    assert tree.order[tree.leaf_place].tolist() == tree.leaves.tolist()


@given(trees())
def test_boxes_are_halved_node_by_node(tree: Tree) -> None:
    boxes = {0: ([0] * len(tree.shape), list(tree.shape))}
    for node in tree.order.tolist():
        if tree.is_leaf[node]:
            continue
        (lower, upper), axis, child = boxes[node], int(tree.axis[node]), int(tree.child[node])
        end, begin = upper.copy(), lower.copy()
        end[axis] = begin[axis] = int(tree.cut[node])
        boxes[child], boxes[child + 1] = (lower, end), (begin, upper)
    assert tree.boxes.lower.tolist() == [boxes[node][0] for node in range(len(tree))]
    assert tree.boxes.upper.tolist() == [boxes[node][1] for node in range(len(tree))]


@given(trees())
def test_leaves_come_depth_first(tree: Tree) -> None:
    def walk(node: int) -> list[int]:
        if tree.is_leaf[node]:
            return [node]
        child = int(tree.child[node])
        return walk(child) + walk(child + 1)

    assert tree.leaves.tolist() == walk(0)


@given(trees())
def test_the_leaves_give_the_tree_back(tree: Tree) -> None:
    again = Tree.from_leaves(tree.shape, tree.boxes.take(tree.leaves), tree.depth[tree.leaves])
    assert sorted(shape_of(tree)) == sorted(shape_of(again))
    assert (again.boxes.take(again.leaves).lower == tree.boxes.take(tree.leaves).lower).all()
    assert (again.depth[again.leaves] == tree.depth[tree.leaves]).all()


def shape_of(tree: Tree) -> list[tuple[object, ...]]:
    """Each node's box and cut, whatever its number."""
    boxes = zip(tree.boxes.lower.tolist(), tree.boxes.upper.tolist(), strict=True)
    cuts = zip(tree.axis.tolist(), tree.cut.tolist(), strict=True)
    return [(tuple(low), tuple(high), *cut) for (low, high), cut in zip(boxes, cuts, strict=True)]


def leaves(*boxes: tuple[int, int]) -> Blocks:
    return Blocks(np.array([[low] for low, _ in boxes]), np.array([[high] for _, high in boxes]))


@pytest.mark.parametrize(
    ("boxes", "depth", "reason"),
    [
        ([(0, 2), (2, 4)], [1, 2], "depths"),
        ([(0, 2), (2, 4)], [0, 0], "depths"),
        ([(0, 2), (2, 4), (4, 5)], [1, 1, 1], "depths"),
        ([(0, 1), (1, 2), (2, 4)], [2, 1, 2], "depths"),
        ([(0, 2), (3, 4)], [1, 1], "do not meet"),
        ([(0, 3), (2, 4)], [1, 1], "do not meet"),
        ([(0, 2), (0, 2)], [1, 1], "do not meet"),
        ([(2, 4), (0, 2)], [1, 1], "do not meet"),
        ([(0, 2), (2, 5)], [1, 1], "cover"),
        ([(1, 2), (2, 4)], [1, 1], "cover"),
        ([(0, 3)], [0], "cover"),
    ],
)
def test_leaves_that_are_no_tree_are_refused(boxes: list[tuple[int, int]], depth: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Tree.from_leaves([4], leaves(*boxes), np.array(depth))


def test_no_leaves_are_no_tree() -> None:
    with pytest.raises(ValueError, match="depths"):
        Tree.from_leaves([4], Blocks(np.zeros((0, 1), np.int64), np.zeros((0, 1), np.int64)), np.zeros(0, np.int64))


def test_boxes_that_differ_on_two_axes_are_refused() -> None:
    blocks = Blocks(np.array([[0, 0], [1, 1]]), np.array([[1, 1], [2, 2]]))
    with pytest.raises(ValueError, match="do not meet"):
        Tree.from_leaves([2, 2], blocks, np.array([1, 1]))
