"""What the schema says of the table, and that only kept rows count, reach every reader of the view."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ripost
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.csvw import build_csvw
from ripost.certify.registry import build_registry_entry
from ripost.explore.packing import facts_of
from tests.conftest import Run

TITLE, STORY, LABEL, WORDS = "Visits to wards", "All visits of one year.", "ward of the visit", "Where the patient lay."
EXPRESSION = "stay + 1"
KEPT = (
    "only kept rows count, at most 2 of each patient and none where patient is missing, so totals can be lower than in"
)
SCHEMA = {
    "title": TITLE,
    "description": STORY,
    "unit": "patient",
    "max_rows": 2,
    "attributes": {
        "ward": {"type": "category", "values": ["A", "B"], "label": LABEL, "description": WORDS},
        "stay": {"type": "integer", "min": 0, "max": 9, "unit": "days"},
        "nights": {"type": "integer", "min": 0, "max": 9, "expression": EXPRESSION},
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("words")
    rows = pl.DataFrame({"patient": [1, 1, 1, 2, 3] * 40, "ward": ["A", "B"] * 100, "stay": [1, 2, 3, 4] * 50})
    ripost.publish(rows, ripost.Schema.from_dict(SCHEMA), epsilon=1, output=made / "v.ripost.parquet")
    return made


@pytest.fixture
def view(folder: Path) -> ripost.View:
    return ripost.open(folder / "v.ripost.parquet")


def test_the_file_keeps_them(view: ripost.View) -> None:
    assert (view.title, view.description) == (TITLE, STORY)
    assert view.domain.attributes["ward"].description == WORDS


def test_commands_say_them(run: Run, folder: Path) -> None:
    told = run("info", "v.ripost.parquet", cwd=folder).stdout
    for words in (TITLE, STORY, LABEL, WORDS, KEPT, EXPRESSION):
        assert words in told
    facts = json.loads(run("info", "v.ripost.parquet", "--json", cwd=folder).stdout)
    assert (facts["title"], facts["description"]) == (TITLE, STORY) and KEPT in facts["note"]
    for question in ("", "ward = 'A'", "SELECT ward, COUNT(*) FROM view GROUP BY ward"):
        assert f"Note: {KEPT}" in run("query", "v.ripost.parquet", question, cwd=folder).stdout
        assert KEPT in json.loads(run("query", "v.ripost.parquet", question, "--json", cwd=folder).stdout)["note"]


def test_answers_say_that_only_kept_rows_count(view: ripost.View) -> None:
    one, other = view.count(ward="A"), view.count()
    for answer in (one, other - one, one / other):
        assert KEPT in answer.note and KEPT in repr(answer)
    for table in (
        view.groupby("ward"),
        view.sql("SELECT AVG(stay) FROM view"),
        view.quantile("stay"),
        view.cdf("stay"),
    ):
        assert KEPT in table.note and f"Note: {KEPT}" in str(table)


def test_certificate_and_registries_say_them(folder: Path) -> None:
    subject = CertifiedRelease.open(folder / "v.ripost.parquet")
    text = " ".join(format_certificate(subject).split())
    for words in (TITLE, STORY, LABEL, WORDS, KEPT[1:]):
        assert words in text
    described = build_csvw(subject)
    assert described["dc:title"] == TITLE and described["dc:description"].startswith(STORY)
    assert described["tableSchema"]["columns"][0]["dc:description"] == WORDS
    basic = build_registry_entry(subject)["deployment"]["basic"]
    assert basic["name"] == TITLE and basic["description"].endswith(STORY)


def test_notebook_and_page_get_them(view: ripost.View) -> None:
    shown = view._repr_html_()
    for words in (TITLE, STORY, LABEL, WORDS, KEPT):
        assert words in shown
    facts = facts_of(view, title="t")
    assert (facts["description"], facts["axes"][0]["description"]) == (STORY, WORDS)
    assert any(KEPT[1:] in note for note in facts["notes"]) and any(
        KEPT[1:] in words for words in facts["privacy"]["words"]
    )


def test_the_page_is_called_after_the_table(view: ripost.View, tmp_path: Path) -> None:
    view.explore(tmp_path / "page.html")
    assert f"<title>{TITLE}</title>" in (tmp_path / "page.html").read_text("utf-8")


def test_exports_hold_them(view: ripost.View, tmp_path: Path) -> None:
    for name in ("v.duckdb", "v.csv", "v.json", "v.xlsx"):
        view.export(tmp_path / name)
    with duckdb.connect(str(tmp_path / "v.duckdb"), read_only=True) as database:
        about = dict(database.execute("SELECT * FROM about").fetchall())
        assert about["title"] == TITLE and about["description"] == STORY and KEPT in about["kept rows"]
        [(comment,)] = database.execute("SELECT comment FROM duckdb_views() WHERE view_name = 'v'").fetchall()
        assert comment.startswith(f"{TITLE}. {STORY}")
        columns = dict(
            database.execute("SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'v'").fetchall()
        )
        assert columns["ward"] == f"{LABEL}: {WORDS}" and columns["stay"] == "in days"
        assert (WORDS,) in database.execute("SELECT description FROM dimensions").fetchall()
    head, first, *_ = (tmp_path / "v.csv").read_text("utf-8").splitlines()
    assert head.endswith(",label,note") and LABEL in first and KEPT in first
    cubes = json.loads((tmp_path / "v.json").read_text("utf-8"))
    assert cubes["label"] == TITLE and STORY in cubes["note"]
    ward = cubes["link"]["item"][0]
    assert ward["label"].startswith(TITLE) and ward["dimension"]["ward"]["label"] == LABEL
    assert ward["dimension"]["ward"]["note"] == [WORDS] and any(KEPT in note for note in ward["note"])
    view.export(tmp_path / "by.csv", by="ward,stay")
    assert (tmp_path / "by.csv").read_text("utf-8").startswith(f"{LABEL},stay,count,")


def test_sheets_hold_them(view: ripost.View, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    view.export(tmp_path / "v.xlsx")
    book = openpyxl.load_workbook(tmp_path / "v.xlsx")
    assert book["ward"]["A1"].value == TITLE and KEPT[1:] in book["ward"]["A2"].value
    assert book["ward"]["A3"].value == LABEL
    facts = {row[0].value: row[1].value for row in book["privacy"].iter_rows(max_col=2)}
    assert facts["title"] == TITLE and facts["ward"] == f"{LABEL}: {WORDS}"


def test_a_view_of_rows_says_nothing_of_it() -> None:
    rows = pl.DataFrame({"stay": [1, 2, 3] * 30})
    plain = {"attributes": {"stay": SCHEMA["attributes"]["stay"]}}  # type: ignore[index]
    view = ripost.publish(rows, ripost.Schema.from_dict(plain), epsilon=1)
    assert view.title is None and view.count().note == "" and view.groupby("stay").note == ""
    assert facts_of(view, title="t")["notes"] == []
