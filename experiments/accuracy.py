"""accuracy: the error of methods on cases, beside the best public peers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.cases import CASES, best_peers, case_names, load_case
from experiments.store import Store, code_digest
from experiments.table import print_accuracy
from ripost import METHODS, publish
from ripost.errors import InputError

Trial = dict[str, Any]


def accuracy(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    methods: Annotated[str, typer.Option(help="Methods, with commas, or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.")] = 10,
    only: Annotated[str, typer.Option(help="Cases, with commas; by default all in the folder.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Run methods over cases and print the root mean squared error of each workload."""
    chosen = list(METHODS) if methods == "all" else methods.split(",")
    for method in chosen:
        METHODS[method]
    names = only.split(",") if only else case_names(cases)
    if unknown := set(names) - set(case_names(cases)):
        raise InputError(f"there is no case {sorted(unknown)[0]!r} in {cases}")
    epsilons = [float(text) for text in eps.split(",")]
    trials = [
        {"case": case, "method": method, "epsilon": epsilon, "seed": seed, "code": code_digest()}
        for case in names
        for method in chosen
        for epsilon in epsilons
        for seed in range(runs)
    ]
    kept = Store(store)
    missing = [trial for trial in trials if kept.get(trial) is None]
    for trial, outcome in _progress(_run_all(missing, cases, jobs), len(missing)):
        kept.add(trial, outcome)
    print_accuracy([(trial, kept.get(trial) or {}) for trial in trials], best_peers())


def run_trial(trial: Trial, cases: Path) -> dict[str, Any]:
    """Publish once and measure every workload; a method that declares the domain too large is noted as such."""
    case = load_case(trial["case"], cases)
    started = time.perf_counter()
    try:
        view = publish(case.tensor, epsilon=trial["epsilon"], method=trial["method"], seed=trial["seed"])
    except InputError as error:
        return {"refused": str(error)}
    seconds = time.perf_counter() - started
    errors = {}
    for workload in case.workloads:
        missed = view.answer(workload.lower, workload.upper) - workload.truth
        errors[str(workload.bounded)] = float(np.sqrt(np.mean(missed**2)))
    return {"rmse": errors, "blocks": len(view.blocks), "seconds": seconds}


def _run_all(trials: list[Trial], cases: Path, jobs: int) -> Iterator[tuple[Trial, dict[str, Any]]]:
    if jobs <= 1:
        for trial in trials:
            yield trial, run_trial(trial, cases)
        return
    with ProcessPoolExecutor(jobs) as pool:
        futures = {pool.submit(run_trial, trial, cases): trial for trial in trials}
        for future in as_completed(futures):
            yield futures[future], future.result()


def _progress(items: Iterable[tuple[Trial, dict[str, Any]]], total: int) -> Iterator[tuple[Trial, dict[str, Any]]]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, f"{total} trials", total=total, console=Console(stderr=True), disable=total == 0)
