"""published-tables: residual-planner beside the public code of its authors, on the same tables and questions."""

from __future__ import annotations

from statistics import fmean
from typing import Annotated

import numpy as np
import typer

from experiments.bench import tables
from experiments.bench.trial import case_of
from experiments.table import print_head, print_line
from ripost import publish
from ripost.comparing.measure import CELLS, Case, measure_errors

CUT = f"{CELLS[2]}, none below 0"
WORKLOADS = ("k=1", "k=2", CUT)
PUBLIC = {  # of the authors' code at (1, 1e-9), one release: RMSE of ranges of one and two attributes, and L1 of cells
    ("residual-planner", "flights"): (93, 107, 0.014),
    ("residual-planner", "adult10"): (151, 143, 0.079),
    ("residual-planner", "adult14"): (245, 330, 0.297),
    ("residual-planner+", "flights"): (52, 89, 0.022),
    ("residual-planner+", "adult10"): (121, 236, 0.148),
    ("residual-planner+", "adult14"): (136, 415, 0.468),
}


def published_tables(
    runs: Annotated[int, typer.Option(help="Seeds of each.", min=1)] = 5,
) -> None:
    """Print the errors of residual-planner and residual-planner+ beside those of the public code, and the ratios."""
    print_head(["method", "table", "workload", "here", "least", "most", "public", "here / public"], left=(0, 1, 2))
    for (method, table), public in PUBLIC.items():
        if not tables.there([table]):
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
