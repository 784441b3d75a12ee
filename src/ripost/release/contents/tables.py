"""Tables: the cells of every part of noisy tables, with how the tables were measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.answering.content.tables import TableContent
from ripost.errors import ReleaseError
from ripost.estimate.table_union import TableUnion
from ripost.release import node_packing as nodes
from ripost.release.contents.reader import ContentReader, Facts
from ripost.release.parquet import Columns


def encode_tables(content: TableContent) -> tuple[Facts, Columns]:
    """The manifest's facts and the columns after the bounds."""
    union = content.union
    products = zip(union.tables, union.weight.tolist(), strict=True)
    facts = {
        "variance": content.variance,
        "grams": [nodes.pack_floats(gram) for gram in union.grams],
        "products": [{"axes": list(table), "weight": weight} for table, weight in products],
    }
    density = [mass.tolist() for mass in content.density]
    return {"kind": content.kind, "marginals": density, "tree": None, "matrix": facts}, {"value": content.values}


@dataclass(frozen=True)
class TablesReader(ContentReader):
    """Reads tables."""

    def decode(self) -> TableContent:
        facts, shape = self.manifest.matrix, self.manifest.attributes.shape
        assert facts is not None and self.manifest.marginals is not None
        self.check_noise(np.array([facts.variance]))
        grams = tuple(
            nodes.unpack_floats(text, size**2).reshape(size, size)
            for text, size in zip(facts.grams, shape, strict=True)
        )
        weight = np.array([product.weight for product in facts.products])
        content = TableContent(
            shape,
            values=self.columns["value"],
            density=[np.array(mass, np.float64) for mass in self.manifest.marginals],
            union=TableUnion(grams, tuple(tuple(product.axes) for product in facts.products), weight),
            variance=facts.variance,
        )
        if (content.blocks.lower != self.bounds("lo")).any() or (content.blocks.upper != self.bounds("hi")).any():
            raise ReleaseError("its rows are not the cells of its tables")
        return content

    def check_tiling(self) -> str:
        content = self.decode()
        return f"{len(content.values):,} cells of {len(content.union.tables):,} tables"

    def check_variances(self) -> str:
        self.decode()
        return "follow from what was measured"
