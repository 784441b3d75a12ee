"""The Parquet side of a release file: columns of known names and types, and one text in the metadata.

A file may come from anywhere, so nothing is read that was not first found to have the right shape and size.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ripost.errors import ReleaseError
from ripost.release.parquet_guard import add_unpacked_sizes, locate_chunks

KEY = b"ripost"
MAGIC = b"PAR1"
MOST_UNPACKED = 200  # times its size that a file may unpack to, if that is more than is allowed to any
LARGEST_TEXT = 1 << 28
LARGEST_LIST = 1 << 14  # of columns, or of row groups
ARROW_NAMES = {"int32": "int32", "float64": "double"}

Column = NDArray[Any]
Columns = Mapping[str, Column]
Types = Mapping[str, "np.dtype[Any]"]
Source = str | os.PathLike[str] | memoryview  # a file, or its bytes
CORRECTION = "correction"  # the column after `value` of blocks that correct a mixture


def arrow_table(columns: Columns) -> Any:
    """Columns as an Arrow table."""
    import pyarrow as pa

    # Buffers, because pyarrow imports all of pandas to turn a NumPy array into its own or back.
    arrays = [
        pa.Array.from_buffers(pa.type_for_alias(column.dtype.name), len(column), [None, pa.py_buffer(column)])
        for column in columns.values()
    ]
    schema = pa.schema([pa.field(name, a.type, nullable=False) for name, a in zip(columns, arrays, strict=True)])
    return pa.Table.from_arrays(arrays, schema=schema)


def encode(columns: Columns, text: str) -> memoryview:
    """The bytes of a Parquet file; the same for the same input."""
    import pyarrow.parquet as pq

    table = arrow_table(columns)
    sink = io.BytesIO()
    writer = pq.ParquetWriter(
        sink, table.schema, compression="zstd", store_schema=False, write_statistics=False, write_page_checksum=True
    )
    with writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: text.encode()})
    return sink.getbuffer()


@dataclass(frozen=True, slots=True)
class ExpectedColumns:
    """What a file must hold, by its text."""

    types: Types  # of its columns, in order
    allowed: int  # bytes in memory that it may ask for, however small it is


def decode(source: Source, expect: Callable[[str], ExpectedColumns]) -> tuple[str, dict[str, Column]]:
    """The text and the columns of a file; `expect` tells from the text what there must be."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _open(source) as (file, size):
        try:
            parquet = pq.ParquetFile(
                file,
                thrift_string_size_limit=LARGEST_TEXT,
                thrift_container_size_limit=LARGEST_LIST,
                page_checksum_verification=True,
                pre_buffer=False,
            )
            text = _text(parquet.metadata.metadata or {})
            expected = expect(text)
            _check(parquet, expected.types, most := max(expected.allowed, MOST_UNPACKED * size))
            _check_pages(file, parquet.metadata, most)
            # Threads that read by way of a Python file can abort the process when it ends (apache/arrow #50482).
            table = parquet.read(use_threads=False).combine_chunks()
            columns = {name: np.from_dlpack(table.column(name).chunk(0)) for name in expected.types}
        except ReleaseError:
            raise
        except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError):
            raise ReleaseError("it is damaged or cut short") from None
    return text, columns


@contextmanager
def _open(source: Source) -> Iterator[tuple[BinaryIO, int]]:
    """A plain file that starts like Parquet, with its size."""
    if isinstance(source, memoryview):
        yield io.BytesIO(source), len(source)
        return
    path = source
    with ExitStack() as stack:
        try:
            plain = stat.S_ISREG(Path(path).stat().st_mode)
            file = stack.enter_context(Path(path).open("rb")) if plain else None
        except FileNotFoundError:
            raise ReleaseError("there is no such file") from None
        except (OSError, ValueError) as error:
            raise ReleaseError(getattr(error, "strerror", None) or "it is no file name") from None
        if file is None:
            raise ReleaseError("it is not a plain file")
        size = os.fstat(file.fileno()).st_size
        if file.read(len(MAGIC)) != MAGIC:
            raise ReleaseError("it is not a Parquet file" if size else "it is empty")
        file.seek(0)
        yield file, size


def _text(metadata: Mapping[bytes, bytes]) -> str:
    if KEY not in metadata:
        raise ReleaseError("it is a Parquet file, but not a view made by ripost")
    try:
        return metadata[KEY].decode("ascii")
    except UnicodeDecodeError:
        raise ReleaseError("its manifest is not plain ASCII") from None


def _check(parquet: Any, expected: Types, most: int) -> None:
    """Refuse other columns than expected, and more rows than the file's bytes can contain."""
    found = [(field.name, str(field.type)) for field in parquet.schema_arrow]
    if found != [(name, ARROW_NAMES[kind.name]) for name, kind in expected.items()]:
        raise ReleaseError("its columns are not those of a view")
    rows = parquet.metadata.num_rows
    if rows < 1:
        raise ReleaseError("it has no blocks")
    if rows * sum(kind.itemsize for kind in expected.values()) > most:
        raise ReleaseError("it claims more blocks than a file of its size can hold")


def _check_pages(file: BinaryIO, metadata: Any, most: int) -> None:
    """Refuse pages that unpack to more bytes."""
    if add_unpacked_sizes(file, locate_chunks(metadata)) > most:
        raise ReleaseError("it unpacks to more than a file of its size can hold")
