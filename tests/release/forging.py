"""Files as a forger would make them: any columns and any manifest, with a digest that matches or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ripost.release.manifest import dump
from ripost.release.parquet import LISTED, arrow_table, split_columns
from ripost.release.release_file import digest

Manifest = dict[str, Any]
Columns = dict[str, Any]


def read(path: Path) -> tuple[Manifest, Columns]:
    """The manifest and columns of a sound file."""
    table = pq.read_table(path)
    return json.loads(table.schema.metadata[b"ripost"]), read_columns(table)


def read_columns(table: pa.Table) -> Columns:
    """The columns of a file, the fields of its measurements among them."""
    found: Columns = {}
    for name in table.column_names:
        if name == LISTED:
            items = table[name].combine_chunks().flatten()
            fields = {field.name: items.field(field.name) for field in items.type}
            found |= {f"{name}.{field}": array.to_numpy().copy() for field, array in fields.items()}
        else:
            found[name] = table[name].to_numpy().copy()
    return found


def build_table(columns: Columns) -> pa.Table:
    """A table of any columns; fields of measurements make up its column of lists, in the first row."""
    plain, lists = split_columns(columns)
    table = pa.table(plain)
    for name, fields in lists.items():
        rows = np.zeros(table.num_rows, np.int32)
        column = arrow_table({"rows": rows, **{f"{name}.{field}": array for field, array in fields.items()}})
        table = table.append_column(column.schema.field(name), column[name])
    return table


def forge(path: Path, change: Callable[[Manifest, Columns], Any], *, sealed: bool = True) -> None:
    """Change a sound file; `sealed` makes the digest fit again, as whoever can write the file could."""
    manifest, columns = read(path)
    given = change(manifest, columns)
    if isinstance(given, str):
        text = given
    else:
        text = dump(manifest)
        if sealed:
            text = dump(manifest | {"digest": digest(text, columns)})
    write(path, columns, {b"ripost": text.encode()})


def leave_out_measurements(manifest: Manifest, columns: Columns) -> None:
    """Make it a file of format 2, as whoever wants less to be checked would."""
    manifest.pop("measurements", None)
    manifest["version"] = 2
    for name in [name for name in columns if name.startswith(f"{LISTED}.")]:
        del columns[name]


def write(path: Path, columns: Columns, metadata: dict[bytes, bytes] | None) -> None:
    pq.write_table(build_table(columns).replace_schema_metadata(metadata), path)
