"""Trial: one publication of a wide table, its errors and its coverage."""

from __future__ import annotations

import time

from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec
from experiments.trial import warm_up
from experiments.wide.measure import case_of, coverage, errors
from ripost import publish
from ripost.errors import InputError


def run_trial(trial: Trial) -> Outcome:
    """Publish once and measure everything; a method that declares the domain too large is noted as such."""
    case = case_of(trial["table"])
    method, options = parse_spec(trial["method"])
    warm_up(method)
    started = time.perf_counter()
    try:
        view = publish(case.tensor, epsilon=trial["epsilon"], seed=trial["seed"], method=method, **options)
    except InputError as error:
        return {"refused": str(error)}
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    found: Outcome = {"error": errors(case, view.answer), "seconds": seconds}
    found["answering"] = time.perf_counter() - started
    return found | coverage(case, view) | {"blocks": len(view.blocks)}
