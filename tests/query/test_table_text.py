"""Tables in print: the numbers of a column have one format, and bins are ranges."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from ripost.query.table import ResultColumn, Table
from ripost.schema.domain import Domain
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view

VIEW = make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True)


def shown(values: list[Any], kind: str = "double") -> list[str]:
    return [row[0] for row in Table([ResultColumn("x", kind, values)]).format_rows()]


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([1234.5, 7.25, None], ["1,234", "7", "NULL"]),
        ([12.0, 3.0], ["12", "3"]),
        ([12.5, 3.0], ["12.50", "3.00"]),
        ([0.25, 0.0371], ["0.2500", "0.0371"]),
        ([-0.0000001, 2.5], ["0.000000", "2.500000"]),
    ],
)
def test_one_format_a_column(numbers: list[float | None], texts: list[str]) -> None:
    assert shown(numbers) == texts


def test_booleans_are_words() -> None:
    assert shown([True, None], "bool") == ["true", "NULL"]


def test_a_figure_and_its_ends_have_one_format() -> None:
    """Alone, the figure would have more decimals than its ends."""
    columns = [
        ResultColumn(f"x{end}", "double", [value]) for end, value in (("", 7.5), ("_low", -0.25), ("_high", 17.5))
    ]
    assert Table(columns).format_rows() == [["7.50", "-0.25", "17.50"]]


@pytest.mark.parametrize(
    ("key", "label", "text"),
    [
        ("hour", 0, "0"),
        ("delay", -30.0, "-30 to -20"),
        ("day", dt.date(2013, 1, 1), "2013-01-01 to 2013-01-07"),
        (("hour", 5), 0, "0 to 4"),
        (("delay", 50), -50.0, "-30 to 0"),  # what of the bin the domain has
        (("day", "1 month"), dt.date(2013, 1, 1), "2013-01-01 to 2013-01-31"),
        (("day", "year"), 2013, "2013"),
        ("origin", "EWR", "EWR"),
    ],
)
def test_bins_are_printed_as_ranges(key: Any, label: object, text: str) -> None:
    """The values of the column stay those that can be computed with: where the bins begin."""
    table = VIEW.groupby(key)
    assert table.rows[0][0] == label and table.format_rows()[0][0] == text
    other = "hour" if key == "origin" else "origin"
    assert VIEW.pivot(other, key).columns[1] == text
    assert VIEW.pivot(key, other).format_rows()[0][0] == text


def test_levels_of_quantiles_are_printed_as_asked() -> None:
    assert [row[0] for row in VIEW.quantile("hour", [0.5, 0.999]).format_rows()] == ["0.5", "0.999"]


def test_a_column_with_other_and_missing_values() -> None:
    attribute = {"type": "integer", "min": 0, "max": 9, "width": 5, "outside": "other"}
    view = make_view(Domain.from_json({"age": attribute}), leaves=4)
    assert [row[0] for row in view.groupby("age").format_rows()] == ["0 to 4", "5 to 9", "(other)", "(missing)"]
    assert view.sql("WITH t AS (SELECT age FROM view GROUP BY age) SELECT * FROM t").format_rows()[1] == ["5 to 9"]
