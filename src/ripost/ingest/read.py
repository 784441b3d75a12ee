"""Read: the tensor of a table."""

from __future__ import annotations

import secrets
from typing import Any

from ripost.ingest.encode import decode, encode
from ripost.ingest.schema import Schema
from ripost.ingest.shield import shielded
from ripost.ingest.source import open_source
from ripost.tensor.tensor import Tensor


def read_tensor(source: Any, schema: Schema, *, table: str | None = None, secret: str | None = None) -> Tensor:
    """The tensor of a source by the rules of a schema.

    Args:
        table: name of the table, where the source is a database URL.
        secret: key by which a unit's rows are chosen; fresh unless a test fixes it.
    """
    schema.require_reviewed()
    opened = open_source(source, columns=schema.columns, table=table)
    try:
        opened.check(schema)
        expression = encode(opened, schema, secret=secret or secrets.token_hex(16))
        cells = shielded(lambda: opened.backend.to_pyarrow(expression), say=opened.complaint)
    finally:
        opened.close()
    return Tensor(schema.domain, *decode(cells, schema.domain), schema.measure, schema.row_unit)
