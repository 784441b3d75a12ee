"""A messy CSV file is checked, measured and published as it is, by the keys of its schema."""

from __future__ import annotations

from pathlib import Path

import pytest

import ripost
from ripost.check.fit import measure_fit
from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from ripost.sources.dialect import Dialect
from tests.sources.twin import cells_of

SCHEMA = """
[attributes.born]
type = "date"
format = "%d/%m/%Y"
min = 2000-01-01
max = 2001-12-31
width = "1 year"
[attributes.pay]
type = "number"
min = 0
max = 3000
width = 1000
decimal = ","
thousands = "."
missing_values = [999, "?"]
[attributes.town]
type = "category"
values_file = "towns.csv"
fold_case = true
missing_values = ["n/a"]
"""
ROWS = "born;pay;town\n31/01/2000;1.500,50;Z\n1/2/2001;999;ZÜRICH\n2001-02-01;?;N/A\n30/02/2000;12.5;Paris\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.toml").write_text(SCHEMA, "utf-8")
    (tmp_path / "towns.csv").write_text("code,town\nZ,Zürich\nB,Bern\n", "utf-8")
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    return tmp_path


def test_a_messy_file_is_read_as_its_schema_says(folder: Path) -> None:
    cells = cells_of(read_tensor(folder / "rows.csv", Schema.load(folder / "s.toml")))
    assert cells == {(0, 1, 0): 1, (1, 3, 0): 1, (2, 3, 3): 1, (2, 3, 2): 1}


def test_the_fit_tells_listed_spellings_of_missing_from_text_that_was_not_read(folder: Path) -> None:
    report = measure_fit(folder / "rows.csv", Schema.load(folder / "s.toml"))
    found = [(one.missing, one.unparsed, one.outside) for one in report.columns]
    assert found == [(0, 2, 0), (2, 1, 0), (1, 0, 1)]


def test_a_view_keeps_the_keys_and_needs_no_code_book(folder: Path) -> None:
    view = ripost.publish(folder / "rows.csv", Schema.load(folder / "s.toml"), epsilon=1.0)
    view.save(folder / "out.parquet")
    (folder / "towns.csv").unlink()
    assert ripost.open(folder / "out.parquet").domain == Schema.parse(SCHEMA.replace(
        'values_file = "towns.csv"', 'values = ["Zürich", "Bern"]\naliases = { Z = "Zürich", B = "Bern" }'
    )).domain  # fmt: skip


def test_an_engine_whose_text_functions_are_not_known_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dialect, "parses_text", False)
    with pytest.raises(SourceError, match="cannot read text by a rule on duckdb in UTF-8; leave out format, or export"):
        read_tensor(folder / "rows.csv", Schema.load(folder / "s.toml"))
