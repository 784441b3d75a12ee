"""published-tables: methods beside public code that we could run, on the same tables and questions."""

from __future__ import annotations

from statistics import fmean
from typing import Annotated

import numpy as np
import typer

from experiments.bench import tables
from experiments.bench.trial import case_of
from experiments.running import words
from experiments.table import print_head, print_line
from ripost import publish
from ripost.comparing.measure import CELLS, Case, measure_errors

CUT = f"{CELLS[2]}, none below 0"
WORKLOADS = ("k=1", "k=2", CUT)
PUBLIC = {  # of public code at (1, 1e-9), one release: RMSE of ranges of one and two attributes, and L1 of cells
    ("residual-planner", "flights"): (93, 107, 0.014),
    ("residual-planner", "adult10"): (151, 143, 0.079),
    ("residual-planner", "adult14"): (245, 330, 0.297),
    ("residual-planner+", "flights"): (52, 89, 0.022),
    ("residual-planner+", "adult10"): (121, 236, 0.148),
    ("residual-planner+", "adult14"): (136, 415, 0.468),
    ("swift", "flights"): (259, 278, 0.019),  # google/dpsynth, cliques of up to 10^5 cells
    ("mst", "flights"): (153, 2032, 0.081),  # google/dpsynth, its default
    ("mst", "adult10"): (200, 551, 0.121),
    ("mst", "adult14"): (351, 485, 0.104),
}


def published_tables(
    runs: Annotated[int, typer.Option(help="Seeds of each.", min=1)] = 5,
    methods: Annotated[str, typer.Option(help="Methods, with commas, in place of all that have public figures.")] = "",
) -> None:
    """Print the errors of methods beside those of public code, and the ratios."""
    print_head(["method", "table", "workload", "here", "least", "most", "public", "here / public"], left=(0, 1, 2))
    for (method, table), public in PUBLIC.items():
        if (methods and method not in words(methods)) or not tables.there([table]):
            continue
        case = case_of(table)
        found = [_errors(case, method, seed) for seed in range(runs)]
        for workload, theirs in zip((*WORKLOADS[:2], CUT), public, strict=True):
            ours = [each[workload] for each in found]
            row = [method, table, workload, *(f"{each:.3g}" for each in (fmean(ours), min(ours), max(ours), theirs))]
            print_line([*row, f"{fmean(ours) / theirs:.2f}"])


def _errors(case: Case, method: str, seed: int) -> dict[str, float]:
    """The errors of one release, and those of its cells with counts below 0 set to 0."""
    view = publish(case.tensor, epsilon=1, method=method, seed=seed)
    pairs = [(cells, truth) for cells, truth in case.marginals if len(cells.axes) == 2]
    cut = [np.abs(np.maximum(view.answer(*cells.boxes), 0) - truth).sum() / case.total for cells, truth in pairs]
    ranges = Case(case.tensor, tuple(pair for pair in case.ranges if pair[0].name in WORKLOADS), ())
    return measure_errors(ranges, view.answer)["error"] | {CUT: fmean(cut)}
