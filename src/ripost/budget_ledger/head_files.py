"""Head files: the newest entries of ledgers, kept outside them, so that a ledger that was set back is recognized.

A line is appended, and waits for the disk, after an entry is committed and before `debit` returns. So:
- An entry without a line is one whose publisher was stopped before it read a row or drew noise. A ledger that has it
  goes on from the last line, and one that was set back by it lost nothing that was spent.
- An entry with a line was committed. A ledger that lacks it was set back, or is another copy, at whatever moment a
  process was killed.
Lines never contradict each other, whatever their order, so publishers need no lock to append. A line that a crash cut
short is not read: its publisher has drawn nothing either.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.errors import LedgerError
from ripost.temporary import sync_folder

STATE = "RIPOST_STATE"  # names another folder than the one that the system has for it
ANCHOR = "RIPOST_ANCHOR"  # names an anchor for all ledgers
LINE = re.compile(r"([0-9a-f]{32}) (\d{1,4}) (\d{1,15}) ([0-9a-f]{64})")


class Head(NamedTuple):
    """An entry that was seen in a ledger."""

    ledger: str
    adoptions: int  # how often the ledger had been adopted by then
    number: int
    chain: str


class HeadFile(NamedTuple):
    """An append-only file of heads, one per line."""

    path: Path

    def read(self, ledger: str) -> list[Head]:
        """All heads of a ledger in this file."""
        try:
            text = self.path.read_bytes().decode("ascii", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise LedgerError(f"cannot read the heads in {self.path}: {error.strerror}") from None
        found = (LINE.fullmatch(line) for line in text.split("\n")[:-1])
        heads = [Head(one[1], int(one[2]), int(one[3]), one[4]) for one in found if one]
        return [head for head in heads if head.ledger == ledger]

    def check_writable(self) -> None:
        """Raise LedgerError if no head can be written here. It is called before a debit."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()
        except OSError as error:
            advice = f"name a folder that you may write to in the variable {STATE}"
            raise LedgerError(f"cannot keep heads in {self.path}: {error.strerror}; {advice}") from None

    def append(self, head: Head) -> None:
        """Add a head, and wait until the disk has it."""
        line = f"{head.ledger} {head.adoptions} {head.number} {head.chain}\n".encode("ascii")
        try:
            with self.path.open("a+b", buffering=0) as file:
                if end := file.seek(0, os.SEEK_END):
                    file.seek(end - 1)
                    line = b"\n" * (file.read(1) != b"\n") + line  # after a line that was cut short
                if file.write(line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file.fileno())
            if end == 0:
                sync_folder(self.path.parent)
        except OSError as error:
            raise LedgerError(f"cannot keep the head in {self.path}: {error.strerror}") from None


def head_files(ledger: str, anchor: str | os.PathLike[str] | None) -> list[HeadFile]:
    """The files that keep heads of ledgers: one in the user's state folder, and the anchor if one is named.

    A named anchor must exist. Otherwise an anchor on a disk that is not mounted would look like a new one.
    """
    anchor = anchor or os.environ.get(ANCHOR)
    if not anchor:
        return [HeadFile(state_folder() / ledger)]
    if not Path(anchor).is_file():
        raise LedgerError(f"there is no anchor {anchor}; if it is a new one, make an empty file of that name")
    return [HeadFile(state_folder() / ledger), HeadFile(Path(anchor))]


def state_folder() -> Path:
    """The folder that keeps the heads of all ledgers, one file per ledger."""
    if named := os.environ.get(STATE):
        if not Path(named).is_absolute():  # from another folder no head would be seen, and a ledger set back believed
            raise LedgerError(f"the folder that {STATE} names must be absolute, got {named}")
        return Path(named)
    from platformdirs import user_state_path

    return user_state_path("ripost", appauthor=False) / "ledgers"


def find_missing(heads: Iterable[Head], entries: Sequence[LedgerEntry]) -> list[Head]:
    """Heads that a ledger with these entries does not have, the oldest first."""
    return sorted(head for head in heads if head.number >= len(entries) or entries[head.number].chain != head.chain)
