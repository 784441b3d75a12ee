"""Through every engine: a sound release keeps its promise, and a planted fault that doubles the loss is seen.

False alarms: each bound of a sound release is wrong with a probability of at most RATE, so all of them together fail a
sound engine less than once in 100,000 runs. Misses: `test_the_power_is_as_stated` works out that a run misses a planted
fault with a probability below MISSED on each engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from .engines import ENGINES, FAULTS, FEW, MANY, ROWS, SHOWN, SOUND, TOLD, Numbers, Source, Trial
from .sampled import least, most

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J

RATE = 1e-7  # of false alarms, for each bound
MISSED = 1e-5  # probability of missing a fault, on one engine
SLOW = ("pandas", "Parquet", "Feather", "Excel", "Stata", "Spark")  # all but Spark have the engine of Arrow and CSV

FIRST = "Arrow"  # the engine on which everything is quick
ONE_POLICY = "value inside"  # the policy that other engines publish; how they encode the rest is compared exactly

engines = pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in ENGINES]
)


def is_quick(engine: str, trial: Trial) -> bool:
    """Whether `make test` runs a trial: everything on one engine; on others one policy, and a row that counts twice."""
    quick = (None, FAULTS["one row counts twice"].fault)
    return engine == FIRST or (engine not in SLOW and trial.policy == ONE_POLICY and trial.fault in quick)


def on_engines(trials: Iterable[Trial]) -> pytest.MarkDecorator:
    """Every trial on every engine; `make test-all` runs them all."""
    pairs = [(engine, trial) for trial in trials for engine in ENGINES]
    cases = [pytest.param(*pair, marks=() if is_quick(*pair) else pytest.mark.slow) for pair in pairs]
    return pytest.mark.parametrize(
        ("engine", "trial"), cases, ids=[f"{trial.name}-{engine}" for engine, trial in pairs]
    )


Sources = Callable[[str, Trial], tuple[Source, Source]]


@pytest.fixture
def sources(tmp_path: Path, request: pytest.FixtureRequest) -> Sources:
    return lambda engine, trial: trial.sources(engine, tmp_path, request.getfixturevalue)


@engines
@pytest.mark.parametrize("trial", SOUND, ids=lambda trial: trial.name)
def test_neighbors_differ_by_one_row_of_one_cell(engine: str, trial: Trial, sources: Sources) -> None:
    """Of the tables as the engine reads them, before any noise."""
    less, more = (source.tensor(trial.schema) for source in sources(engine, trial))
    codes = np.arange(trial.schema.domain.shape[0])[:, None]
    changed = more.answer(codes, codes + 1) - less.answer(codes, codes + 1)
    expected = np.eye(len(codes))[[trial.code, trial.home]] if trial.shows else np.zeros((1, len(codes)))
    assert changed.tolist() in expected.tolist()


@on_engines(SOUND)
def test_the_promise_holds(engine: str, trial: Trial, sources: Sources) -> None:
    bound = trial.bound(sources(engine, trial), SHOWN, FEW[trial.unit], rate=RATE)
    assert bound.epsilon <= SHOWN
    assert bound.epsilon > 0 or not trial.shows


@pytest.mark.slow
@engines
@pytest.mark.parametrize("trial", SOUND, ids=lambda trial: trial.name)
def test_the_promise_holds_where_twice_the_loss_would_show(engine: str, trial: Trial, sources: Sources) -> None:
    bound = trial.bound(sources(engine, trial), TOLD, MANY[trial.unit], rate=RATE)
    assert bound.epsilon <= TOLD


@on_engines(FAULTS.values())
def test_a_fault_is_seen(engine: str, trial: Trial, sources: Sources) -> None:
    bound = trial.bound(sources(engine, trial), TOLD, MANY[trial.unit], rate=RATE)
    assert bound.epsilon > TOLD


def reaches(epsilon: float, least: int) -> float:
    """The probability that noise of scale 1 / epsilon on whole numbers is at least this much."""
    ratio = math.exp(-epsilon)
    return ratio**least / (1 + ratio) if least > 0 else 1 - ratio ** (1 - least) / (1 + ratio)


def misses(likely: float, numbers: Numbers, seldom: float, *, bound: float) -> float:
    """The probability that the lower bound does not exceed `bound`, for an event with these two probabilities."""
    of, among = numbers.more, numbers.runs
    low = np.array([least(count, of, RATE / 2) for count in range(of + 1)])
    high = np.array([most(count, among, RATE / 2) for count in range(among + 1)])
    found = binom.pmf(np.arange(of + 1), of, likely)[:, None] * binom.pmf(np.arange(among + 1), among, seldom)
    return float(found[low[:, None] <= math.exp(bound) * high].sum())


def test_the_power_is_as_stated() -> None:
    """From the law of the noise and of the rows that are kept; a fault doubles either the count or its epsilon."""
    twice = reaches(TOLD, 0), reaches(TOLD, 2)
    half = reaches(2 * TOLD, 0), reaches(2 * TOLD, 1)
    in_cell = (ROWS - 1) / (ROWS + 1)  # both rows that are kept
    two_kept = in_cell * reaches(TOLD, 0) + (1 - in_cell) * reaches(TOLD, 1), reaches(TOLD, 2)
    for likely, seldom in (twice, half):
        assert misses(likely, MANY[False], seldom, bound=TOLD) < MISSED
    assert misses(two_kept[0], MANY[True], two_kept[1], bound=TOLD) < MISSED
    one_kept = (ROWS * reaches(SHOWN, 0) + reaches(SHOWN, 1)) / (ROWS + 1)
    assert misses(reaches(SHOWN, 0), FEW[False], reaches(SHOWN, 1), bound=0) < MISSED
    assert misses(one_kept, FEW[True], reaches(SHOWN, 1), bound=0) < MISSED
