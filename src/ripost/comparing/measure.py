"""Measure: the errors of an answerer on the questions to a table, and the coverage of a view's intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.comparing.intervals import Held, check_intervals
from ripost.comparing.workloads import (
    BINS,
    SEED,
    Answer,
    Axes,
    MarginalCells,
    Ranges,
    groupings_of,
    marginals_of,
    ranges_of,
    true_answers,
)
from ripost.data.tensor import Tensor
from ripost.space.public_randomness import public_generator
from ripost.view import View

LEAST = 0.001  # share of the total that a cell holds, for its interval to count
MOST_CELLS = 1000  # of a marginal whose intervals are looked at
MOST_RANGES = 250  # of a workload whose intervals are looked at; they meet more blocks than cells do
CELLS = {1: "one-way cells", 2: "two-way cells", 3: "three-way cells"}
THRESHOLDS = {"0.1 %": 0.001, "1 %": 0.01, "10 %": 0.1}  # of the total: larger answers have a relative error
GROUP_SIZES = {"below 0.1 %": 0.001, "0.1 to 1 %": 0.01, "1 to 10 %": 0.1, "above 10 %": np.inf}  # of the total


@dataclass(frozen=True)
class Case:
    """A table with all questions and true answers."""

    tensor: Tensor
    ranges: tuple[tuple[Ranges, Floats], ...]
    marginals: tuple[tuple[MarginalCells, Floats], ...]  # of one, two and three attributes

    @classmethod
    def of(cls, tensor: Tensor) -> Case:
        """The questions that follow from the shape of the domain."""
        shape = tensor.domain.shape
        groupings = groupings_of(shape)
        asked = [*ranges_of(shape), *([groupings] if groupings else [])]
        cells = [each for ways in BINS for each in marginals_of(shape, ways)]
        return cls(
            tensor,
            tuple((each, true_answers(tensor, each)) for each in asked),
            tuple((each, each.truth(tensor)) for each in cells),
        )

    @property
    def total(self) -> float:
        return float(self.tensor.counts.sum()) * self.tensor.measure.step


def measure_view(case: Case, view: View) -> dict[str, Any]:
    """Errors, coverage, the number of blocks and the bytes of the release file."""
    held_bytes = view.file.encoded
    assert held_bytes is not None  # this process encoded it
    size = {"bytes": held_bytes.nbytes, "blocks": len(view.blocks)}
    return {**measure_errors(case, view.answer), **measure_coverage(case, view), **size}


def measure_errors(case: Case, answer: Answer) -> dict[str, dict[str, float]]:
    """Errors by workload, relative errors by the least true answer, and errors by the size of a group.

    By workload: the RMSE of ranges and groups; for cells the L1 error over the total, averaged over marginals. What
    has no answer is left out.
    """
    found: dict[str, list[float]] = defaultdict(list)
    relative, by_group = [], []
    for asked, truth in case.ranges:
        missed = answer(asked.lower, asked.upper) - truth
        found[asked.name].append(float(np.sqrt(np.mean(missed**2))))
        if asked.axes.shape[1] > 1 and asked.name != "all":
            relative.append((truth, np.abs(missed)))
    for cells, truth in case.marginals:
        missed = np.abs(answer(*cells.boxes) - truth)
        found[CELLS[len(cells.axes)]].append(float(missed.sum()) / case.total)
        by_group += [*_groups(cells, truth, missed)]
    means = {name: float(np.mean(each)) for name, each in found.items()}
    return {
        "error": {name: mean for name, mean in means.items() if np.isfinite(mean)},
        "relative": _relative(relative, case.total),
        "groups": _by_size(by_group, case.total),
    }


def _relative(pairs: Sequence[tuple[Floats, Floats]], total: float) -> dict[str, float]:
    """The median relative error of ranges of two and three attributes, and groups, that hold at least so much."""
    if not pairs:
        return {}
    truth, missed = (np.concatenate(part) for part in zip(*pairs, strict=True))
    found = {}
    for name, least in THRESHOLDS.items():
        some = (truth >= max(least * total, 1.0)) & np.isfinite(missed)
        if some.any():
            found[name] = float(np.median(missed[some] / truth[some]))
    return found


def _groups(cells: MarginalCells, truth: Floats, missed: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Of a two-way marginal, for each attribute whose codes are single: what each group holds, and its L1 error."""
    if len(cells.axes) == 2:
        for side, width in enumerate(cells.widths):
            if width == 1:
                held_by, error = (of.reshape(cells.sizes).sum(axis=1 - side) for of in (truth, missed))
                yield held_by, error


def _by_size(pairs: Sequence[tuple[Floats, Floats]], total: float) -> dict[str, float]:
    """The mean L1 error of a group's rows in two-way tables over its size, by its size; the smallest groups first."""
    if not pairs:
        return {}
    size, error = (np.concatenate(part) for part in zip(*pairs, strict=True))
    found, least = {}, 0.0
    for name, most in GROUP_SIZES.items():
        some = (size > 0) & (size >= least * total) & (size < most * total) & np.isfinite(error)
        if some.any():
            found[name] = float(np.mean(error[some] / size[some]))
        least = most
    return found


def measure_coverage(case: Case, view: View) -> dict[str, Any]:
    """By workload the share inside, widths and errors; by pair how many cells were asked for and how many inside."""
    if not view.count().is_bounded:  # synthetic records
        return {}
    by_workload: dict[str, list[Held]] = defaultdict(list)
    pairs: dict[str, tuple[int, int]] = {}
    for asked, truth in case.ranges:
        some = public_generator(SEED).permutation(len(truth))[:MOST_RANGES]
        if (found := check_intervals(view, asked.lower[some], asked.upper[some], truth[some])) is not None:
            by_workload[asked.name].append(found)
    for cells, truth in case.marginals:
        some = _choose_cells(truth, case.total)
        lower, upper = cells.boxes
        if (found := check_intervals(view, lower[some], upper[some], truth[some])) is None:
            continue  # as of a view of two-way tables, which knows nothing of three attributes
        by_workload[CELLS[len(cells.axes)]].append(found)
        if len(cells.axes) == 2:
            pairs[pair_name(cells.axes, case.tensor)] = (int(found.inside.sum()), len(some))
    return {"coverage": {name: _pool(each) for name, each in by_workload.items()}, "pairs": pairs}


def pair_name(axes: Axes, tensor: Tensor) -> str:
    return " x ".join(tensor.domain.names[axis] for axis in axes)


def _choose_cells(truth: Floats, total: float) -> Ints:
    """The cells that hold enough; a random MOST_CELLS of them if there are more."""
    some = np.flatnonzero(truth >= LEAST * total)
    return np.sort(public_generator(SEED).permutation(some)[:MOST_CELLS])


def _pool(each: Sequence[Held]) -> dict[str, float]:
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
