"""`ripost explore`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.answering.making import make_view, promise
from tests.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_view((4, 3), leaves=6).save(tmp_path / "flights.ripost.parquet")
    return tmp_path


def test_a_page_beside_the_view(run: Run, folder: Path) -> None:
    done = run("explore", "flights.ripost.parquet")
    assert done.returncode == 0, done.stderr
    assert "Wrote flights.html" in done.stdout and "6 blocks inside" in done.stdout
    assert "<title>flights</title>" in (folder / "flights.html").read_text("utf-8")

    again = run("explore", "flights.ripost.parquet")
    assert again.returncode == 2 and "exists already" in again.stderr and "--force" in again.stderr
    assert run("explore", "flights.ripost.parquet", "--force", "--title", "All flights").returncode == 0
    assert "<title>All flights</title>" in (folder / "flights.html").read_text("utf-8")

    told = json.loads(run("explore", "flights.ripost.parquet", "-o", "other.html", "--rows", "trips", "--json").stdout)
    assert '"counted":"trips"' in (folder / "other.html").read_text("utf-8")
    assert told == {"page": "other.html", "bytes": (folder / "other.html").stat().st_size, "private": True}


def test_a_seed_is_shouted(run: Run, folder: Path) -> None:
    make_view((4, 3), leaves=6, privacy=promise(6, entropy="seed 7")).save(folder / "seeded.parquet")
    done = run("explore", "seeded.parquet")
    assert "NOT PRIVATE" in done.stderr and "NOT PRIVATE" in (folder / "seeded.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.ripost.parquet"], "cannot open nowhere.ripost.parquet"),
        (["flights.ripost.parquet", "-o", "nowhere/x.html"], "its folder does not exist"),
        (["flights.ripost.parquet", "-o", "."], "it is a folder"),
        (["torn.ripost.parquet"], "cannot open torn.ripost.parquet"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(run: Run, folder: Path, arguments: list[str], words: str) -> None:
    (folder / "torn.ripost.parquet").write_bytes((folder / "flights.ripost.parquet").read_bytes()[:-40])
    done = run("explore", *arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
    assert not list(folder.glob("*.html"))
