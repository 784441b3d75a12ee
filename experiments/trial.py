"""Trial: one publication of a case, and its error on every workload."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from experiments.cases import Case, Workload, load_case
from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec
from ripost import METHODS, Tensor, View, publish
from ripost.answering.content.tree import TreeContent
from ripost.errors import InputError
from ripost.methods.method import Method


def run_trial(trial: Trial, cases: Path) -> Outcome:
    """Publish once and measure every workload; a method that declares the domain too large is noted as such."""
    case = load_case(trial["case"], cases)
    method, options = parse_spec(trial["method"])
    warm_up(method)
    asked: dict[str, Any] = {"epsilon": trial["epsilon"], "seed": trial["seed"]}
    errors, blocks, seconds = {}, [], []
    try:
        for workload, view, taken in views_of(case, METHODS[method].configure(options), asked):
            missed = view.answer(workload.lower, workload.upper) - workload.truth
            errors[str(workload.bounded)] = float(np.sqrt(np.mean(missed**2)))
            blocks.append(len(view.blocks))
            seconds.append(taken)
    except InputError as error:
        return {"refused": str(error)}
    found = {
        "rmse": errors,
        "dimensions": len(case.tensor.domain),
        "blocks": round(fmean(blocks)),
        "seconds": fmean(seconds),
    }
    if trial["method"] == "ripost+" and (alone := marginals_alone(case, asked)) is not None:
        found["marginals"] = alone
    return found


def views_of(case: Case, method: Method, asked: dict[str, Any]) -> Iterator[tuple[Workload, View, float]]:
    """Every workload with the view to ask and the seconds it took: one for all, or one for each if it can be tuned."""
    is_tuned = "workload" in {field.name for field in fields(method)}
    for number, workload in enumerate(case.workloads):
        if is_tuned or number == 0:
            boxes: dict[str, Any] = {"workload": (workload.lower, workload.upper)} if is_tuned else {}
            started = time.perf_counter()
            view = publish(case.tensor, **asked, **boxes, method=method)
            taken = time.perf_counter() - started
        yield workload, view, taken


def marginals_alone(case: Case, asked: dict[str, Any]) -> float | None:
    """The error on single dimensions of the marginals that ripost+ released, without its blocks; None if it has none.

    Until blocks and histograms are joined the density of an axis is its released marginal.
    """
    view = publish(case.tensor, **asked, method="ripost+", joint=False, refit=False)
    density = view.content.density if isinstance(view.content, TreeContent) else None
    if density is None:
        return None
    missed = []
    for workload in (workload for workload in case.workloads if workload.bounded == 1):
        for lower, upper, truth in zip(workload.lower, workload.upper, workload.truth, strict=True):
            axis = int(np.flatnonzero((lower > 0) | (upper < case.tensor.domain.shape)).max(initial=0))
            mass = density[axis]
            assert mass is not None
            missed.append(float(mass[lower[axis] : upper[axis]].sum()) - truth)
    return float(np.sqrt(np.mean(np.square(missed)))) if missed else None


@cache
def warm_up(method: str) -> None:
    """Publish next to nothing, once a process, so that no trial's seconds hold the time of imports."""
    with suppress(InputError):
        publish(Tensor.from_arrays((2, 2), [[0, 0]], [1]), epsilon=1, method=method, seed=0)
