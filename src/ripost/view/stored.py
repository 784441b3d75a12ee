"""Stored: what a release file holds, and the checks it must pass."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from ripost.errors import ReleaseError
from ripost.estimate.least_squares import Floats, Spread
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree
from ripost.view import nodes
from ripost.view.manifest import Manifest
from ripost.view.parquet import Columns, Types
from ripost.view.view import LARGEST

DIGEST_START = '{"digest":"'
DIGEST_LENGTH = len(DIGEST_START) + 64 + len('",')


@dataclass(frozen=True)
class Stored:
    """A manifest and columns. Each check returns what it found and raises ReleaseError if that is wrong."""

    manifest: Manifest
    text: str
    columns: Columns

    def check_digest(self) -> str:
        if self.manifest.digest != digest(self.text, self.columns):
            raise ReleaseError("it was edited or damaged after it was made: its digest does not match")
        return f"sha256 {self.manifest.digest[:16]}…"

    def check_ledger(self) -> str:
        privacy = self.manifest.promise
        privacy.check(blocks=len(self.columns["value"]))
        at = f" at delta {float(privacy.delta):g}" if privacy.delta else ""
        spent, asked = privacy.epsilon_spent, float(privacy.epsilon)
        return f"spends {spent:g} of epsilon {asked:g}{at} for {privacy.unit}"

    def check_values(self) -> str:
        value, variance = self.columns["value"], self.columns["variance"]
        if not (np.abs(value) <= LARGEST).all():
            raise ReleaseError("a value is not a finite number")
        if not ((variance >= 0) & (variance <= LARGEST)).all():
            raise ReleaseError("a variance is negative or not a finite number")
        return "all finite"

    def check_tiling(self) -> str:
        return f"{len(self.tree().leaves):,} blocks cover every cell exactly once"

    def check_variances(self) -> str:
        tree = self.tree()
        posterior = Spread.of(tree, self.variances(tree)).posterior[tree.leaves]
        if not np.allclose(posterior, self.columns["variance"], rtol=1e-9, atol=0):
            raise ReleaseError("the variances of the blocks do not follow from how the nodes were measured")
        return "follow from what was measured"

    def tree(self) -> Tree:
        """The tree of the blocks; ReleaseError if they do not tile the domain."""
        shape, depth = self.manifest.attributes.shape, self.columns["depth"].astype(np.int64)
        leaves = Blocks(self._ends("lo"), self._ends("hi"))
        try:
            if not ((depth >= 0) & (depth < len(depth))).all():
                raise ValueError("no tree is that deep")
            tree = Tree.from_leaves(shape, leaves, depth)
            found = tree.boxes.take(tree.leaves)
            if (found.lower != leaves.lower).any() or (found.upper != leaves.upper).any():
                raise ValueError("cuts give other boxes")
        except ValueError:
            raise ReleaseError("its blocks do not tile the domain") from None
        return tree

    def variances(self, tree: Tree) -> Floats:
        """Variance of each node's own measurement."""
        measured = self.manifest.tree.measured
        if measured is None:
            variances = np.full(len(tree), np.inf)
            variances[tree.leaves] = self.columns["variance"]
            return variances
        variances = nodes.unpack(tree, measured.variances, measured.nodes)
        if not np.isfinite(variances[tree.is_leaf]).all():
            raise ReleaseError("a block was not measured")
        return variances

    def _ends(self, end: str) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        sides = [self.columns[f"{dimension.name}_{end}"] for dimension in self.manifest.domain]
        return np.stack(sides, axis=1, dtype=np.int64)


def types(names: list[str]) -> Types:
    """Columns in order. No two are alike: all but the last three are a dimension's name with _lo or _hi."""
    integer, real = np.dtype(np.int32), np.dtype(np.float64)
    ends = {f"{name}_{end}": integer for name in names for end in ("lo", "hi")}
    return {**ends, "value": real, "variance": real, "depth": integer}


def digest(text: str, columns: Columns) -> str:
    """SHA-256 of the manifest without its first member, the digest, and of the columns' little-endian bytes."""
    found = hashlib.sha256(b"{" + text[DIGEST_LENGTH:].encode())
    for column in columns.values():
        found.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).data)
    return found.hexdigest()
