"""A disk that is full: a debit is there or not, the ledger is sound, and a view that does not fit leaves nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ripost.budget_ledger.operations import read_ledger
from tests.budget_ledger.making import fill_ledger
from tests.conftest import ROOT

resource = pytest.importorskip("resource", reason="needs limits for a process, which Windows has not")
OWN_DISK = ["unshare", "--user", "--map-root-user", "--mount"]  # seen by this one process, and gone with it
DEBIT = """
import resource, sys
from fractions import Fraction
from pathlib import Path
from ripost.budget_ledger.operations import debit
from ripost.errors import LedgerError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    debit(Path(sys.argv[1]), epsilon=Fraction(1, 100), delta=Fraction(0), unit=None, method="m" * 4000)
except LedgerError as error:
    print(error)
"""


def test_a_full_disk(tmp_path: Path) -> None:
    fill = f"{sys.executable} -m tests.budget_ledger.filling {tmp_path}"
    inside = f"mount -t tmpfs -o size=192k tmpfs {tmp_path} && exec {fill}"
    try:
        subprocess.run([*OWN_DISK, "sh", "-c", f"mount -t tmpfs tmpfs {tmp_path}"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs unshare, and leave to mount a small disk")
    done = subprocess.run([*OWN_DISK, "sh", "-c", inside], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["refused"] > 0 and found["paid"] > 0
    assert int(found["left"]) == 1000 - found["paid"] - 1


@pytest.mark.parametrize("room", [0, 4096, 8192, 12288, 1 << 30])
def test_a_file_that_may_not_grow(tmp_path: Path, room: int) -> None:
    path = fill_ledger(tmp_path)
    before = read_ledger(path)
    code = [sys.executable, "-c", DEBIT, str(path), str(room)]
    done = subprocess.run(code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    after = read_ledger(path)
    if room == 1 << 30:
        assert len(after.debits) == len(before.debits) + 1 and done.stdout == ""
    else:
        assert after == before and "cannot be used" in done.stdout
    assert resource.RLIMIT_FSIZE is not None
