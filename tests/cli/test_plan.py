"""`ripost plan`, run as a user runs it, in a folder that holds no table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.flights import SCHEMA
from tests.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    return tmp_path


def test_the_error_at_an_epsilon(run: Run, folder: Path) -> None:
    done = run("plan", "t.toml", "--rows", "1e4", "-e", "0.5", "--plot", "plan.svg")
    assert done.returncode == 0, done.stderr
    for words in ("No data was read", "10,000 rows expected", "about 10 %", "●", "at best", "Drew plan.svg"):
        assert words in done.stdout
    assert "A count of about 1,000 rows will be off by about" in done.stdout
    assert (folder / "plan.svg").read_text("utf-8").startswith("<?xml")
    assert [path.name for path in sorted(folder.iterdir())] == ["plan.svg", "t.toml"]
    again = run("plan", "t.toml", "--rows", "1e4", "-e", "0.5", "--plot", "plan.svg")
    assert again.returncode == 2 and "--force" in again.stderr


def test_the_epsilon_for_an_error(run: Run, folder: Path) -> None:
    told = json.loads(run("plan", "t.toml", "--rows", "10,000", "--error", "5%", "--share", "20%", "--json").stdout)
    assert told["read_data"] is False and told["rows"] == 10_000
    line = next(line for line in told["lines"] if line["share"] == 0.2)
    assert line["typical"]["middle"] <= 0.05 and 0.0001 < told["epsilon"] < 1
    assert told["epsilon"] in [step["epsilon"] for step in told["tried"]]
    shown = run("plan", "t.toml", "--rows", "10,000", "--error", "5%", "--share", "20%").stdout
    assert f"Epsilon {told['epsilon']:g} is about the least" in shown and "Tried: " in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rows", "many", "-e", "1"], "--rows must be a whole number"),
        (["--rows", "1.5", "-e", "1"], "--rows must be a whole number"),
        (["--rows", "0", "-e", "1"], "must lie between 1"),
        (["--rows", "100"], "either --epsilon"),
        (["--rows", "100", "-e", "1", "--error", "2%"], "either --epsilon"),
        (["--rows", "100", "-e", "-1"], "epsilon must be positive"),
        (["--rows", "100", "--error", "two"], "--error must be a share"),
        (["--rows", "100", "--error", "2%", "--share", "200%"], "--share must lie above 0"),
        (["--rows", "100", "-e", "1", "--plot", "plan.gif"], ".svg, .png or .pdf"),
        (["--rows", "100", "-e", "1", "--plot", "nowhere/plan.svg"], "its folder does not exist"),
        (["--rows", "100", "-e", "1", "--method", "ripos"], "ripos"),
        (["--rows", "100", "-e", "1", "--option", "no"], "name=value"),
    ],
)
def test_bad_input(run: Run, folder: Path, arguments: list[str], words: str) -> None:
    done = run("plan", "t.toml", *arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
    assert len(list(folder.iterdir())) == 1
