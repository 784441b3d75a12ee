"""wide: errors and intervals of methods on wide tables of dependent attributes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from experiments.digest import code_digest
from experiments.pool import Trial
from experiments.running import kept_outcomes, words
from experiments.spec import parse_spec
from experiments.wide import tables
from experiments.wide.trial import run_trial
from experiments.wide.workloads import questions_digest
from ripost import METHODS
from ripost.errors import InputError, nearest
from ripost.privacy.budget import parse_epsilon

HERE = Path(__file__).parent
MEASURE = tuple(HERE / file for file in ("intervals.py", "measure.py", "trial.py", "workloads.py"))


def wide(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1",
    methods: Annotated[str, typer.Option(help="Methods, with commas; privsyn[rounds=10] sets an option.")] = "ripost+",
    only: Annotated[str, typer.Option("--tables", help="Tables, with commas; choosing, reporting or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Seeds of each.", min=1)] = 1,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/wide.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run methods over wide tables; print errors and coverage."""
    trials = trials_for(words(methods), eps, only, range(seed_from, seed_from + runs))
    for trial, outcome in kept_outcomes(trials, store, run_trial, jobs):
        named = [str(trial[key]) for key in ("table", "method", "epsilon", "seed")]
        print(*named, {name: round(error, 3) for name, error in outcome.get("error", {}).items()})


def trials_for(specs: list[str], eps: str, only: str, seeds: range) -> list[Trial]:
    """The inputs of every trial, with digests of the code, the table and the questions."""
    code = {}
    for spec in specs:
        name, options = parse_spec(spec)
        METHODS[name].configure(options)
        code[spec] = code_digest(name, MEASURE)
    epsilons = sorted({float(parse_epsilon(word)) for word in words(eps)})
    names = tables.there(_named(only))
    return [
        {
            "table": table,
            "data": data,
            "method": spec,
            "code": code[spec],
            "epsilon": epsilon,
            "seed": seed,
        }
        for table, data in ((table, _data(table)) for table in names)
        for spec in specs
        for epsilon in epsilons
        for seed in seeds
    ]


def _named(only: str) -> list[str]:
    names = []
    for word in words(only):
        some = [name for name, table in tables.TABLES.items() if word in ("all", name, table.role)]
        if not some:
            raise InputError(f"there is no table {word!r}; {nearest(word, tables.TABLES)}")
        names += some
    return list(dict.fromkeys(names))


def _data(table: str) -> str:
    tensor = tables.load(table)
    return tables.table_digest(tensor) + questions_digest(tensor.domain.shape)
