"""Read: the tensor of a table."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ripost.ingest.encode import encode
from ripost.ingest.opened import Opened
from ripost.ingest.packing import decode
from ripost.ingest.schema import Schema
from ripost.ingest.source import open_source
from ripost.tensor.tensor import Tensor


def read_tensor(source: Any, schema: Schema, *, table: str | None = None, secret: str | None = None) -> Tensor:
    """The tensor of a source by the rules of a schema.

    Args:
        table: name of the table, where the source is a database URL.
        secret: key by which a unit's rows are chosen; fresh unless a test fixes it.
    """
    with encoded(source, schema, table=table, secret=secret) as (opened, expression):
        return tensor_of(opened, expression, schema)


def tensor_of(opened: Opened, expression: Any, schema: Schema) -> Tensor:
    """The cells that an expression gives, in memory."""
    cells = decode(opened.run(expression), schema.domain.shape)
    return Tensor(schema.domain, *cells, schema.measure, schema.row_unit)


@contextmanager
def encoded(
    source: Any, schema: Schema, *, table: str | None = None, secret: str | None = None
) -> Iterator[tuple[Opened, Any]]:
    """A source that is open, and the expression of its non-empty cells.

    The secret is drawn here, once: whatever an engine works out again, after a fault say, comes out the same.
    """
    opened = open_source(source, columns=schema.columns, table=table)
    try:
        opened.check(schema)
        yield opened, encode(opened, schema, secret=secret or secrets.token_hex(16))
    finally:
        opened.close()
