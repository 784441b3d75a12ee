"""The codec of contents: which columns each kind has in a file, how it is encoded, and who reads it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tables import TableContent
from ripost.answering.content.tree import TreeContent
from ripost.release.contents.blocks import BlocksReader, encode_blocks
from ripost.release.contents.cells import BucketsReader, MatrixReader, encode_buckets, encode_matrix
from ripost.release.contents.measures import sums_types
from ripost.release.contents.reader import ContentReader, Facts
from ripost.release.contents.sample import SampleReader, encode_sample
from ripost.release.contents.tables import TablesReader, encode_tables
from ripost.release.measured_values import TYPES
from ripost.release.parquet import CORRECTION, Columns, ExpectedColumns, Types

INTEGER, REAL = np.dtype(np.int32), np.dtype(np.float64)
AFTER_BOUNDS: dict[str, Types] = {
    "blocks": {"value": REAL, "variance": REAL, "depth": INTEGER},
    "buckets": {"value": REAL, "variance": REAL, "bucket": INTEGER},
    "matrix": {"value": REAL, "variance": REAL},
    "tables": {"value": REAL},
    "sample": {"value": REAL},
}
ALLOWED = {"blocks": 1 << 27, "sample": 1 << 27} | dict.fromkeys(("buckets", "matrix", "tables"), 1 << 30)
"""Bytes of a column; cells are many and alike."""
READERS: dict[str, type[ContentReader]] = {
    "blocks": BlocksReader,
    "buckets": BucketsReader,
    "matrix": MatrixReader,
    "tables": TablesReader,
    "sample": SampleReader,
}


def encode_content(content: Content, names: Sequence[str]) -> tuple[Facts, Columns]:
    """Return what the manifest says of a content, and the columns of its file; `names` are those of the attributes."""
    facts, after = _encode(content)
    blocks = content.blocks
    sides = [end for axis in range(len(names)) for end in (blocks.lower[:, axis], blocks.upper[:, axis])]
    types = expect_columns(names, content.kind, mixture=CORRECTION in after).types
    arrays = zip(types.items(), [*sides, *after.values()], strict=True)
    return facts, {name: np.ascontiguousarray(array, dtype) for (name, dtype), array in arrays}


def expect_columns(
    names: Sequence[str], kind: str, *, mixture: bool, measurements: int = 0, measures: Sequence[str] = ()
) -> ExpectedColumns:
    """Return the columns of a file in order. No two are alike: those before the value end in _lo or _hi, and those
    of measures after it in _above, _correction or _variance.
    """
    bounds = {f"{name}_{end}": INTEGER for name in names for end in ("lo", "hi")}
    value, *others = AFTER_BOUNDS[kind].items()
    types = {**bounds, **dict([value, *([(CORRECTION, REAL)] if mixture else []), *others])}
    types |= sums_types(measures, mixture=mixture)
    return ExpectedColumns({**types, **TYPES} if measurements else types, measurements, ALLOWED[kind])


def _encode(content: Content) -> tuple[Facts, Columns]:
    match content:
        case TreeContent():
            return encode_blocks(content)
        case BucketContent():
            return encode_buckets(content)
        case MatrixContent():
            return encode_matrix(content)
        case TableContent():
            return encode_tables(content)
        case SampleContent():
            return encode_sample(content)
    raise TypeError(f"a release file cannot hold a content of kind {content.kind}")
