"""Dataset: the coded records of a data set, and tensors of some of its attributes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ripost import Tensor
from ripost.errors import InputError, suggest_nearest

SEED = 0  # of the order in which records are taken; part of the data set, so every experiment takes the same


@dataclass(frozen=True, repr=False)
class Dataset:
    """Records of a data set as codes."""

    name: str
    domain: dict[str, int]  # attribute -> number of codes, in order
    codes: NDArray[np.int32]  # (rows, attributes)
    source: str  # one line for a report
    coding: dict[str, str]  # attribute -> how it was coded, for a report

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {len(self.codes):,} rows, {len(self.domain)} attributes)"

    @cached_property
    def digest(self) -> str:
        """A digest of the records and their domain: trials of others do not count."""
        told = repr((self.name, self.domain, self.codes.shape)).encode()
        return hashlib.sha256(told + np.ascontiguousarray(self.codes).tobytes()).hexdigest()[:16]

    def tensor(self, attributes: Sequence[str], rows: int | None = None) -> Tensor:
        """The tensor of some attributes; of the first so many of a fixed random order of the records, if given."""
        names = list(self.domain)
        for attribute in attributes:
            if attribute not in self.domain:
                raise InputError(f"{self.name} has no attribute {attribute!r}; {suggest_nearest(attribute, names)}")
        codes = self.codes[:, [names.index(attribute) for attribute in attributes]]
        if rows is not None:
            if not 1 <= rows <= len(codes):
                raise InputError(f"rows must be between 1 and {len(codes):,} for {self.name}, got {rows}")
            codes = codes[np.random.default_rng(SEED).permutation(len(codes))[:rows]]
        domain = {attribute: self.domain[attribute] for attribute in attributes}
        return Tensor.from_arrays(domain, codes, np.ones(len(codes), np.int64))
