"""`ripost init` and `ripost check`, run as a steward runs them."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.marks import slow

SECRETS = ("JANE-ROE", "4711", "2017", "987654", "60.61", "17.3")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """2017 rows: a rare ward, an extreme income, and a person in many rows."""
    rows = [
        f"p{n // 3},{n % 12 + 1},{('north', 'south')[n % 2]},{20000 + n % 900},{17.5 + n % 40}" for n in range(2015)
    ]
    rows += ["p9999,4,JANE-ROE,987654,60.61", "p9999,5,north,4711,17.3"]
    (tmp_path / "visits.csv").write_text("person_id,month,ward,income,score\n" + "\n".join(rows) + "\n", "utf-8")
    return tmp_path


def confirm(path: Path) -> None:
    """What a steward does with an editor who finds every drafted value public."""
    path.write_text(re.sub(r"^unreviewed = .*\n", "", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")


def test_from_a_table_to_a_view(run: Run, table: Path) -> None:
    done = run("init", "visits.csv")
    assert done.returncode == 0, done.stderr
    draft = table / "visits.toml"
    assert sys.platform == "win32" or stat.S_IMODE(draft.stat().st_mode) == 0o600
    assert draft.read_text("utf-8").startswith("# PRIVATE draft")
    assert not any(secret in done.stdout + done.stderr for secret in SECRETS)
    assert "Whom to protect, a row or a person?" in done.stdout and "4 unreviewed lines wait" in done.stdout

    for arguments in (["publish", "visits.csv", "visits.toml", "-e", "1"], ["check", "visits.csv", "visits.toml"]):
        refused = run(*arguments)
        assert refused.returncode == 2 and "unreviewed" in refused.stdout + refused.stderr
        assert not any(secret in refused.stdout + refused.stderr for secret in SECRETS)
    assert not (table / "visits.ripost.parquet").exists()

    again = run("init", "visits.csv")
    assert again.returncode == 2 and "--force" in again.stderr
    confirm(draft)
    assert run("publish", "visits.csv", "visits.toml", "-e", "1").returncode == 0
    checked = run("check", "visits.csv", "visits.toml", "--rows", "2e3")
    assert checked.returncode == 0 and "WARN unit" in checked.stdout and "'person_id'" in checked.stdout
    assert not any(secret in checked.stdout for secret in SECRETS)
    assert run("check", "visits.csv", "visits.toml", "--strict").returncode == 2


@pytest.mark.slow
def test_json_tells_what_was_drafted_and_checked(run: Run, table: Path) -> None:
    told = json.loads(run("init", "visits.csv", "--unit", "person_id", "--max-rows", "3", "--json").stdout)
    assert told["unit"] == "person_id" and told["choose_unit"] == [] and told["left_out"] == []
    assert {one["name"]: one["from"] for one in told["attributes"]}["month"] == ["name"]
    confirm(table / "visits.toml")
    checked = json.loads(run("check", "visits.csv", "visits.toml", "--rows", "1e6", "--json").stdout)
    assert checked["ok"] and {one["check"] for one in checked["findings"]} == {
        "review", "columns", "domain", "unit", "fineness",
    }  # fmt: skip


@pytest.mark.slow
def test_metadata_states_what_needs_no_review(run: Run, table: Path) -> None:
    fields = [
        {"name": "person_id", "type": "string"},
        {"name": "income", "type": "integer", "constraints": {"minimum": 0, "maximum": 99999}},
        {"name": "ward", "type": "string", "constraints": {"enum": ["north", "south", "east"]}},
    ]
    (table / "schema.json").write_text(json.dumps({"fields": fields}), "utf-8")
    done = run("init", "--from", "schema.json", "-o", "stated.toml", "--unit", "person_id")
    assert done.returncode == 0, done.stderr
    assert run("publish", "visits.csv", "stated.toml", "-e", "1").returncode == 0
    both = json.loads(run("init", "visits.csv", "--from", "schema.json", "--json").stdout)
    assert {one["name"]: one["unreviewed"] != [] for one in both["attributes"]} == {
        "month": False, "ward": False, "income": False, "score": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["init"], "give a table, or metadata with --from"),
        (["init", "nowhere.csv"], "there is no such file"),
        (["init", "visits.csv", "--unit", "person"], "did you mean 'person_id'"),
        (["init", "visits.csv", "--max-rows", "3"], "--max-rows needs --unit"),
        (["init", "visits.csv", "-o", "no/such.toml"], "its folder does not exist"),
        (["init", "visits.csv", "--from", "no.json"], "no such metadata file"),
        (["init", "-"], "a pipe cannot be"),
        (["init", "ids.csv"], "no column can be drafted"),
        (["check", "visits.csv", "nowhere.toml"], "no such schema file"),
        (["check", "visits.csv", "s.toml", "--rows", "many"], "--rows must be a number"),
        (["check", "visits.csv", "s.toml", "-e", "0"], "epsilon"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(run: Run, table: Path, arguments: list[str], words: str) -> None:
    (table / "ids.csv").write_text("user_id\n1\n", "utf-8")
    (table / "s.toml").write_text("[attributes.month]\ntype = 'integer'\nmin = 1\nmax = 12\n", "utf-8")
    done = run(*arguments)
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and done.stdout == ""


@pytest.mark.parametrize("name", ["-", slow("/dev/stdin")])
def test_a_table_from_standard_input_is_published(run: Run, table: Path, name: str) -> None:
    (table / "s.toml").write_text("[attributes.month]\ntype = 'integer'\nmin = 1\nmax = 12\n", "utf-8")
    ripost = Path(sys.executable).with_name("ripost")
    with (table / "visits.csv").open("rb") as file:
        piped = subprocess.run(["cat"], stdin=file, capture_output=True, check=True).stdout
    command = [ripost, "publish", name, "s.toml", "-e", "1"]
    done = subprocess.run(command, input=piped, cwd=table, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(run("query", "s.ripost.parquet", "--json").stdout)
    assert abs(answer["value"] - 2017) < 200  # noise of a dozen leaves; false alarm below 1e-6


def test_the_next_command_names_a_period_where_the_schema_has_a_rule(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("day,ward\n2026-10-05,1\n", "utf-8")
    schema = tmp_path / "t.toml"
    schema.write_text('[attributes.ward]\ntype = "integer"\nmin = 0\nmax = 9\n', "utf-8")
    assert "--period" not in run("check", "t.csv", "t.toml").stdout
    schema.write_text('period = "month(day)"\n' + schema.read_text("utf-8"), "utf-8")
    assert "--epsilon 1 --period PERIOD" in run("check", "t.csv", "t.toml").stdout
