"""Real processes on one ledger: many at once, and killed at any moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.engines import postgres
from tests.marks import posix, slow

pytestmark = posix


def run_module(module: str, *arguments: str, folder: Path) -> Any:
    command = [sys.executable, "-W", "ignore", "-m", f"tests.budget_ledger.{module}", *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    env = {**kept, "TMPDIR": str(folder)}  # a killed process would leave half a file of covered lines
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("publishers", "cap"), [(7, 3), slow(20, 7)])
def test_of_many_at_once_as_many_succeed_as_the_cap_allows(tmp_path: Path, publishers: int, cap: int) -> None:
    found = run_module("crowding", "--publishers", str(publishers), "--cap", str(cap), folder=tmp_path)
    assert found == {
        "exit codes": {"0": cap, "2": publishers - cap},
        "views": cap,
        "debits": cap,
        "states": {"released": cap},
        "left": "0",
        "sound": True,
    }


@pytest.mark.parametrize("kills", [8, slow(500)])
def test_kills_break_nothing(tmp_path: Path, kills: int) -> None:
    """What must hold after each kill is asserted where it happens, in killing.py."""
    found = run_module("killing", "--kills", str(kills), folder=tmp_path)
    assert found["killed, with all sound after each"] == kills
    assert found["publishers"] == sum(found["where they landed"].values())
    assert found["debits"] == sum(found["what came of them"].values())
    assert len(found["where they landed"]) > 1, "kills landed in one place only"


@pytest.mark.parametrize(("publishers", "debits"), [(6, 40), slow(20, 500)])
def test_a_server_with_killed_publishers_and_connections(publishers: int, debits: int) -> None:
    """That no debit is given twice, and none that was given is missing, is asserted in serving.py."""
    postgres.require()
    open_to_all = Path(tempfile.gettempdir())  # the server may run as another user
    found = run_module("serving", "--publishers", str(publishers), "--debits", str(debits), folder=open_to_all)
    assert found["debits"] == debits and found["left"] == "0"
    assert found["connections ended"] > 0 and found["killed"] > 0
    assert found["given to publishers who lived to note it"] > debits / 2
