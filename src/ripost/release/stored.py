"""Stored: what a release file holds, and the checks it must pass."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.answer import shortest_width
from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.cells import CellsContent
from ripost.answering.content.content import LARGEST, Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tree import TreeContent
from ripost.answering.mixed import Mixed, check_mixture
from ripost.errors import ReleaseError
from ripost.estimate.least_squares import Floats, Spread
from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.estimate.stack import Stack
from ripost.privacy.ledger_check import check_entries, variance_range
from ripost.release import nodes
from ripost.release.manifest import Manifest
from ripost.release.mixture_checks import check_corrected, check_pairs
from ripost.release.parquet import Columns, Types
from ripost.schema.domain import MOST_AXES_OF_CELLS
from ripost.space.blocks import Blocks, Codes
from ripost.space.tree import Tree

INTEGER, REAL = np.dtype(np.int32), np.dtype(np.float64)
AFTER_ENDS: dict[str, Types] = {
    "blocks": {"value": REAL, "variance": REAL, "depth": INTEGER},
    "buckets": {"value": REAL, "variance": REAL, "bucket": INTEGER},
    "matrix": {"value": REAL, "variance": REAL},
    "sample": {"value": REAL},
}
CORRECTION = "correction"  # the column after `value` of blocks that correct a mixture
ALLOWED = {"blocks": 1 << 27, "sample": 1 << 27, "buckets": 1 << 30, "matrix": 1 << 30}  # cells are many and alike
DEEPEST = 4096  # cuts from the whole to a block: work grows with levels, and no budget lasts as long
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
        privacy.check(blocks=len(self.columns["value"]) if self.manifest.kind == "blocks" else 1)
        check_entries(privacy, bound=self.manifest.measure.bound)
        at = f" at delta {float(privacy.delta):g}" if privacy.delta else ""
        spent, asked = privacy.epsilon_spent, float(privacy.epsilon)
        return f"spends {spent:g} of epsilon {asked:g}{at} for {privacy.unit}"

    def check_values(self) -> str:
        if not (np.abs(self.columns["value"]) <= LARGEST).all():
            raise ReleaseError("a value is not a finite number")
        if not (np.abs(self.columns.get(CORRECTION, np.zeros(0))) <= LARGEST).all():
            raise ReleaseError("a correction is not a finite number")
        variance = self.columns.get("variance", np.zeros(0))
        if not ((variance >= 0) & (variance <= LARGEST)).all():
            raise ReleaseError("a variance is negative or not a finite number")
        counted = self.manifest.counted
        if counted.step < 1 / LARGEST or not shortest_width(counted, self.manifest.promise) <= LARGEST:
            raise ReleaseError("what one row adds is too small or too large for its figures to be finite numbers")
        return "all finite"

    def check_tiling(self) -> str:
        if self.manifest.kind == "blocks":
            return f"{len(self.tree().leaves):,} blocks cover every cell exactly once"
        content = self._content()
        if self.manifest.kind == "sample":
            return f"{len(content.values):,} different records lie in the domain"
        return f"{len(content.values):,} cells are the whole domain"

    def check_variances(self) -> str:
        content = self._content()
        if self.manifest.kind == "sample":
            return "none are given: the method says nothing of its error"
        if isinstance(content, CellsContent):
            self._check_stated(content.cell_variance)
        else:
            self.checked_tree()
        return "follow from what was measured"

    def content(self) -> Content:
        """What the file holds; ReleaseError if its parts do not fit each other.

        The tree of blocks is made, and all that is checked of it, when it is first needed: before any answer.
        """
        content = self._content()
        if isinstance(content, CellsContent):
            self._check_stated(content.cell_variance)
        return content

    def checked_tree(self) -> Tree:
        """The tree of the blocks, if they tile the domain and their variances follow from it."""
        tree = self.tree()
        variances = self.variances(tree)
        try:
            spread = Spread.of(tree, variances)
        except ValueError:
            raise ReleaseError("the variances of the nodes are not those of a tree") from None
        self._check_stated(spread.posterior[tree.leaves])
        if self.mixed is not None:
            blocks, value = tree.boxes.take(tree.leaves), self.columns["value"]
            check_corrected(self.mixed, blocks, value, self.columns[CORRECTION], record=self._record)
        return tree

    @cached_property
    def mixed(self) -> Mixed | None:
        """The mixture with the released densities, if there is one."""
        mixture, shape = self.manifest.mixed, self.manifest.attributes.shape
        if mixture is None:
            return None
        check_mixture(mixture, shape, LARGEST)
        given = self.manifest.marginals or [None] * len(shape)
        return Mixed(mixture, tuple(None if mass is None else np.array(mass, np.float64) for mass in given))

    @property
    def _record(self) -> float:
        """The most that one record adds to a value."""
        return self.manifest.counted.bound * self.manifest.counted.step

    def _check_stated(self, found: Floats) -> None:
        if not np.allclose(found, self.columns["variance"], rtol=1e-9, atol=0):
            raise ReleaseError("the variances of the blocks do not follow from how the nodes were measured")

    def _check_noise(self, variances: Floats, *, may_be_more: bool = False) -> None:
        """ReleaseError unless measurements of these variances can come from the noise of the ledger, or more."""
        least, most = self._noise[0], np.inf if may_be_more else self._noise[1]
        if not ((variances >= least * (1 - 1e-9)) & (variances <= most * (1 + 1e-9))).all():
            raise ReleaseError("the variances of its measurements are not those of the noise in its ledger")

    @cached_property
    def _noise(self) -> tuple[float, float]:
        """The least and the largest variance that the noise of the ledger allows, in units of the measure."""
        privacy, measure = self.manifest.promise, self.manifest.measure
        check_entries(privacy, bound=measure.bound)
        least, most = variance_range(privacy)
        unit = measure.step * measure.step  # infinite, where ** would raise
        return least * unit, max(most, LEAST_VARIANCE * measure.bound**2) * unit

    def _content(self) -> Content:
        shape, values = self.manifest.attributes.shape, self.columns["value"]
        try:
            match self.manifest.kind:
                case "blocks":
                    error = self.manifest.stated_error
                    if error is not None:
                        known = [variance for variance in error.histogram_variances if variance is not None]
                        self._check_noise(np.array(known), may_be_more=error.pairs != ())
                        check_pairs(error.pairs, self.manifest.promise, self.manifest.counted)
                    return TreeContent(
                        shape,
                        tree=self.checked_tree,
                        values=values,
                        variances=self.variances,
                        density=self.manifest.marginals,
                        error_model=error,
                        mixture=None if self.mixed is None else self.mixed.mixture,
                        corrections=self.columns.get(CORRECTION),
                        record=self._record,
                    )
                case "sample":
                    return SampleContent(shape, coords=self._records(), values=values)
                case "buckets":
                    self._check_cells()
                    bucket = self.columns["bucket"].astype(np.int64)
                    return BucketContent(
                        shape, bucket=bucket, tree=self._tree_of_buckets(), values=values, variances=self.variances
                    )
                case "matrix":
                    self._check_cells()
                    assert self.manifest.matrix is not None
                    variance = self.manifest.matrix.variance
                    self._check_noise(np.array([variance]))
                    return MatrixContent(shape, values=values, stack=self._stack(), variance=variance)
        except ReleaseError:
            raise
        except ValueError as error:
            raise ReleaseError(f"its parts do not fit: {error}") from None

    def _check_cells(self) -> None:
        """That the rows are all cells of the domain, in row-major order."""
        shape = self.manifest.attributes.shape
        if math.prod(shape) != len(self.columns["value"]) or len(shape) > MOST_AXES_OF_CELLS:
            raise ReleaseError("its rows are not the cells of the domain")
        for axis, dimension in enumerate(self.manifest.domain):
            codes = np.arange(shape[axis]).reshape([-1 if other == axis else 1 for other in range(len(shape))])
            lower, upper = (self.columns[f"{dimension.name}_{end}"].reshape(shape) for end in ("lo", "hi"))
            if (lower != codes).any() or (upper != codes + 1).any():
                raise ReleaseError("its rows are not the cells of the domain")

    def _records(self) -> Codes:
        """Distinct sorted cells of the domain."""
        coords = self._ends("lo")
        step = np.sign(np.diff(coords, axis=0))
        first = np.take_along_axis(step, (step != 0).argmax(axis=1)[:, None], axis=1)
        if (self._ends("hi") != coords + 1).any() or (first <= 0).any():
            raise ReleaseError("its records are not different cells in order")
        return coords

    def _tree_of_buckets(self) -> Tree:
        facts = self.manifest.tree
        assert facts is not None and facts.depths is not None
        number = int(self.columns["bucket"].max()) + 1
        if not 1 <= number <= len(self.columns["bucket"]):
            raise ReleaseError("its buckets are not numbered one by one")
        leaf, depths = np.arange(number)[:, None], nodes.unpack_numbers(facts.depths, number)
        try:
            if (depths > DEEPEST).any():
                raise ValueError("no tree is that deep")
            return Tree.from_leaves((number,), Blocks(leaf, leaf + 1), depths)
        except ValueError:
            raise ReleaseError("its buckets are not the leaves of a tree") from None

    def _stack(self) -> Stack:
        facts, sizes = self.manifest.matrix, self.manifest.attributes.shape
        assert facts is not None
        grams = [
            nodes.unpack_floats(text, size**2).reshape(size, size)
            for text, size in zip(facts.grams, sizes, strict=True)
        ]
        measured = np.zeros((len(facts.products), len(sizes)), bool)
        for row, product in zip(measured, facts.products, strict=True):
            if any(axis >= len(sizes) for axis in product.axes):
                raise ReleaseError("a product measures a dimension that is not there")
            row[product.axes] = True
        return Stack(tuple(grams), measured, np.array([product.weight for product in facts.products]))

    def tree(self) -> Tree:
        """The tree of the blocks; ReleaseError if they do not tile the domain."""
        shape, depth = self.manifest.attributes.shape, self.columns["depth"].astype(np.int64)
        leaves = Blocks(self._ends("lo"), self._ends("hi"))
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

    def variances(self, tree: Tree) -> Floats:
        """Variance of each node's own measurement."""
        measured = self.manifest.tree.measured if self.manifest.tree else None
        if measured is None:
            variances = np.full(len(tree), np.inf)
            variances[tree.leaves] = self.columns["variance"]
            self._check_noise(self.columns["variance"])
            return variances
        variances = nodes.unpack(tree, measured.variances, measured.nodes)
        if not np.isfinite(variances[tree.is_leaf]).all():
            raise ReleaseError("a block was not measured")
        self._check_noise(np.array(measured.variances))
        if not (nodes.path_precisions(tree, variances) * self._noise[0] <= 1 + 1e-9).all():
            raise ReleaseError("its measurements on a path are more than the paths of its ledger pay for")
        return variances

    def _ends(self, end: str) -> Codes:
        sides = [self.columns[f"{dimension.name}_{end}"] for dimension in self.manifest.domain]
        return np.stack(sides, axis=1, dtype=np.int64)


def types(names: list[str], kind: str, *, mixture: bool = False) -> Types:
    """Columns in order. No two are alike: all but the last ones are a dimension's name with _lo or _hi."""
    ends = {f"{name}_{end}": INTEGER for name in names for end in ("lo", "hi")}
    value, *others = AFTER_ENDS[kind].items()
    return {**ends, **dict([value, *([(CORRECTION, REAL)] if mixture else []), *others])}


def digest(text: str, columns: Columns) -> str:
    """SHA-256 of the manifest without its first member, the digest, and of the columns' little-endian bytes."""
    found = hashlib.sha256(b"{" + text[DIGEST_LENGTH:].encode())
    for column in columns.values():
        found.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).data)
    return found.hexdigest()
