"""The file: whole transactions, and no change to it that passes unseen."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from ripost.budget_ledger import operations as books
from ripost.budget_ledger import sqlite_store as file
from ripost.budget_ledger.ledger_store import open_store
from ripost.budget_ledger.operations import read_ledger
from ripost.budget_ledger.records import AdoptionRecord
from ripost.errors import LedgerError
from tests.budget_ledger.making import ask, debit_once, edit, entries, fill_ledger, open_ledger
from tests.marks import posix


@posix
def test_a_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE(open_ledger(tmp_path).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["budget.sqlite"]


@pytest.mark.parametrize("table", ["entries", "head"])
def test_every_letter_of_every_field_is_watched(tmp_path: Path, table: str) -> None:
    """Each field of each row, edited by the tools of SQLite: one letter of it, its type, or nothing at all."""
    path = fill_ledger(tmp_path)
    sound, spare = entries(path), tmp_path / "spare"
    shutil.copyfile(path, spare)
    rows = ask(path, f"SELECT rowid, * FROM {table}")
    columns = {"entries": ("number", "kind", "body", "chain"), "head": ("only", "number", "chain")}[table]
    chance, tried = random.Random(5), 0
    for rowid, *fields in rows:
        for column, old in zip(columns, fields, strict=True):
            for new in edits(old, chance):
                tried += 1
                try:
                    edit(
                        path,
                        lambda db, c=column, n=new, r=rowid: db.execute(
                            f"UPDATE {table} SET {c} = ? WHERE rowid = ?", (n, r)
                        ),
                    )
                except sqlite3.IntegrityError:
                    continue
                with pytest.raises(LedgerError):
                    entries(path)
                shutil.copyfile(spare, path)
    assert entries(path) == sound and tried > 10


def edits(old: object, chance: random.Random) -> list[object]:
    if not isinstance(old, str):
        return [old + 1, old + 0.5, "one", b"1"]  # type: ignore[operator]
    places = sorted(chance.sample(range(len(old)), min(4, len(old))))
    letters = [old[:at] + chr(ord(old[at]) ^ 1) + old[at + 1 :] for at in places]
    return [*letters, old + " ", old[1:], old.upper() if old != old.upper() else old.lower(), old.encode(), 7]


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM entries WHERE number = 2",
        "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)",
        "DELETE FROM entries",
        "DELETE FROM head",
        "INSERT INTO entries SELECT 6, kind, body, chain FROM entries WHERE number = 1",
        "INSERT INTO entries VALUES (-1, 'opened', '{}', '')",
        "UPDATE entries SET number = number + 100 WHERE number > 2",
        "UPDATE entries SET body = x'ff'",
        "UPDATE entries SET body = CAST(x'ff' AS TEXT) WHERE number = 2",
        "CREATE TABLE more (x)",
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        "CREATE INDEX i ON entries (kind)",
        "DROP TABLE head",
        "DROP TABLE entries",
    ],
)
def test_other_edits_are_seen(tmp_path: Path, change: str) -> None:
    path = fill_ledger(tmp_path)
    edit(path, lambda db: db.execute(change))
    for attempt in (lambda: entries(path), lambda: debit_once(path, "0.01")):
        with pytest.raises(LedgerError):
            attempt()


def test_a_flipped_byte_is_seen_or_changes_nothing(tmp_path: Path) -> None:
    """SQLite pages hold bytes that mean nothing; all others matter."""
    path = fill_ledger(tmp_path)
    whole, sound = path.read_bytes(), entries(path)
    chance, seen = random.Random(7), 0
    for _ in range(150):
        bad = bytearray(whole)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        path.write_bytes(bad)
        try:
            assert entries(path) == sound
        except LedgerError:
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_a_ledger_cut_short_is_refused(tmp_path: Path, share: float) -> None:
    path = fill_ledger(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(LedgerError, match="run ripost ledger init again" if share == 0 else "damaged|no ledger"):
        entries(path)


def test_making_one_that_was_cut_short_can_be_done_again(tmp_path: Path) -> None:
    (tmp_path / "budget.sqlite").touch()
    assert read_ledger(open_ledger(tmp_path)).left[0] == 3
    with pytest.raises(LedgerError, match="exists already"):
        open_ledger(tmp_path)


def test_files_that_are_no_ledger(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, and long enough for a header of SQLite" * 20)
    with pytest.raises(LedgerError, match="not a ledger"):
        entries(text)
    with pytest.raises(LedgerError, match="not a ledger"):
        books.create_ledger(text, dataset="d", epsilon=1)
    for attempt in (entries, debit_once):
        with pytest.raises(LedgerError, match="there is no ledger"):
            attempt(tmp_path / "none")
    with pytest.raises(LedgerError, match="cannot make the ledger"):
        books.create_ledger(tmp_path / "none" / "b", dataset="d", epsilon=1)


def test_what_fails_within_a_transaction_is_not_there(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    before = entries(path)
    with pytest.raises(KeyboardInterrupt), open_store(path).begin() as transaction:
        transaction.write(AdoptionRecord(place=read_ledger(path).location, at="2026-01-01T00:00:00Z"))
        raise KeyboardInterrupt
    assert entries(path) == before


def test_who_waits_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "LOCK_TIMEOUT_SECONDS", 0.05)
    path = fill_ledger(tmp_path)
    ledger = open_store(path)
    with ledger.begin(), pytest.raises(LedgerError, match="others have been writing"), ledger.begin():
        pass


def test_a_write_ahead_log_is_turned_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who opened it in that mode leaves it so for all; the next debit does not."""
    path = fill_ledger(tmp_path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("SELECT * FROM head").fetchall()
    monkeypatch.setattr(file, "LOCK_TIMEOUT_SECONDS", 0.05)
    with pytest.raises(LedgerError, match=r"nobody else may have it open|others have been"):
        debit_once(path, "0.01")
    other.close()
    debit_once(path, "0.01")
    assert ask(path, "PRAGMA journal_mode") == [("delete",)]


@posix
def test_a_ledger_that_may_only_be_read_is_shown_and_not_debited(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    path.chmod(0o400)
    assert len(entries(path)) == 6
    if not os.access(path, os.W_OK):  # root may write to anything
        with pytest.raises(LedgerError, match="denied"):
            debit_once(path, "0.01")
