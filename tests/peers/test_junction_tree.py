"""Junction trees beside the whole joint distribution, multiplied out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ripost.peers.junction_tree import JunctionTree, count_cells

SIZES = (3, 2, 4, 2, 3, 2)


def random_tree(seed: int) -> tuple[JunctionTree, list[tuple[int, ...]], np.random.Generator]:
    """A tree for random pairs, and a triple at times; single axes so that none is missing."""
    rng = np.random.default_rng(seed)
    pairs = list(combinations(range(6), 2))
    some = [pairs[i] for i in rng.choice(len(pairs), rng.integers(0, 9), replace=False)]
    measured = [*((axis,) for axis in range(6)), *some, *([(0, 2, 5)] if seed % 2 else [])]
    return JunctionTree.of(SIZES, measured), measured, rng


@pytest.mark.parametrize("seed", range(20))
def test_messages_agree_with_the_joint_distribution(seed: int) -> None:
    tree, _, rng = random_tree(seed)
    logs = [rng.normal(0, 3, [SIZES[axis] for axis in clique]) for clique in tree.cliques]
    joint = np.zeros(SIZES)
    for clique, log in zip(tree.cliques, logs, strict=True):
        joint += log.reshape([size if axis in clique else 1 for axis, size in enumerate(SIZES)])
    joint = np.exp(joint) / np.exp(joint).sum()
    for clique, table in zip(tree.cliques, tree.calibrate(logs), strict=True):
        away = tuple(axis for axis in range(6) if axis not in clique)
        np.testing.assert_allclose(table, joint.sum(axis=away), rtol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_what_a_clique_shares_with_earlier_ones_is_in_its_parent(seed: int) -> None:
    tree, measured, _ = random_tree(seed)
    assert all(any(set(axes) <= set(clique) for clique in tree.cliques) for axes in measured)
    for number, (clique, parent) in enumerate(zip(tree.cliques, tree.parents, strict=True)):
        before = {axis for earlier in tree.cliques[:number] for axis in earlier}
        assert parent < number
        assert before & set(clique) == set(tree.separator(number))
    assert not any(set(one) <= set(other) for one in tree.cliques for other in tree.cliques if one != other)


def test_a_given_order_counts_if_it_is_better() -> None:
    """A ring of four pairs: eliminating the long axis first makes the largest clique larger."""
    sizes, ring = (2, 9, 2, 9), [(0, 1), (1, 2), (2, 3), (0, 3)]
    greedy = JunctionTree.of(sizes, ring)
    assert {count_cells(clique, sizes) for clique in greedy.cliques} == {36}
    worse = JunctionTree.of(sizes, ring, [(0, 1, 2, 3)])
    assert worse == greedy


def test_a_probability_of_zero_stays() -> None:
    tree = JunctionTree.of((2, 2, 2), [(0, 1), (1, 2)])
    logs = [np.full((2, 2), -1e4), np.zeros((2, 2))]
    logs[0][0, 0] = 0
    tables = tree.calibrate(logs)
    assert [table.sum() for table in tables] == pytest.approx([1, 1])
    np.testing.assert_allclose(tables[1], [[0.5, 0.5], [0, 0]], atol=1e-12)
