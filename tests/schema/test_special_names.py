"""(other) and (missing) are names that no listed value can take, everywhere the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from ripost.errors import QueryError, SchemaError
from ripost.query.condition import parse_condition
from ripost.schema.attribute_base import MISSING, OTHER
from ripost.schema.domain import Domain
from ripost.schema.schema import Schema
from ripost.view import View
from tests.answering.making import make_view

PLACES = ["other", "missing", "A", "(Other)"]


def _view(values: list[str]) -> View:
    return make_view(Domain.from_json({"place": {"type": "category", "values": values}}), leaves=3)


@pytest.mark.parametrize("name", [OTHER, MISSING])
def test_a_schema_does_not_list_them(name: str) -> None:
    with pytest.raises(SchemaError, match="rename this value"):
        Schema.from_dict({"attributes": {"a": {"type": "category", "values": ["x", name]}}})


@pytest.mark.parametrize("values", [PLACES, [OTHER, MISSING], [OTHER, f"({OTHER})", "A"]])  # of earlier versions, too
def test_no_two_codes_have_one_name(values: list[str], tmp_path: Path) -> None:
    view = _view(values)
    attribute = view.domain.attributes["place"]
    names = [attribute.describe(code) for code in range(attribute.size)]
    assert len(set(names)) == len(names)
    assert names[: len(values)] == values and names[-2:] == [attribute.other_name, attribute.missing_name]
    labels = view.groupby("place")["place"]
    assert labels == [*values, attribute.other_name, None]
    sql = view.sql("SELECT place, COUNT(*) AS n FROM view GROUP BY place")
    for label, number in zip(sql["place"], sql["n"], strict=True):
        condition = "place IS NULL" if label is None else f"place = '{label}'"
        assert view.answer_regions([parse_condition(condition, view.domain)])[0].value == pytest.approx(number)
    view.export(tmp_path / "t.csv")
    written = (tmp_path / "t.csv").read_text("utf-8")
    assert all(f"place,{name}," in written for name in names)
    view.save(tmp_path / "v")
    import ripost

    assert ripost.open(tmp_path / "v").groupby("place")["place"] == labels  # files that list them still open


def test_other_values_of_an_ordered_attribute_can_be_asked_for() -> None:
    domain = Domain.from_json({"age": {"type": "integer", "min": 0, "max": 9, "outside": "other"}})
    view = make_view(domain, leaves=4)
    found = view.sql("SELECT age, COUNT(*) AS n FROM view GROUP BY age")
    asked = view.count(age=OTHER)
    assert found["age"][-2:] == [OTHER, None] and asked.value == pytest.approx(found["n"][-2])
    assert parse_condition(f"age IN ('{OTHER}', 3)", domain) == ({0: [(3.0, 4.0), (10.0, 11.0)]},)
    with pytest.raises(QueryError):
        view.count(age="other")


def test_the_explorer_has_the_same_names() -> None:
    from ripost.explore.packing import facts_of

    [axis] = facts_of(_view([OTHER]), title="t")["axes"]
    assert (axis["otherName"], axis["missingName"]) == (f"({OTHER})", MISSING)
