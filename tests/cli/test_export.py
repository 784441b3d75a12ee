"""`ripost export`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from tests.answering.making import make_view, promise
from tests.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_view((4, 3), leaves=6).save(tmp_path / "flights.ripost.parquet")
    return tmp_path


def test_a_database(run: Run, folder: Path) -> None:
    done = run("export", "flights.ripost.parquet", "-o", "flights.duckdb")
    assert done.returncode == 0, done.stderr
    assert "Wrote flights.duckdb (" in done.stdout and "format duckdb" in done.stdout
    with duckdb.connect(folder / "flights.duckdb", read_only=True) as connection:
        assert len(connection.execute("SELECT * FROM flights_by(['x0'])").fetchall()) == 4
    again = run("export", "flights.ripost.parquet", "-o", "flights.duckdb")
    assert again.returncode == 2 and "--force" in again.stderr
    assert run("export", "flights.ripost.parquet", "--format", "duckdb", "--force").returncode == 0


def test_tables(run: Run, folder: Path) -> None:
    make_view((4, 3), leaves=6, privacy=promise(6, entropy="seed 7")).save(folder / "seeded.ripost.parquet")
    done = run("export", "seeded.ripost.parquet", "-o", "t.csv", "--by", "x0,x1", "--where", "x0 < 2", "--json")
    told = json.loads(done.stdout)
    assert "NOT PRIVATE" in done.stderr
    assert told == {
        "export": "t.csv",
        "format": "csv",
        "bytes": (folder / "t.csv").stat().st_size,
        "left_out": [],
        "private": False,
    }
    assert len((folder / "t.csv").read_text("utf-8").splitlines()) == 1 + 2 * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.ripost.parquet", "-o", "x.csv"], "cannot open nowhere.ripost.parquet"),
        (["flights.ripost.parquet"], "name the file to write, such as flights.duckdb"),
        (["flights.ripost.parquet", "x.docx"], "tells no format"),
        (["flights.ripost.parquet", "a.csv", "-o", "b.csv"], "the file is named twice, a.csv and b.csv"),
        (["flights.ripost.parquet", "-o", "x.csv", "--by", "x7"], "no attribute 'x7'"),
        (["flights.ripost.parquet", "-o", "no/x.csv"], "its folder does not exist"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(run: Run, folder: Path, arguments: list[str], words: str) -> None:
    done = run("export", *arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
    assert [path.name for path in folder.iterdir()] == ["flights.ripost.parquet"]
