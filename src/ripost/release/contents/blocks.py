"""Blocks: the leaves of a tree, perhaps with a mixture that they correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.content.content import LARGEST
from ripost.answering.content.tree import TreeContent
from ripost.answering.density_mixture import DensityMixture, check_mixture
from ripost.arrays import Floats
from ripost.errors import ReleaseError
from ripost.estimate.least_squares import TreeCovariance
from ripost.estimate.mixture import Mixture
from ripost.release.contents.measures import name_columns
from ripost.release.contents.reader import DEEPEST, ContentReader, Facts, measured_facts
from ripost.release.measured_values import MeasuredValues
from ripost.release.mixture_checks import check_corrected, check_pairs
from ripost.release.model_facts import error_facts, mixture_facts
from ripost.release.parquet import CORRECTION, Columns
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree


def encode_blocks(content: TreeContent) -> tuple[Facts, Columns]:
    """The manifest's facts and the columns after the bounds."""
    tree, variances = content.tree, content.node_variances
    inner_measured = bool(np.isfinite(variances[~tree.is_leaf]).any())
    facts = {
        "marginals": content.density and [None if axis is None else axis.tolist() for axis in content.density],
        "tree": {"measured": measured_facts(tree, variances) if inner_measured else None},
        **({} if content.error_model is None else {"error_model": error_facts(content.error_model)}),
        **({} if content.mixture is None else {"mixture": mixture_facts(content.mixture)}),
    }
    columns = {
        "value": content.values,
        **({} if content.mixture is None else {CORRECTION: content.corrections}),
        "variance": content.blocks.variance,
        "depth": tree.depth[tree.leaves],
    }
    return facts, columns


@dataclass(frozen=True)
class BlocksReader(ContentReader):
    """Reads blocks. The tree is built, and checked, when it is first needed: before any answer."""

    def decode(self) -> TreeContent:
        error = self.manifest.stated_error
        if error is not None:
            known = [variance for variance in error.histogram_variances if variance is not None]
            self.check_noise(np.array(known), may_be_more=True)  # they are multiplied by the misfits
            check_pairs(error.pairs, self.manifest.promise, self.manifest.counted)
        return TreeContent(
            self.manifest.attributes.shape,
            tree=self.checked_tree,
            values=self.columns["value"],
            variances=self.read_variances,
            density=self.manifest.marginals,
            error_model=error,
            mixture=None if self._density_mixture is None else self._density_mixture.mixture,
            corrections=self.columns.get(CORRECTION),
            row_bound=self._row_bound,
            impossible=self.manifest.attributes.spine.impossible,
        )

    def check_tiling(self) -> str:
        return f"{len(self.measured_tree().leaves):,} blocks cover every cell exactly once"

    def check_variances(self) -> str:
        self.decode()
        self.checked_tree()
        return "follow from what was measured"

    def checked_tree(self) -> Tree:
        """Return the tree of the blocks; ReleaseError unless they tile the domain and their variances follow."""
        tree = self.measured_tree()
        self.check_stated(_posterior(tree, self.read_variances(tree)))
        if self._density_mixture is not None:
            blocks, value = tree.boxes.take(tree.leaves), self.columns["value"]
            check_corrected(self._density_mixture, blocks, value, self.columns[CORRECTION], row_bound=self._row_bound)
        self._check_impossible(tree)
        return tree

    def _check_impossible(self, tree: Tree) -> None:
        """ReleaseError unless impossible cells fill whole blocks that are 0 in all their parts."""
        spine = self.manifest.attributes.spine
        if spine.impossible is None:
            return
        blocks = tree.boxes.take(tree.leaves)
        if spine.find_cuts(blocks)[0].any():
            raise ReleaseError("a block holds both possible and impossible cells")
        impossible = spine.is_impossible(blocks)
        here, names = blocks.take(impossible), ["value", CORRECTION]
        for sums in self.manifest.measures or ():
            names += name_columns(sums.name, mixture=sums.mixture is not None)
        sides = here.lower.astype(np.float64), here.upper.astype(np.float64)
        if any(one.components(one.box_sides(*sides), np.arange(len(here))).any() for one in self._mixtures) or any(
            self.columns[name][impossible].any() for name in names if name in self.columns
        ):
            raise ReleaseError("an impossible block is not 0")

    def measured_tree(self) -> Tree:
        """Return the tree of the blocks; ReleaseError unless the noisy measurements are of its nodes too."""
        tree, facts = self.read_tree(), self.manifest.measurements
        if facts is not None:
            MeasuredValues.read(self.columns, facts).check_blocks(self.manifest.promise.all_entries, tree)
        return tree

    def read_tree(self) -> Tree:
        """Return the tree of the blocks; ReleaseError if they do not tile the domain."""
        shape, depth = self.manifest.attributes.shape, self.columns["depth"].astype(np.int64)
        leaves = Blocks(self.bounds("lo"), self.bounds("hi"))
        try:
            if not ((depth >= 0) & (depth <= DEEPEST)).all():
                raise ValueError("no tree is that deep")
            tree = Tree.from_leaves(shape, leaves, depth)
            found = tree.boxes.take(tree.leaves)
            if (found.lower != leaves.lower).any() or (found.upper != leaves.upper).any():
                raise ValueError("cuts give other boxes")
        except ValueError:
            raise ReleaseError("its blocks do not tile the domain") from None
        return tree

    @cached_property
    def _density_mixture(self) -> DensityMixture | None:
        """The mixture with the released densities, if there is one."""
        mixture = self.manifest.mixed
        return None if mixture is None else self._add_densities(mixture, self.manifest.marginals)

    @property
    def _mixtures(self) -> list[DensityMixture]:
        """The mixtures of the counts and of all measures with their densities."""
        sums = [(one.mixture.mixture(), one.marginals) for one in self.manifest.measures or () if one.mixture]
        found = [self._add_densities(mixture, marginals) for mixture, marginals in sums]
        return found if self._density_mixture is None else [self._density_mixture, *found]

    def _add_densities(self, mixture: Mixture, marginals: Sequence[Sequence[float] | None] | None) -> DensityMixture:
        shape = self.manifest.attributes.shape
        check_mixture(mixture, shape, LARGEST)
        given = marginals or [None] * len(shape)
        return DensityMixture(mixture, tuple(None if mass is None else np.array(mass, np.float64) for mass in given))

    @property
    def _row_bound(self) -> float:
        """The most that one row adds to a value."""
        return self.manifest.counted.bound * self.manifest.counted.step


def _posterior(tree: Tree, variances: Floats) -> Floats:
    """The variance of the value of each leaf."""
    try:
        return TreeCovariance.of(tree, variances).posterior[tree.leaves]
    except ValueError:
        raise ReleaseError("the variances of the nodes are not those of a tree") from None
