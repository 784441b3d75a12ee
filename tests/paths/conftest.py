"""The commands of the three paths, run as users run them, and one release for those who come after the steward."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.paths.messy import SCHEMA, MessyTable, make_loans

RIPOST = str(Path(sys.executable).with_name("ripost"))
DATA = ["loans.csv", "loans.toml", "--encoding", "cp1252"]


@dataclass(frozen=True)
class Office:
    """A folder with a messy table, in which commands are run."""

    folder: Path
    table: MessyTable

    def run(self, *arguments: str, warns: str = "") -> str:
        """What a command prints; it succeeds, and warns of this or of nothing."""
        done = self.call(RIPOST, *arguments)
        assert (done.returncode, done.stderr[: len(warns) or None]) == (0, warns), (arguments, done.stdout)
        return done.stdout

    def refuse(self, *arguments: str) -> str:
        """The one sentence with which a command refuses."""
        done = self.call(RIPOST, *arguments)
        assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1, done
        return done.stderr

    def compute(self, program: str) -> str:
        """What a Python program prints."""
        done = self.call(sys.executable, "-c", program)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def call(self, *command: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, encoding="utf-8", check=False
        )


@pytest.fixture(scope="session")
def make_office(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Office]:
    def make() -> Office:
        folder, table = tmp_path_factory.mktemp("office"), make_loans()
        (folder / "loans.csv").write_text(table.text, "cp1252")
        (folder / "loans.toml").write_text(SCHEMA, "utf-8")
        return Office(folder, table)

    return make


@pytest.fixture(scope="session")
def reader_office(make_office: Callable[[], Office]) -> Office:
    """The folder of someone who got the view alone."""
    office = make_office()
    office.run("publish", *DATA, "--epsilon", "2")
    for name in ("loans.csv", "loans.toml"):
        (office.folder / name).unlink()
    return office
