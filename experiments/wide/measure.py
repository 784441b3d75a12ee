"""Measure: the errors of an answerer on the workloads of a table, and the coverage of a view's intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from experiments.wide.intervals import Held, held
from experiments.wide.tables import load
from experiments.wide.workloads import (
    BINS,
    SEED,
    Answer,
    Axes,
    Floats,
    Ints,
    Marginal,
    Ranges,
    marginals_of,
    ranges_of,
    true_answers,
)
from ripost import Tensor, View

LEAST = 0.001  # share of the rows that a cell holds, for its interval to count
MOST_CELLS = 1000  # of a marginal whose intervals are looked at
MOST_RANGES = 250  # of a workload whose intervals are looked at; they meet more blocks than cells do
CELLS = {2: "two-way cells", 3: "three-way cells"}


@dataclass(frozen=True)
class Case:
    """A table with all questions and true answers."""

    tensor: Tensor
    ranges: tuple[tuple[Ranges, Floats], ...]
    marginals: tuple[tuple[Marginal, Floats], ...]  # of two and of three attributes

    @property
    def rows(self) -> int:
        return int(self.tensor.counts.sum())


@lru_cache(maxsize=1)  # trials of a table follow each other
def case_of(name: str) -> Case:
    tensor = load(name)
    shape = tensor.domain.shape
    ranges = tuple((asked, true_answers(tensor, asked)) for asked in ranges_of(shape))
    cells = tuple((asked, asked.truth(tensor)) for ways in BINS for asked in marginals_of(shape, ways))
    return Case(tensor, ranges, cells)


def errors(case: Case, answer: Answer) -> dict[str, float]:
    """RMSE of ranges; for cells the L1 error over the rows, averaged over marginals. What has no answer is left out."""
    found: dict[str, list[float]] = defaultdict(list)
    for asked, truth in case.ranges:
        found[asked.name].append(float(np.sqrt(np.mean((answer(asked.lower, asked.upper) - truth) ** 2))))
    for cells, truth in case.marginals:
        found[CELLS[len(cells.axes)]].append(float(np.abs(answer(*cells.boxes) - truth).sum()) / case.rows)
    means = {name: float(np.mean(each)) for name, each in found.items()}
    return {name: mean for name, mean in means.items() if np.isfinite(mean)}


def coverage(case: Case, view: View) -> dict[str, Any]:
    """By workload the share inside, widths and errors; by pair how many cells were asked for and how many inside."""
    if not view.count().is_bounded:  # synthetic records
        return {}
    by_workload: dict[str, list[Held]] = defaultdict(list)
    pairs: dict[str, tuple[int, int]] = {}
    for asked, truth in case.ranges:
        some = np.random.default_rng(SEED).permutation(len(truth))[:MOST_RANGES]
        if (found := held(view, asked.lower[some], asked.upper[some], truth[some])) is not None:
            by_workload[asked.name].append(found)
    for cells, truth in case.marginals:
        some = _counted(truth, case.rows)
        lower, upper = cells.boxes
        if (found := held(view, lower[some], upper[some], truth[some])) is None:
            continue  # such as cells of three attributes, if only tables of two were measured
        by_workload[CELLS[len(cells.axes)]].append(found)
        if len(cells.axes) == 2:
            pairs[pair_name(cells.axes, case.tensor)] = (int(found.inside.sum()), len(some))
    return {"coverage": {name: _pooled(each) for name, each in by_workload.items()}, "pairs": pairs}


def pair_name(axes: Axes, tensor: Tensor) -> str:
    return " x ".join(tensor.domain.names[axis] for axis in axes)


def _counted(truth: Floats, rows: int) -> Ints:
    """The cells that hold enough rows; a random MOST_CELLS of them if there are more."""
    some = np.flatnonzero(truth >= LEAST * rows)
    return np.sort(np.random.default_rng(SEED).permutation(some)[:MOST_CELLS])


def _pooled(each: Sequence[Held]) -> dict[str, float]:
    inside, width, truth, error = (
        np.concatenate([getattr(found, part) for found in each]) for part in ("inside", "width", "truth", "error")
    )
    return {
        "asked": len(inside),
        "inside": int(inside.sum()),
        "width over truth": float(np.median(width / np.maximum(truth, 1))),
        "width": float(width.mean()),
        "error": float(error.mean()),
    }
