"""Publishers as processes of their own, on one ledger in one folder."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from ripost.budget_ledger.operations import create_ledger
from tests.cli.flights import SCHEMA

COMMAND = str(Path(sys.executable).with_name("ripost"))
KEPT = "kept.parquet"  # replaced again and again by --force


class Publishers:
    """A folder with a small table, and ledgers of which the last is in use; each publisher asks for epsilon 1."""

    def __init__(self, folder: Path, *, cap: int) -> None:
        self.folder, self.cap = folder, cap
        self.ledgers: list[Path] = []
        rows = [f"{i % 24},{('EWR', 'JFK', 'LGA')[i % 3]}" for i in range(3000)]
        (folder / "t.csv").write_text("hour,origin\n" + "\n".join(rows) + "\n", "utf-8")
        (folder / "t.toml").write_text(SCHEMA, "utf-8")
        self.renew()

    def renew(self) -> None:
        self.ledgers.append(self.folder / f"budget{len(self.ledgers)}.sqlite")
        create_ledger(self.ledgers[-1], dataset="flights", epsilon=self.cap)

    def arguments(self, view: str) -> list[str]:
        force = ["--force"] * (view == KEPT)
        return ["publish", "t.csv", "t.toml", "-e", "1", "--ledger", self.ledgers[-1].name, "-o", view, *force]

    def fork(self, view: str) -> int:
        """The number of a process that publishes at once, with everything imported already."""
        return os.fork() or self._publish(view)

    def _publish(self, view: str) -> NoReturn:
        code: object = 1
        try:
            os.chdir(self.folder)
            said = os.open("said.txt", os.O_RDWR | os.O_CREAT | os.O_APPEND)
            for handle in (1, 2):
                os.dup2(said, handle)
            sys.argv = ["ripost", *self.arguments(view)]
            from ripost.cli import main

            main()
        except SystemExit as end:
            code = end.code or 0
        finally:
            os._exit(code if isinstance(code, int) else 1)

    def command(self, view: str) -> int:
        """The number of a process that runs the true command line."""
        with (self.folder / "said.txt").open("ab") as said:
            process = subprocess.Popen([COMMAND, *self.arguments(view)], cwd=self.folder, stdout=said, stderr=said)
        process.returncode = 0  # os.waitpid waits for it
        return process.pid


def warm() -> None:
    """Import what a publisher needs, and run none of it: threads do not survive a fork."""
    for name in ("ibis.backends.duckdb", "opendp.prelude", "ripost.data.read", "ripost.methods.ripost_plus"):
        import_module(name)
