"""The paper's method: what each option does, and that the budget goes where the paper says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.estimate.least_squares import TreeCovariance, add_up
from ripost.methods import ripost as paper
from ripost.methods.ripost import Ripost
from ripost.privacy.account import Account
from ripost.privacy.budget import weight
from ripost.privacy.ledger import Charge
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts

from .silent import Silent, poisson, run

DEFAULT = Ripost()


def entries(account: Account, purpose: str) -> list[Charge]:
    return [entry for entry in account.ledger.entries if entry.purpose.startswith(purpose)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"alpha": 0}, "alpha must lie strictly between 0 and 1, got 0"),
        ({"gamma": 1.0}, "gamma must lie strictly between 0 and 1"),
        ({"beta": "x"}, "beta must be a number between 0 and 1, got 'x'"),
        ({"k": 0}, "k must be a whole number from 1 to 1000, got 0"),
        ({"k": 2.0}, "k must be a whole number"),
        ({"k": True}, "k must be a whole number"),
        ({"test_every": 0}, "test_every must be a whole number from 1 to 1000, got 0"),
        ({"test_every": 1001}, "test_every must be"),
        ({"theta_1": 0.5}, "theta_1 must be a whole number, got 0.5"),
        ({"theta_2": "1"}, "theta_2 must be a whole number, got '1'"),
        ({"theta_2": False}, "theta_2 must be a whole number"),
        ({"tight": "no"}, "tight must be true or false, got 'no'"),
        ({"reuse_unspent": 1}, "reuse_unspent must be true or false, got 1"),
        ({"refine": None}, "refine must be true or false, got None"),
        ({"sample_cuts": 0}, "sample_cuts must be a number above 0 and up to 1, got 0"),
        ({"sample_cuts": 1.01}, "sample_cuts must be a number above 0"),
        ({"sample_cuts": "all"}, "sample_cuts must be a number above 0 and up to 1, got 'all'"),
        ({"sample_cuts": float("nan")}, "sample_cuts must be a number above 0"),
    ],
)
def test_options_are_checked(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Ripost.configure(options)


def test_parameters_are_stated() -> None:
    assert Ripost(alpha="1/3").parameters()["alpha"] == "1/3"
    assert Ripost(alpha=Fraction(1, 3)).parameters()["alpha"] == "1/3"
    assert DEFAULT.parameters()["k"] == 5


def test_shares_follow_the_paper() -> None:
    """Lines 1 to 4 of Algorithm 1, then the series along depth."""
    _, account = run("ripost", poisson((60, 50)), Fraction(2))
    share_1, share_2 = 2 * Fraction(3, 10) * Fraction(9, 10), 2 * Fraction(3, 10) * Fraction(1, 10)
    for phase, share in (("phase 1", share_1), ("phase 2", share_2)):
        for kind, part in (("test", Fraction(4, 10)), ("cut", Fraction(6, 10))):
            found = entries(account, f"{phase} {kind}")
            assert len(found) > 3
            assert [e.epsilon for e in found] == [share * part * weight(i + 1, k=5) for i in range(len(found))]
    (leaves,) = entries(account, "leaves")
    assert leaves.epsilon == 2 * Fraction(7, 10)


@pytest.mark.parametrize("k", [1, 2, 50])
def test_k_spreads_the_budget(k: int) -> None:
    _, account = run("ripost", poisson((40, 30)), k=k)
    for depth, entry in enumerate(entries(account, "phase 1 cut"), start=1):
        assert entry.epsilon == Fraction(162, 1000) * Fraction(k, (depth + k - 1) * (depth + k))


def test_statistics_of_the_phases() -> None:
    _, account = run("ripost", poisson((40, 30)))
    drawn = {(e.purpose.split(",")[0], e.mechanism, e.statistic, e.sensitivity) for e in account.ledger.entries}
    assert drawn == {
        ("phase 1 test", "discrete Laplace", "total", 1),
        ("phase 1 cut", "exponential mechanism", "mixture of cut", 1),
        ("phase 2 test", "discrete Laplace", "deviation", 2),
        ("phase 2 cut", "exponential mechanism", "deviation of cut", 2),
        ("leaves", "discrete Laplace", "total", 1),
    }


def test_tight_halves_the_scale_of_choices_for_the_same_price() -> None:
    for tight, factor in ((False, 4), (True, 2)):
        _, account = run("ripost", poisson((40, 30)), tight=tight)
        for entry in account.ledger.entries:
            expected = (factor if "cut" in entry.purpose else 1) * entry.sensitivity / entry.epsilon
            assert entry.scale == pytest.approx(float(expected))


def test_theta_decides_when_a_block_converges() -> None:
    tensor = Tensor.from_arrays((8,), [[0], [7]], [50, 20])
    found, account = run("ripost", tensor, noise=Silent(), theta_1=70, theta_2=10**6)
    assert len(found.values) == 1
    assert [entry.purpose for entry in account.ledger.entries] == [
        "phase 1 test, depth 1",
        "phase 2 test, depth 1",
        "leaves",
    ]
    found, _ = run("ripost", tensor, noise=Silent(), theta_1=69, theta_2=10**6)
    assert len(found.values) > 1


def test_phase_1_separates_empty_cells_from_full_ones() -> None:
    """Without noise its leaves are empty blocks, and single cells that hold something."""
    counts = np.zeros((6, 6), int)
    counts[1:3, 2:5] = 4
    tensor = Tensor.from_arrays((6, 6), np.argwhere(counts >= 0), counts.ravel())
    found, _ = run("ripost", tensor, noise=Silent(), theta_2=10**6)
    leaves = found.tree.boxes.take(found.tree.leaves)
    for value, single in zip(found.values, leaves.is_cell, strict=True):
        assert value == 0 or (single and value == 4)
    assert found.values.sum() == 24


def test_one_cell_needs_no_test() -> None:
    _, account = run("ripost", Tensor.from_arrays((1, 1), [[0, 0]], [9]))
    assert [entry.purpose for entry in account.ledger.entries] == ["leaves"]


def test_reuse_unspent_spends_all_on_every_path() -> None:
    for epsilon in (Fraction(1, 10), Fraction(3)):
        _, account = run("ripost", poisson((30, 20)), epsilon, reuse_unspent=True)
        ends = zip(account.ledger.spent_by(), account.ledger.steps, strict=True)
        assert {spent for spent, step in ends if step.blocks} == {epsilon}
        plain = run("ripost", poisson((30, 20)), epsilon)[1]
        assert min(e.epsilon for e in entries(account, "leaves")) >= entries(plain, "leaves")[0].epsilon


@pytest.mark.parametrize("every", [2, 3, 7])
def test_test_every_tests_some_depths_only(every: int) -> None:
    seen: list[tuple[str, int]] = []
    tensor = Tensor.from_arrays((200,), [[3], [90]], [4000, 8000])
    _, account = run("ripost", tensor, watch=lambda *told: seen.append(told), test_every=every)
    for phase in ("phase 1", "phase 2"):
        depths = [int(purpose.split()[-1]) for purpose, _ in seen if purpose.startswith(f"{phase} test")]
        cuts = [int(purpose.split()[-1]) for purpose, _ in seen if purpose.startswith(f"{phase} cut")]
        assert depths == list(range(1, cuts[-1] + 1, every))
        assert cuts == list(range(1, cuts[-1] + 1))
    saved = Fraction(3, 10) * Fraction(4, 10) * (1 - Ripost(test_every=every).bound_tests())
    assert entries(account, "leaves")[0].epsilon == Fraction(7, 10) + saved
    assert account.ledger.spent <= 1


@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("every", [1, 2, 3, 10])
def test_the_bound_on_tested_weights_holds(k: int, every: int) -> None:
    tested = sum(weight(depth, k=k) for depth in range(1, 400, every))
    bound = Ripost(k=k, test_every=every).bound_tests()
    assert tested <= bound <= 1
    assert every > 1 or bound == 1


class Watching(SeededNoise):
    """Seeded noise that remembers the coins and how many candidates stood for choice."""

    def __init__(self) -> None:
        super().__init__(5)
        self.coins: list[np.ndarray] = []
        self.stood: list[np.ndarray] = []

    def sample(self, number: int, share: float) -> np.ndarray:
        self.coins.append(super().sample(number, share))
        return self.coins[-1]

    def choose(self, scores: np.ndarray, start: np.ndarray, *rest: Any) -> np.ndarray:
        self.stood.append(np.diff(start))
        return super().choose(scores, start, *rest)


def test_sample_cuts_lets_a_share_stand() -> None:
    noise = Watching()
    found, account = run("ripost", poisson((40, 30)), noise=noise, sample_cuts=0.25)
    assert account.ledger.spent <= 1
    assert (np.concatenate(noise.stood) >= 1).all()
    first = noise.coins[0]
    assert len(first) == 68
    assert noise.stood[0].tolist() == [first.sum()]
    cuts = Cuts.of(Blocks.whole((40, 30)))
    stood = [cuts.locate(np.array([number])) for number in np.flatnonzero(first)]
    assert (found.tree.axis[0], found.tree.cut[0]) in [(axis[0], cut[0]) for axis, cut in stood]
    every = Watching()
    run("ripost", poisson((40, 30)), noise=every, sample_cuts=1)
    assert every.coins == []


def test_a_block_whose_coins_all_fail_keeps_every_cut() -> None:
    class Unlucky(Watching):
        def sample(self, number: int, share: float) -> np.ndarray:
            return np.zeros(number, bool)

    noise = Unlucky()
    run("ripost", poisson((5, 4)), noise=noise, sample_cuts=0.01)
    assert noise.stood[0].tolist() == [7]


def test_refine_keeps_the_sums_of_phase_1_at_no_cost() -> None:
    tensor = poisson((40, 30))
    plain, before = run("ripost", tensor)
    found, after = run("ripost", tensor, refine=True)
    assert np.isfinite(found.variances[0])
    assert np.isinf(plain.variances[0])
    assert entries(before, "phase 1 test, depth 1") == entries(after, "phase 1 test, depth 1")
    assert after.ledger.spent <= 1
    spread = TreeCovariance.of(found.tree, found.variances)
    own = found.variances[found.tree.leaves]
    assert (spread.posterior[found.tree.leaves] <= own * (1 + 1e-9)).all()
    assert spread.posterior[0] < own.sum()


def test_refine_fits_the_tree_to_all_that_was_measured() -> None:
    """Without noise the fit has nothing to mend."""
    tensor = poisson((8, 5))
    found, _ = run("ripost", tensor, noise=Silent(), refine=True)
    leaves = found.tree.boxes.take(found.tree.leaves)
    np.testing.assert_allclose(found.values, tensor.answer(leaves.lower, leaves.upper), atol=1e-9)
    assert add_up(found.tree, found.values)[0] == pytest.approx(tensor.counts.sum())


def test_growth_stops_at_the_most_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests at some depths only let a tree of an empty, huge domain grow without end."""
    monkeypatch.setattr(paper, "MOST_BLOCKS", 200)
    empty = Tensor.from_arrays((50,) * 20, [], [])
    found, account = run("ripost", empty, test_every=4, theta_1=-(10**6))
    assert 200 <= len(found.values) <= 800
    assert account.ledger.spent <= 1
    assert account.ledger.blocks == len(found.values)


def test_too_many_cuts_are_refused() -> None:
    with pytest.raises(InputError, match=r"ripost weighs each of 1,000,000,198 cuts of the domain"):
        run("ripost", Tensor.from_arrays((10**9, 200), [], []))
