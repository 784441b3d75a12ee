"""hdmm spends what its ledger says and no more, by exact probabilities, and faults put into it are seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.errors import PrivacyError
from ripost.methods import METHODS
from ripost.peers.hdmm import statistics, strategy
from ripost.privacy import mechanisms
from ripost.space.workload import Workload
from ripost.statistics.statistic import Statistic

from .enumeration import Audit, audit
from .family import Family

Patch = pytest.MonkeyPatch
KINDS = ("best", "kronecker", "union", "marginals")
FAMILIES = [Family(shape) for shape in [(1,), (2,), (4,), (2, 2), (2, 1, 2)]]
ROWS = Workload.of((np.array([[0, 0], [1, 0], [0, 1]]), np.array([[1, 2], [2, 2], [2, 2]])), (2, 2))
TOTALS = Workload.of(
    (np.array([[0, 0]] * 6 + [[1, 0]]), np.full((7, 2), 2)), (2, 2)
)  # the table six times, and half of it
THICK = {"p": (1, 1)}


def run(family: Family, epsilon: str = "1", **options: Any) -> Audit:
    return audit(METHODS["hdmm"](**options), family, Fraction(epsilon))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.shape))
def test_it_spends_all_and_no_more(family: Family, kind: str) -> None:
    result = run(family, strategy=kind)
    assert result.sound
    assert result.spent == 1
    assert result.loss > 0.96  # weights are whole numbers, so that some of the sensitivity may stay unused


@pytest.mark.parametrize("epsilon", ["0.1", "3"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_workload_and_another_epsilon_change_nothing(kind: str, epsilon: str) -> None:
    assert run(Family((2, 2)), epsilon, strategy=kind, workload=ROWS, **THICK).sound


@pytest.mark.parametrize("kind", KINDS)
def test_sums_keep_the_promise(kind: str) -> None:
    """A row of a SUM adds up to `bound` steps to its cell."""
    assert run(Family((2, 2), most=3, bound=3), strategy=kind, workload=ROWS).sound


def less_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) * 0.9)


def bound_forgotten(patch: Patch) -> None:
    patch.setattr(Statistic, "sensitivity", lambda self, bound: self.per_count + self.per_cell)


def weights_that_are_not_checked(patch: Patch) -> None:
    """The statistic takes any weights, and the method hands out an eighth more than there are."""
    patch.setattr(statistics, "WEIGHT", 2 * statistics.WEIGHT)
    _too_much(patch)


def _too_much(patch: Patch) -> None:
    honest = strategy._round_weights
    patch.setattr(strategy, "_round_weights", lambda *given: honest(*given[:-1], given[-1] * 9 // 8))


def products_that_do_not_share(patch: Patch) -> None:
    """Every product is checked by itself, and each gets all that there is."""
    patch.setattr(statistics, "sum", max, raising=False)
    honest = strategy._round_weights

    def round_weights(*given: Any) -> Any:
        found = honest(*given)
        return replace(found, weight=np.full_like(found.weight, given[-1]))

    patch.setattr(strategy, "_round_weights", round_weights)


@pytest.mark.parametrize(
    ("fault", "family", "options"),
    [
        (less_noise, Family((2, 2)), {}),
        (less_noise, Family((2, 2)), {"strategy": "marginals", "workload": ROWS}),
        (bound_forgotten, Family((2,), most=3, bound=2), {}),
        (weights_that_are_not_checked, Family((2, 2)), {"strategy": "kronecker"}),
        (weights_that_are_not_checked, Family((2, 2)), {"strategy": "union", "workload": ROWS, **THICK}),
        (products_that_do_not_share, Family((2, 2)), {"strategy": "union", "workload": TOTALS}),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_fault_is_seen(
    fault: Callable[[Patch], None], family: Family, options: dict[str, Any], monkeypatch: Patch
) -> None:
    fault(monkeypatch)
    result = run(Family(family.shape, family.most, family.bound), **options)
    assert not result.sound
    assert result.loss > result.epsilon


@pytest.mark.parametrize("kind", ["kronecker", "union", "marginals"])
def test_too_much_weight_is_refused(kind: str, monkeypatch: Patch) -> None:
    _too_much(monkeypatch)
    with pytest.raises(PrivacyError, match="weights"):
        run(Family((2, 2)), strategy=kind, workload=ROWS)
