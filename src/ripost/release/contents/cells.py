"""Buckets and matrices: contents with one row for each cell of the domain, in row-major order."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.cells import CellsContent
from ripost.answering.content.matrix import MatrixContent
from ripost.errors import ReleaseError
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.release import node_packing as nodes
from ripost.release.contents.reader import DEEPEST, ContentReader, Facts, measured_facts
from ripost.release.parquet import Columns
from ripost.schema.domain import MOST_AXES_OF_CELLS
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree


def encode_buckets(content: BucketContent) -> tuple[Facts, Columns]:
    """The manifest's facts and the columns after the bounds."""
    tree = content.tree
    facts = {
        "depths": nodes.pack_numbers(tree.depth[tree.leaves]),
        "measured": measured_facts(tree, content.node_variances),  # the variances of cells do not determine them
    }
    columns = {"value": content.values, "variance": content.cell_variance, "bucket": content.bucket}
    return {"kind": content.kind, "marginals": None, "tree": facts}, columns


def encode_matrix(content: MatrixContent) -> tuple[Facts, Columns]:
    """The manifest's facts and the columns after the bounds."""
    products = zip(content.stack.measured, content.stack.weight.tolist(), strict=True)
    facts = {
        "variance": content.variance,
        "grams": [nodes.pack_floats(gram) for gram in content.stack.grams],
        "products": [{"axes": np.flatnonzero(measured).tolist(), "weight": weight} for measured, weight in products],
    }
    columns = {"value": content.values, "variance": content.cell_variance}
    return {"kind": content.kind, "marginals": None, "tree": None, "matrix": facts}, columns


@dataclass(frozen=True)
class CellsReader(ContentReader):
    """Reads a content of cells."""

    def decode(self) -> CellsContent:
        content = self._read()
        self.check_stated(content.cell_variance)
        return content

    def check_tiling(self) -> str:
        return f"{len(self._read().values):,} cells are the whole domain"

    def check_variances(self) -> str:
        self.decode()
        return "follow from what was measured"

    @abstractmethod
    def _read(self) -> CellsContent:
        """The content, whatever the column of variances says."""

    def _check_cells(self) -> None:
        """Raise ReleaseError unless the rows are all cells of the domain, in row-major order."""
        shape = self.manifest.attributes.shape
        if math.prod(shape) != len(self.columns["value"]) or len(shape) > MOST_AXES_OF_CELLS:
            raise ReleaseError("its rows are not the cells of the domain")
        for axis, dimension in enumerate(self.manifest.domain):
            codes = np.arange(shape[axis]).reshape([-1 if other == axis else 1 for other in range(len(shape))])
            lower, upper = (self.columns[f"{dimension.name}_{end}"].reshape(shape) for end in ("lo", "hi"))
            if (lower != codes).any() or (upper != codes + 1).any():
                raise ReleaseError("its rows are not the cells of the domain")


@dataclass(frozen=True)
class BucketsReader(CellsReader):
    """Reads cells whose buckets share a total."""

    def _read(self) -> BucketContent:
        self._check_cells()
        bucket = self.columns["bucket"].astype(np.int64)
        return BucketContent(
            self.manifest.attributes.shape,
            bucket=bucket,
            tree=self._read_tree(),
            values=self.columns["value"],
            variances=self.read_variances,
        )

    def _read_tree(self) -> Tree:
        """The tree whose leaves are the buckets."""
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


@dataclass(frozen=True)
class MatrixReader(CellsReader):
    """Reads cells that were estimated from a matrix of measurements."""

    def _read(self) -> MatrixContent:
        self._check_cells()
        assert self.manifest.matrix is not None
        variance = self.manifest.matrix.variance
        self.check_noise(np.array([variance]))
        shape, values = self.manifest.attributes.shape, self.columns["value"]
        return MatrixContent(shape, values=values, stack=self._read_stack(), variance=variance)

    def _read_stack(self) -> KroneckerUnion:
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
        return KroneckerUnion(tuple(grams), measured, np.array([product.weight for product in facts.products]))
