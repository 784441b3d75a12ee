"""Lower bounds from real releases: below epsilon where all is well, above it where a fault was planted.

A sound release fails its test once in a million times, as bounds are that sure; faults are so large that they are
missed less often than that.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from .neighbours import Neighbours, figures
from .sampled import RATE, lower_bound
from .table import FAULTS, METHOD_CASES, PATHS, Case, all_rows_kept, budget_spent_twice


def laplace(rng: np.random.Generator, shift: float, scale: float, runs: int) -> np.ndarray:
    return (shift + rng.laplace(0, scale, runs))[:, None]


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_the_bound_is_below_the_truth_and_near_it(epsilon: float) -> None:
    rng = np.random.default_rng(1)
    found = lower_bound(laplace(rng, 0, 1 / epsilon, 60_000), laplace(rng, 1, 1 / epsilon, 60_000))
    assert 0.6 * epsilon < found.epsilon < epsilon


def test_a_delta_is_allowed_for() -> None:
    """An event that befalls one table alone, with probability delta, is no breach of (epsilon, delta)."""
    rng = np.random.default_rng(2)
    one, other = np.zeros((20_000, 1)), (rng.random((20_000, 1)) < 0.1).astype(float)
    assert lower_bound(one, other).epsilon > 3
    assert lower_bound(one, other, delta=0.12).epsilon < 0.2


def test_no_difference_gives_no_bound() -> None:
    """Whatever event is chosen, the runs that count it are others."""
    rng = np.random.default_rng(3)
    bounds = [lower_bound(rng.normal(size=(300, 4)), rng.normal(size=(300, 4)), rate=0.01) for _ in range(40)]
    assert sum(bound.epsilon > 0 for bound in bounds) <= 4


@pytest.mark.parametrize("case", [case for case in METHOD_CASES if case.method in ("ripost+", "identity", "slimview")])
def test_real_releases_keep_their_promise(case: Case) -> None:
    view, bound = case.audited(100)
    assert view.privacy.entropy == "operating system"
    assert bound.epsilon <= float(view.privacy.epsilon_spent) <= float(case.epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("case", [*METHOD_CASES, *PATHS], ids=lambda case: case.title)
def test_every_method_keeps_its_promise(case: Case) -> None:
    view, bound = case.audited(600)
    assert bound.epsilon <= float(view.privacy.epsilon_spent) <= float(case.epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.title)
def test_every_fault_is_seen(case: Case) -> None:
    view, bound = case.audited(600)
    assert bound.epsilon > float(view.privacy.epsilon_spent)


def spent_again_and_again(patch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        budget_spent_twice(patch)


def test_a_budget_that_is_spent_over_and_over_is_seen() -> None:
    """Epsilon 8 where the ledger says 1/2, so that few releases tell."""
    view, bound = Case("sixteen times", "identity", epsilon="0.5", fault=spent_again_and_again).audited(150)
    assert view.privacy.spent <= view.privacy.epsilon
    assert bound.epsilon > float(view.privacy.epsilon_spent)


def test_rows_of_a_person_that_are_all_kept_are_seen() -> None:
    """Sixty rows instead of one at epsilon 1/4: from CSV, by way of ingest."""
    sound = Case("kept", "identity", epsilon="0.25", person=60, ingest=True)
    broken = Case("all", "identity", epsilon="0.25", person=60, ingest=True, fault=all_rows_kept)
    assert sound.audited(8)[1].epsilon <= 0.25
    assert broken.audited(60)[1].epsilon > 0.25


@pytest.mark.slow
def test_the_command_line_releases_the_same(tmp_path: Path) -> None:
    """The same ledger, real noise, and answers that differ from release to release."""
    tables = Neighbours.of_people(tmp_path, rows=5, max_rows=1)
    views = [tables.by_command(name, "1", "identity") for name in ("one", "other") * 4]
    assert {view.privacy.entropy for view in views} == {"operating system"}
    assert len({view.privacy for view in views}) == 1
    assert len({tuple(figures(view)) for view in views}) > 4
    halves = [np.array([figures(view) for view in views[side::2]]) for side in (0, 1)]
    assert lower_bound(*halves).epsilon <= 1


def test_halved_noise_is_refused_before_it_is_drawn() -> None:
    """OpenDP is asked what a draw costs, so that the fault of the table needs one more fault."""
    from ripost.errors import BudgetExceeded

    from .test_faults import half_the_noise

    with pytest.raises(BudgetExceeded, match="OpenDP states a loss"):
        Case("half", "identity", fault=half_the_noise).audited(3)


def test_the_rate_is_shared_by_all_audits() -> None:
    from .sampled import AUDITS

    assert len(METHOD_CASES) + len(PATHS) + len(FAULTS) <= AUDITS
    assert math.isclose(RATE, 1e-6)
