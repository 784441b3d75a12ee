"""Subject: attributes of a data set that are published together, with a workload of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.cases import Case, Workload
from experiments.datasets import load
from ripost import Tensor
from ripost.answering.content.sample import SampleContent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

QUERIES = 3000  # that bound every dimension, as in the paper
OF_TWO = 1000  # that bound two dimensions, as people filter
SEED = 0  # of the workload, which is part of the subject: every trial asks the same


@dataclass(frozen=True)
class Subject:
    """What is published: some attributes of a data set; of so many of its records, or of all."""

    data: str
    attributes: tuple[str, ...]
    rows: int | None = None

    @property
    def dimensions(self) -> int:
        return len(self.attributes)

    def __str__(self) -> str:
        records = "" if self.rows is None else f", {self.rows:,} records"
        return f"{self.data}: {', '.join(self.attributes)}{records}"


@lru_cache(maxsize=2)  # trials of a subject follow each other
def case_of(subject: Subject, folder: Path | None = None) -> Case:
    """The tensor of a subject, and what is asked of it."""
    tensor = load(subject.data, folder).tensor(subject.attributes, subject.rows)
    workloads = [_workload(tensor, len(tensor.domain), QUERIES)]
    if len(tensor.domain) > 2:
        workloads.append(_workload(tensor, 2, OF_TWO))
    return Case(str(subject), tensor, tuple(workloads))


def _workload(tensor: Tensor, bounded: int, number: int) -> Workload:
    """Random boxes that bound so many axes, chosen at random: length uniform from 1 to all, then start uniform."""
    rng = np.random.default_rng([SEED, bounded])
    shape = np.array(tensor.domain.shape)
    length = rng.integers(1, shape, (number, len(shape)), endpoint=True)
    lower = rng.integers(0, shape - length, endpoint=True)
    free = rng.permuted(np.tile(np.arange(len(shape)) >= bounded, (number, 1)), axis=1)
    lower, upper = np.where(free, 0, lower), np.where(free, shape, lower + length)
    return Workload(bounded, lower, upper, exact_sums(tensor, lower, upper))


def exact_sums(tensor: Tensor, lower: Ints, upper: Ints) -> Floats:
    """The true answers: what `Tensor.answer` gives, sooner."""
    records = SampleContent(tensor.domain.shape, coords=tensor.coords.astype(np.int64), values=tensor.counts)
    return records.answers(lower.astype(np.float64), upper.astype(np.float64))
