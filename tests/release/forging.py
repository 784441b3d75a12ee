"""Files as a forger would make them: any columns and any manifest, with a digest that matches or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ripost.release.manifest import dump
from ripost.release.release_file import digest

Manifest = dict[str, Any]
Columns = dict[str, Any]


def read(path: Path) -> tuple[Manifest, Columns]:
    """The manifest and columns of a sound file."""
    table = pq.read_table(path)
    return json.loads(table.schema.metadata[b"ripost"]), {
        name: table[name].to_numpy().copy() for name in table.column_names
    }


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


def write(path: Path, columns: Columns, metadata: dict[bytes, bytes] | None) -> None:
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), path)
