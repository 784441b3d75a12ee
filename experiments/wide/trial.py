"""Trial: one release of a wide table, its errors and its coverage."""

from __future__ import annotations

import time
from pathlib import Path

from experiments.digest import code_digest
from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec
from experiments.trial import warm_up
from experiments.wide.baselines import BASELINES
from experiments.wide.measure import Case, case_of, coverage, errors
from ripost import METHODS, View, publish
from ripost.errors import InputError

HERE = Path(__file__).parent
MEASURE = tuple(HERE / f"{name}.py" for name in ("intervals", "measure", "trial", "workloads"))
PEERS = tuple(HERE / f"{name}.py" for name in ("baselines", "opendp_table"))


def run_trial(trial: Trial) -> Outcome:
    """Release once and measure everything; the outcome of a method that refuses the domain holds its reason."""
    case, spec = case_of(trial["table"]), trial["method"]
    if spec in BASELINES:
        started = time.perf_counter()
        answer = BASELINES[spec](case.tensor, trial["epsilon"])
        return {"seconds": time.perf_counter() - started, "error": errors(case, answer)}
    warm_up(parse_spec(spec)[0])
    started = time.perf_counter()
    try:
        view = _published(case, trial)
    except InputError as error:
        return {"refused": str(error)}
    found: Outcome = {"seconds": time.perf_counter() - started, "blocks": len(view.blocks)}
    started = time.perf_counter()
    found["error"] = errors(case, view.answer)
    found["answering"] = time.perf_counter() - started
    return found | coverage(case, view)


def digest_for(spec: str) -> str:
    """A digest of the code that decides the outcomes of a method or baseline; InputError if there is none."""
    if spec in BASELINES:
        return code_digest("identity", (*MEASURE, *PEERS))  # the shared code, and that of the baselines
    name, options = parse_spec(spec)
    METHODS[name].configure(options)
    return code_digest(name, MEASURE)


def is_pure(spec: str) -> bool:
    """Whether a method or baseline promises epsilon alone, without a delta."""
    if spec in BASELINES:
        return False
    name, options = parse_spec(spec)
    return METHODS[name].configure(options).exact_delta == 0


def _published(case: Case, trial: Trial) -> View:
    method, options = parse_spec(trial["method"])
    return publish(case.tensor, epsilon=trial["epsilon"], seed=trial["seed"], method=method, **options)
