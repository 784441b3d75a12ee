"""What an analyst types first: conditions as text, filters, value counts, means, comparisons; and wrong types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ripost
from ripost.errors import InputError, QueryError
from ripost.query.cube import Cube
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view
from tests.query.exact import exact_rows, exact_view

NOISY, EXACT, ROWS = make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True), exact_view(exact_rows()), exact_rows()
WRONG = [None, object(), float("nan"), float("inf"), 10**5000, -1, [], {}, "", "no such", "'; --", b"x", np.float32(2),
         np.array([1]), pd.Series(["JFK"]), pd.NaT, (1, 2, 3), [None], {"hour": object()}, True, print, 1j]  # fmt: skip


def test_conditions_are_texts_dictionaries_or_keywords() -> None:
    asked = NOISY.count("origin = 'JFK' and hour < 9")
    assert asked == NOISY.count({"origin": "JFK", "hour": (0, 8)}) == NOISY.count("hour < 9", origin="JFK")
    assert asked == NOISY.filter("hour < 9").filter(origin="JFK").count()
    assert NOISY.count(hour=np.int64(3)) == NOISY.count(hour=3)
    assert NOISY.count(origin=pd.Series(["JFK", "LGA"])) == NOISY.count(origin=["JFK", "LGA"])
    assert NOISY.difference("hour < 9", "hour >= 9") == NOISY.count("hour < 9") - NOISY.count("hour >= 9")
    assert NOISY.groupby(["origin", "hour"]).to_arrow().equals(NOISY.groupby("origin", "hour").to_arrow())
    part = NOISY.groupby("origin", where="hour < 9", level=0.8)
    assert part.to_arrow().equals(NOISY.at(0.8).filter("hour < 9").groupby("origin").to_arrow())


def test_a_view_is_a_mapping_of_attributes() -> None:
    assert NOISY.columns == list(NOISY) == list(NOISY.domain.names) and len(NOISY) == len(NOISY.domain)
    assert "origin" in NOISY and "place" not in NOISY and 3 not in NOISY
    assert NOISY["origin"].value_counts().to_arrow().equals(NOISY.value_counts("origin").to_arrow())
    assert NOISY["hour"].mean() == NOISY.mean("hour") and len(NOISY["hour"]) == NOISY.domain.attributes["hour"].size
    assert NOISY.head(3).to_arrow().equals(NOISY.head(3).to_arrow()) and len(NOISY.head(3)) == 3


def test_summaries_agree_with_the_rows() -> None:
    values = [row["a"] for row in ROWS if row["a"] is not None]
    assert EXACT.mean("a").value == pytest.approx(np.mean(values))
    counted = EXACT.value_counts("c")
    assert counted["count"] == sorted(counted["count"], reverse=True)
    assert sum(EXACT.value_counts("c", normalize=True)["share"]) == pytest.approx(1)
    described = {row["attribute"]: row for row in EXACT.describe()}
    assert described["a"]["mean"] == pytest.approx(np.mean(values))
    assert described["c"]["missing"] == pytest.approx(sum(row["c"] is None for row in ROWS) / len(ROWS))


def test_missing_values_have_one_name() -> None:
    assert EXACT.count(c="(missing)") == EXACT.count(c=None) == EXACT.count("c is null")
    assert EXACT.count("c = '(missing)'") == EXACT.count(c=None)
    assert "(missing)" in str(EXACT.groupby("c")) and EXACT.groupby("c")["c"][-1] is None
    assert "(missing)" in EXACT.pivot("b", "c").columns
    assert "(all)" in str(EXACT.rollup("c")) and "NULL" not in str(EXACT.rollup("c"))


@pytest.mark.parametrize("missing", [float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")], ids=str)
def test_what_pandas_has_for_missing_is_missing(missing: Any) -> None:
    assert EXACT.count(c=missing) == EXACT.count(c=None)
    assert EXACT.count(c=["x", missing]) == EXACT.count(c=["x", None])
    with pytest.raises(QueryError):
        EXACT.count(a=(missing, 3))  # no open end: somebody computed it


def test_days_of_pandas_are_days() -> None:
    june = ("2013-06-01", "2013-06-30")
    asked = [pd.Timestamp(end) for end in june]
    assert NOISY.count(day=tuple(asked)) == NOISY.count(day=june)
    assert NOISY.count(day=asked) == NOISY.count(day=list(june))
    assert NOISY.count(day=pd.date_range(*june, periods=2)) == NOISY.count(day=list(june))
    assert NOISY.count(day=np.datetime64("2013-06-01")) == NOISY.count(day="2013-06-01")
    with pytest.raises(QueryError, match="cannot read"):
        NOISY.count(day=pd.Timestamp("2013-06-30 12:00"))


def test_columns_of_a_table_have_different_names() -> None:
    view = make_view(Domain.from_json({"count": {"type": "boolean", "missing": "drop"}}), leaves=2)
    assert view.groupby("count").columns == ["count", "count_", "count__low", "count__high"]
    assert view.value_counts("count").columns == view.groupby("count").columns
    for ask in (lambda: NOISY.groupby("origin", "origin"), lambda: NOISY.pivot(("hour", 3), ("hour", 3))):
        with pytest.raises(QueryError, match="named twice"):
            ask()


def test_what_is_no_path_is_refused() -> None:
    table = pd.DataFrame({"x": [1]})
    for wrong in (5, {"a": 1}, b"x", object()):
        asked = [
            lambda wrong=wrong: ripost.open(wrong), lambda wrong=wrong: NOISY.save(wrong),
            lambda wrong=wrong: NOISY.explore(wrong), lambda wrong=wrong: NOISY.export(wrong),
            lambda wrong=wrong: ripost.publish(table, wrong, epsilon=1),
        ]  # fmt: skip
        for ask in asked:
            with pytest.raises(InputError, match="path"):
                ask()


def test_verdicts() -> None:
    found = EXACT.compare("c = 'x'", {"c": "y"})
    more = EXACT.count(c="x").value > EXACT.count(c="y").value
    assert found.can_tell and f"c = 'x' has {'more' if more else 'fewer'} rows than c y" in str(found)
    same = NOISY.compare({"hour": 3}, {"hour": 3})
    assert same.verdict == "hour 3 and hour 3 are the same." and not same.can_tell
    unsure = make_view((2,), leaves=2, values=[5.0, 6.0]).compare("x0 = 0", "x0 = 1")
    assert unsure.verdict.startswith("Cannot tell whether x0 = 0 or x0 = 1 has more rows: the difference is -")


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("whole", [NOISY, NOISY.cube], ids=["view", "cube"])
def test_wrong_types_get_an_error_of_ripost(whole: View | Cube, wrong: Any) -> None:
    """Whatever is given is answered or refused with an InputError."""
    table, answer = whole.groupby("origin"), whole.count()
    asked = [
        lambda: whole.count(wrong), lambda: whole.count(hour=wrong), lambda: whole.count(origin=wrong),
        lambda: whole.count(delay=wrong), lambda: whole.count(day=wrong), lambda: whole.count(level=wrong),
        lambda: whole.count(hour=(wrong, 3)), lambda: whole.count({wrong: 1} if _hashes(wrong) else wrong),
        lambda: whole.difference(wrong, wrong), lambda: whole.ratio(wrong, "hour < 9"),
        lambda: whole.compare(wrong, {}),
        lambda: whole.filter(wrong), lambda: whole.slice(wrong), lambda: whole.slice(origin=wrong),
        lambda: whole.groupby(wrong), lambda: whole.groupby([wrong, "hour"]), lambda: whole.groupby(("delay", wrong)),
        lambda: whole.groupby((wrong, 3)), lambda: whole.groupby(("day", wrong)), lambda: whole.rollup(wrong),
        lambda: whole.drilldown("origin", where=wrong), lambda: whole.value_counts(wrong), lambda: whole.mean(wrong),
        lambda: whole.pivot(wrong, "origin"), lambda: whole.pivot("origin", wrong), lambda: whole.quantile(wrong),
        lambda: whole.quantile("hour", wrong), lambda: whole.cdf(wrong), lambda: whole.describe(where=wrong),
        lambda: whole.value_counts("origin", normalize=wrong), lambda: whole.groupby("origin", simultaneous=wrong),
        lambda: whole.pivot("origin", "hour", intervals=wrong),
        lambda: whole[wrong], lambda: wrong in whole, lambda: table[wrong], lambda: table.head(wrong),
        lambda: answer + wrong, lambda: answer - wrong, lambda: answer * wrong, lambda: answer / wrong,
        lambda: wrong - answer, lambda: wrong / answer, lambda: answer < wrong, lambda: round(answer, wrong),
        lambda: format(answer, "q"), lambda: NOISY.sample(wrong), lambda: NOISY.sample(2, wrong),
        lambda: NOISY.sql(wrong),
        lambda: NOISY.at(wrong), lambda: NOISY.plot(wrong), lambda: NOISY.answer(wrong, wrong),
    ]  # fmt: skip
    raw = []
    for number, ask in enumerate(asked):
        try:
            ask()
        except InputError:
            pass
        except Exception as error:  # what the test looks for
            raw.append((number, repr(error)[:150]))
    assert raw == []


def _hashes(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def test_an_unknown_value_has_no_whole_number() -> None:
    answer = make_view((2,), leaves=2, values=[0.0, 0.0]).ratio("x0 = 0", "x0 = 1")
    with pytest.raises(QueryError, match="unknown"):
        int(answer)
