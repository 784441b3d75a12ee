"""Questions to a view with a mixture: groups, quantiles, HAVING and synthetic rows agree with its counts."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from ripost.answering.answer import UNMEASURED
from ripost.view import View
from tests.answering.making import blocks_of
from tests.answering.mixing import mixed_view


@pytest.fixture(scope="module")
def view() -> View:
    """All parts are above 0: the mixture, and the correction of every block."""
    made = mixed_view(unmeasured=((0, 2),), seed=4)
    blocks = blocks_of(made)
    corrections = abs(blocks.corrections)
    values = blocks.values - blocks.corrections + corrections
    return mixed_view(unmeasured=((0, 2),), seed=4, values=values, corrections=corrections)


def test_groups_are_counts(view: View) -> None:
    for row in view.groupby("origin", "hour", late=False):
        answer = view.count(origin=row["origin"], hour=row["hour"], late=False)
        assert (row["count"], row["count_low"], row["count_high"]) == pytest.approx(
            (answer.value, answer.low, answer.high), rel=1e-9, abs=1e-9
        )
    levels = view.rollup("origin", "late")
    whole = [row["count"] for row in levels if row["grouping"] == 3]
    assert whole == pytest.approx([view.total]) and view.total == pytest.approx(view.count().value)
    kept = view.sql("SELECT hour, COUNT(*) AS n FROM view GROUP BY hour HAVING n > 200 ORDER BY n DESC")
    assert kept["n"] == sorted((n for n in view.groupby("hour")["count"] if n > 200), reverse=True)


def test_distributions_follow_the_mixture(view: View) -> None:
    mass = np.array([view.count(hour=hour, origin="JFK").value for hour in range(24)]).clip(min=0)
    [mean] = view.sql("SELECT AVG(hour) AS mean FROM view WHERE origin = 'JFK'")["mean"]
    assert mean == pytest.approx(mass @ np.arange(24) / mass.sum())
    shares = view.cube.dice(origin="JFK").cdf("hour")["cdf"]
    assert shares == pytest.approx(np.cumsum(mass) / mass.sum())
    [median] = view.quantile("hour", 0.5, origin="JFK")["hour"]
    assert median == np.argmax(np.cumsum(mass) >= mass.sum() / 2)


def test_tables_have_the_note(view: View) -> None:
    noted = view.groupby("origin", "hour")
    assert noted.note == UNMEASURED and str(noted).endswith(UNMEASURED) and UNMEASURED in noted._repr_html_()
    assert view.sql("SELECT AVG(hour) FROM view WHERE origin = 'JFK'").note == UNMEASURED
    assert view.sql("SELECT origin, hour, SHARE(*) FROM view GROUP BY 1, 2").note == UNMEASURED
    assert view.quantile("hour", 0.5, origin="JFK").note == UNMEASURED
    for plain in (view.groupby("origin", "late"), view.sql("SELECT COUNT(*) FROM view"), view.cube.cdf("hour")):
        assert plain.note == "" and "Note" not in str(plain)


def test_synthetic_rows_follow_the_mixture(view: View) -> None:
    """Shares of 40,000 rows within 5.5 standard deviations of those of the view: 1 false alarm in 100,000 runs."""
    rows, drawn = view.sample(40_000, seed=11), 40_000
    for keys in (("origin", "hour"), ("delay",), ("hour", "late")):
        found = Counter(zip(*(rows[key] for key in keys), strict=True))
        bins = Counter({_binned(key, keys): 0 for key in found})
        for key, number in found.items():
            bins[_binned(key, keys)] += number
        for row in view.groupby(*keys).rows:
            share = row[len(keys)] / view.total
            assert abs(bins[row[: len(keys)]] - drawn * share) <= 5.5 * math.sqrt(drawn * share * (1 - share)) + 1e-6
    assert rows.to_arrow().equals(view.sample(40_000, seed=11).to_arrow())


def _binned(key: tuple[object, ...], keys: tuple[str, ...]) -> tuple[object, ...]:
    """Labels of groups: a bin of 10 minutes begins at a multiple of 10."""
    return tuple(
        value // 10 * 10 if name == "delay" and isinstance(value, int | float) else value
        for value, name in zip(key, keys, strict=True)
    )


def test_blocks_with_nothing_left_get_no_row() -> None:
    view = mixed_view((12, 7, 5), seed=4)
    empty = np.flatnonzero(view.blocks.value <= 0)
    assert len(empty)
    rows = np.array([view.sample(2000, seed=1)[name] for name in view.domain.names]).T
    for block in empty.tolist():
        assert not ((rows >= view.blocks.lower[block]) & (rows < view.blocks.upper[block])).all(axis=1).any()
