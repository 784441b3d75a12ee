"""Publishing, opening, certifying and verifying decode a release file once and parse its manifest once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ripost.cli.app import app
from ripost.release import file
from ripost.view import open_view
from tests.answering.making import make_view
from tests.cli.flights import SCHEMA

ONCE = {"decode": 1, "parse": 1}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a Parquet file was decoded and a manifest parsed."""
    counted: Counter[str] = Counter()

    def count(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any) -> Any:
            counted[name] += 1
            return function(*arguments)

        return counting

    for name in ONCE:
        monkeypatch.setattr(file, name, count(name, getattr(file, name)))
    return counted


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    (tmp_path / "t.csv").write_text("hour,origin\n" + "6,JFK\n7,EWR\n" * 100, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("ledger", [False, True])
def test_publishing_reads_its_file_once(folder: Path, calls: Counter[str], ledger: bool) -> None:
    """With a certificate, an entry of a registry, and with or without a ledger, which records the digest."""
    if ledger:
        run("ledger", "init", "b.sqlite", "--dataset", "flights", "--epsilon", "3")
    extra = ["--ledger", "b.sqlite"] if ledger else []
    run("publish", "t.csv", "t.toml", "-e", "1", "--registry", "r.yaml", *extra)
    assert calls == ONCE
    calls.clear()
    run("verify", "t.ripost.parquet", *extra)
    assert calls == ONCE
    calls.clear()
    run("certificate", "t.ripost.parquet", "--force")
    assert calls == ONCE


def test_saving_twice_encodes_once(tmp_path: Path, calls: Counter[str]) -> None:
    view = make_view((4, 3), leaves=5)
    view.save(tmp_path / "a")
    view.save(tmp_path / "b")
    assert calls == ONCE
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    calls.clear()
    assert open_view(tmp_path / "a").total == view.total
    assert calls == ONCE
