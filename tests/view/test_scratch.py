"""Files that are written: nothing is left of a killed writer, with and without names."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ripost.errors import ReleaseError
from ripost.view import scratch as module
from ripost.view.atomic import write_whole
from ripost.view.scratch import scratch, sweep

HALF = """
import sys, time
from pathlib import Path
from ripost.view import scratch as module
module.WITHOUT_NAME = module.WITHOUT_NAME if sys.argv[2] == "without" else None
with module.scratch(Path(sys.argv[1])) as file:
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


def test_a_scratch_file_is_private_and_has_no_name_where_that_can_be(tmp_path: Path, named: bool) -> None:
    with scratch(tmp_path) as file:
        assert stat.S_IMODE(os.fstat(file.handle).st_mode) == 0o600
        assert len(listing(tmp_path)) == named
    assert listing(tmp_path) == []


@pytest.mark.parametrize("way", ["without", "with"])
def test_a_killed_writer_leaves_nothing_for_long(tmp_path: Path, way: str) -> None:
    with subprocess.Popen([sys.executable, "-c", HALF, tmp_path, way], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == b"half\n"
        sweep(tmp_path)
        assert len(listing(tmp_path)) == (way == "with"), "a file that is being written is not swept away"
        writer.send_signal(signal.SIGKILL)
    assert len(listing(tmp_path)) == (way == "with")
    write_whole(tmp_path / "v", b"whole", force=False)
    assert listing(tmp_path) == ["v"]


def test_a_name_that_is_taken_is_not_used(tmp_path: Path) -> None:
    stale = tmp_path / f".ripost-{os.getpid()}-0.tmp"
    stale.write_bytes(b"of a process with our number")
    with stale.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        (tmp_path / "v").write_bytes(b"old")
        write_whole(tmp_path / "v", b"new", force=True)
    assert (tmp_path / "v").read_bytes() == b"new" and stale.read_bytes() == b"of a process with our number"


def test_other_files_are_never_swept(tmp_path: Path) -> None:
    for name in (".ripost-x", "ripost-x.tmp", ".other.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / ".ripost-folder.tmp").mkdir()
    (tmp_path / ".ripost-link.tmp").symlink_to(tmp_path / ".other.tmp")
    sweep(tmp_path)
    assert len(listing(tmp_path)) == 5


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
    with scratch(tmp_path) as file:
        assert file.name is not None
    monkeypatch.setattr(os, "open", _failing(os.open, errno.EIO, times=1))
    with pytest.raises(OSError, match="Input/output"), scratch(tmp_path):
        pass


def test_a_scratch_file_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WITHOUT_NAME", None)
    lock, swept = fcntl.flock, []

    def late(handle: int, how: int) -> None:
        if not swept:
            swept.extend(tmp_path.iterdir())
            swept[0].unlink()
        lock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write_whole(tmp_path / "v", b"whole", force=False)
    assert swept and listing(tmp_path) == ["v"]


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
