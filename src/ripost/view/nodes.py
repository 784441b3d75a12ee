"""How nodes were measured, packed small: most trees have few distinct variances, level by level.

Nodes are listed depth-first, a parent before its left and then its right subtree, which needs no numbering.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np

from ripost.errors import ReleaseError
from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Codes
from ripost.space.tree import Tree


def preorder(tree: Tree) -> Codes:
    """Place of each node when a parent comes before its left and then its right subtree, (m,)."""
    size = np.ones(len(tree), np.int64)
    steps = [(inner, tree.child[inner]) for inner in (level[~tree.is_leaf[level]] for level in tree.levels)]
    for inner, left in reversed(steps):
        size[inner] += size[left] + size[left + 1]
    place = np.zeros(len(tree), np.int64)
    for inner, left in steps:
        place[left] = place[inner] + 1
        place[left + 1] = place[left] + size[left]
    return place


def pack(tree: Tree, variances: Floats) -> tuple[list[float], str]:
    """The distinct variances, and for each node in preorder the number of its own, from 1; 0 is not measured."""
    distinct = np.unique(variances[np.isfinite(variances)])
    number = np.where(np.isfinite(variances), np.searchsorted(distinct, variances) + 1, 0)
    listed = np.empty(len(tree), _width(len(distinct)))
    listed[preorder(tree)] = number
    return distinct.tolist(), base64.b64encode(zlib.compress(listed.tobytes(), 9)).decode()


def unpack(tree: Tree, distinct: list[float], nodes: str) -> Floats:
    """The variance of each node; infinite where it was not measured."""
    width = _width(len(distinct))
    expected = len(tree) * width.itemsize
    try:
        packed = zlib.decompressobj()
        raw = packed.decompress(base64.b64decode(nodes, validate=True), expected + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise ReleaseError("the measured nodes cannot be read") from None
    number: Codes = np.frombuffer(raw if len(raw) == expected else b"", width).astype(np.int64)
    if len(number) != len(tree) or number.max() > len(distinct):
        raise ReleaseError("the measured nodes do not fit the tree")
    return np.array([np.inf, *distinct]).take(number[preorder(tree)])


def _width(distinct: int) -> np.dtype[Any]:
    return np.dtype("<u2") if distinct < 2**16 else np.dtype("<u4")
