"""Files that are written: nothing is left of a killed writer, with and without names."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ripost import temporary
from ripost.errors import ReleaseError
from ripost.release import tempfile as module
from ripost.release.atomic import write_whole
from ripost.release.tempfile import open_temporary, sweep
from tests.marks import linux, posix

HALF = """
import sys, time
from pathlib import Path
from ripost.release import tempfile as module
module.WITHOUT_NAME = module.WITHOUT_NAME if sys.argv[2] == "without" else None
with module.open_temporary(Path(sys.argv[1])) as file:
    import os
    os.write(file.handle, b"half")
    print("half", flush=True)
    time.sleep(60)
"""


@pytest.fixture(params=["without a name", "with a name"])
def named(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param == "with a name":
        monkeypatch.setattr(module, "WITHOUT_NAME", None)
    return bool(request.param == "with a name")


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@posix
def test_both_ways_write_replace_and_refuse(tmp_path: Path, named: bool) -> None:
    target = tmp_path / "v"
    write_whole(target, b"one", force=False)
    with pytest.raises(ReleaseError, match="exists already"):
        write_whole(target, b"two", force=False)
    assert target.read_bytes() == b"one"
    write_whole(target, b"three", force=True)
    write_whole(tmp_path / "new", b"four", force=True)
    assert target.read_bytes() == b"three" and listing(tmp_path) == ["new", "v"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~_mask()


def test_a_file_that_comes_up_meanwhile_is_kept(tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    target, sync = tmp_path / "v", os.fsync

    def late(handle: int) -> None:
        target.write_bytes(b"theirs")
        sync(handle)

    monkeypatch.setattr(os, "fsync", late)
    with pytest.raises(ReleaseError, match="exists already"):
        write_whole(target, b"ours", force=False)
    assert target.read_bytes() == b"theirs" and listing(tmp_path) == ["v"]


@posix
def test_a_scratch_file_is_private_and_has_no_name_where_that_can_be(tmp_path: Path, named: bool) -> None:
    with open_temporary(tmp_path) as file:
        assert stat.S_IMODE(os.fstat(file.handle).st_mode) == 0o600
        assert len(listing(tmp_path)) == 2 * named, "its lock and itself"
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} <= {0o600}
    assert listing(tmp_path) == []


@linux
def test_a_file_with_a_name_is_closed_before_it_is_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows moves no open file."""
    monkeypatch.setattr(module, "WITHOUT_NAME", None)
    moved = []

    def watch_move(move: Callable[..., Any]) -> Callable[..., Any]:
        def watch(source: Path, target: Path) -> None:
            held = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
            assert Path(source) not in held
            moved.append(move.__name__)
            move(source, target)

        return watch

    for name in ("link", "replace"):
        monkeypatch.setattr(os, name, watch_move(getattr(os, name)))
    write_whole(tmp_path / "v", b"one", force=False)
    write_whole(tmp_path / "v", b"two", force=True)
    assert moved == ["link", "replace"] and (tmp_path / "v").read_bytes() == b"two" and listing(tmp_path) == ["v"]


@posix
@pytest.mark.parametrize("way", ["without", "with"])
def test_a_killed_writer_leaves_nothing_for_long(tmp_path: Path, way: str) -> None:
    with subprocess.Popen([sys.executable, "-c", HALF, tmp_path, way], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == b"half\n"
        sweep(tmp_path)
        assert len(listing(tmp_path)) == 2 * (way == "with"), "a file that is being written is not swept away"
        writer.kill()
    assert len(listing(tmp_path)) == 2 * (way == "with")
    write_whole(tmp_path / "v", b"whole", force=False)
    assert listing(tmp_path) == ["v"]


@pytest.mark.parametrize("windows", [False, True])
def test_what_is_locked_stays_and_what_is_not_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: bool
) -> None:
    monkeypatch.setattr(temporary, "WINDOWS", windows)
    held, left = temporary.claim_temporary(tmp_path, ".ripost-"), temporary.claim_temporary(tmp_path, ".ripost-")
    for claim in (held, left):
        claim.path.mkdir()
        (claim.path / "rows").write_bytes(b"rows")
    os.close(left.handle)  # as when its process is killed
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([held.lock, held.path])
    held.release()
    assert listing(tmp_path) == []


def test_what_cannot_be_removed_now_is_swept_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in a file that is still open, on Windows."""
    claim = temporary.claim_temporary(tmp_path, ".ripost-")
    claim.path.write_bytes(b"rows")
    with monkeypatch.context() as patch:
        patch.setattr(temporary, "_remove", _failing(temporary._remove, errno.EACCES))
        sweep(tmp_path)
        claim.release()
        sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([claim.lock, claim.path])
    sweep(tmp_path)
    assert listing(tmp_path) == []


@posix
def test_other_files_are_never_swept(tmp_path: Path) -> None:
    for name in (".ripost-x", "ripost-x.lock", ".other.lock", ".ripost-alone.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / ".ripost-folder.lock").mkdir()
    (tmp_path / ".ripost-link.lock").symlink_to(tmp_path / ".other.lock")
    sweep(tmp_path)
    assert len(listing(tmp_path)) == 6


def _failing(call: Callable[..., Any], number: int, times: int = 10**9) -> Callable[..., Any]:
    left = [times]

    def attempt(*arguments: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(number, os.strerror(number))
        return call(*arguments, **named)

    return attempt


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WITHOUT_NAME", None)
    monkeypatch.setattr(os, "link", _failing(os.link, errno.EPERM))
    write_whole(tmp_path / "v", b"one", force=False)
    with pytest.raises(ReleaseError, match="exists already"):
        write_whole(tmp_path / "v", b"two", force=False)
    assert (tmp_path / "v").read_bytes() == b"one" and listing(tmp_path) == ["v"]


def test_a_file_system_without_nameless_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", _failing(os.open, errno.EOPNOTSUPP, times=1))
    with open_temporary(tmp_path) as file:
        assert file.path is not None
    monkeypatch.setattr(os, "open", _failing(os.open, errno.EIO, times=1))
    with pytest.raises(OSError, match="Input/output"), open_temporary(tmp_path):
        pass


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WITHOUT_NAME", None)
    monkeypatch.setattr(temporary, "_lock", _failing(temporary._lock, errno.ENOSYS))
    write_whole(tmp_path / "v", b"whole", force=False)
    assert listing(tmp_path) == ["v"]


def test_a_scratch_file_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WITHOUT_NAME", None)
    lock, swept = temporary._lock, []

    def late(handle: int, *, wait: bool) -> bool:
        if not swept:
            swept.extend(tmp_path.iterdir())
            swept[0].unlink()
        return lock(handle, wait=wait)

    monkeypatch.setattr(temporary, "_lock", late)
    write_whole(tmp_path / "v", b"whole", force=False)
    assert swept and listing(tmp_path) == ["v"]


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
