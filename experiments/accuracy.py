"""accuracy: the error of methods on cases, beside the best public peers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from experiments.cases import CASES, case_digest, case_names
from experiments.digest import code_digest
from experiments.peers import PEERS, read_peers
from experiments.plot import draw
from experiments.rows import rows_of
from experiments.store import Store
from experiments.summary import print_seconds, print_summary
from experiments.table import print_rows
from experiments.trial import Outcome, Trial, TrialFailed, run_all
from ripost import METHODS
from ripost.errors import InputError, nearest
from ripost.privacy.budget import parse_epsilon


def accuracy(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    methods: Annotated[str, typer.Option(help="Methods, with commas, or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 10,
    only: Annotated[str, typer.Option(help="Cases, with commas; by default all in the folder.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    peers: Annotated[Path, typer.Option(help="Figures of public peers.")] = PEERS,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    plot: Annotated[Path, typer.Option(help="Where the plot goes, as .svg and .png.")] = Path("results/accuracy"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run methods over cases; print the error of each workload, means by kind of workload, seconds; and plot."""
    chosen = list(METHODS) if methods == "all" else _words(methods)
    trials = _asked(chosen, _epsilons(eps), _cases(only, cases), runs, cases)
    kept = Store(store)
    _run_missing(trials, kept, cases, jobs)
    done = [(trial, kept.get(trial) or {}) for trial in trials]
    known, rows = read_peers(peers), rows_of(done)
    print_rows(rows, chosen, known)
    print()
    print_summary(rows, chosen, known)
    print()
    print_seconds(done, known)
    typer.echo(draw(rows, chosen, known, plot), err=True)


def _words(text: str) -> list[str]:
    """What stands between commas, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",")))


def _epsilons(text: str) -> list[float]:
    return sorted({float(parse_epsilon(word)) for word in _words(text)})


def _cases(only: str, folder: Path) -> list[str]:
    there = case_names(folder)
    names = _words(only) if only else there
    for name in names:
        if name not in there:
            raise InputError(f"there is no case {name!r} in {folder}; {nearest(name, there)}")
    return names


def _asked(methods: list[str], epsilons: list[float], names: list[str], runs: int, cases: Path) -> list[Trial]:
    """The inputs of every trial, with digests of the code and the data that they stand for."""
    code = {method: code_digest(method) for method in methods}
    return [
        {
            "case": case,
            "data": case_digest(case, cases),
            "method": method,
            "code": code[method],
            "epsilon": epsilon,
            "seed": seed,
        }
        for case in names
        for method in methods
        for epsilon in epsilons
        for seed in range(runs)
    ]


def _run_missing(trials: list[Trial], kept: Store, cases: Path, jobs: int) -> None:
    """Run what the store does not hold; each outcome is kept as soon as it is there."""
    missing = [trial for trial in trials if kept.get(trial) is None]
    ended = 0
    try:
        for trial, outcome in _progress(run_all(missing, cases, jobs), len(missing)):
            kept.add(trial, outcome)
            ended += 1
    except KeyboardInterrupt:
        typer.echo(f"stopped after {ended} of {len(missing)} trials; run the same again to go on", err=True)
        raise typer.Exit(130) from None
    except TrialFailed as failure:
        typer.echo(failure, err=True)
        raise


def _progress(items: Iterable[tuple[Trial, Outcome]], total: int) -> Iterator[tuple[Trial, Outcome]]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, f"{total} trials", total=total, console=Console(stderr=True), disable=total == 0)
