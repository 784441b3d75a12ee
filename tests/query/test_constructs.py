"""What analysts write in SQL beside plain group-bys: CASE, LIKE, DISTINCT, MIN and MAX, SELECTs over results."""

from __future__ import annotations

from pathlib import Path

import pytest

from ripost.errors import QueryError
from ripost.view import View, open_view
from tests.fuzz.corpus import views
from tests.query.exact import exact_rows, exact_view

VECTORS = Path(__file__).parents[1] / "vectors"
VIEW = exact_view(exact_rows())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SUM(CASE WHEN a < 3 THEN 1 ELSE 0 END)", "COUNT(*) FILTER (WHERE a < 3)"),
        ("COUNT(CASE WHEN a < 3 THEN 1 END)", "COUNT(*) FILTER (WHERE a < 3)"),
        ("AVG(CASE WHEN a < 3 THEN 1.0 ELSE 0 END)", "COUNT(*) FILTER (WHERE a < 3) / COUNT(*)"),
        ("SUM(a) / COUNT(a)", "AVG(a)"),
        ("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY a)", "QUANTILE_CONT(a, 0.9)"),
        ("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY a DESC)", "QUANTILE_CONT(a, 0.1)"),
        ("APPROX_QUANTILE(a, 0.5)", "MEDIAN(a)"),
        ("PERCENTILE_APPROX(a, 0.5)", "MEDIAN(a)"),
    ],
)
def test_spellings_mean_the_same(one: str, other: str) -> None:
    """The value and both ends are those of the plain spelling."""
    found, same = (VIEW.sql(f"SELECT c, {text} AS m FROM view GROUP BY c").rows for text in (one, other))
    for row, expected in zip(found, same, strict=True):
        assert row[0] == expected[0] and row[1:] == pytest.approx(expected[1:])


def test_distinct_lists_the_domain() -> None:
    found = VIEW.sql("SELECT DISTINCT c FROM view")
    assert found.rows == VIEW.sql("SELECT c FROM view GROUP BY c").rows and "public domain" in found.note


def test_the_name_of_the_file_is_a_table() -> None:
    view = open_view(VECTORS / "mixture-rows.ripost.parquet")
    count = view.sql("SELECT COUNT(*) FROM view").rows
    assert view.sql('SELECT COUNT(*) FROM "mixture-rows"').rows == view.sql("SELECT COUNT(*) FROM mixture_rows").rows
    assert view.sql("SELECT COUNT(*) FROM mixture_rows").rows == count
    with pytest.raises(QueryError, match="ask FROM view or 'mixture-rows'"):
        view.sql("SELECT COUNT(*) FROM nowhere")


def test_a_maximum_of_a_result_has_simultaneous_ends() -> None:
    view: View = open_view(VECTORS / "mixture-rows.ripost.parquet")
    name = view.domain.names[0]
    inner = f"SELECT {name}, COUNT(*) AS n FROM view{{}} GROUP BY {name}"
    [largest] = view.sql(f"WITH t AS ({inner.format('')}) SELECT MAX(n) FROM t").rows
    rows = view.sql(inner.format("(simultaneous)")).rows
    assert largest == tuple(max(row[end] for row in rows) for end in (1, 2, 3))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("SELECT APPROX_QUANTILE(a) FROM view", "needs a level from 0 to 1"),
        ("SELECT QUANTILE_CONT(a, [0.1, 0.9]) FROM view", "each in a column of its own"),
        ("SELECT PERCENTILE_CONT(90) WITHIN GROUP (ORDER BY a) FROM view", "a number from 0 to 1, got '90'"),
        ("SELECT CASE WHEN a < 3 THEN 'x' END, COUNT(*) FROM view GROUP BY 1", "for each of its cases"),
        ("SELECT SUM(n) FROM (SELECT c, COUNT(*) AS n FROM view GROUP BY c)", "ask the view for the total itself"),
        ("SELECT EXTRACT(hour FROM d) FROM view GROUP BY 1", "d is a date without a time of day"),
        ("SELECT width(a, 1e305) FROM view GROUP BY 1", "at most 1e\\+300"),
    ],
)
def test_refusals_say_what_to_write(query: str, sentence: str) -> None:
    with pytest.raises(QueryError, match=sentence):
        VIEW.sql(query)


def test_a_bin_that_two_parts_of_a_condition_share_counts_once() -> None:
    """The condition leaves out the middle of a bin of ages; each group has its own mean all the same."""
    view = views()["hdmm"]
    for place, *mean in view.sql(
        "SELECT place, AVG(age) FROM view WHERE age <> 12 GROUP BY place HAVING place <> ''"
    ).rows:
        [alone] = view.sql(f"SELECT AVG(age) FROM view WHERE age <> 12 AND place = '{place}'").rows
        assert tuple(mean) == pytest.approx(alone)
