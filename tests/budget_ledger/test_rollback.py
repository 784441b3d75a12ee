"""A ledger that is set back, in every way that people restore files, is not debited until it is adopted."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import pytest

from ripost.budget_ledger.audit import audit
from ripost.budget_ledger.operations import adopt, read_ledger
from ripost.errors import LedgerError
from tests.budget_ledger.making import debit_once, open_ledger

Restore = Callable[[Path, Path], object]  # the backup, and where the ledger belongs


def remove_and_copy(backup: Path, path: Path) -> None:
    path.unlink()
    shutil.copyfile(backup, path)


def remove_and_copy_times(backup: Path, path: Path) -> None:
    path.unlink()
    shutil.copy2(backup, path)


def extract(backup: Path, path: Path) -> None:
    with tarfile.open(backup.with_suffix(".tar"), "w") as archive:
        archive.add(backup, path.name)
    subprocess.run(["tar", "xf", backup.with_suffix(".tar"), "-C", path.parent], check=True)


def write_in_place(backup: Path, path: Path) -> None:
    data = backup.read_bytes()
    with path.open("r+b") as file:  # as rsync --inplace does, block by block
        for start in range(0, len(data), 4096):
            file.seek(start)
            file.write(data[start : start + 4096])
        file.truncate(len(data))


def copy_in_place_with_times(backup: Path, path: Path) -> None:
    times = path.stat()
    shutil.copyfile(backup, path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def with_everything_beside_it(backup: Path, path: Path) -> None:
    for stray in path.parent.iterdir():
        if stray != backup:
            stray.unlink()
    shutil.copy2(backup, path)
    path.with_name(path.name + "-journal").touch()


RESTORES: dict[str, Restore] = {
    "rm, cp": remove_and_copy,
    "rm, cp -p": remove_and_copy_times,
    "tar xf": extract,
    "cp": shutil.copyfile,
    "cp, with the times as they were": copy_in_place_with_times,
    "rsync --inplace": write_in_place,
    "mv": lambda backup, path: Path(shutil.copy2(backup, f"{backup}.copy")).replace(path),
    "the whole folder": with_everything_beside_it,
}


@contextmanager
def another_user(folder: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    with monkeypatch.context() as patch:
        patch.setenv("RIPOST_STATE", str(folder))
        yield


@pytest.mark.parametrize("restore", RESTORES.values(), ids=RESTORES)
@pytest.mark.parametrize("spent", [0, 1, 3])
def test_a_restored_ledger_is_refused_until_it_is_adopted(tmp_path: Path, restore: Restore, spent: int) -> None:
    path, backup = open_ledger(tmp_path, epsilon="1"), tmp_path / "backup"
    for _ in range(spent):
        debit_once(path, "1/4")
    shutil.copyfile(path, backup)
    debit_once(path, "1/4")
    restore(backup, path)
    for _ in range(4):
        with pytest.raises(LedgerError, match=r"was restored|was set back") as caught:
            debit_once(path, "1/4")
        assert "ripost ledger adopt" in str(caught.value)
    assert len(read_ledger(path).debits) == spent
    told = [check for check in audit(path) if not check.ok]
    assert [check.name for check in told] == ["kept heads"]
    assert "what was debited there is spent and not counted here" in told[0].detail
    adopt(path)
    debit_once(path, "1/4")
    assert len(read_ledger(path).debits) == spent + 1
    assert not all(check.ok for check in audit(path)), "what was lost stays lost, and the audit says so for good"


def test_a_ledger_set_back_again_after_it_was_adopted_is_refused_again(tmp_path: Path) -> None:
    path, backup, adopted = open_ledger(tmp_path), tmp_path / "backup", tmp_path / "adopted"
    debit_once(path, "1/4")
    shutil.copyfile(path, backup)
    debit_once(path, "1/4")
    lost = path.read_bytes()
    shutil.copyfile(backup, path)
    adopt(path)
    shutil.copyfile(path, adopted)
    debit_once(path, "1/4")
    for older in (adopted.read_bytes(), backup.read_bytes(), lost):
        path.write_bytes(older)
        with pytest.raises(LedgerError, match="was set back"):
            debit_once(path, "1/4")
    path.write_bytes(backup.read_bytes())
    adopt(path)
    debit_once(path, "1/4")
    assert read_ledger(path).adoptions == 2, "one more than the part that was lost"


def test_the_other_copy_is_refused_once_one_is_adopted(tmp_path: Path) -> None:
    path, copy = open_ledger(tmp_path), tmp_path / "copy.sqlite"
    shutil.copyfile(path, copy)
    adopt(copy)
    debit_once(copy, "1/4")
    with pytest.raises(LedgerError, match="was set back"):
        debit_once(path, "1/4")


def test_a_user_who_has_seen_nothing_goes_by_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file is refused, by its time of birth; old bytes in the same file are not, and the docs say so."""
    path, backup = open_ledger(tmp_path), tmp_path / "backup"
    shutil.copyfile(path, backup)
    debit_once(path, "1/4")
    number = path.stat().st_ino
    for _ in range(50):  # until the new file has the number of the old one
        remove_and_copy(backup, path)
        if path.stat().st_ino == number:
            break
    else:
        pytest.skip("this file system does not give the number of a file away again")
    with another_user(tmp_path / "other", monkeypatch), pytest.raises(LedgerError, match="was restored"):
        debit_once(path, "1/4")


