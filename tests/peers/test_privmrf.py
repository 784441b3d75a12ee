"""privmrf: its graph, its initial marginals beside a search, what it finds, and what it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.junction_tree import Axes, JunctionTree, count_cells
from ripost.peers.privmrf.dependency_graph import grow_graph
from ripost.peers.privmrf.initial_marginals import dependence_score, largest_sets, list_initial
from ripost.peers.privmrf.method import _split
from ripost.privacy.zcdp import rho_for
from tests.methods.silent import Silent, poisson, run

from .linked_tables import diagonal


def scores_of(number: int, seed: int) -> dict[tuple[int, int], float]:
    rng = np.random.default_rng(seed)
    return {pair: float(rng.normal(0.1, 0.1)) for pair in combinations(range(number), 2)}


@pytest.mark.parametrize("seed", range(10))
def test_the_graph_is_a_junction_tree_within_its_limits(seed: int) -> None:
    """Its order eliminates its cliques without any larger one, and no two axes that fit stay apart."""
    sizes = tuple(np.random.default_rng(seed).integers(2, 6, 7).tolist())
    graph = grow_graph(scores_of(7, seed), sizes, 60, 200)
    assert sorted(graph.order) == list(range(7))
    assert {axis for clique in graph.cliques for axis in clique} == set(range(7))
    assert max(count_cells(clique, sizes) for clique in graph.cliques) <= 60
    assert sum(count_cells(clique, sizes) for clique in graph.cliques) <= 200
    tree = JunctionTree.of(sizes, graph.cliques, (graph.order,))
    assert set(tree.cliques) == set(graph.cliques)


def test_a_graph_of_a_limit_that_is_large_joins_all() -> None:
    assert grow_graph(scores_of(5, 0), [2] * 5, 32, 32).cliques == ((0, 1, 2, 3, 4),)


def test_the_most_dependent_pairs_join_first() -> None:
    scores = {(0, 1): 0.3, (0, 2): 0.1, (0, 3): 0.0, (1, 2): 0.2, (1, 3): 0.0, (2, 3): 0.4}
    assert set(grow_graph(scores, [3] * 4, 9, 27).cliques) == {(0, 1), (1, 2), (2, 3)}
    assert set(grow_graph(scores, [3] * 4, 8, 100).cliques) == {(0,), (1,), (2,), (3,)}


@pytest.mark.parametrize("room", [1, 2, 5, 12, 40, 1000])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_largest_sets_are_those_of_a_search(room: float, most: int) -> None:
    axes, sizes = (0, 1, 2, 3, 4), [2, 3, 2, 4, 5]
    every = chain.from_iterable(combinations(axes, n) for n in range(most + 1))
    small = [some for some in every if count_cells(some, sizes) <= room]
    assert sorted(largest_sets(axes, sizes, room, most)) == sorted(
        some for some in small if not any(set(some) < set(other) for other in small)
    )


def test_parents_that_say_the_same_count_less() -> None:
    scores = {(0, 1): 0.4, (0, 2): 0.4, (1, 2): 0.9}
    assert dependence_score(0, (1,), scores) == pytest.approx(0.4)
    assert dependence_score(0, (1, 2), scores) == pytest.approx(0.8 / math.sqrt(2.9))
    assert dependence_score(2, (0, 1), scores | {(0, 1): -5.0}) == pytest.approx(1.3)  # never divided by less than 1


@pytest.mark.parametrize("seed", range(10))
def test_initial_marginals(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = tuple(rng.integers(2, 9, 6).tolist())
    cliques: tuple[Axes, ...] = ((0, 1, 2), (1, 2, 3), (3, 4), (5,))
    found = list_initial(cliques, scores_of(6, seed), sizes, 40, 2, rng.random(6))
    assert {axis for marginal in found for axis in marginal} == set(range(6))
    assert len(found) == len(set(found)) <= 6
    assert all(len(marginal) == 1 or count_cells(marginal, sizes) <= 40 for marginal in found)
    assert all(any(set(marginal) <= set(clique) for clique in cliques) and len(marginal) <= 2 for marginal in found)
    assert list_initial(cliques, scores_of(6, seed), sizes, 1, 6, rng.random(6)) == [(axis,) for axis in range(6)]


def test_steps_share_what_is_chosen() -> None:
    assert [_split(number, 4) for number in (0, 1, 4, 7)] == [[], [1], [1, 1, 1, 1], [2, 2, 2, 1]]


def test_axes_that_go_together_are_found() -> None:
    found, account = run("privmrf", diagonal(), 5)
    apart = np.abs(found.coords[:, 0] - found.coords[:, 1])
    assert found.weights[apart == 0].sum() > 0.9 * found.weights.sum()
    assert found.weights.sum() == pytest.approx(18_000, rel=0.05)
    assert account.ledger.spent == account.epsilon == rho_for(Fraction(5), Fraction(1, 10**9))


def test_without_noise_a_chain_is_found() -> None:
    """Five axes, each of which follows the one before; the model has every marginal of three neighbors."""
    rng = np.random.default_rng(3)
    steps = np.cumsum(rng.integers(0, 2, (20_000, 5)), axis=1) % 4
    tensor = Tensor.from_arrays((4,) * 5, steps, np.ones(20_000, int))
    found, _ = run("privmrf", tensor, 50, noise=Silent())
    for axes in ((0, 1, 2), (1, 2, 3), (2, 3, 4), (0, 4)):
        ours, true = (
            np.bincount(np.ravel_multi_index(tuple(rows[:, list(axes)].T), (4,) * len(axes)), weights, 4 ** len(axes))
            for rows, weights in ((found.coords, found.weights), (tensor.coords, tensor.counts))
        )
        assert np.abs(ours - true).sum() / 2 < 0.02 * 20_000


def test_one_attribute_gets_all_of_rho() -> None:
    found, account = run("privmrf", poisson((9, 1), 50), 2)
    assert [entry.epsilon for entry in account.ledger.entries] == [account.epsilon]
    assert found.coords.shape[1] == 2


def test_delta_is_an_option() -> None:
    _, account = run("privmrf", poisson((4, 3)), 1, delta=1e-5)
    assert account.epsilon == rho_for(Fraction(1), Fraction(1, 10**5))


@pytest.mark.parametrize(
    "options",
    [{"graph": 0}, {"choosing": 1}, {"max_clique_size": 0}, {"max_model_size": 0.5}, {"max_attributes": 1}],
    ids=str,
)
def test_privmrf_refuses(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        METHODS["privmrf"].configure(options)


def test_shares_must_leave_some() -> None:
    with pytest.raises(InputError, match=r"choosing and graph must leave a share, got 0\.5 and 0\.5"):
        METHODS["privmrf"].configure({"choosing": 0.5, "graph": 0.5})


def test_domains_that_are_too_large() -> None:
    with pytest.raises(InputError, match="privmrf needs 41 attributes and stops at 40; choose another method"):
        run("privmrf", Tensor.from_arrays((2,) * 41, [], []))
    with pytest.raises(InputError, match=r"privmrf needs marginals of .* cells and stops at 1,048,576"):
        run("privmrf", Tensor.from_arrays((2000, 2000), [], []))
