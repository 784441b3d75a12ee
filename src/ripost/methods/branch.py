"""Branches: blocks together with their nodes in the tree that is growing. Not a method itself."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ripost.arrays import Codes, Floats, Mask
from ripost.privacy.account import Partition
from ripost.space.tree import Tree

LEAST_VARIANCE = 1e-200  # noise this small is almost surely 0; its inverse stays finite

Branch = tuple[Partition, Codes]  # blocks and their nodes
Measured = tuple[Codes, Codes, float]  # nodes, their noisy totals, and the variance of the noise


def joined(branches: list[Branch]) -> Branch:
    """These branches as one, in order."""
    if len(branches) == 1:
        return branches[0]
    partitions, nodes = zip(*branches, strict=True)
    return partitions[0].merge(*partitions[1:]), np.concatenate(nodes)


def parted(branch: Branch, mask: Mask) -> tuple[Branch, Branch]:
    """The blocks where the mask holds, and the others."""
    chosen, rest = branch[0].select(mask)
    return (chosen, branch[1][mask]), (rest, branch[1][~mask])


def weighed(tree: Tree, measured: Iterable[Measured]) -> tuple[Floats, Floats]:
    """Value and variance of every node from all its measurements; infinite variance where there is none."""
    values, precision = np.zeros(len(tree)), np.zeros(len(tree))
    for nodes, noisy, variance in measured:
        factor = 1 / max(variance, LEAST_VARIANCE)
        precision[nodes] += factor
        values[nodes] += (noisy - values[nodes]) * (factor / precision[nodes])
    with np.errstate(divide="ignore"):
        return values, 1 / precision
