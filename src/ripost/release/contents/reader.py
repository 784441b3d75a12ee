"""ContentReader: the content of a release file, checked against its manifest. Each kind of content has a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ripost.answering.content.content import Content
from ripost.arrays import Codes, Floats
from ripost.errors import ReleaseError
from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.privacy.ledger_check import check_entries, variance_range
from ripost.release import node_packing as nodes
from ripost.release.manifest import Manifest
from ripost.release.parquet import Columns
from ripost.space.tree import Tree

DEEPEST = 4096  # cuts from the root to a block: work grows with the levels, and no budget lasts that long

Facts = dict[str, Any]  # part of a manifest


@dataclass(frozen=True)
class ContentReader(ABC):
    """The manifest and the columns of a file. Each check returns what it found, or raises ReleaseError."""

    manifest: Manifest
    columns: Columns

    @abstractmethod
    def decode(self) -> Content:
        """Return the content. A ValueError says that its parts do not fit each other."""

    @abstractmethod
    def check_tiling(self) -> str: ...

    @abstractmethod
    def check_variances(self) -> str: ...

    def bounds(self, end: str) -> Codes:
        """The lower ("lo") or upper ("hi") codes of each row, (n, d)."""
        sides = [self.columns[f"{dimension.name}_{end}"] for dimension in self.manifest.domain]
        return np.stack(sides, axis=1, dtype=np.int64)

    def read_variances(self, tree: Tree) -> Floats:
        """Return the variance of each node's own measurement; ReleaseError if the ledger does not allow it."""
        measured = self.manifest.tree.measured if self.manifest.tree else None
        if measured is None:
            variances = np.full(len(tree), np.inf)
            variances[tree.leaves] = self.columns["variance"]
            noisy = self._noisy(tree, variances)
            self.check_noise(noisy[np.isfinite(noisy)])
            return variances
        variances = nodes.unpack(tree, measured.variances, measured.nodes)
        if not np.isfinite(variances[tree.is_leaf]).all():
            raise ReleaseError("a block was not measured")
        noisy, listed = self._noisy(tree, variances), np.array(measured.variances)
        self.check_noise(listed[listed > 0] if self.manifest.impossible is not None else listed)
        if not (nodes.path_precisions(tree, noisy) * self._noise[0] <= 1 + 1e-9).all():
            raise ReleaseError("its measurements on a path are more than the paths of its ledger pay for")
        return variances

    def _noisy(self, tree: Tree, variances: Floats) -> Floats:
        """The variances of noise, infinite for impossible blocks, which are known; ReleaseError if they have any."""
        known = self.manifest.attributes.spine.impossible_leaves(tree)
        if (variances[known] != 0).any():
            raise ReleaseError("an impossible block has noise")
        found = variances.copy()
        found[known] = np.inf
        return found

    def check_stated(self, found: Floats) -> None:
        """Raise ReleaseError unless the column of variances holds these."""
        if not np.allclose(found, self.columns["variance"], rtol=1e-9, atol=0):
            raise ReleaseError("the variances of the blocks do not follow from how the nodes were measured")

    def check_noise(self, variances: Floats, *, may_be_more: bool = False) -> None:
        """Raise ReleaseError unless the noise in the ledger can have these variances, or less than these."""
        least, most = self._noise[0], np.inf if may_be_more else self._noise[1]
        if not ((variances >= least * (1 - 1e-9)) & (variances <= most * (1 + 1e-9))).all():
            raise ReleaseError("the variances of its measurements are not those of the noise in its ledger")

    @cached_property
    def _noise(self) -> tuple[float, float]:
        """The smallest and the largest variance that the ledger's noise allows, in units of the measure."""
        privacy, measure = self.manifest.promise, self.manifest.measure
        check_entries(privacy, bound=measure.bound)
        least, most = variance_range(privacy)
        unit = measure.step * measure.step  # infinite, where ** would raise
        return least * unit, max(most, LEAST_VARIANCE * measure.bound**2) * unit


def measured_facts(tree: Tree, variances: Floats) -> Facts:
    """Encode how nodes were measured."""
    distinct, packed = nodes.pack(tree, variances)
    return {"variances": distinct, "nodes": packed}
