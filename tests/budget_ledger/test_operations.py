"""The verbs: what is debited, what is refused, and with which sentence."""

from __future__ import annotations

import os
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.budget_ledger.ledger_state import replay
from ripost.budget_ledger.ledger_store import open_store
from ripost.budget_ledger.location import FileLocation, ServerLocation
from ripost.budget_ledger.operations import adopt, close, create_ledger, format_amount, read_ledger
from ripost.budget_ledger.records import DebitRecord, FailureReason, OpeningRecord
from ripost.errors import InputError, LedgerError
from ripost.privacy.ledger import Debit
from tests.budget_ledger.making import DIGEST, debit_once, edit, entries, fill_ledger, open_ledger


def test_debits_add_up_exactly(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, epsilon="1")
    for _ in range(10):
        debit_once(path, "0.1")
    assert read_ledger(path).left == (0, 0), "ten tenths are one, to the last bit"
    with pytest.raises(LedgerError, match=r"has epsilon 0 left of 1, and this release asks for 1e-09; nothing was"):
        debit_once(path, "1e-9")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.fractions(Fraction(1, 100), 2), max_size=6))
def test_never_above_the_cap(tmp_path_factory: pytest.TempPathFactory, wanted: list[Fraction]) -> None:
    path = open_ledger(tmp_path_factory.mktemp("cap"), epsilon="2")
    spent = Fraction(0)
    for epsilon in wanted:
        if spent + epsilon <= 2:
            assert debit_once(path, str(epsilon)).number > 0
            spent += epsilon
        else:
            with pytest.raises(LedgerError, match="nothing was debited"):
                debit_once(path, str(epsilon))
        assert read_ledger(path).spent == (spent, 0)


def test_delta_adds_up_too(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, delta="2e-9")
    debit_once(path, "0.5", "1e-9")
    debit_once(path, "0.5")
    debit_once(path, "0.5", "1e-9")
    assert read_ledger(path).left == (Fraction("1.5"), 0)
    with pytest.raises(LedgerError, match="has delta 0 left of 2e-09, and this release asks for 1e-09"):
        debit_once(path, "0.5", "1e-9")
    with pytest.raises(LedgerError, match="allows none; choose a method without delta"):
        debit_once(open_ledger(_fresh(tmp_path)), "0.5", "1e-9")


def _fresh(folder: Path) -> Path:
    (folder / "fresh").mkdir()
    return folder / "fresh"


def test_one_ledger_counts_for_one_unit(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, unit="patient")
    debit_once(path, unit="patient")
    for unit, name in ((None, "one row"), ("doctor", "one doctor")):
        with pytest.raises(LedgerError, match=f"counts what one patient loses, but this release protects {name}"):
            debit_once(path, unit=unit)
    assert read_ledger(path).spent[0] == 1


