"""PrivTree and HDPView, whose tests at every depth are paid for once: exact, and with faults that must be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pytest

from ripost.errors import BudgetExceeded
from ripost.methods import METHODS
from ripost.methods.method import Decomposition, Method
from ripost.peers.hdpview.method import HDPView
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import BiasedThresholdTest
from ripost.privacy.paid_queries import ThresholdSequence
from ripost.privacy.partition import Partition
from ripost.space.tree import Tree
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL
from tests.audit.faults import an_account_without_limit, halves_that_forget

from .enumeration import TOLERANCE, Audit, audit
from .family import Family, Ints

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]


@dataclass(frozen=True)
class Pile(Family):
    """The tensors of one axis with 0 to `most` in one cell, beside cells that stay as they are."""

    at: int = 0
    others: tuple[tuple[int, int], ...] = ()  # cells and their counts

    @cached_property
    def counts(self) -> Ints:
        counts = np.zeros((self.most + 1, *self.shape), np.int64)
        for cell, count in self.others:
            counts[:, cell] = count
        counts[:, self.at] = np.arange(self.most + 1)
        return counts

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        found = []
        for steps in range(1, self.bound + 1):
            less = np.arange(self.most + 1 - steps)
            found += [(less, less + steps), (less + steps, less)]
        one, other = (np.concatenate(part) for part in zip(*found, strict=True))
        return one, other, np.full(len(one), self.at)


@dataclass(frozen=True)
class OnePath(Method):
    """Peel the last code off the block that holds the first, as long as its test passes: as deep as one likes."""

    name: ClassVar[str] = "one path"

    test: BiasedThresholdTest
    most: int = 99  # tests

    def run(self, account: Account) -> Decomposition:
        sequence, live = account.charge_threshold_sequence("tests", self.test, account.root), account.root
        for _ in range(min(self.most, account.shape[0] - 1)):
            if sequence.at_most(live)[0]:
                break
            live, _ = live.split(np.array([0]), live.blocks.upper[:, 0] - 1).select(np.array([True, False]))
        blocks = account.ledger.blocks
        return Decomposition(Tree.stump(account.shape), np.zeros(blocks), np.zeros(1))


def run(name: str, family: Family, epsilon: str = "1", **options: Any) -> Audit:
    result = audit(METHODS[name](**options), family, Fraction(epsilon))
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


def path(test: BiasedThresholdTest, family: Family) -> Audit:
    """All tests of one path and nothing else, at the price of the tests."""
    result = audit(OnePath(test), family, test.cost)
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


def aim_test(test: BiasedThresholdTest, level: int, bound: int = 1) -> BiasedThresholdTest:
    """The test with the threshold that an empty block meets so many levels down."""
    return replace(test, threshold=-level * test.bias(bound))


PRIVTREE: list[tuple[Family, str, dict[str, Any]]] = [
    (Family((1,)), "1", {}),
    (Family((2,)), "1", {}),
    (Family((4,)), "1", {}),
    (Family((4,)), "40", {"theta": -1}),
    (Family((5,)), "0.1", {"tests": 0.8}),
    (Family((2, 2)), "1", {}),
    (Family((2, 3)), "3", {"theta": 1}),
    (Family((4, 2), most=1), "10", {}),
    (Family((8,), most=1), "20", {"theta": -1}),
    (Family((2, 2, 2), most=1), "1", {"fanout": "round-robin"}),
    (Family((2, 1, 3)), "20", {"fanout": "round-robin", "theta": -1}),
    (Family((3,), most=4, bound=3), "1", {}),
    (Family((2, 2), most=3, bound=2), "30", {"fanout": "round-robin"}),
]
HDPVIEW: list[tuple[Family, str, dict[str, Any]]] = [
    (Family((1,)), "1", {}),
    (Family((1, 2)), "1", {}),
    (Family((3,)), "1", {}),
    (Family((4,)), "30", {}),
    (Family((4,)), "1", {"reuse_unspent": True, "tight": True}),
    (Family((5,), most=1), "1", {"beta": 0.4}),
    (Family((5,), most=1), "30", {"beta": 0.4, "beyond": "stop", "theta": -2}),
    (Family((2, 2)), "10", {"beta": 0.2, "reuse_unspent": True}),
    (Family((2, 3), most=1), "3", {"alpha": 4, "theta": 0}),
    (Family((3,), most=4, bound=3), "1", {"tight": True, "theta": 1}),
]


@pytest.mark.parametrize(("family", "epsilon", "options"), PRIVTREE, ids=str)
def test_privtree_keeps_its_promise(family: Family, epsilon: str, options: dict[str, Any]) -> None:
    result = run("privtree", family, epsilon, **options)
    assert result.sound
    assert result.spent == Fraction(epsilon)


@pytest.mark.parametrize(("family", "epsilon", "options"), HDPVIEW, ids=str)
def test_hdpview_keeps_its_promise(family: Family, epsilon: str, options: dict[str, Any]) -> None:
    result = run("hdpview", family, epsilon, **options)
    assert result.sound
    assert result.spent == Fraction(epsilon) or not options.get("reuse_unspent")


def test_privtree_loses_most_of_what_it_spends() -> None:
    """The audit is not blind: three tests and a leaf come near to epsilon."""
    assert run("privtree", Family((8,), most=2), "1", theta=-2).loss > 0.87


@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize(("decay", "bound", "least"), [(2, 1, 0.66), (64, 1, 0.99), (2, 3, 0.6), (64, 3, 0.8)], ids=str)
def test_tests_of_totals_all_the_way_down_lose_their_price_at_most(
    epsilon: str, decay: int, bound: int, least: float
) -> None:
    """With a large decay nearly all of it: the bound cannot be lowered."""
    test = BiasedThresholdTest(TOTAL, Fraction(epsilon), decay=Fraction(decay))
    family = Pile((14,), most=bound, bound=bound)
    found = [path(aim_test(test, level, bound), family) for level in (0, 3, 9)]
    assert all(result.sound for result in found)
    assert max(result.loss for result in found) > least * float(test.cost)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize(
    "family",
    [
        Pile((14,), most=8),
        Pile((14,), most=6, bound=3),
        Pile((12,), most=8, others=((1, 3), (2, 8), (5, 1), (7, 3))),
        Pile((12,), most=8, others=((1, 3), (4, 1), (8, 3), (9, 8), (10, 8), (11, 8))),
    ],
    ids=str,
)
def test_tests_of_deviations_all_the_way_down_lose_their_price_at_most(epsilon: str, family: Family) -> None:
    test = BiasedThresholdTest(DEVIATION, Fraction(epsilon), decay=Fraction(8, 5), first=1)
    for level in (0, 3, 9):
        assert path(aim_test(test, level, family.bound), family).sound


def uncounted_tests(patch: Patch) -> None:
    """Every test is made as if it were the first: no bias grows."""
    counted = Partition._count
    patch.setattr(Partition, "_count", lambda self, sequence: 0 * counted(self, sequence))


def half_the_bias(patch: Patch) -> None:
    whole = BiasedThresholdTest.bias
    patch.setattr(BiasedThresholdTest, "bias", lambda self, bound: (whole(self, bound) + 1) // 2)


def no_floor(patch: Patch) -> None:
    patch.setattr(BiasedThresholdTest, "floor", lambda self, bound: -(2**40))


def a_fifth_less_noise(patch: Patch) -> None:
    whole = BiasedThresholdTest.tests.fget  # type: ignore[attr-defined]
    patch.setattr(BiasedThresholdTest, "tests", property(lambda self: whole(self) * 4 / 5))


def noise_of_one_test(patch: Patch) -> None:
    patch.setattr(BiasedThresholdTest, "tests", Fraction(1))


FAULTS: list[tuple[Fault, Statistic]] = [
    (uncounted_tests, TOTAL),
    (uncounted_tests, DEVIATION),
    (half_the_bias, TOTAL),
    (no_floor, TOTAL),
    (no_floor, DEVIATION),
    (a_fifth_less_noise, TOTAL),
    (noise_of_one_test, TOTAL),
    (noise_of_one_test, DEVIATION),
]


@pytest.mark.parametrize(("fault", "statistic"), FAULTS, ids=lambda part: getattr(part, "__name__", ""))
def test_a_fault_of_the_tests_is_seen(fault: Fault, statistic: Statistic, monkeypatch: Patch) -> None:
    """The path as a whole tells neighbors apart by more than it paid."""
    test, family = BiasedThresholdTest(statistic, Fraction(1, 10)), Pile((18,), most=3)

    def audit_levels() -> list[Audit]:
        return [path(aim_test(test, level), family) for level in (-1, 3, 8)]

    assert all(result.sound for result in audit_levels())
    fault(monkeypatch)
    broken = [result for result in audit_levels() if not result.sound]
    assert max(result.loss for result in broken) > float(test.cost)


def no_payment(patch: Patch) -> None:
    """Tests are made and the ledger does not know."""

    def descend(self: Account, purpose: str, mechanism: BiasedThresholdTest, partition: Partition) -> ThresholdSequence:
        self._sequences += 1
        partition._tests[:] = self._sequences, 0
        return ThresholdSequence(purpose, mechanism, self._sequences, self)

    patch.setattr(Account, "charge_threshold_sequence", descend)


@pytest.mark.parametrize(
    ("fault", "name", "family", "options"),
    [
        (noise_of_one_test, "privtree", Family((4,)), {}),
        (noise_of_one_test, "privtree", Family((2, 2)), {"fanout": "round-robin"}),
        (no_payment, "privtree", Family((2,)), {}),
        (no_payment, "hdpview", Family((3,)), {}),
        (halves_that_forget, "privtree", Family((2,)), {}),
        (halves_that_forget, "hdpview", Family((3,)), {}),
    ],
    ids=lambda part: getattr(part, "__name__", str(part)),
)
def test_a_fault_in_a_method_is_seen(
    fault: Fault, name: str, family: Family, options: dict[str, Any], monkeypatch: Patch
) -> None:
    assert run(name, family, **options).sound
    fault(monkeypatch)
    assert not run(name, family, **options).sound


class OneMore(int):
    """A number that holds one more than it says, as the public code of HDPView does with its kappa."""

    def __ge__(self, other: int) -> bool:
        return other <= int(self) + 1


def test_a_cut_that_was_not_paid_for_is_seen(monkeypatch: Patch) -> None:
    """HDPView's public code prices kappa cuts of a path and makes kappa + 1."""
    options: dict[str, Any] = {"beta": 0.2, "gamma": 0.01, "ratio": 0.99, "tight": True, "beyond": "stop", "theta": -99}
    family = Family((2, 4))
    assert run("hdpview", family, "100", **options).sound
    whole = HDPView.most_cuts
    monkeypatch.setattr(HDPView, "most_cuts", lambda self, cells: OneMore(whole(self, cells)))
    with pytest.raises(BudgetExceeded, match="cuts, depth 2"):
        run("hdpview", family, "100", **options)
    an_account_without_limit(monkeypatch)
    result = run("hdpview", family, "100", **options)
    assert not result.sound
    assert result.loss > 1.2 * float(result.epsilon)  # neighbours are really told apart, not only in the ledger
