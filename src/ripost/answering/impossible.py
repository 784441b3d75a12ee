"""Regions that lie in impossible cells alone: their answer is 0 and its interval [0, 0], because both are public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ripost.answering.answer import Answers
from ripost.answering.query_batch import IntervalLists, QueryBatch
from ripost.arrays import Floats, Mask
from ripost.estimate.weighted import sums_by
from ripost.space.blocks import Blocks

ROUNDING = 1e-9  # of shares of cells


def keep_zeros(answers: Answers, zero: Mask) -> Answers:
    """The answers with 0 and no error for regions of impossible cells alone, which `zero` marks."""
    if not zero.any():
        return answers
    names = ("value", "stderr", "low", "high", "reach")
    figures: dict[str, Any] = {name: np.where(zero, 0.0, getattr(answers, name)) for name in names}
    return replace(answers, **figures, unmeasured=answers.unmeasured & ~zero)


def find_impossible(batch: QueryBatch, impossible: Blocks, shape: Sequence[int]) -> Mask:
    """Which regions hold impossible cells alone: the disjoint impossible boxes cover all of each of their boxes."""
    covered, column = np.zeros(len(batch.owner)), {axis: i for i, axis in enumerate(batch.axes)}
    for lower, upper in zip(impossible.lower.tolist(), impossible.upper.tolist(), strict=True):
        share = np.ones(len(batch.owner))
        for axis, (low, high, size) in enumerate(zip(lower, upper, shape, strict=True)):
            if axis in column:
                share *= _share_between(batch.lists[column[axis]], low, high)[batch.which[:, column[axis]]]
            else:
                share *= (high - low) / size
        covered += share
    possible = np.bincount(batch.owner, covered < 1 - ROUNDING, batch.count)
    found: Mask = (possible == 0) & (np.bincount(batch.owner, minlength=batch.count) > 0)
    return found


def _share_between(lists: IntervalLists, low: int, high: int) -> Floats:
    """The share of each list that lies between two codes; 0 for empty lists."""
    inside = np.maximum(np.minimum(lists.high, high) - np.maximum(lists.low, low), 0.0)
    part, whole = (sums_by(lists.owner, each, len(lists)) for each in (inside, lists.high - lists.low))
    return np.divide(part, whole, out=np.zeros(len(lists)), where=whole > 0)
