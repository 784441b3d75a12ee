"""Tables of a view as CSV, JSON-stat and XLSX: the library's numbers, and labels that are text."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from ripost.errors import InputError, QueryError, ReleaseError
from ripost.schema.domain import Domain
from ripost.view import View, open_view
from tests.answering.making import make_view, promise
from tests.explore.hostile_names import HOSTILE
from tests.explore.views import every_type, view_of_kind

LEVELS = Path(__file__).parents[1] / "vectors" / "levels-blocks.ripost.parquet"


@pytest.fixture(scope="module")
def view() -> View:
    return every_type()


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode())))


def test_csv_of_every_dimension(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.csv")
    head, *rows = read_csv(tmp_path / "v.csv")
    assert head == ["dimension", "value", "count", "count_low", "count_high", "label"]
    assert len(rows) == sum(view.domain.shape)
    jfk = view.count(origin="JFK")
    [found] = [row for row in rows if row[:2] == ["origin", "JFK"]]
    assert [float(figure) for figure in found[2:5]] == [jfk.value, jfk.low, jfk.high]
    assert ["delay", "(missing)"] in [row[:2] for row in rows] and ["share", "(other)"] in [row[:2] for row in rows]


def test_tables_of_every_attribute_and_level(tmp_path: Path) -> None:
    view = open_view(LEVELS)
    for ending in ("csv", "xlsx", "json"):
        view.export(tmp_path / f"v.{ending}")
    _, *rows = read_csv(tmp_path / "v.csv")
    for level in ("region", "state"):
        found = {row[1]: float(row[2]) for row in rows if row[0] == level}
        assert found == {str(row[0] or "(missing)"): row[1] for row in view.groupby(level).rows}
    assert not [row for row in rows if row[0] == "hub"]  # what is derived is exported when it is named


def test_csv_by_some_and_where(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.csv", by="origin, day", where="hour between 6 and 9 or late")
    head, *rows = read_csv(tmp_path / "v.csv")
    wanted = view.sql("SELECT origin, day, COUNT(*) FROM view WHERE hour BETWEEN 6 AND 9 OR late GROUP BY origin, day")
    assert head == wanted.columns
    assert [[row[0], row[1], *map(float, row[2:])] for row in rows] == [
        [str(row[0]), str(row[1]), *row[2:]] for row in wanted.rows
    ]
    view.export(tmp_path / "q.csv", sql="SELECT AVG(delay) AS mean FROM view WHERE origin = 'JFK'")
    assert read_csv(tmp_path / "q.csv")[0] == ["mean", "mean_low", "mean_high"]


@pytest.mark.filterwarnings("ignore:Shouldn't use this function:DeprecationWarning")  # the reader's, of itself
def test_json_stat_is_a_cube(view: View, tmp_path: Path) -> None:
    """Read back by another's reader, and held to the documented structure."""
    pyjstat = pytest.importorskip("pyjstat.pyjstat")
    view.export(tmp_path / "v.json", by=["origin,hour"], where="delay >= 0")
    cube = json.loads((tmp_path / "v.json").read_text("utf-8"))
    assert cube["version"] == "2.0" and cube["class"] == "dataset"
    assert cube["id"] == ["origin", "hour", "figure"] and cube["size"] == [4, 24, 3]
    assert len(cube["value"]) == 4 * 24 * 3 and cube["role"]["metric"] == ["figure"]
    assert set(cube["dimension"]) == set(cube["id"])
    for name, size in zip(cube["id"], cube["size"], strict=True):
        category = cube["dimension"][name]["category"]
        assert len(category["index"]) == len(set(category["index"])) == size == len(category["label"])
    frame = pyjstat.Dataset.read((tmp_path / "v.json").read_text("utf-8")).write("dataframe", naming="id")
    picked = frame[(frame["origin"] == "JFK") & (frame["hour"] == "8")].set_index("figure")["value"]
    answer = view.count(origin="JFK", hour=8, delay=(0, 299))
    assert picked.to_dict() == pytest.approx({"value": answer.value, "low": answer.low, "high": answer.high})


