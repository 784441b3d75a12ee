"""`ripost reestimate` and `ripost publish --no-measurements`, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ripost
from tests.conftest import Run

SCHEMA = """
[attributes.hour]
type = "integer"
min = 0
max = 7

[attributes.origin]
type = "category"
values = ["EWR", "JFK", "LGA"]
"""


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    rows = [f"{i % 8},{('EWR', 'JFK', 'LGA')[i % 5 % 3]}" for i in range(3000)]
    (tmp_path / "flights.csv").write_text("\n".join(["hour,origin", *rows, ""]))
    (tmp_path / "flights.toml").write_text(SCHEMA)
    done = run("publish", "flights.csv", "flights.toml", "-e", "1", "--no-certificate")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_new_view_of_an_old_one(run: Run, folder: Path) -> None:
    old = ripost.open(folder / "flights.ripost.parquet")
    done = run("reestimate", "flights.ripost.parquet", "-o", "new.ripost.parquet")
    assert done.returncode == 0, done.stderr
    assert "This cost no privacy" in done.stdout and old.digest[:16] in done.stdout
    new = ripost.open(folder / "new.ripost.parquet")
    assert new.blocks.value.tolist() == old.blocks.value.tolist()
    assert new.origin is not None and new.origin.digest == old.digest
    again = run("reestimate", "flights.ripost.parquet", "-o", "new.ripost.parquet")
    assert again.returncode == 2 and "--force" in again.stderr
    told = json.loads(
        run("reestimate", "flights.ripost.parquet", "-o", "new.ripost.parquet", "--force", "--json").stdout
    )
    assert told["origin"] == {"digest": old.digest, "software": old.software}
    assert told["spent"] == "1" and told["view"] == "new.ripost.parquet"
    assert run("verify", "new.ripost.parquet").returncode == 0
    info = run("info", "new.ripost.parquet")
    assert f"Estimated again by {new.software} from the view {old.digest}." in info.stdout
    run("certificate", "new.ripost.parquet")
    words = (folder / "new.certificate.txt").read_text("utf-8")
    assert old.digest in words and "was estimated again from the noisy measurements" in " ".join(words.split())


def test_the_ledger_pays_once(run: Run, folder: Path) -> None:
    assert run("ledger", "init", "budget.sqlite", "--dataset", "flights", "--epsilon", "1").returncode == 0
    arguments = ("publish", "flights.csv", "flights.toml", "-e", "1", "--ledger", "budget.sqlite", "--no-certificate")
    assert run(*arguments, "--force").returncode == 0
    before = (folder / "budget.sqlite").read_bytes()
    assert run("reestimate", "flights.ripost.parquet", "-o", "new.ripost.parquet").returncode == 0
    assert (folder / "budget.sqlite").read_bytes() == before
    checked = run("verify", "new.ripost.parquet", "--ledger", "budget.sqlite")
    assert checked.returncode == 0, checked.stdout
    assert "(estimated again from" in checked.stdout


def test_without_measurements(run: Run, folder: Path) -> None:
    large = (folder / "flights.ripost.parquet").stat().st_size
    done = run(
        "publish", "flights.csv", "flights.toml", "-e", "1", "--no-measurements", "--no-certificate", "-o", "small"
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "small").stat().st_size < large
    assert json.loads(run("info", "small", "--json").stdout)["measurements"] == 0
    assert json.loads(run("info", "flights.ripost.parquet", "--json").stdout)["measurements"] > 0
    refused = run("reestimate", "small", "-o", "new.ripost.parquet")
    assert refused.returncode == 2 and "holds no noisy measurements" in refused.stderr
    assert not (folder / "new.ripost.parquet").exists()


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run("reestimate", "nowhere", "-o", "new")
    assert done.returncode == 2 and "cannot open nowhere" in done.stderr and "Traceback" not in done.stderr
