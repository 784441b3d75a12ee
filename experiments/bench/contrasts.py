"""intervals: how often simultaneous intervals of tables, and intervals of differences and ratios, hold the truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Annotated

import numpy as np
import typer

from experiments.bench import tables
from experiments.bench.command import named
from experiments.running import words
from experiments.table import print_head, print_line
from ripost import Tensor, View, publish
from ripost.answering.answer import Answers
from ripost.answering.contrast import RegionPair, differences, ratios
from ripost.arrays import Floats, Mask
from ripost.comparing.intervals import interval_answers
from ripost.comparing.workloads import MarginalCells, marginals_of
from ripost.space.region import EVERYTHING, Region

SEED = 0
FEW = 4  # attributes of the narrow copy of a table, which makes a view without a mixture
MOST_CELLS = 5000  # of a table whose intervals hold together
TABLES = {1: 20, 2: 20, 3: 5}  # at most, of so many attributes
PAIRS, EACH = 12, 12  # pairs of attributes, and contrasts of each kind in each
LEAST = 0.001  # share of the rows that a compared cell holds
Counted = dict[str, tuple[int, int]]  # of a workload, how many held the truth and how many were asked for


def intervals(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1",
    only: Annotated[
        str, typer.Option("--tables", help="Tables, with commas; choosing, reporting or all.")
    ] = "reporting",
    runs: Annotated[int, typer.Option(help="Seeds of each.", min=1)] = 1,
) -> None:
    """Publish wide tables, and their first attributes alone; print how many 95 % intervals hold the truth."""
    heads: list[str] = []
    for name in tables.there(named(only)):
        whole = tables.load(name)
        for title, tensor in ((name, whole), (f"{name}, {FEW} attributes", _narrow(whole))):
            for epsilon in map(float, words(eps)):
                views = [publish(tensor, epsilon=epsilon, seed=seed) for seed in range(runs)]
                found = _added([coverage(tensor, view) for view in views])
                if not heads:
                    heads = [*found]
                    print_head(["table", "epsilon", *heads], left=(0,))
                print_line([title, f"{epsilon:g}", *(_percent(found.get(head)) for head in heads)])


def coverage(tensor: Tensor, view: View) -> Counted:
    """Of each workload, how many intervals, or tables of intervals, hold the truth."""
    found: Counted = {}
    for ways in TABLES:
        tests = [_held(view.jointly(prod(cells.sizes)), cells, tensor).all() for cells in _marginals(tensor, ways)]
        found[f"tables by {ways}"] = (sum(map(int, tests)), len(tests))
    kinds: dict[str, list[Contrast]] = defaultdict(list)
    for kind, contrast in _contrasts(tensor):
        kinds[kind].append(contrast)
    shape = tensor.domain.shape
    for kind, some in kinds.items():
        pairs = [RegionPair.of(one.region, one.other, shape) for one in some]
        count, of = (np.array([getattr(one, part) for one in some], np.float64) for part in ("count", "of"))
        if " in " not in kind:
            found[f"difference, {kind}"] = _inside(differences(view, pairs), count - of)
        found[f"ratio, {kind}"] = _inside(ratios(view, pairs), count / of)
    return found


@dataclass(frozen=True)
class Contrast:
    """Two regions and their true counts."""

    region: Region
    other: Region
    count: float
    of: float


def _contrasts(tensor: Tensor) -> Iterator[tuple[str, Contrast]]:
    """Pairs of cells of one row, any two cells, cells in their rows, and rows in all."""
    rng, shape, rows = np.random.default_rng(SEED), tensor.domain.shape, float(tensor.counts.sum())
    every = list(combinations(range(len(shape)), 2))
    for number in rng.permutation(len(every))[:PAIRS].tolist():
        axes = every[number]
        table = MarginalCells(axes, (1, 1), shape).truth(tensor).reshape([shape[axis] for axis in axes])
        large = np.argwhere(table >= LEAST * rows)
        for i, j in large[rng.integers(len(large), size=EACH)].tolist():
            cell, row = _region(axes, (i, j)), _region(axes[:1], (i,))
            yield "cell in row", Contrast(cell, row, table[i, j], table[i].sum())
            yield "row in all", Contrast(row, EVERYTHING, table[i].sum(), rows)
            beside = large[(large[:, 0] == i) & (large[:, 1] != j)]
            for kind, others in (("two cells of a row", beside), ("any two cells", large)):
                if len(others):
                    k, m = others[rng.integers(len(others))].tolist()
                    if (k, m) != (i, j):
                        yield kind, Contrast(cell, _region(axes, (k, m)), table[i, j], table[k, m])


def _region(axes: tuple[int, ...], codes: tuple[int, ...]) -> Region:
    return ({axis: ((float(code), code + 1.0),) for axis, code in zip(axes, codes, strict=True)},)


def _marginals(tensor: Tensor, ways: int) -> list[MarginalCells]:
    shape = tensor.domain.shape
    every = (
        [MarginalCells((axis,), (1,), shape) for axis in range(len(shape))] if ways == 1 else marginals_of(shape, ways)
    )
    fit = [cells for cells in every if prod(cells.sizes) <= MOST_CELLS]
    return [fit[i] for i in np.random.default_rng(SEED).permutation(len(fit))[: TABLES[ways]].tolist()]


def _held(view: View, cells: MarginalCells, tensor: Tensor) -> Mask:
    _, low, high = interval_answers(view, *cells.boxes)
    truth = cells.truth(tensor)
    return (low <= truth + 1e-6) & (truth <= high + 1e-6)


def _inside(answers: Answers, truth: Floats) -> tuple[int, int]:
    slack = 1e-9 * np.maximum(1.0, np.abs(truth))
    return int(((answers.low <= truth + slack) & (truth <= answers.high + slack)).sum()), len(truth)


def _narrow(tensor: Tensor) -> Tensor:
    """The first attributes alone."""
    sizes = dict(zip(tensor.domain.names[:FEW], tensor.domain.shape[:FEW], strict=True))
    return Tensor.from_arrays(sizes, tensor.coords[:, :FEW], tensor.counts)


def _added(found: list[Counted]) -> Counted:
    return {name: (sum(one[name][0] for one in found), sum(one[name][1] for one in found)) for name in found[0]}


def _percent(counted: tuple[int, int] | None) -> str:
    return "-" if counted is None or counted[1] == 0 else f"{counted[0] / counted[1]:.1%} of {counted[1]}"