def test_what_came_of_a_debit(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    assert [paid.state for paid in read_ledger(path).debits.values()] == ["released", "failed", "running"]
    assert read_ledger(path).spent[0] == Fraction("1.4"), "what failed stays debited"
    first = read_ledger(path).pointer(1)
    before = entries(path)
    with pytest.raises(LedgerError, match="not open"):
        close(path, first, FailureReason.FAULT)
    assert entries(path) == before
    for stranger in (Debit(first.ledger, 99, first.chain), Debit("0" * 32, 1, first.chain)):
        with pytest.raises(LedgerError, match="not the one that was debited"):
            close(path, stranger, DIGEST)


def test_a_copy_is_not_spent_until_it_is_adopted(tmp_path: Path) -> None:
    path, copy = fill_ledger(tmp_path), tmp_path / "copy.sqlite"
    shutil.copyfile(path, copy)
    with pytest.raises(LedgerError, match="is a copy of a ledger, or was restored, and both could be spent"):
        debit_once(copy, "0.1")
    adopt(copy)
    debit_once(copy, "0.1")
    with pytest.raises(LedgerError, match="was set back: entry 6, which was seen before, is not in it any more"):
        debit_once(path, "0.1")
    path.unlink()
    shutil.copyfile(copy, path)  # restored from a copy
    with pytest.raises(LedgerError, match="was restored"):
        debit_once(path, "0.1")


def test_a_moved_ledger_is_itself(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    debit_once(path.rename(tmp_path / "moved.sqlite"), "0.1")
    link = tmp_path / "link.sqlite"
    link.symlink_to(tmp_path / "moved.sqlite")
    debit_once(link, "0.1")
    os.link(tmp_path / "moved.sqlite", tmp_path / "second.sqlite")
    with pytest.raises(LedgerError, match="hard link"):
        debit_once(tmp_path / "second.sqlite", "0.1")


def test_what_makes_two_places_the_same() -> None:
    here = FileLocation(inode=5, device=1, path="a")
    assert here.is_same(FileLocation(inode=5, device=2, path="a")), "disks are numbered anew when a machine starts"
    assert here.is_same(FileLocation(inode=5, device=1, path="b")), "moved"
    assert not here.is_same(FileLocation(inode=5, device=2, path="b"))
    assert not here.is_same(FileLocation(inode=6, device=1, path="a"))
    born = FileLocation(inode=5, device=1, path="a", birth=7)
    assert born.is_same(here) and here.is_same(born), "the time of birth is not known everywhere"
    assert born.is_same(born) and not born.is_same(FileLocation(inode=5, device=1, path="a", birth=8))
    server = ServerLocation(cluster="1", database=2, table=3)
    assert server.is_same(server) and not server.is_same(here) and not here.is_same(server)
    for other in ({"cluster": "4"}, {"database": 4}, {"table": 4}):
        assert not server.is_same(server.model_copy(update=other))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"epsilon": "-1"}, "epsilon must be positive"),
        ({"epsilon": "many"}, "epsilon must be a positive number"),
        ({"delta": "x"}, "cap of delta must be a number"),
        ({"delta": "-1e-9"}, "cap of delta must be a number"),
        ({"delta": "0.2"}, "cap of delta must be a number"),
        ({"dataset": " "}, "needs a name"),
        ({"dataset": "a\nb"}, "needs a name"),
    ],
)
def test_caps_that_cannot_be(tmp_path: Path, given: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        create_ledger(tmp_path / "b", **{"dataset": "d", "epsilon": "1", **given})  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_entries_that_ripost_does_not_write_are_refused(tmp_path: Path) -> None:
    """Chained as they should be, by somebody who knows how, and still nonsense."""
    path = fill_ledger(tmp_path)
    written = entries(path)
    opening, first = OpeningRecord.parse(written[0].body), DebitRecord.parse(written[1].body)
    huge = first.model_copy(update={"epsilon": "5/2"})
    wrong = first.model_copy(update={"epsilon": "-5/2"})
    for record, sentence in (
        (opening, "a second time"),
        (huge, "debits more than was left"),
        (wrong, "none that ripost writes"),
    ):
        copy = tmp_path / "copy"
        shutil.copyfile(path, copy)
        with open_store(copy).begin() as transaction:
            transaction.write(record)
        with pytest.raises(LedgerError, match=sentence):
            read_ledger(copy)
    with pytest.raises(LedgerError, match="does not begin"):
        replay([])


def test_a_forged_reason_is_no_reason(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    edit(path, lambda db: db.execute("UPDATE entries SET body = replace(body, 'read', 'seen')"))
    with pytest.raises(LedgerError, match="was edited: entry 4"):
        read_ledger(path)


def test_amounts_for_print() -> None:
    assert [format_amount(Fraction(text)) for text in ("1/10", "3", "1/3", "1e-9", "0")] == [
        "0.1",
        "3",
        "1/3",
        "1e-09",
        "0",
    ]


def test_numbers_of_ledgers_differ(tmp_path: Path) -> None:
    assert (
        read_ledger(open_ledger(tmp_path)).opening.ledger != read_ledger(open_ledger(_fresh(tmp_path))).opening.ledger
    )
