"""Workloads that the paper may have used, as it says only that queries are random."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from experiments.cases import Workload
from experiments.paper.subject import Subject, case_of, exact_sums
from ripost import Tensor

QUERIES = 1000  # of each of the others
SEED = 1
AS_HDPVIEW, TWO, ENDS, SHORT, ROWS = "length", "two", "ends", "short", "rows"
TITLES = {
    AS_HDPVIEW: "length uniform, then start uniform (HDPView's program; everywhere else here)",
    TWO: "the same, two dimensions bounded",
    ENDS: "both ends uniform",
    SHORT: "length uniform up to a tenth of each domain",
    ROWS: "as short, around a random row",
}


@lru_cache(maxsize=2)  # trials of a subject follow each other
def workloads_of(subject: Subject, folder: Path | None) -> dict[str, Workload]:
    """The workloads by name; one that bounds two dimensions is left out where that is all of them."""
    case = case_of(subject, folder)
    return dict(zip((AS_HDPVIEW, TWO), case.workloads, strict=False)) | _others(case.tensor)


def _others(tensor: Tensor) -> dict[str, Workload]:
    rng = np.random.default_rng(SEED)
    shape = np.array(tensor.domain.shape)
    size = (QUERIES, len(shape))
    ends = np.sort(rng.integers(0, shape, (2, *size)), axis=0)
    length = rng.integers(1, np.maximum(shape // 10, 1), size, endpoint=True)
    start = rng.integers(0, shape - length, endpoint=True)
    row = tensor.coords[rng.choice(len(tensor.counts), QUERIES, p=tensor.counts / tensor.counts.sum())]
    around = np.clip(row - length // 2, 0, shape - length)
    boxes = {ENDS: (ends[0], ends[1] + 1), SHORT: (start, start + length), ROWS: (around, around + length)}
    return {name: Workload(len(shape), *box, exact_sums(tensor, *box)) for name, box in boxes.items()}
