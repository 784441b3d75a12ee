"""Feather and Arrow IPC files, whose footer or first message states names and types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.moments import refine_batch, refine_schema
from ripost.sources.readers.staging import open_pieces
from ripost.sources.source_table import SourceTable, require_columns

MAGIC, OLD_MAGIC = b"ARROW1", b"FEA1"


def read_ipc(paths: Sequence[Path], columns: Sequence[str], name: str) -> SourceTable:
    """The columns of Feather and Arrow files of one type."""
    found = [read_ipc_schema(path) for path in paths]
    for path, types in zip(paths, found, strict=True):
        require_columns(columns, types.names, name=str(path))
    return open_batches(paths, columns, name, found=found, read=read_batches, say=describe_ipc_error(name))


def open_batches(
    paths: Sequence[Path],
    columns: Sequence[str],
    name: str,
    *,
    found: Sequence[pa.Schema],
    read: Callable[[Path, list[str]], Iterable[pa.RecordBatch]],
    say: str,
) -> SourceTable:
    """The columns of files that Arrow reads; `found` are the names and types that they state."""
    wanted = list(dict.fromkeys(columns))
    chosen = [pa.schema([plain_field(types.field(column)) for column in wanted]) for types in found]
    for column in wanted:
        if len({str(types.field(column).type) for types in chosen}) > 1:
            raise SourceError(f"{name}: column {column} is not of one type in all files; write them with one type")

    def pieces() -> Iterator[pa.RecordBatch]:
        for path in paths:
            for batch in read(path, wanted):
                plain = pa.Table.from_batches([batch]).select(wanted).cast(chosen[0])
                yield from map(refine_batch, plain.to_batches())

    return open_pieces(name, refine_schema(chosen[0]), pieces, say=say)


def plain_field(field: pa.Field) -> pa.Field:
    """A field of values, where the file holds codes of a dictionary; any value may be missing."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    return pa.field(field.name, kind)


def read_ipc_schema(path: Path) -> pa.Schema:
    def read() -> pa.Schema:
        with pa.OSFile(str(path)) as file:
            if file.read(len(OLD_MAGIC)) == OLD_MAGIC:
                raise SourceError(f"{path}: is Feather of version 1; write it again with a newer library")
            return open_messages(file).schema

    return redact_errors(read, say=describe_ipc_error(path))


def read_batches(path: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of the record batches of a file, one after the other."""
    types = read_ipc_schema(path)
    chosen = pa.ipc.IpcReadOptions(included_fields=sorted(types.get_field_index(column) for column in columns))
    with pa.OSFile(str(path)) as file:
        messages = open_messages(file, chosen)
        if isinstance(messages, pa.RecordBatchFileReader):
            yield from (messages.get_batch(number) for number in range(messages.num_record_batches))
        else:
            yield from messages


def open_messages(file: Any, options: Any = None) -> Any:
    """The reader of a file of either kind: with a footer, or a stream of messages."""
    file.seek(0)
    is_file = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return pa.ipc.open_file(file, options=options) if is_file else pa.ipc.open_stream(file, options=options)


def list_ipc_columns(path: Path) -> list[str]:
    return list(read_ipc_schema(path).names)


def describe_ipc_error(name: str | Path) -> str:
    return f"{name}: is not an Arrow or Feather file, or is damaged or cut short"
