"""`ripost plan`, run as a user runs it, in a folder that holds no table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ripost.cli.plan import plan
from ripost.errors import InputError
from tests.cli.flights import SCHEMA
from tests.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    return tmp_path


def test_the_error_at_an_epsilon(run: Run, folder: Path) -> None:
    command = ["plan", "t.toml", "--rows", "10,000", "-e", "0.5", "--plot", "plan.svg"]
    told = json.loads(run(*command, "--json").stdout)
    assert told["read_data"] is False and told["rows"] == 10_000 and told["epsilon"] == 0.5 and told["tried"] == []
    assert [line["rows"] for line in told["lines"]] == [10_000, 5000, 1000, 100]
    assert (folder / "plan.svg").read_text("utf-8").startswith("<?xml")
    assert [path.name for path in sorted(folder.iterdir())] == ["plan.svg", "t.toml"]
    again = run(*command)
    assert again.returncode == 2 and "--force" in again.stderr


def test_two_promises_are_compared(run: Run, folder: Path) -> None:
    """With delta given, pure epsilon is compared as well; with a method of one promise nothing is."""
    command = ["plan", "t.toml", "--rows", "10,000", "-e", "0.5"]
    pure, other = (json.loads(run(*command, *more, "--json").stdout) for more in ([], ["--option", "delta=1e-6"]))
    assert (pure["delta"], pure["promises"]["delta"]) == (0, 1e-9)
    assert other["delta"] == other["promises"]["delta"] == 1e-6
    for told, own in ((pure, "pure"), (other, "with_delta")):
        planned = {line["share"]: line["typical"]["middle"] for line in told["lines"]}
        lines = told["promises"]["lines"]
        assert lines and all(line[own] == planned[line["share"]] for line in lines)
        assert told["promises"]["rule"]["measured"] == "the count of a block" and told["promises"]["epsilon"] == 0.5
        assert told["promises"]["rule"]["verdict"].startswith("pure epsilon is")
    shown = run(*command, "--option", "delta=1e-6").stdout
    for words in (
        "Epsilon 0.5, delta 1e-06, method",
        "\nepsilon 0.5 ",
        "\nepsilon 0.5, delta 1e-06 ",
        "1.65 p + 1e-06",
    ):
        assert words in shown
    assert "Delta is not the probability that the promise fails." in shown
    single = run(*command, "--method", "identity")
    assert single.returncode == 0 and "two promises" not in single.stdout


@pytest.mark.slow
def test_protected_pairs_are_compared(run: Run, folder: Path) -> None:
    command = ["plan", "t.toml", "--rows", "10,000", "-e", "0.5", "--share", "5%", "--protect", "hour,origin"]
    told = json.loads(run(*command, "--json").stdout)["protect"]
    assert told["share"] == 0.05
    [line] = told["lines"]  # there are no other pairs
    assert line["attributes"] == ["hour", "origin"] and line["without"] > 0
    assert line["ratio"] == pytest.approx(line["protected"] / line["without"])
    shown = run(*command).stdout
    for words in ("Counts by two attributes that hold about 5 % of the rows", "hour x origin", "with it"):
        assert words in shown
    assert "other pairs" not in shown
    assert "protect" not in json.loads(run(*command[:-2], "--json").stdout)


def test_group_bys_of_one_and_two_attributes_and_what_each_costs(run: Run, folder: Path) -> None:
    more = '[attributes.zip]\ntype = "integer"\nmin = 0\nmax = 9999\n'
    (folder / "t.toml").write_text(SCHEMA + more, "utf-8")
    command = ["plan", "t.toml", "--rows", "5,000", "-e", "0.2"]
    told = json.loads(run(*command, "--json").stdout)["group_by"]
    one, two = told["one"], told["two"]
    assert [line["attributes"] for line in one] == [["hour"], ["origin"], ["zip"]]
    assert [line["attributes"] for line in two] == [["hour", "origin"], ["hour", "zip"], ["origin", "zip"]]
    assert one[2]["groups"] == 10_001 and two[0]["groups"] == one[0]["groups"] * one[1]["groups"]
    assert one[2]["lost"] and one[2]["typical"] > one[0]["typical"]
    assert all(line["cost"] > 0 for line in one) and not any("cost" in line for line in two)
    shown = run(*command).stdout
    for words in (
        "Group-bys, on two of the stand-in tables:",
        "hour x origin",
        "Counts by zip will hardly be told from noise: widen its bins, group its values, or leave it out.",
        "Cost: how many times larger the errors of questions about the other attributes are than in a release without",
        "To see what protecting a pair would change, add --protect",
    ):
        assert words in shown


@pytest.mark.slow
def test_the_epsilon_for_an_error(run: Run, folder: Path) -> None:
    done = run("plan", "t.toml", "--rows", "1e4", "--error", "5%", "--share", "20%", "--plot", "plan.png")
    assert done.returncode == 0, done.stderr
    for words in ("No data was read", "10,000 rows expected", "about 20 %", "●", "at best", "Drew plan.png", "Tried: "):
        assert words in done.stdout
    assert "A count of about 2,000 rows will be off by about" in done.stdout
    found = re.search(r"Epsilon ([\d.]+) is about the least that .* 2,000 rows to 5 %: at it, ([\d.]+) %", done.stdout)
    assert found and 0.0001 < float(found[1]) < 1 and float(found[2]) <= 5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rows": "many", "epsilon": "1"}, "--rows must be a whole number"),
        ({"rows": "1.5", "epsilon": "1"}, "--rows must be a whole number"),
        ({"rows": "nan", "epsilon": "1"}, "--rows must be a whole number"),
        ({"rows": "0", "epsilon": "1"}, "must lie between 1"),
        ({}, "either --epsilon"),
        ({"epsilon": "1", "error": "2%"}, "either --epsilon"),
        ({"epsilon": "-1"}, "epsilon must be positive"),
        ({"error": "two"}, "--error must be a share"),
        ({"error": "2%", "share": ["200%"]}, "--share must lie above 0"),
        ({"epsilon": "1", "plot": "plan.gif"}, ".svg, .png or .pdf"),
        ({"epsilon": "1", "plot": "nowhere/plan.svg"}, "its folder does not exist"),
        ({"epsilon": "1", "method": "ripos"}, "ripos"),
        ({"epsilon": "1", "option": ["no"]}, "name=value"),
        ({"epsilon": "1", "protect": ["hour"]}, "protect takes sets"),
        ({"epsilon": "1", "protect": ["hour,orign"]}, "orign"),
        ({"epsilon": "1", "protect": ["hour,origin"], "method": "identity"}, "protect"),
        ({"epsilon": "1", "option": ["no=1"]}, "no option 'no'"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(folder: Path, given: dict[str, Any], words: str) -> None:
    plot = {"plot": folder / given["plot"]} if "plot" in given else {}
    with pytest.raises(InputError, match=re.escape(words)):
        plan(folder / "t.toml", **{"rows": "100", "seed": 0, **given, **plot})
    assert len(list(folder.iterdir())) == 1
