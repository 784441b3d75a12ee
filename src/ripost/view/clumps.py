"""Clumps: what is unknown about how a block's content lies inside it, as a variance."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.smoother import usual_scatter
from ripost.space.blocks import Blocks, Codes

TOGETHER = 0.25  # how much of it blocks cut along the same stretch stray the same way


def clumped(blocks: Blocks, values: Floats, covered: Mapping[int, Floats], share: Floats) -> float:
    """The variance of a question's total if content lies in clumps at random places.

    A question covers a share f of a block. If the block's content x is one clump, the covered part is x with
    probability f and else 0: variance x^2 f (1 - f). Blocks that the question cuts along the same stretch of the same
    axes are likely to be skewed alike (where one hour is busy, it is busy at every airport), so their contents count
    as one clump; different stretches are taken as independent.
    """
    partly, group = _stretches(blocks, covered, share)
    together = np.bincount(group, values[partly]) ** 2
    apart = np.bincount(group, values[partly] ** 2)
    inside = _shares(group, share[partly])
    return float((np.maximum(together, apart) * inside * (1 - inside)).sum())


def strayed(
    blocks: Blocks, records: Floats, covered: Mapping[int, Floats], share: Floats, *, roughness: float
) -> float:
    """The variance of a question's total if content strays inside blocks as it was seen to stray between them.

    The splits of the tree showed how far content strays from its expected place, and `roughness` sums that up
    (estimate/smoother.py); a share f of a block is one more split. Blocks that are cut along the same stretch stray
    partly alike: TOGETHER of the variance is that of all of them as one block.
    """
    partly, group = _stretches(blocks, covered, share)
    apart = usual_scatter(records[partly], roughness) * share[partly] * (1 - share[partly])
    inside = _shares(group, share[partly])
    all_as_one: Floats = np.bincount(group, records[partly]).astype(np.float64)
    together = usual_scatter(all_as_one, roughness) * inside * (1 - inside)
    return float((1 - TOGETHER) * apart.sum() + TOGETHER * together.sum())


def _stretches(blocks: Blocks, covered: Mapping[int, Floats], share: Floats) -> tuple[Codes, Codes]:
    """The blocks that lie partly in a question, and which of them are cut along the same stretch."""
    partly = np.flatnonzero((share > 0) & (share < 1))
    group = np.zeros(len(partly), np.int64)
    for axis, part in covered.items():
        low, high = blocks.lower[partly, axis], blocks.upper[partly, axis]
        stretch = _numbered(np.where(part[partly] < 1, (low << 31) + high, -1))
        group = _numbered(group * (len(partly) + 1) + stretch)
    return partly, group


def _shares(group: Codes, share: Floats) -> Floats:
    """The share of each group, in which all are alike."""
    inside = np.zeros(int(group.max(initial=-1)) + 1)
    inside[group] = share
    return inside


def _numbered(keys: Codes) -> Codes:
    """Keys as 0, 1, 2, …, equal ones alike; much quicker than telling rows apart."""
    number: Codes = np.unique(keys, return_inverse=True)[1].ravel()
    return number
