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
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from ripost.errors import ReleaseError
from ripost.release.parquet_guard import add_unpacked_sizes, locate_chunks

KEY = b"ripost"
MAGIC = b"PAR1"
MOST_UNPACKED = 200  # times its size that a file may unpack to, if that is more than is allowed to any
LARGEST_TEXT = 1 << 28
LARGEST_LIST = 1 << 14  # of columns, or of row groups
ARROW_NAMES = {"int32": "int32", "int64": "int64", "float64": "double"}

Column = NDArray[Any]
Columns = Mapping[str, Column]
Types = Mapping[str, "np.dtype[Any]"]
Source = str | os.PathLike[str] | memoryview  # a file, or its bytes
T = TypeVar("T")
LISTED = "measurements"  # the only column of lists
PACKED = "DELTA_BINARY_PACKED"  # how its fields are encoded: consecutive rows, and values near each other
LEAST_ITEM = 4  # bytes of a value in memory
CORRECTION = "correction"  # the column after `value` of blocks that correct a mixture


def arrow_table(columns: Columns) -> Any:
    """Columns as an Arrow table. Those named `list.field` become one column of lists, all in the first row."""
    import pyarrow as pa

    plain, lists = split_columns(columns)
    arrays = [_arrow_array(column) for column in plain.values()]
    for fields in lists.values():
        items = [_arrow_array(column) for column in fields.values()]
        kinds = [pa.field(name, item.type, nullable=False) for name, item in zip(fields, items, strict=True)]
        offsets = np.full(len(arrays[0]) + 1, len(items[0]), np.int32)
        offsets[0] = 0
        held = pa.StructArray.from_arrays(items, fields=kinds)
        kind = pa.list_(pa.field("element", held.type, nullable=False))
        arrays.append(pa.ListArray.from_arrays(_arrow_array(offsets), held, type=kind))
    names = [*plain, *lists]
    schema = pa.schema([pa.field(name, a.type, nullable=False) for name, a in zip(names, arrays, strict=True)])
    return pa.Table.from_arrays(arrays, schema=schema)


def split_columns(columns: Mapping[str, T]) -> tuple[dict[str, T], dict[str, dict[str, T]]]:
    """Plain columns, and the fields of each column of lists."""
    plain, lists = dict[str, T](), dict[str, dict[str, T]]()
    for name, column in columns.items():
        whole, point, field = name.rpartition(".")
        if point and whole == LISTED:
            lists.setdefault(whole, {})[field] = column
        else:
            plain[name] = column
    return plain, lists


def _arrow_array(column: Column) -> Any:
    """An Arrow array of the column's buffer: pyarrow imports all of pandas to turn a NumPy array into its own."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.type_for_alias(column.dtype.name), len(column), [None, pa.py_buffer(column)])


def encode(columns: Columns, text: str) -> memoryview:
    """The bytes of a Parquet file; the same for the same input."""
    import pyarrow.parquet as pq

    table, (plain, lists) = arrow_table(columns), split_columns(columns)
    packed = {f"{name}.list.element.{field}": PACKED for name, fields in lists.items() for field in fields}
    sink = io.BytesIO()
    writer = pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        use_dictionary=list(plain),
        column_encoding=packed or None,
        store_schema=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    with writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: text.encode()})
    return sink.getbuffer()


@dataclass(frozen=True, slots=True)
class ExpectedColumns:
    """What a file must hold, by its text."""

    types: Types  # of its columns, in order
    listed: int  # items of its column of lists, if it has one
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
            _check(parquet, expected, most := max(expected.allowed, MOST_UNPACKED * size))
            _check_pages(file, size, parquet.metadata, most)
            # Threads that read by way of a Python file can abort the process when it ends (apache/arrow #50482).
            table = parquet.read(use_threads=False).combine_chunks()
            columns = {name: np.from_dlpack(array) for name, array in _arrays(table, expected).items()}
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
            raise ReleaseError(getattr(error, "strerror", None) or "it is not a file name") from None
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


def _check(parquet: Any, expected: ExpectedColumns, most: int) -> None:
    """Refuse other columns than expected, and more rows than the file's bytes can contain."""
    plain, lists = split_columns(expected.types)
    types = {name: ARROW_NAMES[kind.name] for name, kind in plain.items()}
    for name, fields in lists.items():
        items = ", ".join(f"{field}: {ARROW_NAMES[kind.name]} not null" for field, kind in fields.items())
        types[name] = f"list<element: struct<{items}> not null>"
    if [(field.name, str(field.type)) for field in parquet.schema_arrow] != list(types.items()):
        raise ReleaseError("its columns are not those of a view")
    rows = parquet.metadata.num_rows
    if rows < 1:
        raise ReleaseError("it has no blocks")
    held = rows * sum(kind.itemsize for kind in plain.values())
    held += expected.listed * sum(kind.itemsize for fields in lists.values() for kind in fields.values())
    if held > most:
        raise ReleaseError("it claims more blocks than a file of its size can hold")


def _check_pages(file: BinaryIO, size: int, metadata: Any, most: int) -> None:
    """Refuse pages that unpack to more bytes, or to more values than so many bytes can hold."""
    places = locate_chunks(file, size, groups=metadata.num_row_groups, columns=metadata.num_columns)
    unpacked, values = add_unpacked_sizes(file, places)
    if max(unpacked, LEAST_ITEM * values) > most:
        raise ReleaseError("it unpacks to more than a file of its size can hold")


def _arrays(table: Any, expected: ExpectedColumns) -> dict[str, Any]:
    """The Arrow arrays of plain columns and of the fields of lists, which must all be in the first row."""
    plain, lists = split_columns(expected.types)
    found = {name: table.column(name).chunk(0) for name in plain}
    for name, fields in lists.items():
        whole = table.column(name).chunk(0)
        if whole.offset or whole.null_count or len(whole.values) != expected.listed:
            raise ReleaseError("it has another number of measurements than its manifest says")
        if (np.from_dlpack(whole.offsets) != [0, *[expected.listed] * len(whole)]).any():
            raise ReleaseError("its measurements are not in the first row")
        found |= {f"{name}.{field}": whole.values.field(field) for field in fields}
    return found
