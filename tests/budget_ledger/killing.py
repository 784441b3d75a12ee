"""Kill publishers at random moments of their lives, and check that the ledger holds.

python -m tests.budget_ledger.killing --kills 500

Most are forked from a process that has everything imported, so that a kill lands in what matters; some are the true
command line. Half are killed at any moment, half just when a transaction is under way. After each kill the ledger must
be sound and within its cap, and every view whole; in the end every view must be paid for by a debit of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ripost.budget_ledger.audit import audit
from ripost.budget_ledger.ledger_state import LedgerState
from ripost.budget_ledger.operations import read_ledger
from tests.budget_ledger.making import read_claim
from tests.budget_ledger.publishers import KEPT, Publishers, warm

CAP = 25  # of epsilon 1 each, then a new ledger


class Killing(Publishers):
    """Publishers that are killed one after the other."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, cap=CAP)
        self.random, self.count, self.kills, self.ends = random.Random(seed), 0, 0, Counter[str]()
        self.life: dict[Callable[[str], int], float] = {}

    def time_publisher(self, how: Callable[[str], int]) -> float:
        """Seconds that a publisher lives."""
        started = time.monotonic()
        _, status = os.waitpid(how(f"alone{self.count}-{how.__name__}.parquet"), 0)
        assert status == 0, "a publisher that nobody kills must succeed"
        seconds = time.monotonic() - started
        self.renew_if_exhausted()
        return seconds

    def kill_one(self) -> None:
        if self.count % 40 == 0:  # how busy the machine is changes
            self.life = {how: self.time_publisher(how) for how in (self.fork, self.command)}
        self.count += 1
        view = KEPT if self.count % 4 == 0 else f"v{self.count}.parquet"
        how = self.command if self.count % 10 == 5 else self.fork
        before = read_ledger(self.ledgers[-1])
        process = how(view)
        self.wait(how)
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        self.kills += os.WIFSIGNALED(status)
        self.ends[self.judge_kill(before, view, killed=os.WIFSIGNALED(status))] += 1
        self.renew_if_exhausted()

    def wait(self, how: Callable[[str], int]) -> None:
        """Until a random moment of a life, or until a transaction is under way."""
        if self.count % 2:
            time.sleep(self.random.uniform(0, 1.1 * self.life[how]))
            return
        journal, give_up = Path(f"{self.ledgers[-1]}-journal"), time.monotonic() + 1.5 * self.life[how]
        for _ in range(self.random.choice((1, 2, 2))):  # the debit, or what closes it
            while journal.exists() and time.monotonic() < give_up:
                time.sleep(0.0001)
            while not journal.exists() and time.monotonic() < give_up:
                time.sleep(0.0001)
        time.sleep(self.random.uniform(0, 0.004))

    def judge_kill(self, before: LedgerState, view: str, *, killed: bool) -> str:
        """What a kill left behind; AssertionError if it is not sound."""
        after = read_ledger(self.ledgers[-1])  # rolls back what was under way, and checks chain and sums
        new = [paid for number, paid in after.debits.items() if number not in before.debits]
        assert len(new) <= 1 and after.spent[0] == before.spent[0] + len(new) <= CAP
        half = [path.name for path in self.folder.glob(".ripost-*") if path.suffix == ".tmp"]
        assert len(half) <= 1, half
        for name in half:  # it got its name when it was whole, a moment before it was to replace another
            read_claim(self.folder / name)
        exists = (self.folder / view).exists()
        if exists:
            read_claim(self.folder / view)
        if not killed:
            assert new and exists and new[0].state == "released"
            return "it had ended by itself"
        if not new:
            return "before the debit"
        if new[0].outcome is not None:
            return "after the debit was closed"
        assert new[0].state == "unknown"
        if exists and read_claim(self.folder / view).debit == after.pointer(new[0].entry.number):
            return "with the view there, and the debit open"
        return "with the debit there, and no view"

    def renew_if_exhausted(self) -> None:
        """When the cap is reached, one more is refused and changes nothing; then there is a new ledger."""
        before = read_ledger(self.ledgers[-1])
        if before.left[0] >= 1:
            return
        _, status = os.waitpid(self.fork("refused.parquet"), 0)
        assert os.waitstatus_to_exitcode(status) == 2
        assert read_ledger(self.ledgers[-1]) == before and not (self.folder / "refused.parquet").exists()
        self.renew()

    def reckoning(self) -> dict[str, object]:
        """Everything once more, from the files alone."""
        views = sorted(path for path in self.folder.glob("*.parquet"))
        claims = {path.name: read_claim(path) for path in views}
        states, faults, debits = Counter[str](), list[str](), 0
        for ledger in self.ledgers:
            ledger_state = read_ledger(ledger)
            mine = [
                claim for claim in claims.values() if claim.debit and claim.debit.ledger == ledger_state.opening.ledger
            ]
            faults += [check.detail for check in audit(ledger, mine) if not check.ok]
            states.update(paid.state for paid in ledger_state.debits.values())
            debits += len(ledger_state.debits)
            assert ledger_state.spent[0] == len(ledger_state.debits) <= CAP
        paid_by = [claim.debit for claim in claims.values()]
        assert len(set(paid_by)) == len(paid_by) and None not in paid_by and not faults, faults
        return {
            "publishers": self.count,
            "killed, with all sound after each": self.kills,
            "where they landed": dict(self.ends),
            "ledgers": len(self.ledgers),
            "debits": debits,
            "what came of them": dict(states),
            "views, each whole and paid for by a debit of its own": len(views),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    warm()
    with tempfile.TemporaryDirectory(prefix="killing-") as folder:
        killing = Killing(Path(folder), given.seed)
        while killing.kills < given.kills:  # some have ended before their time comes
            killing.kill_one()
        sys.stdout.write(json.dumps(killing.reckoning(), indent=2) + "\n")


if __name__ == "__main__":
    main()
