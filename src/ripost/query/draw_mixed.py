"""Codes of synthetic rows that come of the mixture of a view, inside the blocks that were chosen for them.

A block holds what the mixture says and a correction. A row follows the mixture with the probability of its part in the
two, or always where the correction is below 0, which makes the block rarer as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.mixture import AT_ONCE, MixtureIndex
from ripost.space.blocks import Codes
from ripost.view.content.content import ValuedBlocks
from ripost.view.content.tree import TreeContent

Uniform = Callable[[int], Floats]  # so many numbers at random from 0 to 1


@dataclass(frozen=True)
class MixedCodes:
    """Rows that follow the mixture, and their codes on each axis."""

    rows: Codes  # (r,)
    codes: list[Codes]  # of each axis, (r,)


def draw_mixed(content: TreeContent, chosen: Codes, uniform: Uniform) -> MixedCodes:
    """Which of the rows follow the mixture, each in its chosen block, and where they lie."""
    assert content.mixed is not None
    index, blocks = content.mixed.index, content.blocks
    held = np.maximum(content.mixed.totals(blocks.lower.astype(np.float64), blocks.upper.astype(np.float64)), 0.0)
    whole = held + np.maximum(content.corrections, 0.0)
    part = np.divide(held, whole, out=np.zeros(len(whole)), where=whole > 0)
    rows = np.flatnonzero(uniform(len(chosen)) < part[chosen])
    component = _components(index, blocks, chosen[rows], uniform)
    codes = []
    for axis, below in enumerate(index.below):
        lower, upper = blocks.lower[chosen[rows], axis], blocks.upper[chosen[rows], axis]
        start, part = below[lower, component], uniform(len(rows))
        place = start + part * (below[upper, component] - start)
        codes.append(np.clip(_search(below, component, place), lower, upper - 1))
    return MixedCodes(rows, codes)


def _components(index: MixtureIndex, blocks: ValuedBlocks, chosen: Codes, uniform: Uniform) -> Codes:
    """A component for each chosen block, by its weight and its mass inside the block."""
    place, found = uniform(len(chosen)), np.zeros(len(chosen), np.int64)
    order = np.argsort(chosen, kind="stable")
    step = max(1, AT_ONCE // len(index.mixture.weights))
    for first in range(0, len(order), step):
        some = order[first : first + step]
        distinct, which = np.unique(chosen[some], return_inverse=True)
        mass = index.components(blocks.lower[distinct], blocks.upper[distinct]) * index.mixture.weights
        upto = np.cumsum(mass, axis=1)
        upto /= upto[:, -1:]
        found[some] = (upto[which.ravel()] <= place[some, None]).sum(axis=1)
    return found.clip(0, len(index.mixture.weights) - 1)


def _search(below: Floats, component: Codes, place: Floats) -> Codes:
    """The code whose mass in a component holds each place on that component's running sum."""
    codes = np.zeros(len(place), np.int64)
    order = np.argsort(component, kind="stable")
    ends = np.searchsorted(component[order], np.arange(below.shape[1] + 1))
    for number in np.unique(component).tolist():
        some = order[ends[number] : ends[number + 1]]
        codes[some] = np.searchsorted(below[:, number], place[some], side="right") - 1
    return codes
