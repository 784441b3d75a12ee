"""Support of a mixture: the bins on which each component may have mass, so that impossible cells get exactly none.

A product of distributions is 0 in a box if one of its factors is 0 on the side of the box. So each component leaves out
one side of every impossible box. Which one is drawn with public randomness: a possible cell is drawn by the one-way
distributions, and a side that leaves this cell in is taken, so that no component loses all of an attribute.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.marginal import running_sums
from ripost.space.blocks import Blocks
from ripost.space.public_randomness import public_generator
from ripost.space.spine import Spine

SEED = 1  # of public randomness


def draw_support(spine: Spine, edges: Sequence[Codes], shares: Sequence[Floats], number: int) -> list[Mask] | None:
    """Which bins of each attribute each component may have, (number, bins); None if all cells are possible.

    `edges` are the bins of each attribute, with all edges of impossible boxes among them; `shares` are of these bins.
    """
    if spine.impossible is None:
        return None
    generator = public_generator(SEED)
    below = [running_sums(share) for share in shares]
    shape = [int(edge[-1]) for edge in edges]
    possible, impossible = (_to_bins(some, edges) for some in (spine.possible(shape), spine.impossible))
    masses = np.prod([b[possible.upper[:, i]] - b[possible.lower[:, i]] for i, b in enumerate(below)], axis=0)
    masses = masses if masses.sum() > 0 else np.ones(len(possible))
    block = np.searchsorted(np.cumsum(masses / masses.sum()), generator.random(number)).clip(max=len(possible) - 1)
    cell = np.empty((number, len(edges)), np.int64)
    for axis, sums in enumerate(below):
        low, high = possible.lower[block, axis], possible.upper[block, axis]
        mass = sums[low] + generator.random(number) * (sums[high] - sums[low])
        cell[:, axis] = np.clip(np.searchsorted(sums, mass, "right") - 1, low, high - 1)
    support = [np.ones((number, len(edge) - 1), bool) for edge in edges]
    for lower, upper in zip(impossible.lower, impossible.upper, strict=True):
        outside = (cell < lower) | (cell >= upper)
        side = np.where(outside, generator.random(outside.shape), -1.0).argmax(axis=1)
        for axis in np.unique(side).tolist():
            support[axis][side == axis, lower[axis] : upper[axis]] = False
    return support


def _to_bins(blocks: Blocks, edges: Sequence[Codes]) -> Blocks:
    """Blocks whose ends are edges of bins, in bins."""
    lower, upper = (
        np.stack([np.searchsorted(edge, side[:, axis]) for axis, edge in enumerate(edges)], axis=1)
        for side in (blocks.lower, blocks.upper)
    )
    return Blocks(lower, upper)
