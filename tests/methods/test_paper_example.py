"""The worked example of the paper, Figure 2: eleven cells, theta 10, no noise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ripost.answering.content.tree import TreeContent
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.methods.method import Decomposition
from ripost.privacy.ledger import Privacy
from ripost.schema.measure import ROW
from ripost.view import View
from tests.statistics_by_name import STATISTICS

from .silent import Silent, run

CELLS = [0, 0, 7, 0, 0, 12, 0, 0, 5, 0, 1]
FIGURE = {  # inclusive ranges as printed, with AE as the paper rounds it; it prints none for the root
    (0, 1): 0,
    (2, 10): 31.3,
    (2, 2): 0,
    (3, 10): 25,
    (3, 4): 0,
    (5, 10): 22,
    (5, 5): 0,
    (6, 10): 7.6,
}
LEAVES = {(0, 1): 0, (2, 2): 7, (3, 4): 0, (5, 5): 12, (6, 10): 1.2}  # with the mean


def deviation(first: int, last: int) -> Fraction:
    """AE by its definition, unrounded."""
    cells = CELLS[first : last + 1]
    mean = Fraction(sum(cells), len(cells))
    return sum((abs(cell - mean) for cell in cells), Fraction(0))


@pytest.fixture
def tensor() -> Tensor:
    return Tensor.from_arrays({"Service": 11}, np.arange(11)[:, None], CELLS)


@pytest.fixture
def decomposition(tensor: Tensor) -> Decomposition:
    """Phase 1 is content at once, so phase 2 is left: converge when AE <= 10, else cut where AE_L + AE_R is least."""
    return run("ripost", tensor, noise=Silent(), theta_1=10**6, theta_2=10)[0]


def ranges(tree_boxes: object, nodes: np.ndarray) -> list[tuple[int, int]]:
    lower, upper = tree_boxes.lower[nodes, 0], tree_boxes.upper[nodes, 0]
    return list(zip(lower.tolist(), (upper - 1).tolist(), strict=True))


def test_the_tree(decomposition: Decomposition) -> None:
    tree = decomposition.tree
    assert set(ranges(tree.boxes, np.arange(len(tree)))) == {(0, 10), *FIGURE}
    assert ranges(tree.boxes, tree.leaves) == list(LEAVES)


def test_the_leaves(decomposition: Decomposition) -> None:
    sizes = decomposition.tree.boxes.sizes[decomposition.tree.leaves, 0]
    assert (decomposition.values / sizes).tolist() == pytest.approx(list(LEAVES.values()))


@pytest.mark.parametrize(("block", "printed"), FIGURE.items(), ids=str)
def test_the_deviations(tensor: Tensor, block: tuple[int, int], printed: float) -> None:
    first, last = block
    exact = deviation(first, last)
    assert round(float(exact), 1) == printed
    cells = MemoryBlockData.of(tensor)
    for cut, side in ((first, 1), (last + 1, 0)):
        if 0 < cut < 11:
            cells = cells.split(np.array([0]), np.array([cut])).select(np.array([side == 0, side == 1]))[0]
    assert cells.compute(STATISTICS["deviation"], 0, 1).tolist() == [math.floor(exact)]
    scores = cells.compute(STATISTICS["deviation of cut"], 0, 1).tolist()
    assert scores == [
        -math.floor(deviation(first, cut - 1)) - math.floor(deviation(cut, last)) for cut in range(first + 1, last + 1)
    ]


def test_rounding_down_changes_no_cut_of_the_example() -> None:
    for first, last in [(0, 10), (2, 10), (3, 10), (5, 10)]:
        sums = {cut: deviation(first, cut - 1) + deviation(cut, last) for cut in range(first + 1, last + 1)}
        best = min(sums, key=lambda cut: sums[cut])
        assert (best, last) in FIGURE


def test_the_answer(tensor: Tensor, decomposition: Decomposition) -> None:
    """The query [7, 10] covers four of the five cells of [6, 10]: 4 x 1.2. The truth is 6."""
    account = run("ripost", tensor, noise=Silent(), theta_1=10**6, theta_2=10)[1]
    view = View(
        domain=tensor.domain,
        content=TreeContent(
            tensor.domain.shape, tree=decomposition.tree, values=decomposition.values, variances=decomposition.variances
        ),
        measure=tensor.measure,
        method="ripost",
        parameters={"theta_1": 10**6, "theta_2": 10},
        privacy=Privacy(Fraction(1), ROW, "seed of nothing", account.ledger),
    )
    assert view.answer([[7]], [[11]]).tolist() == pytest.approx([4.8])
    assert tensor.answer([[7]], [[11]]).tolist() == [6]
    assert view.answer([[0]], [[11]]).tolist() == pytest.approx([sum(CELLS)])
