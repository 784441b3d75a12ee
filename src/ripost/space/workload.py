"""Workload: the boxes that people are expected to ask for. It is public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ripost.arrays import Codes
from ripost.errors import InputError


@dataclass(frozen=True)
class Workload:
    """n boxes of codes in d dimensions, half-open, all of the same weight."""

    lower: Codes  # (n, d), inclusive
    upper: Codes  # (n, d), exclusive

    @classmethod
    def of(cls, boxes: Any, shape: Sequence[int]) -> Workload:
        """A workload as it is, or a pair of arrays (n, d), lower inclusive and upper exclusive; InputError if unfit."""
        if isinstance(boxes, Workload):
            lower, upper = boxes.lower, boxes.upper
        else:
            try:
                lower, upper = (_codes(ends) for ends in boxes)
            except (TypeError, ValueError):
                raise InputError("a workload is a pair of arrays of whole numbers: lower and upper, (n, d)") from None
        if lower.shape != upper.shape or lower.ndim != 2 or lower.shape[1] != len(shape) or not len(lower):
            raise InputError(f"a workload needs lower and upper of shape (n, {len(shape)}), with at least one box")
        if not ((lower >= 0) & (lower <= upper) & (upper <= np.array(shape))).all():
            raise InputError(f"a box of the workload must satisfy 0 <= lower <= upper <= {list(shape)}")
        return cls(lower, upper)

    def __len__(self) -> int:
        return len(self.lower)


def _codes(ends: ArrayLike) -> Codes:
    array = np.asarray(ends)
    if array.dtype.kind not in "iu":
        raise TypeError("codes are whole numbers")
    return array.astype(np.int64)
