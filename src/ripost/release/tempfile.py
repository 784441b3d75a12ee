"""TemporaryFile: a file that has no name while it is written, so that nothing is left of it if its writer is killed.

Linux can do that on most file systems. Elsewhere the file has a name from the start: it is private, and if its writer
is killed the next writer in that folder sweeps it away.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ripost.temporary import sweep_temporary as sweep_claims
from ripost.temporary import use_temporary

PREFIX = ".ripost-"
WITHOUT_NAME = getattr(os, "O_TMPFILE", None)
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)  # Windows would change line ends
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL)


class TemporaryFile:
    """An open file of mode 0600, and its path if it needs one."""

    def __init__(self, handle: int, path: Path | None) -> None:
        self.handle, self.path = handle, path
        self._open = True

    def become(self, target: Path, *, replace: bool) -> None:
        """Give the file its place; FileExistsError if something is there and is not to be replaced."""
        if self.path is None:
            _place_nameless(self.handle, target, replace=replace)
            return
        self.close()  # Windows moves no open file
        if replace:
            os.replace(self.path, target)  # noqa: PTH105
        else:
            _move(self.path, target)

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.handle)


@contextmanager
def open_temporary(folder: Path) -> Iterator[TemporaryFile]:
    """A file to write in a folder; what did not become something by the end is gone."""
    handle = _without_name(folder)
    if handle is not None:
        with _closing(TemporaryFile(handle, None)) as made:
            yield made
        return
    with use_temporary(folder, PREFIX) as path, _closing(TemporaryFile(os.open(path, CREATE, 0o600), path)) as made:
        yield made


def sweep(folder: Path) -> None:
    """Remove what killed writers left in a folder."""
    sweep_claims(folder, PREFIX)


@contextmanager
def _closing(made: TemporaryFile) -> Iterator[TemporaryFile]:
    try:
        yield made
    finally:
        made.close()


def _without_name(folder: Path) -> int | None:
    """A file without a name, or None where that cannot be."""
    if WITHOUT_NAME is None or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, WITHOUT_NAME | os.O_WRONLY, 0o600)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
            return None
        raise


def _place_nameless(handle: int, target: Path, *, replace: bool) -> None:
    if not replace:
        _name(handle, target)
        return
    with use_temporary(target.parent, PREFIX) as path:
        _name(handle, path)
        os.replace(path, target)  # noqa: PTH105


def _name(handle: int, path: Path) -> None:
    """Link a file without a name to one that is free."""
    place = os.open(path.parent, os.O_RDONLY)
    try:  # with folders given, Python calls linkat, which can follow /proc to the file itself
        os.link(f"/proc/self/fd/{handle}", path.name, src_dir_fd=place, dst_dir_fd=place, follow_symlinks=True)
    finally:
        os.close(place)


def _move(path: Path, target: Path) -> None:
    """Move a file to a name that is free; where there are no links, to one that was free a moment ago."""
    try:
        os.link(path, target)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(path, target)  # noqa: PTH104  # refused on Windows if something came up there
