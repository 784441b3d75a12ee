"""Sample: synthetic records. Their methods say nothing of the error, so neither do the answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.estimate.least_squares import Floats
from ripost.estimate.weighted import sums_by
from ripost.space.blocks import Codes
from ripost.view.answer import Answers
from ripost.view.asked import Asked
from ripost.view.content.bits import Bits
from ripost.view.content.content import Content, ValuedBlocks
from ripost.view.meetings import Line, in_batches, meet
from ripost.view.overlaps import Stretches

CHUNK = 1 << 22  # pairs of a box and a cell held at a time
MANY = 8  # boxes for which it pays to make words of the cells


class SampleContent(Content):
    """Distinct cells, sorted, and how much lies in each; everywhere else lies nothing."""

    kind = "sample"
    noun = "different synthetic records"

    def __init__(self, shape: Sequence[int], *, coords: Codes, values: ArrayLike) -> None:
        super().__init__(shape, values)
        self.coords = coords  # (n, d)
        if coords.shape != (len(self.values), len(self.shape)):
            raise ValueError("every record needs a code for each axis")
        if ((coords < 0) | (coords >= np.array(self.shape))).any() or (self.values < 0).any():
            raise ValueError("records must lie in the domain and weigh nothing below 0")

    @classmethod
    def of(cls, shape: Sequence[int], coords: Codes, weights: Floats) -> SampleContent:
        """From records that may be alike; none at all are kept as one cell that weighs nothing."""
        if not len(coords):
            return cls(shape, coords=np.zeros((1, len(shape)), np.int64), values=[0.0])
        order = np.lexsort(coords.T[::-1])
        coords, weights = coords[order], weights[order]
        first = np.ones(len(coords), bool)
        first[1:] = (coords[1:] != coords[:-1]).any(axis=1)
        starts = np.flatnonzero(first)
        return cls(shape, coords=coords[starts], values=np.add.reduceat(weights, starts))

    @cached_property
    def _by_axis(self) -> Codes:
        return np.ascontiguousarray(self.coords.T)

    @cached_property
    def _bits(self) -> Bits | None:
        return Bits.of(self.shape, self.coords, self.values)

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        """By words of cells where no box cuts a code; else by the share of every cell that lies in each box."""
        whole = bool((lower % 1 == 0).all() and (upper % 1 == 0).all())
        if whole and len(lower) >= MANY and self._bits is not None:
            return self._bits.totals(lower.astype(np.int64), upper.astype(np.int64))
        answers = np.zeros(len(lower))
        step = max(1, CHUNK // max(1, len(self.values)))
        for first in range(0, len(lower), step):
            some = slice(first, first + step)
            low, high = lower[some, :, None], upper[some, :, None]
            inside = np.ones((len(low), len(self.values)))
            for axis, codes in enumerate(self._by_axis):
                if (low[:, axis] > 0).any() or (high[:, axis] < self.shape[axis]).any():
                    inside *= np.clip(np.minimum(codes + 1, high[:, axis]) - np.maximum(codes, low[:, axis]), 0, 1)
            answers[some] = inside @ self.values
        return answers

    def variances(self, lower: Floats, upper: Floats) -> Floats:  # noqa: ARG002
        return np.full(len(lower), np.nan)

    def answer_asked(self, asked: Asked) -> Answers:
        return in_batches(asked, self._answer_batch)

    def _answer_batch(self, asked: Asked) -> tuple[Answers, int]:
        lines = {axis: self._line(axis) for axis in asked.axes}
        met = meet(asked, lines, len(self.values))
        value = sums_by(asked.owner[met.box], self.values[met.row] * met.share, asked.count)
        return Answers.unknown(value), len(met)

    def _line(self, axis: int) -> Line:
        """One axis of the records: its codes may be many more than they are."""
        codes, which = np.unique(self._by_axis[axis], return_inverse=True)
        return Line(Stretches.codes(codes), which)

    @property
    def blocks(self) -> ValuedBlocks:
        return ValuedBlocks(self.coords, self.coords + 1, self.values, np.full(len(self.values), np.nan))

    def columns(self) -> dict[str, NDArray[Any]]:
        return {"value": self.values}

    def facts(self) -> dict[str, Any]:
        return {"kind": self.kind, "marginals": None, "tree": None}
