"""Secrets planted in a table, and everything that a command leaves behind, to be searched for them."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from tests.release.forging import read_columns

RARE = "Zzyzx-disease"  # a category that the schema does not list
PERSON = "ssn-078-05-1120"
NOTE = "called-the-hotline"  # in a column that the schema does not name
AMOUNT = "918273.5"  # a value far outside the range of its attribute
ROWS, HERE = 48_611, 31_337  # exact counts
FOLDER = "stewards-private-folder"
USER = "steward-mallory"

SCHEMA = """
title = "Visits"
{head}
[attributes.illness]
type = "category"
values = ["flu", "cold"]
outside = "other"

[attributes.cost]
type = "number"
min = 0
max = 100
bins = 4
"""
OF_DATA = [RARE, PERSON, NOTE, AMOUNT, "918273", str(ROWS), f"{ROWS:,}", str(HERE), f"{HERE:,}"]
OF_PLACE = [FOLDER, USER]


def plant_secrets(folder: Path, *, head: str = "") -> tuple[Path, Path]:
    """A CSV file with secrets, and its schema."""
    table, schema = folder / "visits.csv", folder / "visits.toml"
    rest = ROWS - HERE - 1
    rows = [f"p{i},flu,{i % 100},x" for i in range(HERE)] + [f"r{i},cold,{i % 50},x" for i in range(rest)]
    table.write_text("\n".join(["person,illness,cost,note", *rows, f"{PERSON},{RARE},{AMOUNT},{NOTE}", ""]))
    schema.write_text(SCHEMA.format(head=head))
    return table, schema


@dataclass
class Left:
    """What a command left: its output, and every file that was there at any moment of its run."""

    stdout: str
    stderr: str
    code: int
    files: dict[str, bytes] = field(default_factory=dict)

    def output(self) -> str:
        return self.stdout + self.stderr


def run(folder: Path, *arguments: str, source: Path | None = None) -> Left:
    """Run the command line as a user would, while its folder for temporary files and its own folder are watched."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = os.environ | {"TMPDIR": str(temporary), "USER": USER, "LOGNAME": USER, "COLUMNS": "200"}
    command = [sys.executable, "-c", "from ripost.cli import main; main()", *arguments]
    seen: dict[str, bytes] = {}
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.005):
            seen.update(_files(folder, source))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    finally:
        done.set()
        watcher.join()
    return Left(ended.stdout, ended.stderr, ended.returncode, seen | _files(folder, source))


def _files(folder: Path, source: Path | None) -> dict[str, bytes]:
    """Every file below a folder, but for what the owner put there."""
    found = {}
    inside = (Path(place, name) for place, _, names in os.walk(folder) for name in names)  # folders may vanish
    for path in inside:
        if path.name in ("visits.csv", "visits.toml") or path == source:
            continue
        try:
            found[str(path.relative_to(folder))] = path.read_bytes()
        except OSError:  # gone already
            continue
    return found


def unpack(content: bytes) -> Iterator[str]:
    """All that a view file or a page holds, with everything packed in it unpacked."""
    text = content.decode("latin-1")
    yield text
    if content[:4] == b"PAR1" and content[-4:] == b"PAR1":
        yield from _parquet(content)
    for packed in re.findall(r"[A-Za-z0-9+/]{40,}={0,2}", text):
        try:
            raw = zlib.decompress(base64.b64decode(packed))
        except (ValueError, zlib.error):
            continue
        yield raw.decode("latin-1")


def _parquet(content: bytes) -> Iterator[str]:
    import io

    file = pq.ParquetFile(io.BytesIO(content))
    yield str(file.metadata.to_dict())
    for value in (file.metadata.metadata or {}).values():
        yield from unpack(value)
        yield json.dumps(json.loads(value))
    for name, column in read_columns(file.read()).items():
        yield name
        yield " ".join(str(int(value)) if float(value).is_integer() else str(value) for value in column.tolist())


def secrets_in(text: str, secrets: list[str]) -> list[str]:
    """Which secrets stand in a text; numbers only as whole words."""
    return [
        secret
        for secret in secrets
        if (re.search(rf"(?<![\d.,]){re.escape(secret)}(?![\d,])", text) if secret[0].isdigit() else secret in text)
    ]
