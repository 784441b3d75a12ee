"""How nodes were measured, packed small: most trees have few distinct variances, level by level.

Nodes are listed depth-first, a parent before its left and then its right subtree, which needs no numbering.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.errors import ReleaseError
from ripost.space.tree import Tree


def pack(tree: Tree, variances: Floats) -> tuple[list[float], str]:
    """The distinct variances, and for each node in preorder the number of its own, from 1; 0 is not measured."""
    distinct = np.unique(variances[np.isfinite(variances)])
    number = np.where(np.isfinite(variances), np.searchsorted(distinct, variances) + 1, 0)
    listed = np.empty(len(tree), _width(len(distinct)))
    listed[tree.preorder] = number
    return distinct.tolist(), _compress(listed.tobytes())


def unpack(tree: Tree, distinct: list[float], nodes: str) -> Floats:
    """The variance of each node; infinite where it was not measured."""
    width = _width(len(distinct))
    raw = _decompress(nodes, len(tree) * width.itemsize, "measured nodes")
    number: Codes = np.frombuffer(raw, width).astype(np.int64)
    if number.max() > len(distinct):
        raise ReleaseError("the measured nodes do not fit the tree")
    return np.array([np.inf, *distinct]).take(number[tree.preorder])


def path_precisions(tree: Tree, variances: Floats) -> Floats:
    """The precision of all measurements from the root to each node together, (m,): a row is in every one of them."""
    precisions = 1 / variances
    for inner, left in tree.splits:
        precisions[left] += precisions[inner]
        precisions[left + 1] += precisions[inner]
    return precisions


def pack_numbers(numbers: Codes) -> str:
    """Whole numbers from 0 below 2^32, as text."""
    return _compress(numbers.astype("<u4").tobytes())


def unpack_numbers(text: str, count: int) -> Codes:
    """So many numbers; ReleaseError if the text holds others."""
    return np.frombuffer(_decompress(text, 4 * count, "depths"), "<u4").astype(np.int64)


def pack_floats(numbers: Floats) -> str:
    return _compress(np.ascontiguousarray(numbers, "<f8").tobytes())


def unpack_floats(text: str, count: int) -> Floats:
    """So many numbers; ReleaseError if the text holds others."""
    return np.frombuffer(_decompress(text, 8 * count, "Gram matrices", "domain"), "<f8").astype(np.float64)


def _compress(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 9)).decode()


def _decompress(text: str, expected: int, what: str, fit: str = "tree") -> bytes:
    """Bytes of a known number, and no more memory than for them."""
    try:
        raw = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), expected + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise ReleaseError(f"the {what} cannot be read") from None
    if len(raw) != expected:
        raise ReleaseError(f"the {what} do not fit the {fit}")
    return raw


def _width(distinct: int) -> np.dtype[Any]:
    return np.dtype("<u2") if distinct < 2**16 else np.dtype("<u4")
