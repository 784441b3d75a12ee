"""`ripost check --fit` prints its private report to a terminal, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.terminals import run_on_terminal

TABLE = "city,age\nParis,30\nparis,31\nLyon,x\n"
SCHEMA = """
[attributes.city]
type = "category"
values = ["Paris", "Lyon"]
[attributes.age]
type = "integer"
min = 0
max = 110
"""


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    return ["check", str(tmp_path / "t.csv"), str(tmp_path / "t.toml"), "--fit"]


def test_a_terminal_shows_the_report(arguments: list[str]) -> None:
    printed = run_on_terminal([sys.executable, "-m", "ripost", *arguments])
    assert "PRIVATE: exact counts" in printed
    assert "3 rows, of which 100 % (3) are counted." in printed
    assert "city: 33 % (1) outside the schema, counted as (other)" in printed
    assert "most frequent: 'paris' (1)" in printed
    assert "age: 33 % (1) cannot be read and count as missing" in printed


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_pipes_and_files_get_nothing(arguments: list[str], extra: list[str], run: Run) -> None:
    done = run(*arguments, *extra)
    assert done.returncode == 2 and done.stdout == ""
    assert "prints to a terminal only" in done.stderr and "paris" not in done.stderr


def test_without_fit_no_row_is_shown(arguments: list[str], run: Run) -> None:
    done = run(*arguments[:-1])
    assert done.returncode == 0
    assert "paris" not in done.stdout + done.stderr and "PRIVATE" not in done.stdout


MESSY = """person,day,city,country,age
p1,2024-02-01,Paris,FR,30
p1,01/02/2024,Lyon,FR,200
p1,2024-02-03,Rome,IT,
p2,2024-02-04,Milan,IT,-5
,2023-01-01,oslo,NO,x
"""
WHOLE = """
unit = "person"
max_rows = 2
[attributes.day]
type = "date"
min = 2024-01-01
max = 2024-12-31
outside = "drop"
[attributes.city]
type = "category"
values = ["Paris", "Lyon", "Rome", "Milan"]
[attributes.country]
type = "category"
values = ["FR", "IT"]
[attributes.age]
type = "integer"
min = 0
max = 110
outside = "clamp"
"""


def test_a_messy_table_is_told_in_full(tmp_path: Path) -> None:
    """Missing, unparsed, clamped, (other), dropped, the values outside, the unit and a dependence with advice."""
    (tmp_path / "m.csv").write_text(MESSY, "utf-8")
    (tmp_path / "m.toml").write_text(WHOLE, "utf-8")
    files = [str(tmp_path / "m.csv"), str(tmp_path / "m.toml")]
    printed = run_on_terminal([sys.executable, "-m", "ripost", "check", *files, "--fit"])
    for line in (
        "person: 2 units, the largest with 3 rows; dropped: 20 % (1) without an id, 20 % (1) beyond max_rows",
        "day: 20 % (1) cannot be read and count as missing; 20 % (1) outside the schema, rows dropped",
        "  most frequent: '01/02/2024' (1), '2023-01-01' (1)",
        "city: 20 % (1) outside the schema, counted as (other)",
        "age: 20 % (1) missing; 20 % (1) cannot be read and count as missing; 40 % (2) outside the schema, clamped",
        "city tells country in 100.0% of rows: leave country out",
    ):
        assert line in printed, printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.csv", "m.toml"], "nothing is written"


def test_attributes_that_tell_each_other_get_one_line() -> None:
    from ripost.check.fit import FunctionalDependence
    from ripost.cli.fit import describe_dependences

    [line] = describe_dependences([FunctionalDependence("a", "b", 0.99), FunctionalDependence("b", "a", 0.98)])
    assert line.startswith("a and b tell each other in 98.0% of rows: leave one of them out")
