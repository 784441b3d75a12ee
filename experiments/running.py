"""Running: the trials that an experiment asks for; those that the store lacks are run and kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import typer

from experiments.cases import case_digest, case_names
from experiments.digest import code_digest
from experiments.pool import Outcome, Run, Trial, TrialFailed, run_all
from experiments.spec import parse_spec
from experiments.store import Store
from experiments.trial import run_trial
from ripost import METHODS
from ripost.errors import InputError, suggest_nearest
from ripost.privacy.budget import parse_epsilon


def words(text: str, between: str = ",") -> list[str]:
    """What stands between commas, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(between)))


def trials_for(specs: list[str], eps: str, only: str, runs: int, cases: Path) -> list[Trial]:
    """The inputs of every trial, with digests of the code and the data that they stand for."""
    code = {}
    for spec in specs:
        name, options = parse_spec(spec)
        METHODS[name].configure(options)
        code[spec] = code_digest(name)
    return [
        {
            "case": case,
            "data": case_digest(case, cases),
            "method": spec,
            "code": code[spec],
            "epsilon": epsilon,
            "seed": seed,
        }
        for case in _cases(only, cases)
        for spec in specs
        for epsilon in sorted({float(parse_epsilon(word)) for word in words(eps)})
        for seed in range(runs)
    ]


def outcomes_of(trials: list[Trial], store: Path, cases: Path, jobs: int) -> list[tuple[Trial, Outcome]]:
    """Every trial of cases with its outcome."""
    return kept_outcomes(trials, store, partial(run_trial, cases=cases), jobs)


def kept_outcomes(trials: list[Trial], store: Path, run: Run, jobs: int) -> list[tuple[Trial, Outcome]]:
    """Every trial with its outcome; what the store does not hold is run, and kept as soon as it is there."""
    kept = Store(store)
    missing = [trial for trial in trials if kept.get(trial) is None]
    ended = 0
    try:
        for trial, outcome in _progress(run_all(run, missing, jobs), len(missing)):
            kept.add(trial, outcome)
            ended += 1
    except KeyboardInterrupt:
        typer.echo(f"stopped after {ended} of {len(missing)} trials; run the same again to go on", err=True)
        raise typer.Exit(130) from None
    except TrialFailed as failure:
        typer.echo(failure, err=True)
        raise
    return [(trial, kept.get(trial) or {}) for trial in trials]


def _cases(only: str, folder: Path) -> list[str]:
    there = case_names(folder)
    names = words(only) if only else there
    for name in names:
        if name not in there:
            raise InputError(f"there is no case {name!r} in {folder}; {suggest_nearest(name, there)}")
    return names


def _progress(items: Iterable[tuple[Trial, Outcome]], total: int) -> Iterator[tuple[Trial, Outcome]]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, f"{total} trials", total=total, console=Console(stderr=True), disable=total == 0)
