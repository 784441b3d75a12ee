"""Pool: trials over processes; each is handed out with its outcome as soon as it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

Trial = dict[str, Any]  # what decides an outcome, with digests of the code and the data that it stands for
Outcome = dict[str, Any]
Run = Callable[[Trial], Outcome]  # of a module, so that another process can find it

UNSAID = ("code", "data", "records")  # digests, which tell nobody anything


class TrialFailed(Exception):
    """A trial that raised; the message names it."""


def run_all(run: Run, trials: Sequence[Trial], jobs: int) -> Iterator[tuple[Trial, Outcome]]:
    """Every trial with its outcome, as they end; TrialFailed at the first that raises."""
    if jobs <= 1:
        for trial in trials:
            try:
                outcome = run(trial)
            except Exception as error:
                raise _describe_failure(trial, error) from error
            yield trial, outcome
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_when_interrupted)
    try:
        futures = {pool.submit(run, trial): trial for trial in trials}
        for future in as_completed(futures):
            if fault := future.exception():
                raise _describe_failure(futures[future], fault) from fault
            yield futures.pop(future), future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _describe_failure(trial: Trial, error: BaseException) -> TrialFailed:
    named = ", ".join(f"{key} {value}" for key, value in trial.items() if key not in UNSAID)
    beside = ", or one that ran beside it," if isinstance(error, BrokenProcessPool) else ""  # which one, none can say
    return TrialFailed(f"the trial of {named}{beside} failed: {type(error).__name__}: {error}")


def _end_when_interrupted() -> None:
    """Ctrl-C ends a worker at once; by default it would drop its trial and take up the next."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
