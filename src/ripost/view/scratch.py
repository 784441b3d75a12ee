"""Scratch: a file that has no name while it is written, so that nothing is left of it if its writer is killed.

Linux can do that on most file systems. Elsewhere the file has a name from the start: it is private, its writer holds a
lock on it, and the next writer in that folder sweeps away what nobody holds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PREFIX, SUFFIX = ".ripost-", ".tmp"
WITHOUT_NAME = getattr(os, "O_TMPFILE", None)
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


@dataclass(frozen=True, slots=True)
class Scratch:
    """An open file of mode 0600, locked, and its name if it needs one."""

    handle: int
    folder: Path
    name: str | None

    def become(self, target: Path, *, replace: bool) -> None:
        """Give the file its place in the folder; FileExistsError if something is there and is not to be replaced."""
        if not replace and self._link(target.name):
            return
        if not replace and os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        os.replace(self._named(), target)  # noqa: PTH105

    def _named(self) -> Path:
        """The file under some name beside its place."""
        if self.name is not None:
            return self.folder / self.name
        for number in itertools.count():
            name = f"{PREFIX}{os.getpid()}-{number}{SUFFIX}"
            with contextlib.suppress(FileExistsError):
                self._link(name)
                break
        return self.folder / name

    def _link(self, name: str) -> bool:
        """Link the file to a name that is free; False where the file system has no links."""
        source = f"/proc/self/fd/{self.handle}" if self.name is None else self.name
        place = os.open(self.folder, os.O_RDONLY)
        try:  # with folders given, Python calls linkat, which can follow /proc to the file itself
            os.link(source, name, src_dir_fd=place, dst_dir_fd=place, follow_symlinks=self.name is None)
        except OSError as error:
            if self.name is None or error.errno not in NO_LINKS:
                raise
            return False
        finally:
            os.close(place)
        return True


@contextmanager
def scratch(folder: Path) -> Iterator[Scratch]:
    """A file to write in a folder; what did not become something by the end is gone."""
    made = _without_name(folder) or _with_name(folder)
    try:
        yield made
    finally:
        if made.name is not None:
            with contextlib.suppress(OSError):
                (folder / made.name).unlink()
        os.close(made.handle)


def sweep(folder: Path) -> None:
    """Remove what killed writers left in a folder: our own scratch files that nobody holds a lock on."""
    for path in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if os.fstat(handle).st_uid == os.geteuid():
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()
            finally:
                os.close(handle)


def _without_name(folder: Path) -> Scratch | None:
    """A file without a name, or None where that cannot be."""
    if WITHOUT_NAME is None or not Path("/proc/self/fd").is_dir():
        return None
    try:
        handle = os.open(folder, WITHOUT_NAME | os.O_WRONLY, 0o600)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
            return None
        raise
    _lock(handle)
    return Scratch(handle, folder, None)


def _with_name(folder: Path) -> Scratch:
    while True:
        handle, name = tempfile.mkstemp(dir=folder, prefix=PREFIX, suffix=SUFFIX)  # mode 0600
        _lock(handle)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.stat(name), os.fstat(handle)):  # noqa: PTH116
                return Scratch(handle, folder, Path(name).name)
        os.close(handle)  # swept away before it was locked


def _lock(handle: int) -> None:
    with contextlib.suppress(OSError):  # some file systems have no locks; then nothing is ever swept there
        fcntl.flock(handle, fcntl.LOCK_EX)
