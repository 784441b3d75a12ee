"""Temporary files and folders that do not outlive their process for long.

Beside each lies a lock file, which its process holds locked while it lives. What a killed process left is removed by
the next one that works in the same place: a lock file that nobody holds tells that its process is gone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LOCK, CONTENT = ".lock", ".tmp"
WINDOWS = os.name == "nt"
NO_TRAPS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # links and pipes that somebody put there


@dataclass(frozen=True, slots=True)
class TemporaryPath:
    """A name in a folder that is ours, for one temporary file or folder."""

    lock: Path
    handle: int  # of the lock file, open and locked

    @property
    def path(self) -> Path:
        return self.lock.with_suffix(CONTENT)

    def release(self) -> None:
        """Remove what is there. What cannot be removed now, as long as it is open on Windows say, is swept later."""
        try:
            _remove(self.path)
        except OSError:
            os.close(self.handle)
        else:
            _drop(self.lock, self.handle)


def claim_temporary(folder: Path, prefix: str) -> TemporaryPath:
    """A fresh name in a folder."""
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=prefix, suffix=LOCK)  # mode 0600
        with contextlib.suppress(OSError):  # some file systems have no locks; then nothing is ever swept there
            _lock(handle, wait=True)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.stat(name), os.fstat(handle)):  # noqa: PTH116
                return TemporaryPath(Path(name), handle)
        os.close(handle)  # swept away before it was locked


@contextmanager
def use_temporary(folder: Path, prefix: str) -> Iterator[Path]:
    """A fresh name in a folder; what is there at the end is removed."""
    held = claim_temporary(folder, prefix)
    try:
        yield held.path
    finally:
        held.release()


def sweep_temporary(folder: Path, prefix: str) -> None:
    """Remove what killed processes of ours left in a folder."""
    for lock in folder.glob(f"{prefix}*{LOCK}"):
        with contextlib.suppress(OSError):
            handle = os.open(lock, os.O_RDWR | NO_TRAPS)
            try:
                abandoned = _is_ours(handle) and _lock(handle, wait=False)
                if abandoned:
                    _remove(lock.with_suffix(CONTENT))
            except OSError:
                abandoned = False
            if abandoned:
                _drop(lock, handle)
            else:
                os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed; False if somebody else has and is not to be waited for."""
    from filelock import lock_descriptor  # not needed to open a view

    return lock_descriptor(handle, blocking=wait)


def _is_ours(handle: int) -> bool:
    return WINDOWS or not hasattr(os, "geteuid") or os.fstat(handle).st_uid == os.geteuid()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _drop(lock: Path, handle: int) -> None:
    """Unlink and close a lock file: in this order, so that nobody can lock it in between, but for Windows, where it can
    only be unlinked when it is closed, and only if nobody else has it open.
    """
    with contextlib.suppress(OSError):
        if not WINDOWS:
            lock.unlink(missing_ok=True)
    os.close(handle)
    with contextlib.suppress(OSError):
        if WINDOWS:
            lock.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has a new name in a folder."""
    with contextlib.suppress(OSError):  # Windows and some file systems cannot; the file itself is safe already
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
