"""Lower bounds from real releases of every method: above 0, at most epsilon, and above epsilon with a planted fault.

False alarms: a bound of a sound release exceeds epsilon with a probability of at most RATE / AUDITS = 5e-9.
"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ripost
from ripost.errors import BudgetExceeded
from ripost.methods import METHODS
from ripost.view import View
from tests.audit.faults import half_the_noise

from .engines import ENGINES, FAULTS, POLICIES, SOUND, Trial
from .methods import CASES, Case, figures
from .planted import budget_spent_twice
from .sampled import AUDITS, RATE, lower_bound


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


@pytest.mark.parametrize("method", ["ripost+", "identity", "slimview"])
def test_real_releases_keep_their_promise(method: str) -> None:
    view, bound = Case(method).audit(100)
    assert view.privacy.entropy == "operating system"
    assert bound.epsilon <= view.privacy.epsilon_spent <= 4


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.method)
def test_every_method_shows_some_of_its_loss_and_keeps_its_promise(case: Case) -> None:
    view, bound = case.audit()
    assert 0 < bound.epsilon <= view.privacy.epsilon_spent <= case.epsilon


def test_every_method_has_a_case() -> None:
    assert [case.method for case in CASES] == list(METHODS)


def test_a_budget_that_is_spent_over_and_over_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Epsilon 16 where the ledger says 1, so 150 releases show it."""
    for _ in range(4):
        budget_spent_twice(monkeypatch)
    view, bound = Case("identity", 1).audit(150)
    assert view.privacy.spent <= view.privacy.epsilon
    assert bound.epsilon > view.privacy.epsilon_spent


@pytest.mark.slow
def test_the_command_line_releases_the_same(tmp_path: Path) -> None:
    """The same ledger, real noise, and answers that differ from release to release."""
    trial, views = Trial(unit=True), []
    for source in trial.sources("CSV", tmp_path, {}.__getitem__) * 4:
        views.append(by_command(source.data, trial, tmp_path))
    assert {view.privacy.entropy for view in views} == {"operating system"}
    assert len({view.privacy for view in views}) == 1
    assert len({tuple(figures(view)) for view in views}) > 4
    halves = [np.array([figures(view) for view in views[side::2]]) for side in (0, 1)]
    assert lower_bound(*halves).epsilon <= 1


def by_command(source: Path, trial: Trial, folder: Path) -> View:
    """One release at epsilon 1 by the command line."""
    schema = folder / "schema.toml"
    schema.write_text(POLICIES[trial.policy].text(unit=trial.unit))
    command = [sys.executable, "-c", "from ripost.cli import main; main()", "publish", str(source), str(schema)]
    command += ["--epsilon", "1", "--method", "identity", "--output", str(folder / "view.parquet"), "--force"]
    subprocess.run(command, check=True, capture_output=True)
    return ripost.open(folder / "view.parquet")


def test_halved_noise_is_refused_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenDP is asked what a draw costs, so the fault of the table needs one more fault."""
    half_the_noise(monkeypatch)
    with pytest.raises(BudgetExceeded, match="OpenDP states a loss"):
        Case("identity").audit(3)


def test_the_rate_is_shared_by_all_audits() -> None:
    assert len(CASES) + len(ENGINES) * (len(SOUND) + len(FAULTS)) <= AUDITS
    assert math.isclose(RATE, 1e-6)
