"""Rows that do not fit in memory: in a private folder, and gone afterwards, also when the process was killed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

from tests.marks import posix

pytestmark = posix

SPILLING = """
import os, signal, stat, sys, time
from pathlib import Path
from ripost.sources.duckdb_engine import connect
from ripost.sources.spill import spill_folder

backend = connect()
backend.con.execute("SET memory_limit = '30MB'; SET threads = 1; SET preserve_insertion_order = false")
backend.con.execute("CREATE TABLE t AS SELECT hash(range) AS a, hash(range + 1) AS b FROM range(2000000)")
folder = spill_folder()
print(stat.S_IMODE(folder.stat().st_mode), len(list(folder.iterdir())), folder.parent, flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if os.fork() == 0:
    sys.exit()  # a fork that ends must not take the folder along
os.wait()
assert folder.is_dir()
"""


def spilling(tmp_path: Path, how: str) -> subprocess.CompletedProcess[str]:
    place = tmp_path / "tmp"
    place.mkdir(exist_ok=True)
    code = [sys.executable, "-W", "ignore", "-c", SPILLING, how]
    env = {**os.environ, "TMPDIR": str(place)}
    return subprocess.run(code, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)


def test_spilled_rows_are_private_and_go(tmp_path: Path) -> None:
    done = spilling(tmp_path, "killed")
    assert done.returncode == -signal.SIGKILL, done.stderr
    mode, files, place = done.stdout.split()
    assert int(mode) == stat.S_IRWXU and int(files) > 0 and place == str(tmp_path / "tmp")
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tmp").iterdir()}
    assert modes == {".tmp": stat.S_IRWXU, ".lock": stat.S_IRUSR | stat.S_IWUSR}

    done = spilling(tmp_path, "to its end")
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "tmp").iterdir()) == [], "both are gone: the one that was killed, and its successor"
    assert not (tmp_path / ".tmp").exists()
