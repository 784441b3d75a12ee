"""paper: every table and figure of the paper, from stored trials to one report."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from experiments.paper.ask import Results
from experiments.paper.items import FULL, ITEMS, QUICK, asks_of
from experiments.paper.trial import run_trial
from experiments.running import kept_outcomes, words
from ripost.errors import InputError, nearest


def paper(
    full: Annotated[bool, typer.Option("--full/--quick", help="All tensors and runs, or minutes of them.")] = False,
    items: Annotated[str, typer.Option(help="Items, with commas, or all.")] = "all",
    data: Annotated[Path | None, typer.Option(help="Folder of the data sets; by default RIPOST_DATA.")] = None,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/paper.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run the paper's experiments; write a report with every figure, and what the paper says beside what we found."""
    plan = FULL if full else QUICK
    chosen = tuple(ITEMS) if items == "all" else tuple(words(items))
    for item in chosen:
        if item not in ITEMS:
            raise InputError(f"there is no item {item!r}; {nearest(item, list(ITEMS))}")
    trials = [trial for ask in asks_of(plan, chosen) for trial in ask.trials(data)]
    Results(kept_outcomes(trials, store, partial(run_trial, folder=data), jobs))
