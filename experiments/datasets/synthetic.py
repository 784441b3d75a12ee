"""Synth: a data set with counts added to its non-empty cells, as Synth-6 of the paper's repository.

Its README: "we took one 6D tensor and randomly added values (ranging from 0 to 200) to its non-empty cells".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from experiments.datasets.dataset import Dataset
from ripost import Tensor

MOST = 200  # added to a cell
SEED = 0  # of what is added; part of the data set


@dataclass(frozen=True, repr=False)
class SyntheticDataset(Dataset):
    """The records of another data set, whose tensors have more in their non-empty cells."""

    @classmethod
    def of(cls, dataset: Dataset) -> SyntheticDataset:
        source = f"{dataset.source}; 0 to {MOST} added to each non-empty cell"
        return cls("synth", dataset.domain, dataset.codes, source, dataset.coding)

    def tensor(self, attributes: Sequence[str], rows: int | None = None) -> Tensor:
        plain = super().tensor(attributes, rows)
        added = np.random.default_rng(SEED).integers(0, MOST, len(plain.counts), endpoint=True)
        return Tensor.from_arrays(plain.domain, plain.coords, plain.counts + added)
