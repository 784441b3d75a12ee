"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from ripost.errors import ReleaseError

REASONS = {
    errno.ENOENT: "its folder does not exist",
    errno.ENOTDIR: "its folder does not exist",
    errno.EACCES: "permission was denied",
    errno.EPERM: "permission was denied",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EISDIR: "it is a folder",
}


def check_target(path: str | os.PathLike[str], *, force: bool) -> None:
    """Raise ReleaseError if a file could not be written there; to be asked before a budget is spent."""
    target = Path(path)
    if "\0" in str(target):
        raise ReleaseError(f"cannot write {str(target)!r}: it is no file name")
    try:
        taken, folder, reachable = os.path.lexists(target), target.is_dir(), target.parent.is_dir()
    except OSError as error:
        raise ReleaseError(f"cannot write {target}: {_reason(error)}") from None
    if folder:
        raise ReleaseError(f"cannot write {target}: it is a folder")
    if taken and not force:
        raise ReleaseError(f"{target} exists already; choose another name, or replace it with --force (force=True)")
    if not reachable:
        raise ReleaseError(f"cannot write {target}: its folder does not exist")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise ReleaseError(f"cannot write {target}: permission was denied")


def write_whole(
    path: str | os.PathLike[str], content: bytes | memoryview, *, force: bool, secret: bool = False
) -> None:
    """Write a file by way of a private one beside it; ReleaseError, and nothing left behind, if that fails.

    A `secret` one stays private: only its owner may read it.
    """
    check_target(path, force=force)
    target = Path(path)
    try:
        _replace(target, content, mode=0o600 if secret else _usual_mode())
    except OSError as error:
        raise ReleaseError(f"cannot write {target}: {_reason(error)}") from None


def _replace(target: Path, content: bytes | memoryview, *, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".ripost-", suffix=".tmp")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems cannot; the file itself is safe already
            os.fsync(folder)
    finally:
        os.close(folder)


def _reason(error: OSError) -> str:
    return REASONS.get(error.errno or 0, error.strerror or "the system refused")


def _usual_mode() -> int:
    """The mode a new file would get."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
