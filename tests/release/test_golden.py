"""A file written by an earlier version stays readable, and gives the answers it gave then.

Never write these files anew. `v1-smoothed` holds values that were smoothed, and marginals; `v2-mixture` holds a mixture
of products, corrections and an error model with measured pairs; `v3-measurements` holds noisy measurements; `v4-period`
is one period of a series; `v5-discovery` holds what was discovered, `v5-measures` sums of two measures, `v5-levels`
levels, a derived column and impossible cells, `v5-together` all of these and the noisy sums of its measures,
`v5-max-periods` one period of people who count in their first ones. A change of the format gets a new version, a new
golden file, and keeps these.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ripost.errors import InputError
from ripost.query.condition import parse_condition
from ripost.reestimating import reestimate
from ripost.release.verify import verify_view
from ripost.series import Series
from ripost.view import open_view

FOLDER = Path(__file__).parent / "golden"
VERSIONS = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("version", VERSIONS)
def test_old_files_stay_readable(version: str) -> None:
    path = FOLDER / f"{version}.ripost.parquet"
    expected = json.loads((FOLDER / f"{version}.json").read_text("utf-8"))
    view = open_view(path)
    assert all(check.ok for check in verify_view(path))
    assert view.privacy.to_json() == expected["privacy"]
    assert view.domain.to_json() == expected["attributes"]
    assert (view.period and view.period.to_json()) == expected.get("period")
    for question, rows in expected.get("questions", {}).items():
        assert view.sql(question).rows[0] == pytest.approx(rows, rel=1e-9)
    for question, (value, stderr) in expected["counts"].items():
        answer = view.answer_regions([parse_condition(question, view.domain)])[0]
        assert (answer.value, answer.stderr) == pytest.approx((value, stderr), rel=1e-9)
    boxes = expected["boxes"]
    assert view.answer(boxes["lower"], boxes["upper"]) == pytest.approx(boxes["value"], rel=1e-9)
    assert view.stderr(boxes["lower"], boxes["upper"]) == pytest.approx(boxes["stderr"], rel=1e-9)


def test_every_version_is_there() -> None:
    assert {"v1", "v1-smoothed", "v2-mixture", "v3-measurements", "v4-period"} <= set(VERSIONS)
    assert {"v5-discovery", "v5-levels", "v5-max-periods", "v5-measures", "v5-together"} <= set(VERSIONS)


def test_old_measurements_stay_readable_and_can_be_estimated_again() -> None:
    """Another version may estimate something else from them, but never draws anything."""
    path = FOLDER / "v3-measurements.ripost.parquet"
    expected = json.loads((FOLDER / "v3-measurements.json").read_text("utf-8"))["measurements"]
    view = open_view(path)
    for name, column in expected.items():
        assert view.measurements()[name].to_pylist() == column, name
    again = reestimate(path)
    assert again.privacy == view.privacy
    assert again.measurements().equals(view.measurements())


@pytest.mark.parametrize("version", ["v1", "v1-smoothed", "v2-mixture"])
def test_files_from_before_there_were_measurements_say_that_they_have_none(version: str) -> None:
    with pytest.raises(InputError, match="holds no noisy measurements"):
        reestimate(FOLDER / f"{version}.ripost.parquet")


def test_an_old_series_stays_readable() -> None:
    expected = json.loads((FOLDER / "series" / "visits.json").read_text("utf-8"))
    series = open_view(FOLDER / "series" / "visits.ripost.zip")
    assert isinstance(series, Series) and series.digest == expected["digest"]
    assert series.sql("SELECT DISTINCT period FROM view").rows == [(label,) for label in expected["periods"]]
    for question, figures in expected["counts"].items():
        answer = series.count(question)
        assert (answer.value, answer.stderr, answer.low, answer.high) == pytest.approx(tuple(figures), rel=1e-9)
