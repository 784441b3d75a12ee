"""Let many processes debit one ledger in PostgreSQL, kill them and their connections, and check that the ledger holds.

python -m tests.budget_ledger.serving --publishers 20 --debits 500

Each publisher debits until it is told that nothing is left, and notes each debit that it was given. Meanwhile its
connections are ended by the server, and publishers are killed and replaced. In the end the ledger must have exactly as
many debits as its cap allows, each given to at most one publisher, and every debit that was given must be there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

import psycopg

from ripost.budget_ledger.audit import audit
from ripost.budget_ledger.operations import debit, read_ledger
from ripost.errors import LedgerError
from tests.budget_ledger import servers

PRICE = Fraction(1, 7)  # no decimal, so that sums are exact or wrong
END_ONE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s ORDER BY random() LIMIT 1"
KILL, END = 0.15, 0.05  # seconds between two kills of publishers, and of connections


def publisher(url: str, notes: Path) -> NoReturn:
    """Debit until nothing is left."""
    code = 1
    try:
        with notes.open("a", buffering=1) as file:
            while True:
                try:
                    paid = debit(url, epsilon=PRICE, delta=Fraction(0), unit=None, method="m")
                    file.write(f"{paid.number} {paid.chain}\n")
                except LedgerError as error:
                    file.write(f"! {error}\n")
                    if "nothing was debited" in str(error):
                        code = 0
                        break
    finally:
        os._exit(code)


class Crowd:
    """Publishers that run, and what happened to them."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder, self.running, self.found = url, folder, set[int](), Counter[str]()

    def start(self) -> None:
        self.found["publishers"] += 1
        notes = self.folder / f"{self.found['publishers']}.txt"
        self.running.add(os.fork() or publisher(self.url, notes))

    def reap(self) -> None:
        """Take note of who has ended; one that was killed is replaced."""
        for process in list(self.running):
            gone, status = os.waitpid(process, os.WNOHANG)
            if not gone:
                continue
            self.running.remove(process)
            if os.WIFSIGNALED(status):
                self.found["killed"] += 1
                self.start()
            else:
                assert status == 0, "a publisher broke"

    def disturb(self, chance: random.Random, server: str, database: str, *, most: int) -> None:
        """Kill now and then, until all have ended by themselves; not for good, or on a slow machine none would end."""
        last = time.monotonic()
        with psycopg.connect(server, autocommit=True) as connection:
            while self.running:
                if self.found["connections ended"] < 2 * most:
                    self.found["connections ended"] += len(connection.execute(END_ONE, [database]).fetchall())
                if time.monotonic() - last > KILL and self.found["killed"] < most:
                    last = time.monotonic()
                    os.kill(chance.choice(sorted(self.running)), signal.SIGKILL)
                time.sleep(chance.uniform(0, 2 * END))
                self.reap()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--publishers", type=int, default=20)
    parser.add_argument("--debits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ["PGPASSWORD"] = servers.PASSWORD
    with tempfile.TemporaryDirectory(prefix="serving-") as name, servers.running() as server:
        folder = Path(name)
        os.environ["RIPOST_STATE"] = str(folder / "state")
        ledger = servers.ledger(server, epsilon=str(given.debits * PRICE))
        crowd = Crowd(ledger.publisher, folder)
        for _ in range(given.publishers):
            crowd.start()
        try:
            crowd.disturb(random.Random(given.seed), server, ledger.owner.rpartition("/")[2], most=given.debits)
        finally:
            for process in crowd.running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        sys.stdout.write(json.dumps(reckoning(ledger, folder, crowd.found), indent=2) + "\n")


def reckoning(ledger: servers.Ledger, folder: Path, found: Counter[str]) -> dict[str, object]:
    """What the ledger and the notes of publishers say."""
    lines = [line for notes in folder.glob("*.txt") for line in notes.read_text("utf-8").splitlines()]
    given = [tuple(line.split()) for line in lines if not line.startswith("!")]
    refused = Counter(line.partition("; ")[2] or line for line in lines if line.startswith("!"))
    state = read_ledger(ledger.owner)
    there = {(str(number), paid.entry.chain) for number, paid in state.debits.items()}
    assert len(set(given)) == len(given), "a debit was given twice"
    assert set(given) <= there, "a debit that was given is not there"
    assert all(check.ok for check in audit(ledger.owner))
    return {
        **found,
        "debits": len(state.debits),
        "left": str(state.left[0]),
        "given to publishers who lived to note it": len(given),
        "refusals": dict(refused.most_common()),
    }


if __name__ == "__main__":
    main()
