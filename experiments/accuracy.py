"""accuracy: the error of methods on cases, beside the best public peers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from experiments.cases import CASES
from experiments.peers import PEERS, read_peers
from experiments.plot import draw
from experiments.rows import rows_of
from experiments.running import outcomes_of, trials_for, words
from experiments.summary import print_marginals, print_seconds, print_summary
from experiments.table import print_rows
from ripost import METHODS


def accuracy(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    methods: Annotated[
        str, typer.Option(help="Methods, with commas, or all; ripost+[joint=false] sets an option.")
    ] = "all",
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 10,
    only: Annotated[str, typer.Option(help="Cases, with commas; by default all in the folder.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    peers: Annotated[Path, typer.Option(help="Figures of public peers.")] = PEERS,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    plot: Annotated[Path, typer.Option(help="Where the plot goes, as .svg and .png.")] = Path("results/accuracy"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run methods over cases; print the error of each workload, means by kind of workload, seconds; and plot."""
    chosen = [name for name in METHODS if not METHODS[name].missing()] if methods == "all" else words(methods)
    for name in METHODS if methods == "all" else ():
        if missing := METHODS[name].missing():
            typer.echo(f"without {name}: {', '.join(missing)} not installed", err=True)
    done = outcomes_of(trials_for(chosen, eps, only, runs, cases), store, cases, jobs)
    known, rows = read_peers(peers), rows_of(done)
    print_rows(rows, chosen, known)
    print()
    print_summary(rows, chosen, known)
    print()
    print_marginals(rows, "ripost+")
    print_seconds(done, known)
    typer.echo(draw(rows, chosen, known, plot), err=True)
