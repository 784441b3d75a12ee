"""Run commands whose standard output is a terminal, as far as the system has terminals for programs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest


def run_on_terminal(command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command to its end and return what it printed; the test is skipped on systems without such terminals."""
    pty = pytest.importorskip("pty", reason="terminals of POSIX")
    leader, follower = pty.openpty()
    with subprocess.Popen(
        command, stdout=follower, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=cwd, env=env
    ) as process:
        os.close(follower)
        pieces = []
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            pieces.append(piece)
        assert process.wait() == 0, b"".join(pieces)
    os.close(leader)
    return b"".join(pieces).decode().replace("\r\n", "\n")
