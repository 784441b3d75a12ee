"""What a steward hears before the debit: from public facts alone, in sentences, as one kind of warning."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ripost
from ripost.budget_ledger.operations import create_ledger, read_ledger
from ripost.check.release_risks import find_release_risks, list_public_names
from ripost.errors import InputError, LedgerError, ReleaseError, ReleaseWarning, SourceError
from ripost.sources.open_source import list_columns
from tests.conftest import Run

SCHEMA = '[attributes.hour]\ntype = "integer"\nmin = 0\nmax = 23\n'
UNIT = f'unit = "patient_id"\nmax_rows = 2\n{SCHEMA}'
COLUMNS = {"patient_id": [1, 1, 2], "hour": [3, 4, 5]}
ROWS = ripost.Schema.parse(SCHEMA)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text("patient_id,hour\n1,3\n1,4\n2,5\n", "utf-8")
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    (tmp_path / "unit.toml").write_text(UNIT, "utf-8")
    return tmp_path


def test_a_large_epsilon_and_an_id_are_told(folder: Path) -> None:
    with pytest.warns(ReleaseWarning) as told:
        ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=12)
    first, second = (str(one.message) for one in told)
    assert first.startswith("epsilon 12 is above 10 and protects hardly anybody")
    assert "the table has 'patient_id'" in second and "set unit and max_rows" in second
    assert all(one.filename == __file__ for one in told), "the warning points at the caller"


def test_nothing_is_told_of_a_sound_release(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ripost.publish(folder / "t.csv", folder / "unit.toml", epsilon=10)


@pytest.mark.parametrize(
    "source",
    [
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_reader(),
        ibis.memtable(pa.table(COLUMNS)),
    ],
    ids=lambda source: f"{type(source).__module__.partition('.')[0]}-{type(source).__name__}",
)
def test_names_of_every_kind_of_table(source: Any) -> None:
    assert list_public_names(source) == ["patient_id", "hour"]
    assert len([*find_release_risks(source, ROWS, epsilon=1)]) == 1


def test_names_that_only_rows_may_tell_are_not_looked_up() -> None:
    assert list_public_names(pl.LazyFrame(COLUMNS)) == list_public_names("t.jsonl") == list_public_names("t.xlsx") == []


def test_files_whose_names_only_rows_tell_are_left_alone(folder: Path) -> None:
    (folder / "t.jsonl").write_text('{"patient_id": 1, "hour": 3}\n', "utf-8")
    assert list_public_names(folder / "t.jsonl") == [] and list_public_names("-") == []


@pytest.mark.parametrize("ending", ["jsonl", "xlsx"])
def test_a_glob_does_not_hide_that_only_rows_tell_the_names(ending: str, tmp_path: Path) -> None:
    """The kind of a file is known by its own name, whatever the glob looks like that found it."""
    frame, path = pd.DataFrame(COLUMNS), tmp_path / f"t.{ending}"
    if ending == "xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)
    assert list_columns(tmp_path / "t*") == ["patient_id", "hour"]
    assert list_public_names(tmp_path / "t*") == []


def test_the_warning_comes_before_the_debit_and_before_any_row(folder: Path) -> None:
    """A warning that is made an error stops the release: the ledger is whole, and a damaged row was not seen."""
    (folder / "bad.csv").write_text('patient_id,hour\n1,"3\n', "utf-8")
    create_ledger(folder / "l.ledger", dataset="d", epsilon=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ReleaseWarning)
        with pytest.raises(ReleaseWarning, match="patient_id"):
            ripost.publish(folder / "bad.csv", folder / "t.toml", epsilon=1, ledger=folder / "l.ledger")
    assert read_ledger(folder / "l.ledger").left[0] == 1
    with pytest.warns(ReleaseWarning), pytest.raises(SourceError):
        ripost.publish(folder / "bad.csv", folder / "t.toml", epsilon=1, ledger=folder / "l.ledger")
    assert read_ledger(folder / "l.ledger").left[0] == 0


def test_attributes_that_will_be_lost_in_noise_are_told_by_the_rows_that_the_owner_expects(folder: Path) -> None:
    sentence = (
        "hour (25 codes) will hardly be told from noise with 100 rows at epsilon 1, where about 5 codes would show; "
        "widen bins or group values (ripost plan forecasts the errors)"
    )
    with pytest.warns(ReleaseWarning) as told:
        ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=1, rows=100)
    assert str(told[-1].message) == sentence
    with pytest.warns(ReleaseWarning) as few:
        ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=1, rows=1e6)
    assert len(told) == len(few) + 1
    for wrong in (0, -1, "many", float("nan")):
        with pytest.raises(InputError, match="rows must be a number of rows"):
            ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=1, rows=wrong)  # type: ignore[arg-type]


def test_without_expected_rows_the_command_judges_by_the_released_total(folder: Path, run: Run) -> None:
    command = ["publish", "t.csv", "unit.toml", "-e", "1", "--json"]
    done = run(*command, cwd=folder)
    (sentence,) = json.loads(done.stdout)["warnings"]
    assert "hour (25 codes) will hardly be told from noise" in sentence and f"ripost: {sentence}" in done.stderr
    stated = run(*command, "--force", "--rows", "1e6", cwd=folder)
    assert json.loads(stated.stdout)["warnings"] == [] and stated.stderr == ""


def test_a_ledger_of_units_advises_to_protect_them(folder: Path) -> None:
    create_ledger(folder / "units.ledger", dataset="d", epsilon=1, unit="patient_id")
    with pytest.raises(LedgerError, match='protect one patient_id: set unit = "patient_id" and max_rows in the schema'):
        ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=1, ledger=folder / "units.ledger")
    create_ledger(folder / "rows.ledger", dataset="d", epsilon=1)
    with pytest.raises(LedgerError, match=r"keep the unit, and make a ledger that counts it: .*--unit patient_id"):
        ripost.publish(folder / "t.csv", folder / "unit.toml", epsilon=1, ledger=folder / "rows.ledger")


def test_the_command_line_tells_them_on_standard_error_and_lists_them(folder: Path, run: Run) -> None:
    done = run("publish", "t.csv", "t.toml", "-e", "11", "-o", "out.parquet", "--json", cwd=folder)
    listed = json.loads(done.stdout)["warnings"]
    assert [f"ripost: {sentence}" for sentence in listed] == done.stderr.splitlines() and len(listed) == 3
    found = json.loads(run("check", "t.csv", "t.toml", "-e", "11", "--json", cwd=folder).stdout)["findings"]
    assert {one["check"] for one in found if one["level"] == "warning"} == {"epsilon", "unit"}


def test_a_release_under_the_name_of_another_format_is_refused_before_the_debit(folder: Path) -> None:
    create_ledger(folder / "l.ledger", dataset="d", epsilon=1, unit="patient_id")
    with pytest.raises(
        ReleaseError, match=r"out.csv: a release is a Parquet file, not .csv; name it out.ripost.parquet"
    ):
        ripost.publish(
            folder / "t.csv", folder / "unit.toml", epsilon=1, ledger=folder / "l.ledger", output=folder / "out.csv"
        )
    assert read_ledger(folder / "l.ledger").left[0] == 1
    with pytest.raises(LedgerError, match="but this release protects one row") as refused:
        ripost.publish(folder / "t.csv", folder / "t.toml", epsilon=1, ledger=folder / "l.ledger")
    assert "unit" in str(refused.value), "the advice is to protect more, not less"
