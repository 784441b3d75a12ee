"""ablation: what each idea of ripost+ is worth, by the error without it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from experiments.cases import CASES
from experiments.rows import ALL, ONE, Row, ratio, rows_of
from experiments.running import outcomes_of, trials_for
from experiments.summary import geometric_mean
from experiments.table import print_head, print_line, times

FULL = "ripost+"
WITHOUT = {
    "smoothing (least squares alone)": "ripost+[shrink=false]",
    "overdispersion of splits that deviate alike (`leeway`)": "ripost+[leeway=false]",
    "the joint solve with histograms": "ripost+[joint=false]",
    "giving way to histograms": "ripost+[refit=false]",
    "cuts along axes that are still wide": "ripost+[widest=false]",
    "axes by what was released": "ripost+[weigh_axes=false]",
    "both of these": "ripost+[widest=false;weigh_axes=false]",
    "paying for the top axes": "ripost+[choose_axes=false]",
    "deeper cuts where more is expected": "ripost+[adapt=false]",
    "a share of histograms to suit: always 10 %": "ripost+[marginals=0.1]",
    "a share of histograms to suit: always 30 %": "ripost+[marginals=0.3]",
    "a number of depths to suit: always 1": "ripost+[depths=1]",
    "a number of depths to suit: always 3": "ripost+[depths=3]",
}
GROUPS = (ALL, "2 and 3 dimensions", ONE)


def ablation(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 5,
    only: Annotated[str, typer.Option(help="Cases, with commas; by default all in the folder.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run ripost+ with each idea left out, on the same seeds, and print the error relative to the whole."""
    rows = rows_of(outcomes_of(trials_for([FULL, *WITHOUT.values()], eps, only, runs, cases), store, cases, jobs))
    epsilons = sorted({row.epsilon for row in rows})
    columns = [(epsilon, group) for epsilon in epsilons for group in GROUPS]
    print_head(["without", *(f"epsilon {epsilon:g}, {group}" for epsilon, group in columns)], left=(0,))
    for title, spec in WITHOUT.items():
        print_line([title, *(_relative(rows, spec, *column) for column in columns)])


def _relative(rows: list[Row], spec: str, epsilon: float, group: str) -> str:
    """The geometric mean over cases of the error without an idea over that with it, and the case that gains most."""
    found = [
        (worse, row.case)
        for row in rows
        if (row.epsilon, row.group) == (epsilon, group) and (worse := ratio(row.mean(spec), row.mean(FULL)))
    ]
    if not found:
        return "-"
    most, case = max(found)
    return f"{times(geometric_mean(value for value, _ in found))} ({most:.1f} {case})"
