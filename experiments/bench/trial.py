"""Trial: one release of a table, and what it is good for: answers, or rows to train a classifier on."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import FrameType

from benchmarks.alone import measure

import ripost
from experiments.bench import tables
from experiments.bench.baselines import BASELINES
from experiments.bench.prediction import predict
from experiments.digest import code_digest
from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec
from experiments.trial import warm_up
from ripost import METHODS, Tensor, View, publish
from ripost.comparing.measure import Case, measure_errors, measure_view
from ripost.errors import InputError

HERE, COMPARING = Path(__file__).parent, Path(ripost.__file__).parent / "comparing"
MEASURE = tuple(HERE / f"{name}.py" for name in ("prediction", "trial"))
MEASURE += tuple(COMPARING / f"{name}.py" for name in ("intervals", "measure", "workloads"))
PEERS = tuple(HERE / f"{name}.py" for name in ("baselines", "opendp_table"))
ANSWERS, PREDICTION = "answers", "prediction"


class TookTooLong(BaseException):
    """A release was stopped. No `except Exception` on the way may take it for another problem."""


def run_trial(trial: Trial) -> Outcome:
    """Release once and measure everything; the outcome of a method that refuses or is stopped holds the reason."""
    spec = trial["method"]
    if spec in BASELINES:
        return _run_baseline(trial)
    warm_up(parse_spec(spec)[0])
    try:
        if trial["kind"] == PREDICTION:
            return predict(trial["table"], lambda tensor: _published(tensor, trial)[0])
        case = case_of(trial["table"])
        view, found = _published(case.tensor, trial)
    except InputError as error:
        return {"refused": str(error)}
    except TookTooLong:
        return {"stopped": trial["limit"]}
    started = time.process_time()
    found |= measure_view(case, view)
    return found | {"measuring": time.process_time() - started}


@lru_cache(maxsize=1)  # trials of a table follow each other
def case_of(name: str) -> Case:
    return Case.of(tables.load(name))


def _published(tensor: Tensor, trial: Trial) -> tuple[View, Outcome]:
    """The view, with the seconds of the processor and the mebibytes that making it took."""
    method, options = parse_spec(trial["method"])
    views: list[View] = []

    def release() -> None:
        with stopped_after(trial["limit"]):
            views.append(publish(tensor, epsilon=trial["epsilon"], seed=trial["seed"], method=method, **options))

    started = time.process_time()
    used = measure(release)
    seconds = time.process_time() - started
    return views[0], {"seconds": seconds, "mebibytes": used["mebibytes"] - used["before"]}


def _run_baseline(trial: Trial) -> Outcome:
    if trial["kind"] == PREDICTION:
        return {"refused": f"{trial['method']} has no rows to draw"}
    case = case_of(trial["table"])
    started = time.process_time()
    try:
        answer = BASELINES[trial["method"]](case.tensor, trial["epsilon"] / case.tensor.unit.max_rows)
    except InputError as error:
        return {"refused": str(error)}
    return {"seconds": time.process_time() - started, **measure_errors(case, answer)}


@contextmanager
def stopped_after(seconds: int) -> Iterator[None]:
    """Raise TookTooLong in what takes the processor longer, where the system has such alarms; so load plays no part."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLong

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def digest_for(spec: str) -> str:
    """A digest of the code that decides the outcomes of a method or baseline; InputError if there is none."""
    if spec in BASELINES:
        return code_digest("identity", (*MEASURE, *PEERS))  # the shared code, and that of the baselines
    name, options = parse_spec(spec)
    METHODS[name].configure(options)
    return code_digest(name, MEASURE)


def promise_of(spec: str) -> str:
    """What a method or baseline promises: `pure` for epsilon alone, or `approximate` with a delta."""
    if spec in BASELINES:
        return "approximate"
    name, options = parse_spec(spec)
    return "approximate" if METHODS[name].configure(options).exact_delta else "pure"
