"""`ripost ledger`, and publishing and verifying with one, as a steward does it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ripost.cli import main
from ripost.data.memory import MemoryBlockData
from ripost.errors import LedgerError
from tests.budget_ledger.making import edit
from tests.cli.flights import SCHEMA
from tests.marks import posix

Call = Callable[..., Any]
QUICK = ("--method", "identity")


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process: as `run` does, without the time that a start takes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run_here(*arguments: str) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["ripost", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=ended.value.code or 0, stdout=out, stderr=err)

    return run_here


@pytest.fixture
def folder(tmp_path: Path, call: Call) -> Path:
    rows = [f"{i % 24},{('EWR', 'JFK', 'LGA')[i % 3]},{i % 50}" for i in range(300)]
    (tmp_path / "t.csv").write_text("hour,origin,who\n" + "\n".join(rows) + "\n", "utf-8")
    (tmp_path / "bad.csv").write_text('hour,origin,who\n1,"JFK,2\n', "utf-8")
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    done = call("ledger", "init", "b.sqlite", "--dataset", "flights", "--epsilon", "3")
    assert done.returncode == 0, done.stderr
    assert "at most epsilon 3 in all for one row" in done.stdout
    return tmp_path


def test_from_the_first_debit_to_the_last(call: Call, folder: Path) -> None:
    publish = ["publish", "t.csv", "t.toml", "--ledger", "b.sqlite", *QUICK, "-o"]
    done = call(*publish, "v1", "-e", "1")
    assert done.returncode == 0, done.stderr
    assert "Debit 1 in b.sqlite. Epsilon 1 spent, 2 left." in done.stdout
    head = done.stdout.split("Head of the ledger, to keep: ")[1].split()[0]
    told = json.loads(call(*publish, "v2", "-e", "1.5", "--json").stdout)
    assert told["debit"]["number"] == 3 and told["budget"] == "Epsilon 2.5 spent, 0.5 left." and told["head"] != head

    refused = call(*publish, "v3", "-e", "1")
    assert refused.returncode == 2 and not (folder / "v3").exists()
    assert refused.stderr == (
        "ripost: the ledger of flights has epsilon 0.5 left of 3, and this release asks for 1; nothing was debited\n"
    )
    failed = call("publish", "bad.csv", *publish[2:], "v3", "-e", "0.5")
    assert failed.returncode == 2 and "; debit 5 of epsilon 0.5 stays in b.sqlite" in failed.stderr

    shown = call("ledger", "status", "b.sqlite").stdout
    for words in ("Epsilon 3 spent, 0 left.", "released", "failed: the table could not be read", "identity", "v2"):
        assert words in shown
    facts = json.loads(call("ledger", "status", "b.sqlite", "--json").stdout)
    assert facts["left"] == {"epsilon": "0", "delta": "0"}
    assert [debit["state"] for debit in facts["debits"]] == ["released", "released", "failed"]
    assert facts["debits"][2]["reason"] == "the table could not be read"

    audit = call("ledger", "audit", "b.sqlite", "v1", "v2", "--head", head)
    assert audit.returncode == 0 and audit.stdout.count("ok ") == 7, audit.stdout
    assert "debit 1" in call("info", "v1").stdout
    assert json.loads(call("info", "v1", "--json").stdout)["debit"]["number"] == 1
    assert json.loads(call("verify", "v1", "--ledger", "b.sqlite", "--json").stdout)["ok"] is True


def test_tampering_shows(call: Call, folder: Path) -> None:
    publish = ["publish", "t.csv", "t.toml", "-e", "1", *QUICK, "-o"]
    assert call(*publish, "plain").returncode == 0
    assert call(*publish, "v1", "--ledger", "b.sqlite").returncode == 0
    wanting = call("verify", "plain", "--ledger", "b.sqlite")
    assert wanting.returncode == 2 and "FAIL ledger release: plain names no debit" in wanting.stdout
    shutil.copyfile(folder / "b.sqlite", folder / "c.sqlite")
    copied = call(*publish, "v2", "--ledger", "c.sqlite")
    assert copied.returncode == 2 and "is a copy of a ledger" in copied.stderr
    adopted = call("ledger", "adopt", "c.sqlite")
    assert adopted.returncode == 0 and "Delete every other copy" in adopted.stdout
    assert json.loads(call("ledger", "adopt", "c.sqlite", "--json").stdout)["dataset"] == "flights"

    edit(folder / "b.sqlite", lambda db: db.execute("UPDATE entries SET body = replace(body, '\"1\"', '\"1/9\"')"))
    for command in (["verify", "v1", "--ledger", "b.sqlite"], ["ledger", "audit", "b.sqlite"]):
        found = call(*command)
        assert found.returncode == 2 and "the ledger was edited: entry 1" in found.stdout, found.stdout
    for command in (["ledger", "status", "b.sqlite"], [*publish, "v3", "--ledger", "b.sqlite"]):
        found = call(*command)
        assert found.returncode == 2 and "the ledger was edited: entry 1" in found.stderr
    damaged = (folder / "v1").read_bytes()[:-5]
    (folder / "v1").write_bytes(damaged)
    assert "cannot open v1" in call("ledger", "audit", "c.sqlite", "v1").stderr


@posix
def test_a_killed_publisher_is_listed(call: Call, folder: Path) -> None:
    """It waits with its debit taken."""
    waiting = (
        "import sys, time; from ripost.data.memory import MemoryBlockData;"
        "MemoryBlockData.of = lambda *_: time.sleep(60);"
        "from ripost.cli import main; main()"
    )
    arguments = ["publish", "t.csv", "t.toml", "-e", "1", "--ledger", "b.sqlite", "-o", "v", *QUICK]
    with subprocess.Popen([sys.executable, "-c", waiting, *arguments], cwd=folder) as publisher:
        give_up = time.monotonic() + 60
        while not (debits := json.loads(call("ledger", "status", "b.sqlite", "--json").stdout)["debits"]):
            assert time.monotonic() < give_up, "it never debited"
            time.sleep(0.05)
        assert [debit["state"] for debit in debits] == ["running"]
        publisher.send_signal(signal.SIGKILL)
    shown = call("ledger", "status", "b.sqlite").stdout
    assert "unknown" in shown and "Nobody knows what came of debit 1: the publisher is gone" in shown
    assert "Epsilon 1 spent, 2 left." in shown


def test_a_stopped_publisher_says_what_stays(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MemoryBlockData, "of", stop)
        done = call("publish", "t.csv", "t.toml", "-e", "1", "--ledger", "b.sqlite", "-o", "v", *QUICK)
    assert done.returncode == 130
    assert done.stderr == "ripost: stopped; nothing is left half written; debit 1 of epsilon 1 stays in b.sqlite\n"
    assert "failed: it was stopped" in call("ledger", "status", "b.sqlite").stdout


def test_delta_and_unit(call: Call, folder: Path) -> None:
    made = call("ledger", "init", "p.sqlite", "--dataset", "d", "-e", "2", "--delta", "1e-6", "--unit", "who", "--json")
    assert json.loads(made.stdout)["cap"] == {"epsilon": "2", "delta": "1/1000000"}
    shown = call("ledger", "status", "p.sqlite").stdout
    assert "at most epsilon 2 and delta 1e-06 in all for one who" in shown and "delta 0 spent, 1e-06 left" in shown
    refused = call("publish", "t.csv", "t.toml", "-e", "1", "--ledger", "p.sqlite", *QUICK)
    assert refused.returncode == 2 and "counts what one who loses, but this release protects one row" in refused.stderr
    assert call("ledger", "init", "p.sqlite", "--dataset", "d", "-e", "9").returncode == 2
    assert (
        "not a parameter of a method"
        in call("publish", "t.csv", "t.toml", "-e", "1", "--option", "ledger=p.sqlite", *QUICK).stderr
    )


def test_a_debit_that_cannot_be_closed_is_told(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ripost.budget_ledger import release_debit as payment

    def fail(*_: object, **__: object) -> None:
        raise LedgerError("the disk is full")

    monkeypatch.setattr(payment, "close", fail)
    done = call("publish", "t.csv", "t.toml", "-e", "1", "--ledger", "b.sqlite", "-o", "v", *QUICK)
    assert done.returncode == 0 and "Published v" in done.stdout
    assert done.stderr.startswith("ripost: the view is sound and paid for, but its digest was not noted")


def test_a_release_that_the_cap_does_not_allow_is_refused_by_name(call: Call, folder: Path) -> None:
    done = call("publish", "t.csv", "t.toml", "-e", "5", "--ledger", "b.sqlite", *QUICK)
    assert done.returncode == 2 and "has epsilon 3 left of 3, and this release asks for 5" in done.stderr
    assert "adopt" in call("ledger", "--help").stdout


def test_a_ledger_that_was_set_back_is_told_by_every_command(call: Call, folder: Path) -> None:
    publish = ["publish", "t.csv", "t.toml", "-e", "1", *QUICK, "--ledger", "b.sqlite", "-o"]
    (folder / "heads.txt").touch()
    older = (folder / "b.sqlite").read_bytes()
    assert call(*publish, "v1", "--anchor", "heads.txt").returncode == 0
    assert len((folder / "heads.txt").read_text("ascii").splitlines()) == 2, "the debit, and what came of it"
    (folder / "b.sqlite").write_bytes(older)
    refused = call(*publish, "v2")
    assert refused.returncode == 2 and refused.stderr == (
        "ripost: b.sqlite was set back: entry 1, which was seen before, is not in it any more; find the newest copy, "
        "or accept what was lost with ripost ledger adopt\n"
    )
    assert "it was set back, or is an older copy" in call("ledger", "status", "b.sqlite").stdout
    audit = call("ledger", "audit", "b.sqlite", "--anchor", "heads.txt")
    assert audit.returncode == 2 and "FAIL kept heads: entry 2, which was seen before" in audit.stdout
    adopted = call("ledger", "adopt", "b.sqlite", "--anchor", "heads.txt")
    assert adopted.returncode == 0 and "what they debited is spent and not counted here" in adopted.stdout
    assert call(*publish, "v2", "--anchor", "heads.txt").returncode == 0
    assert call("ledger", "audit", "b.sqlite", "v2").returncode == 2, "what was lost stays lost"
    alone = call("publish", "t.csv", "t.toml", "-e", "1", *QUICK, "--anchor", "heads.txt")
    assert alone.returncode == 2 and "name the ledger too" in alone.stderr
