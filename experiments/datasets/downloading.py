"""Downloading: the published files of a data set, checked, as one Parquet file in a folder."""

from __future__ import annotations

import hashlib
import http.client
import os
import tempfile
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pyarrow as pa
import pyarrow.parquet as pq

from experiments.datasets.publishers import PUBLISHERS, Published
from experiments.datasets.stored import ORIGIN
from ripost.errors import InputError

TIMEOUT = 60  # seconds without an answer
CHUNK = 1 << 18  # bytes between two steps of the progress bar


def download(name: str, folder: Path) -> Path:
    """The stored file of a data set, fetched into a folder; nothing is kept of files that are not as expected."""
    publisher = PUBLISHERS[name]
    remedy = f"put {publisher.stored.file} into a folder and name it in RIPOST_DATA"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".download-", dir=folder) as place:
            paths = [_fetch(file, Path(place)) for file in publisher.files]
            table = publisher.parse(paths)
            publisher.stored.check(table, f"the download from {publisher.name}", remedy)
            ready = Path(place) / publisher.stored.file
            pq.write_table(table.replace_schema_metadata({ORIGIN: publisher.name}), ready, compression="zstd")
            return ready.replace(folder / publisher.stored.file)  # at once, so no half file is ever found
    except InputError:
        raise
    except (OSError, ValueError, KeyError, http.client.HTTPException, pa.ArrowException) as problem:
        reason = (str(problem) or type(problem).__name__).splitlines()[0]
        raise InputError(f"{name} could not be downloaded from {publisher.name} ({reason}); {remedy}") from problem


def cache_folder() -> Path:
    """Where downloads are kept."""
    return Path(os.environ.get("RIPOST_DATA") or Path.home() / ".cache" / "ripost")


def _fetch(file: Published, folder: Path) -> Path:
    """One published file, with progress on the error output, of the right size and digest."""
    from rich.console import Console
    from rich.progress import DownloadColumn, Progress

    path = folder / Path(urlsplit(file.url).path).name
    digest = hashlib.md5(usedforsecurity=False)
    console = Console(stderr=True)
    with urlopen(file.url, timeout=TIMEOUT) as answer, path.open("wb") as kept:
        announced = answer.headers.get("Content-Length")
        expected = file.size or (int(announced) if announced else None)
        with Progress(*Progress.get_default_columns(), DownloadColumn(), console=console) as progress:
            task = progress.add_task(path.name, total=expected)
            while chunk := answer.read(CHUNK):
                kept.write(chunk)
                digest.update(chunk)
                progress.advance(task, len(chunk))
    size = path.stat().st_size
    if expected is not None and size != expected:
        raise ValueError(f"{path.name} must have {expected:,} bytes, got {size:,}")
    if file.md5 is not None and digest.hexdigest() != file.md5:
        raise ValueError(f"{path.name} must have the MD5 {file.md5}, got {digest.hexdigest()}")
    return path
