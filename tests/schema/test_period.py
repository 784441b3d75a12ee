"""Periods: one spelling of each, no moment in two of them, and one sentence for what is none."""

from __future__ import annotations

import datetime as dt

import pytest

from ripost.errors import InputError, SchemaError
from ripost.schema.period import LABELS, ReleasePeriod
from ripost.schema.schema import Schema
from tests.schema.labels import label_of

ATTRIBUTES = {"x": {"type": "integer", "min": 0, "max": 9}}
FIRST, DAYS = dt.datetime(1998, 12, 20), 3000  # with leap years, and years of 52 and of 53 weeks


@pytest.mark.parametrize("span", LABELS)
def test_periods_follow_each_other_and_share_no_moment(span: str) -> None:
    days = [FIRST + dt.timedelta(days=number) for number in range(DAYS)]
    labels = list(dict.fromkeys(label_of(span, day) for day in days))
    bounds = [ReleasePeriod(f"{span}(date)", label).bounds for label in labels]
    assert [start for start, _ in bounds[1:]] == [stop for _, stop in bounds[:-1]]
    at = 0
    for day in days:
        at += day >= bounds[at][1]
        assert bounds[at][0] <= day < bounds[at][1] and label_of(span, day) == labels[at]
    assert at == len(labels) - 1


@pytest.mark.parametrize(
    ("rule", "label"),
    [
        *(("month(date)", label) for label in ("2026-13", "2026-00", "2026-1", "2026-010", "2026", "26-10", "02026-1")),
        *(("month(date)", label) for label in ("2026-10 ", "2026-10\n", "٢٠٢٦-10", "2026-Q1", "0999-01", "9999-01")),
        *(("year(date)", label) for label in ("", "2026-01", "999", "10000")),
        *(("week(date)", label) for label in ("2025-W53", "2026-W00", "2026-53", "2026-W5")),
        *(("day(date)", label) for label in ("2026-02-29", "2026-2-01", "2026-10-32")),
        *(("quarter(date)", label) for label in ("2026-Q5", "2026-Q0", "2026-10", "2026-q1")),
    ],
)
def test_a_label_has_one_spelling(rule: str, label: str) -> None:
    with pytest.raises(InputError, match=rf"a period of '{rule[:-6]}\(date\)' reads like {LABELS[rule[:-6]][1]}, got"):
        ReleasePeriod(rule, label)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("date", "period must read like 'month(date)' (year, quarter, month, week, day), got 'date'"),
        ("hour(date)", "period must read like 'month(date)'"),
        ("Month(date)", "period must read like 'month(date)'"),
        ("month(date)\u2028", "period must read like 'month(date)'"),
        ("month(" + "d" * 1000 + ")", "period must read like 'month(date)'"),
        ("month()", "expression"),
        ("month(1)", "expression"),
        ("month(DATE '2026-10-01')", "period reads no column"),
        ("month(max(date))", "expression may not use MAX(date)"),
        ("month(date) + month(date)", "expression"),
        ("month(now())", "expression may not use"),
    ],
)
def test_a_rule_is_a_function_of_one_row(rule: str, sentence: str) -> None:
    with pytest.raises(SchemaError) as error:
        Schema.from_dict({"period": rule, "attributes": ATTRIBUTES})
    assert sentence in str(error.value)
    with pytest.raises(InputError):
        ReleasePeriod(rule, "2026-10")


def test_a_schema_reads_the_columns_of_its_rule() -> None:
    schema = Schema.from_dict({"period": "week(coalesce(made, strptime(sent, '%d/%m/%Y')))", "attributes": ATTRIBUTES})
    assert schema.columns == ("x", "made", "sent")
    assert Schema.from_dict({"attributes": ATTRIBUTES}).columns == ("x",)
    assert str(ReleasePeriod("month(date)", "2026-10")) == "2026-10 of month(date)"
