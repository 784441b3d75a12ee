"""Whether the process that took a debit still runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ripost.budget_ledger import publisher
from ripost.budget_ledger.publisher import ProcessStatus, Publisher
from tests.marks import posix

pytestmark = posix


def test_this_process_runs() -> None:
    assert Publisher.here().process_status is ProcessStatus.RUNNING


def test_a_process_that_ended_is_gone() -> None:
    code = "from ripost.budget_ledger.publisher import Publisher; print(Publisher.here().model_dump_json())"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Publisher.model_validate_json(child.stdout).process_status is ProcessStatus.GONE


def test_a_number_that_was_given_again_is_not_the_same_process() -> None:
    other = Publisher.here().model_copy(update={"started": "1"})
    assert other.process_status is ProcessStatus.GONE


def test_a_process_that_nobody_waited_for_is_gone() -> None:
    """A zombie has a number still."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert Publisher.here().model_copy(update={"process": child.pid}).process_status is ProcessStatus.GONE
    child.wait()


def test_elsewhere_cannot_be_told() -> None:
    other = Publisher.here().model_copy(update={"machine": "another"})
    assert other.process_status is ProcessStatus.ELSEWHERE


def test_where_the_system_tells_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "PROCESSES", tmp_path)
    here = Publisher.here()
    assert here.started == "" and here.process_status is ProcessStatus.RUNNING

    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", forbidden)
    assert here.process_status is ProcessStatus.RUNNING


def test_on_windows_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """There os.kill with 0 is no question: it sends Ctrl-C."""
    monkeypatch.setattr(publisher, "WINDOWS", True)
    monkeypatch.setattr(os, "kill", None)
    assert Publisher.here().process_status is ProcessStatus.ELSEWHERE
