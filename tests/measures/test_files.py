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


def test_a_database_lists_sums_and_means(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "view.duckdb")
    with duckdb.connect(str(tmp_path / "view.duckdb"), read_only=True) as connection:
        found = connection.execute(
            "SELECT value, estimate, low, high FROM measures "
            "WHERE measure = 'seats' AND figure = 'mean' AND attribute = 'place' ORDER BY value"
        ).fetchall()
    rows = view.groupby("place", agg={"seats": "mean"}).rows
    expected = {str(row[0]): row[4:] for row in rows if row[0] in "abcd"}
    assert {row[0]: pytest.approx(row[1:]) for row in found if row[0] in "abcd"} == expected


def test_facts_name_the_measures(view: View) -> None:
    assert sum(fact == "measure" for fact, _ in about(view)) == 3
    assert any(str(row[0]).startswith("sums of delay, ") for row in ledger_rows(view.privacy))
    page = view._repr_html_()
    assert "NOT PRIVATE" in page


def test_what_a_steward_hears() -> None:
    schema = make_schema()
    found = list(check_measures(schema, epsilon=2.0))
    assert [one.level for one in found] == ["ok", "ok"]
    assert "25% of the budget, epsilon 0.5" in found[0].says
    assert PublicFacts.of(schema, rows=1000).share * 4 == 1


def test_what_is_not_done_says_so(view: View) -> None:
    with pytest.raises(InputError, match="with measures cannot be estimated again"):
        ripost.reestimate(view)


def test_both_spellings_at_once_are_refused() -> None:
    with pytest.raises(ripost.errors.SchemaError, match=r"takes either \[measure\] or"):
        make_schema(measure={"sum": "chairs", "max": 100.0})
