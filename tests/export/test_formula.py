"""No field of a CSV file is a formula, numbers stay numbers, and every text can be told from the field."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.export.csv_file import safe
from ripost.export.formula import NUMBER, is_formula
from tests.answering.making import make_view

ATTACKS = [
    "-2+3+cmd|' /C calc'!A0", "=1+1", "+1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u00a0=1",
    "'=1", '"=1', "\u200b=1", "\ufeff=1", "＝1+1",
    "＋1+1", "－1+1",
    "＠SUM(A1)", "-", "- 5", "-1-1", "+cmd", "=", "\n-1+1", "\u22121+1", "-5 ", "-5e", "-0x10+1", "' '=1", "-٥",
]  # fmt: skip
NUMBERS = ["-5", "+5", "-1.5", "-.5", "5", "-1e5", "+1.5E-10", "0"]
PLAIN = ["a", "", "JFK", "a=b", "1-2", "2013-01-31", "x@y", "Ü", "(other)", "'", "''", "  ", "1+1", "O'Hare"]
texts = st.text(st.one_of(st.sampled_from("=+-@'\" \t\r\n\u200b＝－0159.e"), st.characters()), max_size=8)


@pytest.mark.parametrize("text", ATTACKS)
def test_attacks_are_text(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", NUMBERS + PLAIN)
def test_numbers_and_names_stay_as_they_are(text: str) -> None:
    assert safe(text) == text


@given(texts)
@settings(max_examples=2000)
def test_every_field_is_harmless_and_tells_its_text(text: str) -> None:
    field = safe(text)
    visible = field.lstrip('"` ‘’“”\u200b\ufeff\u00a0')
    assert visible[:1] not in [*"=+-@＝＋－＠\t\r"] or NUMBER.fullmatch(field)
    assert (field[1:] if field[:1] == "'" and is_formula(field[1:]) else field) == text


@pytest.mark.parametrize("number", [-5, -2.5, 0, 1e300, -1e-300, None, True])
def test_what_is_no_text_is_never_marked(number: object) -> None:
    assert not str(safe(number)).startswith("'")


def test_exports_of_hostile_categories(tmp_path: Path) -> None:
    from ripost.schema.domain import Domain

    domain = Domain.from_json({"@place": {"type": "category", "values": ATTACKS + NUMBERS + PLAIN}})
    view = make_view(domain, leaves=5)
    for options in ({}, {"by": "@place"}, {"sql": 'SELECT "@place", COUNT(*) AS "=n" FROM view GROUP BY 1'}):
        path = tmp_path / "t.csv"
        view.export(path, force=True, **options)
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
        column = 0 if options else 1
        assert not any(is_formula(cell) and cell[0] != "'" for row in rows for cell in row)
        assert [row[column] for row in rows[1 : 1 + len(ATTACKS)]] == [f"'{text}" for text in ATTACKS]
    view.export(tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        sheets = [book.read(name).decode() for name in book.namelist() if "worksheets" in name]
        assert not any("<f>" in sheet for sheet in sheets)
        assert 'quotePrefix="1"' in book.read("xl/styles.xml").decode()
