"""A database of a series gives the shared vectors in SQL, and what the library answers by period."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from ripost.series import Series
from ripost.view import open_view
from tests.export.exporting import exported, same
from tests.vectors.make import read
from tests.vectors.series import FILE, NAME

FIGURES = "count, count_stderr, count_low, count_high"


@pytest.fixture(scope="module")
def series() -> Series:
    found = open_view(FILE)
    assert isinstance(found, Series)
    return found


@pytest.fixture(scope="module")
def database(series: Series, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with exported(series, tmp_path_factory.mktemp("series")) as connection:
        yield connection


def rounds_to_whole(box: list[Any], series: Series) -> bool:
    """Whether a bound inside a code makes an interval that is all of its attribute, once it is moved outward."""
    sizes = zip(box, series.domain.shape, strict=True)
    spans = [(spans[0][0], spans[-1][1], size) for spans, size in sizes if spans is not None]
    return any(math.floor(low) <= 0 and math.ceil(high) >= size and (low % 1 or high % 1) for low, high, size in spans)


QUESTIONS = [question for question in read(NAME) if len(question["boxes"]) == 1]


def check_box(question: dict[str, Any], series: Series, database: Any) -> None:
    """The value, the standard error and the interval are the library's; ends are differences of larger figures."""
    given = ", ".join(
        f"{name} := {[end for span in spans for end in span]}"
        for name, spans in zip(series.domain.names, question["boxes"][0], strict=True)
        if spans is not None
    )
    [found] = database.execute(f"SELECT {FIGURES} FROM ripost_count({given})").fetchall()
    wanted = [question[figure] for figure in ("value", "stderr", "low", "high")]
    assert [*found] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * max(1.0, wanted[3] or 0.0)), given


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_boxes_have_the_figures_of_the_vectors(each: int, series: Series, database: Any) -> None:
    """One question in 40 is asked, or all of them."""
    assert len(QUESTIONS[::each]) >= 5
    for question in QUESTIONS[::each]:
        check_box(question, series, database)


@pytest.mark.parametrize("each", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_boxes_with_a_bound_that_rounds_to_all_of_an_attribute(each: int, series: Series, database: Any) -> None:
    """The outer question is then one that does not name the attribute, and histograms tell of it."""
    asked = [question for question in QUESTIONS if rounds_to_whole(question["boxes"][0], series)]
    assert len(asked) >= 40
    for question in asked[::each]:
        check_box(question, series, database)


def test_groups_by_period_and_across_periods(series: Series, database: Any) -> None:
    for keys, where, given in (
        (["period"], "", ""),
        (["period", "ward"], "hour < 8", ", hour := [0, 7]"),
        (["ward"], "period in ('2026-01', '2026-04')", ", period := ['2026-01', '2026-04']"),
    ):
        shown = ", ".join([*keys, "count, count_low, count_high"])
        found = database.execute(f"SELECT {shown} FROM flights_by({keys}{given})").fetchall()
        table = series.groupby(*keys, where=where).rows
        assert [row[: len(keys)] for row in found] == [row[: len(keys)] for row in table]
        for row, wanted in zip(found, table, strict=True):
            assert row[len(keys) :] == pytest.approx(wanted[len(keys) :], rel=1e-9, abs=1e-9)
    together = database.execute("SELECT count_low, count_high FROM flights_simultaneous(['period'])").fetchall()
    wanted = series.groupby("period", simultaneous=True).rows
    assert together == [pytest.approx(row[2:], rel=1e-9) for row in wanted]


def test_relations_of_cells_add_up(series: Series, database: Any) -> None:
    totals = {part.period.label: part.total for part in series.parts if part.period}
    for source in ("flights", "flights_cells(['period', 'ward'])"):
        found = dict(database.execute(f"SELECT period, sum(count) FROM {source} GROUP BY period").fetchall())
        assert found == pytest.approx(totals)
    wards = dict(database.execute("SELECT ward, count FROM flights_cells(['ward'])").fetchall())
    for ward, total, *_ in series.groupby("ward").rows:
        assert wards[ward] == pytest.approx(total)


def test_the_database_explains_itself(series: Series, database: Any) -> None:
    listed = database.execute("SELECT period, epsilon, digest FROM periods").fetchall()
    assert listed == [(one["period"], one["epsilon"], one["digest"]) for one in series.list_periods()]
    [(name, size)] = database.execute("SELECT name, codes FROM dimensions WHERE number = 0").fetchall()
    assert (name, size) == ("period", 6)
    for asked in ("[]", "['period']"):
        with pytest.raises(Exception, match="period has no value 2027"):
            database.execute(f"FROM flights_by({asked}, period := ['2027'])").fetchall()


def test_a_period_whose_error_is_unknown_has_no_interval(tmp_path: Any, series: Series) -> None:
    import ripost
    from tests.vectors.series import SCHEMA, rows

    unknown = ripost.publish(rows("2026-06"), SCHEMA, epsilon=1, seed=1, period="2026-06", method="one-way")
    both = ripost.union([series.parts[2], unknown])
    where = "age < 50 and hour < 8 and ward = 'A' and stay < 20 and old"
    with exported(both, tmp_path) as connection:
        given = "age := [0, 49], hour := [0, 7], ward := ['A'], stay := [0, 19], old := ['true']"
        for period in (None, "2026-03", "2026-06"):
            told = both.count(f"{where} and period = '{period}'" if period else where)
            kept = f", period := ['{period}']" if period else ""
            [found] = connection.execute(f"SELECT {FIGURES} FROM flights_by([], {given}{kept})").fetchall()
            assert same(found, told), period
        assert found[0] is not None and found[2:] == (None, None)
