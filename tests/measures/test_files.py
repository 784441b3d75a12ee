"""Files, exports and commands with measures; forged files are refused."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import ripost
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.csvw import build_csvw
from ripost.check.schema_check import check_measures
from ripost.errors import InputError, ReleaseError
from ripost.export.about import about, ledger_rows
from ripost.planning.public_facts import PublicFacts
from ripost.release.manifest import parse
from ripost.release.verify import verify_view
from ripost.view import View
from tests.measures.tables import make_schema
from tests.release.forging import forge

GOLDEN = Path(__file__).parents[1] / "release" / "golden" / "v5-measures.ripost.parquet"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def view() -> View:
    return ripost.open(GOLDEN)


def widen_the_range(facts: dict[str, Any]) -> None:
    facts["measures"][0]["measure"]["max"] = 500.0


def leave_out_a_ledger(facts: dict[str, Any]) -> None:
    del facts["privacy"]["measures"]["seats"]


def spend_less(facts: dict[str, Any]) -> None:
    facts["privacy"]["spent"] = "1"


def name_it_twice(facts: dict[str, Any]) -> None:
    facts["measures"].append(facts["measures"][0])


def call_it_an_attribute(facts: dict[str, Any]) -> None:
    facts["measures"][0]["name"] = "Hour"
    facts["privacy"]["measures"]["Hour"] = facts["privacy"]["measures"].pop("delay")


def take_an_earlier_version(facts: dict[str, Any]) -> None:
    facts["version"] = 3


def cut_the_marginals(facts: dict[str, Any]) -> None:
    facts["measures"][0]["marginals"][0].pop()


def promise_less(facts: dict[str, Any]) -> None:
    facts["privacy"]["epsilon"] = "3/2"


CHANGES = [
    widen_the_range,
    leave_out_a_ledger,
    spend_less,
    name_it_twice,
    call_it_an_attribute,
    take_an_earlier_version,
    cut_the_marginals,
    promise_less,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_forged_manifest_is_refused(view: View, change: Change) -> None:
    facts = json.loads(view.file.text)
    change(facts)
    with pytest.raises(ReleaseError):
        replace(view.file, manifest=parse(json.dumps(facts))).check_ledger()


@pytest.mark.parametrize("column", ["delay_above", "delay_variance", "seats_variance"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -1e101])
def test_columns_that_open_refuses_are_refused_by_verify(column: str, value: float, tmp_path: Path) -> None:
    path = tmp_path / "v.ripost.parquet"
    path.write_bytes(GOLDEN.read_bytes())
    forge(path, lambda _, columns: columns[column].__setitem__(0, value))
    with pytest.raises(ReleaseError, match="its parts do not fit"):
        ripost.open(path)
    assert [check.name for check in verify_view(path) if not check.ok] == ["variances"]


def test_tables_have_sums_and_means(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "place.csv", by="place")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "place.csv").read_text("utf-8-sig"))))
    expected = view.groupby("place", agg={"delay": ["sum", "mean"], "seats": ["sum", "mean"]}).to_pandas()
    for title in ("sum_delay", "avg_delay", "sum_seats_low", "avg_seats_high"):
        found = [float(row[title]) for row in rows]
        assert found == pytest.approx(expected[title].tolist(), rel=1e-9, nan_ok=True)
    view.export(tmp_path / "usual.csv")
    (head, *_) = csv.reader(io.StringIO((tmp_path / "usual.csv").read_text("utf-8-sig")))
    assert {"count", "sum_delay", "avg_seats_high"} <= set(head)


def test_a_database_answers_sums_and_means(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "view.duckdb")
    with duckdb.connect(str(tmp_path / "view.duckdb"), read_only=True) as connection:
        asked = "SELECT place, avg_seats, avg_seats_low, avg_seats_high FROM view_seats_by(['place'])"
        found = connection.execute(asked).fetchall()
        measures = connection.execute("SELECT * FROM measures").fetchall()
    rows = view.groupby("place", agg={"seats": "mean"}).rows
    assert [(row[0], pytest.approx(row[1:], rel=1e-9)) for row in found] == [(row[0], row[4:]) for row in rows]
    assert measures == [("delay", "delay", -30, 90, None), ("seats", "chairs", 0, 300, 0)]


def test_facts_name_the_measures(view: View) -> None:
    assert [fact for fact, _ in about(view) if fact.startswith("measure")] == [
        "measure",
        "measure delay",
        "measure seats",
    ]
    assert any(str(row[0]).startswith("sums of delay, ") for row in ledger_rows(view.privacy))
    page = view._repr_html_()
    assert "NOT PRIVATE" in page and "SUM and AVG of seats of column chairs: values from 0 to 300" in page
    ledgers = view.privacy._repr_html_()  # type: ignore[attr-defined]  # by explore/notebook.py
    assert "ripost ledger of delay" in ledgers and "ripost ledger of seats" in ledgers
    assert "2 measures, epsilon 2," in repr(view)


def test_csvw_states_the_columns_of_measures() -> None:
    columns = {one["name"]: one for one in build_csvw(CertifiedRelease.open(GOLDEN))["tableSchema"]["columns"]}
    assert list(columns) == ["hour", "place", "delay", "chairs"]
    assert (columns["delay"]["minimum"], columns["delay"]["maximum"], columns["delay"]["required"]) == (-30, 90, True)
    assert (columns["chairs"]["maximum"], columns["chairs"]["required"]) == (300, False)


def test_json_stat_has_the_figures_of_measures(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "view.json", format="json-stat", by="place")
    found = json.loads((tmp_path / "view.json").read_text("utf-8"))
    figures = found["dimension"]["figure"]["category"]
    assert figures["index"][:5] == ["value", "low", "high", "sum_delay", "sum_delay_low"]
    assert figures["label"]["avg_seats_high"] == "high end of the 95 % interval of the mean of seats"
    assert found["size"] == [view.domain.attributes["place"].size, 15]
    place = list(found["dimension"]["place"]["category"]["index"]).index("b")
    row = found["value"][15 * place : 15 * place + 15]
    mean = view.mean("seats", place="b")
    assert row[12:] == pytest.approx([mean.value, mean.low, mean.high])
    assert found["extension"]["ripost"]["about"]["measure seats"].startswith("SUM and AVG of seats")


def test_what_a_steward_hears() -> None:
    schema = make_schema()
    found = list(check_measures(schema, epsilon=2.0))
    assert [one.level for one in found] == ["ok", "ok"]
    assert "25% of the budget, epsilon 0.5" in found[0].says
    assert PublicFacts.of(schema, rows=1000).share * 4 == 1


def test_a_file_without_noisy_sums_cannot_be_estimated_again(view: View) -> None:
    with pytest.raises(InputError, match="holds no noisy sums of delay, so it cannot be estimated again"):
        ripost.reestimate(view)


def test_noisy_sums_have_names_boxes_and_noise() -> None:
    """A sum over the whole table is the middle times the count, plus a value with the noise of its entry."""
    together = ripost.open(GOLDEN.with_name("v5-together.ripost.parquet"))
    table = together.measurements().to_pandas()
    for name, middle, bound, step in (("delay", 30.0, 120, 1.0), ("seats", 150.0, 30, 10.0)):
        total = table[(table["measure"] == name) & (table["purpose"] == "total")].iloc[0]
        entry = together.privacy.measures[name].entries[0]
        assert total["scale"] == pytest.approx(entry.scale * step / 2) and entry.sensitivity == bound
        assert total["variance"] == pytest.approx(total["scale"] ** 2, rel=1e-6)
        rough = middle * float(together.count()) + total["value"]
        assert abs(rough - float(together.sum(name))) < 6 * total["scale"]


@pytest.mark.parametrize(("change", "says"), [("beyond", "not of a draw"), ("fewer", "another number of blocks")])
def test_forged_noisy_sums_are_refused(change: str, says: str) -> None:
    file = ripost.open(GOLDEN.with_name("v5-together.ripost.parquet")).file
    columns = {name: values.copy() for name, values in file.columns.items()}
    if change == "beyond":
        entry = columns["measurements.entry"]
        entry[entry == entry[-1]] = len(file.manifest.promise.all_entries)
    else:
        columns = {name: v[:-1] if name.startswith("measurements.") else v for name, v in columns.items()}
    with pytest.raises(ReleaseError, match=says):
        replace(file, columns=columns).check_measurements()


def test_both_spellings_at_once_are_refused() -> None:
    with pytest.raises(ripost.errors.SchemaError, match=r"takes either \[measure\] or"):
        make_schema(measure={"sum": "chairs", "max": 100.0})