def test_json_stat_of_every_dimension_and_of_unknown_errors(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.json")
    found = json.loads((tmp_path / "v.json").read_text("utf-8"))
    assert found["class"] == "collection" and len(found["link"]["item"]) == len(view.domain)
    times = [one["role"].get("time") for one in found["link"]["item"]]
    assert times.count(["day"]) == times.count(["at"]) == 1
    sample = view_of_kind("sample")
    sample.export(tmp_path / "s.json", by="x0")
    cube = json.loads((tmp_path / "s.json").read_text("utf-8"))
    assert cube["value"][1::3] == cube["value"][2::3] == [None] * 6 and None not in cube["value"][::3]


def test_combinations_outside_a_condition_are_null(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.json", by="origin,late", where="origin = 'JFK' and late or origin = 'LGA' and not late")
    cube = json.loads((tmp_path / "v.json").read_text("utf-8"))
    told = [value is not None for value in cube["value"][::3]]
    assert told == [False, False, False, True, True, False, False, False]


def test_xlsx(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.xlsx")
    book = openpyxl.load_workbook(tmp_path / "v.xlsx")
    assert book.sheetnames == [*view.domain.names, "privacy"]
    rows = list(book["day"].iter_rows(values_only=True))
    assert rows[0] == ("day", "count", "count_low", "count_high") and rows[1][0] == dt.datetime(2013, 1, 1)
    assert [row[1] for row in rows[1:]] == pytest.approx(view.groupby("day")["count"])
    facts = dict(row[:2] for row in book["privacy"].iter_rows(max_row=8, values_only=True))
    assert "by a factor of at most 1.65 (epsilon 0.5, " in facts["promise"]
    told = [row[0] for row in book["privacy"].iter_rows(values_only=True)]
    assert "purpose" in told and view.privacy.ledger.entries[0].purpose in told


def test_labels_are_text(tmp_path: Path) -> None:
    name = "=1+1 [x]:*?/\\ that is far too long for a sheet"
    domain = {name: {"type": "category", "values": HOSTILE}, name.upper(): {"type": "boolean"}}
    view = make_view(Domain.from_json(domain), leaves=12)
    view.export(tmp_path / "v.csv", by=name)
    head, *rows = read_csv(tmp_path / "v.csv")
    assert head[0] == f"'{name}" and all(not field.startswith(("=", "+", "@")) for row in rows for field in row)
    view.export(tmp_path / "v.xlsx")
    book = openpyxl.load_workbook(tmp_path / "v.xlsx")
    assert len(book.sheetnames) == 3 and all(len(one) <= 31 for one in book.sheetnames)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n", "b"} and not any(cell.hyperlink for cell in cells)
    assert HOSTILE[6] in [cell.value for cell in cells]
    view.export(tmp_path / "v.json", by=name)
    assert json.loads((tmp_path / "v.json").read_text("utf-8"))["id"][0] == name


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx"])
def test_a_seed_is_shouted(ending: str, tmp_path: Path) -> None:
    seeded = make_view((4, 3), leaves=6, privacy=promise(6, entropy="seed 7"))
    for path, by in ((tmp_path / f"a.{ending}", ()), (tmp_path / f"b.{ending}", ("x0,x1",))):
        seeded.export(path, by=by)
        if ending == "xlsx":
            sheets = openpyxl.load_workbook(path)
            assert all(sheet["A1"].value == "NOT PRIVATE: the noise comes from seed 7" for sheet in sheets)
        elif ending == "csv":
            assert {row[-1] for row in read_csv(path)} == {"NOT PRIVATE", "the noise comes from seed 7"}
        else:
            assert json.loads(path.read_text("utf-8"))["note"][0].startswith("NOT PRIVATE")


def refusals() -> list[tuple[str, dict[str, Any], str]]:
    return [
        ("v.txt", {}, "tells no format; end it with one of .duckdb, .csv, .json, .xlsx"),
        ("v.csv", {"format": "parquet"}, "there is no format 'parquet'"),
        ("v.csv", {"by": ["hour", "origin"]}, "a CSV file holds one table"),
        ("v.csv", {"by": "hours"}, "did you mean 'hour'"),
        ("v.csv", {"by": "hour,hour"}, "named twice"),
        ("v.csv", {"by": "hour", "sql": "SELECT COUNT(*) FROM view"}, "give either a SELECT"),
        ("v.csv", {"where": "hour ="}, "cannot read the condition"),
        ("v.json", {"sql": "SELECT COUNT(*) FROM view"}, "holds cubes; name dimensions"),
        ("v.xlsx", {"by": "hour,delay,at,share,day"}, "at most 50,000"),
    ]


@pytest.mark.parametrize(("name", "asked", "words"), refusals())
def test_what_cannot_be_had_is_refused(
    view: View, tmp_path: Path, name: str, asked: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        view.export(tmp_path / name, **asked)
    assert words in str(caught.value) and not list(tmp_path.iterdir())


def test_dimensions_without_a_table(tmp_path: Path) -> None:
    long = {"ip": {"type": "integer", "min": 0, "max": 2**31 - 10, "missing": "drop"}}
    both = make_view(Domain.from_json({**long, "b": {"type": "boolean"}}), leaves=9)
    both.export(tmp_path / "v.csv")
    assert {row[0] for row in read_csv(tmp_path / "v.csv")[1:]} == {"b"}
    with pytest.raises(InputError, match="ask a SELECT with width"):
        make_view(Domain.from_json(long), leaves=9).export(tmp_path / "w.csv")
    with pytest.raises(QueryError):
        both.export(tmp_path / "w.csv", by="ip")


def test_nothing_is_overwritten(view: View, tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("precious", "utf-8")
    with pytest.raises(ReleaseError, match="exists already"):
        view.export(path)
    assert path.read_text("utf-8") == "precious"
    view.export(path, by="origin", force=True)
    assert [one.name for one in tmp_path.iterdir()] == ["v.csv"]


def test_xlsx_without_its_library(view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(InputError, match=r"pip install 'ripost\[xlsx\]'"):
        view.export(tmp_path / "v.xlsx")
