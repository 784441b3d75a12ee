"""The audit: what a ledger without a secret can give away, and what it cannot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ripost.budget_ledger.audit import audit, audit_release
from ripost.budget_ledger.operations import adopt, close, read_ledger
from ripost.budget_ledger.records import FailureReason
from ripost.privacy.ledger import Debit
from tests.budget_ledger.making import DIGEST, claim, debit_once, edit, fill_ledger, open_ledger


def faults(path: Path, *claims: object, head: str | None = None) -> str:
    return "; ".join(check.detail for check in audit(path, list(claims), head=head) if not check.ok)  # type: ignore[arg-type]


def test_a_sound_ledger(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    pointer = read_ledger(path).pointer
    checks = audit(path, [claim(pointer(1))], head=read_ledger(path).head.chain)
    assert [check.name for check in checks] == ["chain", "budget", "place", "kept heads", "head", "release"]
    assert all(check.ok for check in checks)
    assert "6 entries" in checks[0].detail and "3 debits, epsilon 1.4 of 3 for one row" in checks[1].detail
    assert [check.name for check in audit_release(path, claim(pointer(1)))] == [
        "chain",
        "budget",
        "kept heads",
        "release",
    ]


def test_releases_of_debits_that_were_not_closed(tmp_path: Path) -> None:
    """A kill between saving and closing leaves the view there; it is paid for all the same."""
    path = fill_ledger(tmp_path)
    pointer = read_ledger(path).pointer
    (*_, found) = audit(path, [claim(pointer(5), epsilon="0.3")])
    assert found.ok and found.detail.endswith("whose closing was not noted")
    (*_, found) = audit(path, [claim(pointer(3), epsilon="0.1")])
    assert found.ok and found.detail.endswith("though the ledger says that it failed")


def test_releases_that_do_not_fit(tmp_path: Path) -> None:
    path = fill_ledger(tmp_path)
    pointer = read_ledger(path).pointer(1)
    assert "without a ledger" in faults(path, claim(None))
    assert "another ledger" in faults(path, claim(Debit("0" * 32, 1, pointer.chain)))
    assert "promises something else" in faults(path, claim(pointer, epsilon="2"))
    assert "promises something else" in faults(path, claim(pointer, delta="1e-9"))
    assert "is not the view that debit 1 was closed with" in faults(path, claim(pointer, digest="cd" * 32))
    assert "gone another way" in faults(path, claim(Debit(pointer.ledger, 2, pointer.chain)))
    open_one = read_ledger(path).pointer(5)
    two = [claim(open_one, epsilon="0.3", name=name, digest=digest * 32) for name, digest in (("a", "aa"), ("b", "bb"))]
    assert faults(path, *two) == "b and a share a debit that paid for one"
    assert faults(path, two[0], two[0]) == "", "the same view twice is one view"


def test_an_older_copy_is_found_by_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, old = open_ledger(tmp_path), tmp_path / "old"
    shutil.copyfile(path, old)
    pointer = debit_once(path)
    close(path, pointer, DIGEST)
    head = read_ledger(path).head.chain
    shutil.copyfile(old, path)  # over it: the same file by its number
    assert "entry 2, which was seen before, is not in it" in faults(path)
    monkeypatch.setenv("RIPOST_STATE", str(tmp_path / "elsewhere"))
    assert faults(path) == "", "by itself it is sound; this is what a chain without a secret cannot tell"
    assert "past the end: this ledger is an older copy, or was rolled back" in faults(path, claim(pointer))
    assert "never had this head" in faults(path, head=head)
    assert "at least 16 digits" in faults(path, head=head[:8])
    assert faults(path, head=read_ledger(path).head.chain[:16].upper()) == ""


def test_two_copies_that_were_both_spent_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, copy = open_ledger(tmp_path), tmp_path / "copy.sqlite"
    shutil.copyfile(path, copy)
    assert "this is a copy" in audit(copy)[2].detail
    here = debit_once(path)
    monkeypatch.setenv("RIPOST_STATE", str(tmp_path / "elsewhere"))  # on another machine
    adopt(copy)
    there = debit_once(copy)
    close(path, here, DIGEST)
    close(copy, there, FailureReason.STOPPED)
    assert "both copies were spent" in faults(path, claim(there))
    assert "both copies were spent" in faults(copy, claim(here))


@pytest.mark.parametrize("field", ["epsilon", "method", "digest", "dataset"])
def test_an_edited_ledger_fails_before_anything_else(tmp_path: Path, field: str) -> None:
    path = fill_ledger(tmp_path)
    edit(path, lambda db: db.execute(f"UPDATE entries SET body = replace(body, '{field}', 'Epsilon')"))
    (check,) = audit(path, [claim(None)])
    assert not check.ok and "was edited" in check.detail
