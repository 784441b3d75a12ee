"""Spill: the private folder where the embedded DuckDB puts rows that do not fit in memory.

By itself DuckDB takes the current folder, with files that anyone may read. This one is its owner's alone, goes when the
process ends, and if the process is killed the next one sweeps it away: a lock tells whether its process still lives.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "ripost-spill-"
_folders: dict[int, Path] = {}  # by process, since a fork must have its own


def spill_folder() -> Path:
    """The folder of this process, made when first asked for."""
    process = os.getpid()
    if process not in _folders:
        sweep()
        _folders[process] = _locked()
        atexit.register(_remove, process)
    return _folders[process]


def sweep() -> None:
    """Remove folders of our own whose processes are gone."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(handle).st_uid == os.geteuid():
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path)
            finally:
                os.close(handle)


def _locked() -> Path:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))  # mode 0700
        with contextlib.suppress(FileNotFoundError):  # swept away before it was locked
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)  # stays open, and locked, while the process lives
            with contextlib.suppress(OSError):  # a file system without locks: nothing is ever swept there
                fcntl.flock(handle, fcntl.LOCK_EX)
            if os.path.samestat(folder.stat(), os.fstat(handle)):
                return folder


def _remove(process: int) -> None:
    if process == os.getpid():
        shutil.rmtree(_folders.pop(process), ignore_errors=True)
