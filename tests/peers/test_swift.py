"""swift: its clique tree, its allocation beside a search, what it finds, and what it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.marginals import AttributeCodes
from ripost.peers.swift.allocation import Candidate, allocate
from ripost.peers.swift.clique_tree import CliqueTree, best_tree, count_cells, grow_tree
from ripost.privacy.zcdp import rho_for
from ripost.space.workload import Workload
from tests.methods.silent import poisson, run

from .linked_tables import diagonal

Pairs = dict[tuple[int, int], float]


def random_pairs(seed: int, number: int = 8) -> tuple[Pairs, list[int]]:
    rng = np.random.default_rng(seed)
    return {pair: float(rng.exponential()) for pair in combinations(range(number), 2)}, rng.integers(
        2, 9, number
    ).tolist()


@pytest.mark.parametrize("most", [10, 100, 1000])
@pytest.mark.parametrize("seed", range(10))
def test_cliques_that_hold_an_axis_are_connected(seed: int, most: int) -> None:
    errors, sizes = random_pairs(seed)
    tree = best_tree(errors, sizes, most)
    assert frozenset().union(*tree.cliques) == set(range(8))
    assert max(count_cells(clique, sizes) for clique in tree.cliques) <= most
    for axis in range(8):
        around = {clique for clique in tree.cliques if axis in clique}
        reached, before = {next(iter(around))}, 0
        while len(reached) > before:
            before = len(reached)
            reached |= {clique for link in tree.links if link & reached for clique in link if clique in around}
        assert reached == around


@pytest.mark.parametrize("seed", range(10))
def test_axes_are_eliminated_without_larger_tables(seed: int) -> None:
    errors, sizes = random_pairs(seed)
    tree = best_tree(errors, sizes, 200)
    neighbors = {
        axis: {other for clique in tree.cliques if axis in clique for other in clique} - {axis} for axis in range(8)
    }
    order = tree.elimination_order()
    assert sorted(order) == list(range(8))
    for axis in order:
        assert tree.holds({axis, *neighbors[axis]})
        for other in neighbors.pop(axis):
            neighbors[other].discard(axis)


def test_a_tree_by_hand() -> None:
    """Four axes of 10 codes and up to 100 cells: a pair that closes a loop would need a table of 1,000."""
    errors = {(0, 1): 9.0, (1, 2): 8.0, (0, 2): 7.0, (2, 3): 1.0}
    tree = grow_tree(errors, [10] * 4, 100, penalty=0)
    assert {tuple(sorted(clique)) for clique in tree.cliques} == {(0, 1), (1, 2), (2, 3)}
    whole = grow_tree(errors, [10] * 4, 1000, penalty=0)
    assert whole.holds((0, 1, 2))
    assert whole.holds((2, 3))
    assert not whole.holds((0, 3))


def test_pairs_that_are_too_large_stay_out() -> None:
    assert grow_tree({(0, 1): 9.0}, [10, 11], 100, penalty=0) == CliqueTree.of_single_axes(2)


def test_a_penalty_prefers_small_pairs() -> None:
    """One wide pair excludes two narrow ones that have more error together."""
    errors, sizes = {(0, 1): 10.0, (0, 2): 9.0, (1, 2): 8.0}, [30, 30, 2]
    assert {tuple(sorted(clique)) for clique in grow_tree(errors, sizes, 900, 0).cliques} == {(0, 1), (0, 2)}
    assert not best_tree({(0, 1): 1.0, (0, 2): 9.0, (1, 2): 9.0}, [30, 30, 2], 100).holds((0, 1))


def gain(chosen: list[Candidate], parts: list[float], precision: float) -> float:
    return sum(
        each.weight * (each.error - each.cells * math.sqrt(2 / math.pi / (precision * part)))
        for each, part in zip(chosen, parts, strict=True)
    )


@pytest.mark.parametrize("seed", range(20))
def test_no_other_shares_gain_more(seed: int) -> None:
    """Nor another set of candidates: the greedy choice misses the best set by a fifth at most here."""
    rng = np.random.default_rng(seed)
    candidates = [
        Candidate((i,), int(rng.integers(2, 200)), float(rng.integers(1, 4)), float(rng.exponential(3000)))
        for i in range(7)
    ]
    shares, precision = allocate(candidates, 0.01), 0.01
    chosen = [each for each in candidates if each.axes in shares]
    whole = sum(shares.values())
    found = gain(chosen, [shares[each.axes] / whole for each in chosen], precision)
    best = -math.inf
    for size in range(1, 8):
        for some in combinations(candidates, size):
            cost = sum(each.cost for each in some)
            best = max(best, sum(each.reward for each in some) - cost**1.5 / math.sqrt(precision))
    assert 0.8 * best < found <= best * (1 + 1e-5)
    for _ in range(50):
        parts = rng.dirichlet(np.ones(len(chosen))).tolist()
        assert gain(chosen, parts, precision) <= found + 1e-6 * abs(found)


def test_one_candidate_is_always_measured() -> None:
    assert allocate([Candidate((0,), 10, 1.0, -5.0), Candidate((1,), 1000, 1.0, -9e9)], 1e-6).keys() == {(0,)}


@pytest.mark.parametrize("merge_rare", [False, True])
def test_axes_that_go_together_are_found(merge_rare: bool) -> None:
    found, account = run("swift", diagonal(), 5, merge_rare=merge_rare)
    apart = np.abs(found.coords[:, 0] - found.coords[:, 1])
    assert found.weights[apart == 0].sum() > 0.9 * found.weights.sum()
    assert found.weights.sum() == pytest.approx(18_000, rel=0.05)
    assert account.ledger.spent == account.epsilon == rho_for(Fraction(5), Fraction(1, 10**9))


def test_a_model_of_several_tables() -> None:
    found, _ = run("swift", diagonal(6, 2000), 5, max_clique_size=36)
    apart = np.abs(found.coords[:, 0] - found.coords[:, 1])
    assert found.weights[apart == 0].sum() > 0.9 * found.weights.sum()


def test_candidates_weigh_the_requests_for_their_axes() -> None:
    shape = (4, 1, 5, 6)
    codes, whole = AttributeCodes.of(shape), np.array(shape)
    lower, upper = np.zeros((3, 4), int), np.tile(whole, (3, 1))
    upper[:2, [0, 2]] = 1
    upper[2, [2, 3]] = 1
    swift = METHODS["swift"](max_marginal_size=20, workload=Workload.of((lower, upper), shape))
    assert swift.candidates(codes) == {(0,): 2.0, (1,): 3.0, (2,): 1.0, (0, 1): 5.0}
    everything = METHODS["swift"]().candidates(codes)
    assert everything[0, 1, 2] == 3.0
    assert len(everything) == 7
    nothing = Workload.of((np.zeros((1, 4), int), whole[None]), shape)
    assert METHODS["swift"](workload=nothing).candidates(codes) == everything


@pytest.mark.parametrize(
    "options",
    [
        {"degree": 0},
        {"degree": 9},
        {"max_clique_size": 0},
        {"max_marginal_size": 10**9},
        {"merge_rare": 1},
        {"delta": 0},
    ],
    ids=str,
)
def test_swift_refuses(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        METHODS["swift"].configure(options)


def test_shares_must_leave_some() -> None:
    with pytest.raises(InputError, match=r"choosing and single must leave a share, got 0\.5 and 0\.5"):
        METHODS["swift"].configure({"choosing": 0.5, "single": 0.5})


def test_domains_that_are_too_large() -> None:
    with pytest.raises(InputError, match="swift needs 41 attributes and stops at 40; choose another method"):
        run("swift", Tensor.from_arrays((2,) * 41, [], []))
    with pytest.raises(InputError, match=r"stops at 268,435,456; lower degree or max_marginal_size"):
        run("swift", Tensor.from_arrays((90,) * 15, [], []))


def test_delta_is_an_option() -> None:
    _, account = run("swift", poisson((4, 3)), 1, delta=1e-5)
    assert account.epsilon == rho_for(Fraction(1), Fraction(1, 10**5))
