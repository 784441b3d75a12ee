"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable
from pathlib import Path

from ripost.errors import ReleaseError
from ripost.release.tempfile import open_temporary, sweep
from ripost.temporary import sync_folder

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


def read_path(path: object) -> Path:
    """Return the path that a caller gave; ReleaseError if it is none."""
    if not isinstance(path, (str, os.PathLike)):
        raise ReleaseError(f"give the path of a file, got {type(path).__name__}")
    return Path(path)


def check_target(path: str | os.PathLike[str], *, force: bool, reads: Iterable[object] = ()) -> None:
    """Raise ReleaseError if a file could not be written there; to be asked before a budget is spent.

    `reads` are sources of the same command: paths, globs or URLs of databases in files. None of them is overwritten.
    """
    target = read_path(path)
    if "\0" in str(target):
        raise ReleaseError(f"cannot write {str(target)!r}: it is not a file name")
    try:
        taken, folder, reachable = os.path.lexists(target), target.is_dir(), target.parent.is_dir()
    except OSError as error:
        raise ReleaseError(f"cannot write {target}: {_reason(error)}") from None
    if folder:
        raise ReleaseError(f"cannot write {target}: it is a folder")
    if taken and any(_is_file_of(target, source) for source in reads):
        raise ReleaseError(f"cannot write {target}: this command reads it; choose another name")
    if taken and not force:
        raise _exists_error(target)
    if not reachable:
        raise ReleaseError(f"cannot write {target}: its folder does not exist")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise ReleaseError(f"cannot write {target}: permission was denied")


def _is_file_of(target: Path, source: object) -> bool:
    """Whether a source is this file, under any of its names."""
    if not isinstance(source, str | os.PathLike):
        return False
    pattern = os.fspath(source).rpartition("://")[2]
    for name in (pattern, *glob.iglob(pattern, recursive=True)):  # noqa: PTH207 - Path.glob takes no absolute pattern
        try:
            if target.samefile(name):
                return True
        except (OSError, ValueError):
            continue
    return False


def check_release_target(path: str | os.PathLike[str], *, force: bool, reads: Iterable[object] = ()) -> None:
    """Raise ReleaseError if a release file could not be written there, or if its ending says that it is no Parquet."""
    target = read_path(path)
    if (ending := target.suffix.lower()) not in (".parquet", ""):
        advice = f"name it {target.stem}.ripost.parquet, then `ripost export` makes tables in other formats from it"
        raise ReleaseError(f"{target}: a release is a Parquet file, not {ending}; {advice}")
    check_target(target, force=force, reads=reads)


def write_whole(
    path: str | os.PathLike[str], content: bytes | memoryview, *, force: bool, secret: bool = False
) -> None:
    """Write a file, whole or not at all; ReleaseError, and nothing left behind, if that fails.

    A `secret` one stays private: only its owner may read it.
    """
    check_target(path, force=force)
    target = Path(path)
    try:
        sweep(target.parent)
        with open_temporary(target.parent) as file:
            _fill(file.handle, content, mode=0o600 if secret else _usual_mode())
            file.become(target, replace=force)
    except FileExistsError:
        raise _exists_error(target) from None
    except OSError as error:
        raise ReleaseError(f"cannot write {target}: {_reason(error)}") from None
    sync_folder(target.parent)


def _fill(handle: int, content: bytes | memoryview, *, mode: int) -> None:
    """Write, and wait for the disk; only then may others read it."""
    with os.fdopen(handle, "wb", closefd=False) as file:
        file.write(content)
        file.flush()
    if hasattr(os, "fchmod"):  # on Windows a file has the rights of its folder
        os.fchmod(handle, mode)
    os.fsync(handle)


def _exists_error(target: Path) -> ReleaseError:
    return ReleaseError(f"{target} exists already; choose another name, or replace it with --force (force=True)")


def _reason(error: OSError) -> str:
    return REASONS.get(error.errno or 0, error.strerror or "the system refused")


def _usual_mode() -> int:
    """The mode a new file would get."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