def test_several_users_debit_one_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = open_ledger(tmp_path)
    for turn in range(6):
        with another_user(tmp_path / f"user{turn % 3}", monkeypatch):
            debit_once(path, "1/4")
    older = path.read_bytes()
    with another_user(tmp_path / "user0", monkeypatch):
        debit_once(path, "1/4")
    path.write_bytes(older)
    with another_user(tmp_path / "user0", monkeypatch), pytest.raises(LedgerError, match="was set back"):
        debit_once(path, "1/4")
    adopt(path)
    for user in range(3):  # whoever saw what was lost takes the word of the steward, which is in the ledger
        with another_user(tmp_path / f"user{user}", monkeypatch):
            debit_once(path, "1/4")


def test_an_anchor_remembers_what_the_machine_has_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ripost.budget_ledger.operations import debit

    path, anchor = open_ledger(tmp_path), tmp_path / "heads.txt"
    pay = {"epsilon": 1, "delta": 0, "unit": None, "method": "m", "anchor": anchor}
    with pytest.raises(LedgerError, match="there is no anchor"):
        debit(path, **pay)  # type: ignore[arg-type]
    anchor.touch()
    older = path.read_bytes()
    debit(path, **pay)  # type: ignore[arg-type]
    path.write_bytes(older)
    with another_user(tmp_path / "set back too", monkeypatch):
        assert all(check.ok for check in audit(path)), "a whole machine that is set back cannot know"
        faults = [check for check in audit(path, anchor=anchor) if not check.ok]
        assert len(faults) == 1 and "entry 1, which was seen before, is not in it" in faults[0].detail
        with pytest.raises(LedgerError, match="was set back"):
            debit(path, **pay)  # type: ignore[arg-type]
        with monkeypatch.context() as patch, pytest.raises(LedgerError, match="was set back"):
            patch.setenv("RIPOST_ANCHOR", str(anchor))
            debit_once(path)
        adopt(path, anchor=anchor)
        debit(path, **pay)  # type: ignore[arg-type]


def test_a_debit_whose_head_cannot_be_kept_draws_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = open_ledger(tmp_path)
    (tmp_path / "file").touch()
    with another_user(tmp_path / "file" / "state", monkeypatch):
        with pytest.raises(LedgerError, match="name a folder that you may write to in the variable RIPOST_STATE"):
            debit_once(path)
        assert read_ledger(path).spent[0] == 0, "found out before the debit"
    from ripost.budget_ledger.head_files import HeadFile

    def full(*_: object) -> None:
        raise LedgerError("cannot keep the head in x: No space left on device")

    monkeypatch.setattr(HeadFile, "append", full)
    with pytest.raises(LedgerError, match=r"debit 1 stays in .*, and no noise was drawn"):
        debit_once(path)
    assert read_ledger(path).spent[0] == 1


def test_a_kill_between_the_debit_and_its_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger goes on; and set back by that entry it may go on too, since its publisher has drawn nothing."""
    from ripost.budget_ledger.head_files import HeadFile

    path = open_ledger(tmp_path)
    debit_once(path, "1/4")
    older = path.read_bytes()

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(HeadFile, "append", kill)
        debit_once(path, "1/4")
    whole = path.read_bytes()
    path.write_bytes(older)
    assert all(check.ok for check in audit(path))
    path.write_bytes(whole)
    debit_once(path, "1/4")
    path.write_bytes(whole)
    with pytest.raises(LedgerError, match="was set back"):
        debit_once(path, "1/4")


@pytest.mark.parametrize("cut", [1, 30, 64, 65, 100, 114])
def test_a_line_that_was_cut_short_is_no_head(tmp_path: Path, state_folder: Path, cut: int) -> None:
    path = open_ledger(tmp_path)
    kept = state_folder / read_ledger(path).opening.ledger
    debit_once(path, "1/4")
    before = kept.read_bytes()
    kept.write_bytes(before[:-cut])
    debit_once(path, "1/4")
    assert len(read_ledger(path).debits) == 2 and kept.read_bytes().startswith(before[:-cut] + b"\n")
    assert all(check.ok for check in audit(path))
    for noise in (b"\xff\x00\n", b"0 0 0 0\n", b"\n\n"):
        kept.write_bytes(kept.read_bytes() + noise)
        assert all(check.ok for check in audit(path))


def test_a_moved_ledger_and_an_unchanged_copy_of_it_are_told_apart(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    debit_once(path, "1/4")
    debit_once(path.rename(tmp_path / "moved"), "1/4")
    shutil.copy2(tmp_path / "moved", path)
    with pytest.raises(LedgerError, match="is a copy"):
        debit_once(path, "1/4")
    assert all(check.ok for check in audit(path)), "it lacks nothing"


def test_a_debit_takes_little_time(tmp_path: Path) -> None:
    """Of the processor, since a disk may be busy; a debit reads and checks all entries."""
    path, spent = open_ledger(tmp_path, epsilon="100"), []
    for _ in range(100):
        started = time.process_time()
        debit_once(path, "1/4")
        spent.append(time.process_time() - started)
    assert sorted(spent)[50] < 0.05


def test_a_folder_for_state_that_depends_on_where_one_works_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a relative one a ledger that was set back was debited again from another folder."""
    path = open_ledger(tmp_path)
    monkeypatch.setenv("RIPOST_STATE", "state")
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        with pytest.raises(LedgerError, match="must be absolute"):
            debit_once(path)
    assert not read_ledger(path).debits
