"""DAWA: no partition and no bucket tells more than was paid, by exact probabilities; those of the public code do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.methods import METHODS
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.ledger import Charge
from ripost.privacy.mechanisms import LeastPartition
from ripost.statistics.statistic import Statistic
from tests.audit.faults import alter_statistic

from .enumeration import TOLERANCE, Audit, audit
from .family import Family, Ints

Patch = pytest.MonkeyPatch
FAMILIES = [Family((2,)), Family((3,)), Family((4,)), Family((2, 2)), Family((2, 1, 2)), Family((5,), most=1)]
TELLING: dict[str, Any] = {"share": 0.9, "price": 2}  # most of epsilon for a partition that can go either way


def run(family: Family, epsilon: str = "1", **options: Any) -> Audit:
    """The audit; all outputs were seen, as their probabilities add up to 1."""
    result = audit(METHODS["dawa"](**options), Family(family.shape, family.most, family.bound), Fraction(epsilon))
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize(
    "options", [TELLING, {"share": 0.5}, {"price": 1}, {"price": 0, "share": 0.5, "order": "row-major"}]
)
def test_it_keeps_its_promise(family: Family, options: dict[str, Any]) -> None:
    result = run(family, **options)
    assert result.sound
    assert result.spent == 1


@pytest.mark.parametrize("epsilon", ["3", "20"])
def test_at_larger_epsilon(epsilon: str) -> None:
    for family in (Family((3,)), Family((4,)), Family((3,), most=4, bound=2)):
        assert run(family, epsilon, **TELLING).sound


def test_a_partition_loses_a_good_part_of_its_price() -> None:
    """Few cells do not reach the bound: a row moves a run of n cells by 2 (n - 1) / n before rounding."""
    result = run(Family((5,)), "3", **TELLING)
    assert 0.85 < result.by_draw["least noisy partition of deviation of run"] <= 1 + TOLERANCE


def half_the_noise(patch: Patch) -> None:
    whole = LeastPartition.shift
    patch.setattr(LeastPartition, "shift", lambda self, length, bound: Fraction(whole(self, length, bound), 2))


def counted_twice(patch: Patch) -> None:
    alter_statistic(patch, "deviation of run", lambda found, _: 2 * found)


def single_cells_with_hardly_any_noise(patch: Patch) -> None:
    """As in the public code, nearly: a single cell never deviates, so its cost was left exact."""
    whole = LeastPartition.shift
    hardly = Fraction(1, 2)
    patch.setattr(
        LeastPartition, "shift", lambda self, length, bound: whole(self, length, bound) if length > 1 else hardly
    )


def bound_forgotten(patch: Patch) -> None:
    patch.setattr(Statistic, "sensitivity", lambda self, bound: self.per_count + self.per_cell)


def partition_not_paid(patch: Patch) -> None:
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Charge) -> Ints:
        return states if entry.purpose == "partition" else strict(self, states, entry)

    patch.setattr(Account, "charge", charge)


def buckets_with_half_the_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) / 2)


@pytest.mark.parametrize(
    ("fault", "family", "epsilon"),
    [
        (half_the_noise, Family((4,)), "3"),
        (counted_twice, Family((4,), most=4), "3"),
        (single_cells_with_hardly_any_noise, Family((4,), most=4), "3"),
        (bound_forgotten, Family((4,), most=4, bound=4), "3"),
        (partition_not_paid, Family((3,)), "1"),
        (buckets_with_half_the_noise, Family((2,)), "1"),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_fault_is_seen(fault: Callable[[Patch], None], family: Family, epsilon: str, monkeypatch: Patch) -> None:
    assert run(family, epsilon, **TELLING).sound
    fault(monkeypatch)
    assert not run(family, epsilon, **TELLING).sound


def test_the_public_code_loses_more_than_it_states() -> None:
    """Its partition of four cells, drawn as often as it takes, tells neighbors apart by far more than its epsilon.

    There, single cells have no noise, longer intervals that of scale (2 - 1/length - 1/n) / epsilon, and no cost goes
    below the price. By Chernoff's bounds on both numbers of draws this raises a false alarm once in a million.
    """
    draws, epsilon = 1_000_000, 1.0
    rare, common = (_apart(np.array(x, float), epsilon, draws) for x in ([2, 2, 2, 2], [2, 1, 2, 2]))
    room = np.log(2 / 1e-6)
    most_rare = rare + np.sqrt(2 * room * rare) + room  # of the expected number, given what was seen
    least_common = common - np.sqrt(2 * room * common)
    assert np.log(least_common / most_rare) > 2 * epsilon


def _apart(x: np.ndarray, epsilon: float, draws: int) -> int:
    """How often the public code's partition of four cells is all single cells; both stages get epsilon."""
    rng = np.random.default_rng(3)
    cost = {}
    for first, last in [(0, 2), (1, 3), (2, 4), (0, 4)]:
        part = x[first:last]
        scale = (2 - 1 / len(part) - 1 / len(x)) / epsilon
        noisy = abs(part - part.mean()).sum() + 1 / epsilon + rng.laplace(0, scale, draws)
        cost[first, last] = np.maximum(noisy, 1 / epsilon)
    others = [
        cost[0, 2] + 2 / epsilon,
        cost[1, 3] + 2 / epsilon,
        cost[2, 4] + 2 / epsilon,
        cost[0, 2] + cost[2, 4],
        cost[0, 4],
    ]
    return int((np.min(others, axis=0) > 4 / epsilon).sum())
