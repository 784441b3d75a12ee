"""notes: how many answers about two attributes have the note that they were not measured closely enough together."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

import numpy as np
import typer

from experiments.bench import tables
from experiments.bench.rows import LEAST_CELLS
from experiments.running import words
from experiments.table import print_head, print_line
from ripost import View, publish
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Mask
from ripost.comparing.measure import LEAST, Case, pair_name

LOW = 0.9  # coverage of a pair, below which its answers should have the note
Cells = tuple[Mask, Mask]  # whether the truth is inside, and whether there is a note


def notes(
    only: Annotated[str, typer.Option("--tables", help="Tables of the benchmark, with commas.")] = "flights-few",
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1",
    runs: Annotated[int, typer.Option(help="Seeds.", min=1)] = 6,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 900,
) -> None:
    """Publish tables and print which cells of two-way marginals have a note, beside their coverage."""
    heads = ["pairs", "with a note", "pairs below 90 %", "with a note", "missed cells", "with a note"]
    print_head(["table", "epsilon", *heads], left=(0,))
    for name in words(only):
        case = Case.of(tables.load(name))
        for epsilon in map(float, words(eps)):
            found: dict[str, list[Cells]] = defaultdict(list)
            for seed in range(seed_from, seed_from + runs):
                for pair, cells in _find_cells(case, publish(case.tensor, epsilon=epsilon, seed=seed)):
                    found[pair].append(cells)
            joined = [tuple(map(np.concatenate, zip(*each, strict=True))) for each in found.values()]
            pairs = [(inside, noted) for inside, noted in joined if len(inside) >= LEAST_CELLS * runs]
            low = [(inside, noted) for inside, noted in pairs if inside.mean() < LOW]
            missed = [noted[~inside] for inside, noted in pairs]
            shares = [_share([noted for _, noted in some]) for some in (pairs, low)]
            counts = [str(len(pairs)), shares[0], str(len(low)), shares[1], str(sum(map(len, missed))), _share(missed)]
            print_line([name, f"{epsilon:g}", *counts])


def _find_cells(case: Case, view: View) -> list[tuple[str, Cells]]:
    """Of each pair the cells that hold enough."""
    found = []
    for cells, truth in case.marginals:
        some = np.flatnonzero(truth >= LEAST * case.total)
        if len(cells.axes) == 2 and len(some):
            lower, upper = (end[some].astype(float) for end in cells.boxes)
            answers = view.answer_batch(QueryBatch.of_boxes(lower, upper, view.domain.shape))
            inside = (answers.low <= truth[some]) & (truth[some] <= answers.high)
            found.append((pair_name(cells.axes, case.tensor), (inside, answers.unmeasured)))
    return found


def _share(noted: list[Mask]) -> str:
    """The share of answers with a note, over all pairs."""
    return f"{np.concatenate(noted).mean():.0%}" if sum(map(len, noted)) else "-"
