"""`ripost query` with a SELECT: a table, JSON or CSV, and one sentence for what cannot be asked."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ripost.answering.answer import UNMEASURED
from tests.answering.mixing import mixed_view
from tests.conftest import Run
from tests.query.exact import exact_rows, exact_view

GROUPED = "SELECT c, COUNT(*) AS n, AVG(a) FROM view WHERE a < 3 OR b GROUP BY c ORDER BY n DESC"


@pytest.fixture
def view(tmp_path: Path) -> Path:
    exact_view(exact_rows()).save(tmp_path / "v.parquet")
    return tmp_path


def test_a_select_prints_a_table(run: Run, view: Path) -> None:
    done = run("query", "v.parquet", GROUPED)
    assert done.returncode == 0, done.stderr
    head, _, *rows = done.stdout.strip().splitlines()
    assert head.split() == ["c", "n", "n_low", "n_high", "avg_a", "avg_a_low", "avg_a_high"]
    assert len(rows) == 4
    long = run("query", "v.parquet", "select a, d from view group by a, d")
    assert "and 460 more rows; --csv and --json print all" in long.stdout


def test_a_select_prints_json_and_csv(run: Run, view: Path) -> None:
    told = json.loads(run("query", "v.parquet", GROUPED, "--json").stdout)
    assert told["private"] is True and told["query"] == GROUPED
    rows = list(csv.DictReader(io.StringIO(run("query", "v.parquet", GROUPED, "--csv").stdout)))
    assert [row["c"] or None for row in rows] == [row["c"] for row in told["rows"]]
    assert [float(row["n"]) for row in rows] == [row["n"] for row in told["rows"]]
    days = json.loads(run("query", "v.parquet", "SELECT d FROM view GROUP BY d LIMIT 1", "--json").stdout)
    assert days["rows"] == [{"d": "2013-01-20"}]


def test_conditions_may_join_attributes_by_or(run: Run, view: Path) -> None:
    answer = json.loads(run("query", "v.parquet", "a < 3 or b", "--json").stdout)
    rows = exact_rows()
    wanted = sum(row["b"] or (row["a"] is not None and row["a"] < 3) for row in rows)
    assert answer["value"] == wanted
    assert wanted - 0.002 < answer["low"] < answer["high"] < wanted + 0.002  # the shortest interval at epsilon 1000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["SELECT COUNT(*) FROM flights"], "there is no table 'flights'; ask FROM view"),
        (["SELECT nothing FROM view"], "the view has no attribute 'nothing'"),
        (["SELECT COUNT(*) FRM view"], "ask one SELECT|there is no table"),
        (["drop table view"], "ask one SELECT"),
        (["delete from view"], "ask one SELECT"),
        (["with t as (select 1) select * from t"], "ask FROM view"),
        (["a < 3", "--csv"], "ask a SELECT"),
        (["a < 3", "--csv", "--json"], "choose one"),
    ],
)
def test_bad_questions_are_one_sentence(run: Run, view: Path, arguments: list[str], sentence: str) -> None:
    import re

    done = run("query", "v.parquet", *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert re.search(sentence, done.stderr) and len(done.stderr.strip().splitlines()) == 1


def test_a_seeded_view_is_shouted_beside_its_table(run: Run, tmp_path: Path) -> None:
    exact_view(exact_rows(number=20), entropy="seed 7").save(tmp_path / "v.parquet")
    done = run("query", "v.parquet", "SELECT COUNT(*) FROM view")
    assert "NOT PRIVATE" in done.stderr and "NOT PRIVATE" not in done.stdout
    assert json.loads(run("query", "v.parquet", "SELECT COUNT(*) FROM view", "--json").stdout)["private"] is False


def test_attributes_that_were_not_measured_together_are_noted(run: Run, tmp_path: Path) -> None:
    mixed_view(unmeasured=((0, 2),)).save(tmp_path / "v.parquet")
    for question in ("hour < 9 and origin = 'JFK'", "SELECT origin, COUNT(*) FROM view WHERE hour < 9 GROUP BY origin"):
        assert f"Note: {UNMEASURED}" in " ".join(run("query", "v.parquet", question).stdout.split())
        assert json.loads(run("query", "v.parquet", question, "--json").stdout)["note"] == UNMEASURED
    plain = run("query", "v.parquet", "hour < 9 and late")
    assert plain.returncode == 0 and "Note" not in plain.stdout


def test_simultaneous_intervals(run: Run, tmp_path: Path) -> None:
    view = mixed_view()
    view.save(tmp_path / "m.parquet")
    asked = ["SELECT origin, COUNT(*) AS n FROM view GROUP BY origin", "--json"]
    told = json.loads(run("query", "m.parquet", *asked, "--simultaneous").stdout)
    assert [row["n_high"] for row in told["rows"]] == view.groupby("origin", simultaneous=True)["count_high"]
    refused = run("query", "m.parquet", "origin = 'JFK'", "--simultaneous")
    assert refused.returncode == 2 and "ask a SELECT with GROUP BY" in refused.stderr
