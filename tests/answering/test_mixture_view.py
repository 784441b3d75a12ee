"""Views with a mixture: answers, totals, intervals at other levels, notes, synthetic rows, and their files."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.answering.answer import UNMEASURED
from ripost.answering.content.tree import TreeContent
from ripost.answering.query_batch import IntervalLists
from ripost.errors import QueryError, ReleaseError
from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.mixture import Mixture
from ripost.methods.method import Decomposition
from ripost.publishing.content import build_content
from ripost.release.verify import verify_view
from ripost.schema.measure import Measure
from tests.release.forging import Columns, Manifest, forge

from .making import blocks_of, leaf_weights, random_boxes
from .mixing import TRAVEL, mixed_view
from .plain_mixture import mixture_sum

SHAPE = (9, 7, 5, 4)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("whole", [True, False])
def test_boxes_are_answered_as_defined(seed: int, whole: bool) -> None:
    """The mixture plus the share of every correction, by plain loops; few boxes and many go different ways."""
    view = mixed_view(SHAPE, seed=seed)
    content = blocks_of(view)
    lower, upper = random_boxes(SHAPE, 200, np.random.default_rng(seed), whole=whole)
    found, few = view.answer(lower, upper), view.answer(lower[:9], upper[:9])
    for i in range(0, 200, 7):
        box = {axis: [(lower[i, axis], upper[i, axis])] for axis in range(len(SHAPE))}
        wanted = mixture_sum(content, box) + content.corrections @ leaf_weights(view, lower[i], upper[i])
        assert found[i] == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(few, found[:9], rtol=1e-9, atol=1e-9)
    regions = [({axis: [(lower[i, axis], upper[i, axis])] for axis in range(len(SHAPE))},) for i in range(200)]
    answers = view.answer_regions(regions)
    np.testing.assert_allclose(answers.value, found, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(view.stderr(lower, upper), answers.stderr, rtol=1e-9, atol=1e-9)


def test_blocks_and_totals_agree() -> None:
    view = mixed_view()
    assert view.total == pytest.approx(float(view.blocks.value.sum())) == pytest.approx(view.count().value)
    np.testing.assert_allclose(view.answer(view.blocks.lower, view.blocks.upper), view.blocks.value, atol=1e-9)
    by_origin = view.groupby("origin").to_pandas()["count"]
    assert by_origin.sum() == pytest.approx(view.total)


def test_other_levels() -> None:
    view = mixed_view()
    usual, wide, narrow = (view.count(hour=(3, 20), origin="LGA", level=level) for level in (0.95, 0.99, 0.5))
    assert usual == view.count(hour=(3, 20), origin="LGA")
    for answer, ratio in ((wide, math.log(100) / math.log(20)), (narrow, 0.6744898 / 1.9599640)):
        assert answer.high - answer.value == pytest.approx((usual.high - usual.value) * ratio, rel=1e-6)
    assert "(99 %:" in str(wide) and "(50 %:" in str(narrow) and wide.level == 0.99
    text = "SELECT COUNT(*) FROM view WHERE hour BETWEEN 3 AND 20 AND origin = 'LGA'"
    assert view.sql(text, level=0.99).to_pandas()["count_high"][0] == pytest.approx(wide.high)
    assert view.sql(text).to_pandas()["count_high"][0] == pytest.approx(usual.high)
    for wrong in (0, 1, 95, "0.95", True, float("nan")):
        with pytest.raises(QueryError, match="level must be a number between 0 and 1"):
            view.count(level=wrong)  # type: ignore[arg-type]


def test_the_shortest_interval_is_that_of_its_level() -> None:
    view = mixed_view()
    assert view.at(0.9).min_interval_width == pytest.approx(np.log(9) / 0.5)
    assert view.at(0.3).min_interval_width == 0


def test_attributes_that_were_never_measured_together_are_told() -> None:
    view = mixed_view(unmeasured=((2, 3), (0, 2), (0, 3)))
    assert view.count(hour=(3, 5), late=True).note == UNMEASURED
    assert view.count(hour=(3, 5), late=True, origin="JFK").note == UNMEASURED
    assert view.count(hour=(3, 5), late=True, delay=(0, 50)).note == ""
    assert view.count(hour=(3, 5)).note == view.count().note == ""
    assert view.count(hour=(0, 23), late=True).note == "", "all hours bound nothing"


def test_all_but_some_codes_have_the_noise_of_these_codes() -> None:
    """Without the means of rows and columns, which the one-way sums tell, a sum has the noise of what it leaves out."""
    mixture = blocks_of(mixed_view()).density_mixture
    assert mixture is not None
    for bins in mixture.bins:
        size = int(bins.edges[-1])
        lists = IntervalLists.of([[(0.0, 1.5)], [(1.5, size)], [(0.5, 1.0), (1.5, size)], [(0.0, 0.5), (1.0, 1.5)]])
        held = bins.side(lists, np.arange(4))
        noise = held.cells - held.mean
        assert noise[0] == pytest.approx(noise[1], abs=1e-12) and noise[2] == pytest.approx(noise[3], abs=1e-12)


def test_two_boxes_of_one_attribute_are_one() -> None:
    view = mixed_view()
    apart = view.answer_regions([({1: [(2.0, 4.0)]}, {1: [(6.0, 9.0)]})])[0]
    assert apart == view.answer_regions([({1: [(2.0, 4.0), (6.0, 9.0)]},)])[0]


def test_rows_are_drawn_by_mixture_and_corrections() -> None:
    """Where no value is below 0, shares of drawn rows are those of the view: off by 5 deviations once in 10^5."""
    view = mixed_view(seed=3)
    content, rng = blocks_of(view), np.random.default_rng(0)
    added = rng.exponential(40.0, len(content.values))
    view = mixed_view(seed=3, corrections=added, values=content.values - content.corrections + added)
    count = 40_000
    drawn = view.sample(count, seed=1).to_pandas()
    for asked in ({"hour": (3, 9), "origin": "JFK"}, {"late": True, "delay": (0, 59)}, {"late": None}):
        inside = np.ones(count, bool)
        for name, wanted in asked.items():
            held = drawn[name]
            inside &= (
                held.isna()
                if wanted is None
                else held.between(*wanted)
                if name in ("hour", "delay")
                else held == wanted
            )
        share = view.count(asked).value / view.total
        assert abs(inside.mean() - share) < 5 * np.sqrt(share * (1 - share) / count)


def test_the_file_keeps_all_of_it(tmp_path: Path) -> None:
    view, path = mixed_view(unmeasured=((2, 3),)), tmp_path / "v.ripost.parquet"
    view.save(path)
    assert all(check.ok for check in verify_view(path))
    again, first = blocks_of(ripost.open(path)), blocks_of(view)
    assert again.error_model == first.error_model and first.mixture is not None and again.mixture is not None
    assert (again.mixture.total, again.row_bound) == (first.mixture.total, first.row_bound)
    for one, other in zip(again.mixture.levels, first.mixture.levels, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(again.corrections, first.corrections)
    assert ripost.open(path).count(hour=(3, 9), late=True) == view.count(hour=(3, 9), late=True)
    assert list(view.to_arrow().column_names)[-4:] == ["value", "correction", "variance", "depth"]


def put(*place: Any, value: Any) -> Callable[[Manifest, Columns], None]:
    def change(manifest: Manifest, _: Columns) -> None:
        inside: Any = manifest
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value

    return change


def cell(column: str, value: float) -> Callable[[Manifest, Columns], None]:
    def change(_: Manifest, columns: Columns) -> None:
        columns[column][3] = value

    return change


def old(manifest: Manifest, _: Columns) -> None:
    manifest["version"] = 1


EMPTY = base64.b64encode(bytes(6 * 3)).decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (cell("correction", 1e9), "not those of the mixture and its corrections"),
        (cell("correction", np.inf), "correction is not a finite number"),
        (cell("value", 1e9), "not those of the mixture and its corrections"),
        (put("mixture", "total", value=4000.0), "not those of the mixture and its corrections"),
        (put("mixture", "total", value=1e101), "mixture.total"),
        (put("mixture", "weights", 0, value=-0.1), "mixture.weights"),
        (put("mixture", "weights", value=[0.5] * 6), "add up to 1"),
        (put("mixture", "weights", value=[]), "mixture.weights"),
        (put("mixture", "weights", value=[1.0]), "not one for each component and bin"),
        (put("mixture", "attributes", 3, "levels", value="?"), "levels of the mixture cannot be read"),
        (put("mixture", "attributes", 3, value={"edges": [0, 1, 2, 3], "levels": EMPTY}), "no level above 0"),
        (put("mixture", "attributes", 3, "edges", -1, value=4), "must rise from 0 to 3"),
        (put("mixture", "attributes", 3, "edges", 0, value=1), "must rise from 0 to 3"),
        (put("mixture", "attributes", value=[]), "does not fit the attributes"),
        (put("error_model", value=None), "no error model"),
        (put("error_model", "z", value=0.0), "error_model.z"),
        (put("error_model", "power", value=2.5), "error_model.power"),
        (put("error_model", "centering", value=1.5), "error_model.centering"),
        (put("error_model", "most_noise", value=-1.0), "error_model.most_noise"),
        (put("error_model", "histogram_variances", value=[None]), "does not fit the attributes"),
        (put("error_model", "histogram_variances", 0, value=0.01), "not those of the noise in its ledger"),
        (put("error_model", "pairs", 0, "variance", value=0.01), "measured pair has less noise than the draws"),
        (put("error_model", "pairs", 0, "axes", value=[1, 0]), "the smaller first"),
        (put("error_model", "pairs", 0, "axes", value=[0, 9]), "two different axes"),
        (put("smoothing", value={"roughness": 1.0, "marginal_variances": [None] * 4}), "only a file of format 1"),
        (old, "format 1 has no error model"),
    ],
)
def test_forgeries(tmp_path: Path, change: Callable[[Manifest, Columns], None], sentence: str) -> None:
    path = tmp_path / "v.ripost.parquet"
    mixed_view().save(path)
    forge(path, change)
    assert any(not check.ok and sentence in check.detail for check in verify_view(path)), verify_view(path)
    with pytest.raises(ReleaseError):
        ripost.open(path).count()


def test_a_file_without_its_corrections_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.ripost.parquet"
    mixed_view().save(path)
    forge(path, lambda _, columns: columns.pop("correction") is None)
    with pytest.raises(ReleaseError):
        ripost.open(path)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"error_model": None}, "needs an error model and a correction"),
        ({"corrections": None}, "needs an error model and a correction"),
        ({"corrections": [1.0]}, "one a block"),
        ({"mixture": Mixture(1.0, np.ones(1), (), ())}, "one entry per axis"),
        ({"mixture": Mixture(1.0, np.ones(0), (), ())}, "1 to 4,096 components"),
        ({"error_model": ErrorModel(1.0, (None,) * 4, together=2.0)}, "0 to 1"),
        ({"error_model": ErrorModel(1.0, (None,) * 4, centering=1.5)}, "0 to 1"),
        ({"error_model": ErrorModel(1.0, (None,) * 4, most_noise=-1.0)}, "from 0 up"),
        ({"error_model": ErrorModel(1.0, (None,) * 4, pairs=(MeasuredPair((0, 1), 1.0, 0.1),) * 2)}, "listed once"),
    ],
)
def test_parts_that_do_not_fit(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        mixed_view(**parts)


def test_a_release_is_in_units_of_the_measure() -> None:
    """Values, corrections and the mixture by the step, variances by its square."""
    measure = Measure("fare", step=0.5, bound=40)
    first = blocks_of(mixed_view())
    assert first.mixture is not None and first.error_model is not None and first.density is not None
    density = tuple(
        np.ones(size) if mass is None else mass for mass, size in zip(first.density, first.shape, strict=True)
    )
    found = Decomposition(
        first.tree,
        first.values,
        first.node_variances,
        density=density,
        error_model=first.error_model,
        mixture=first.mixture,
        corrections=first.corrections,
    )
    content = build_content(found, TRAVEL, measure)
    assert isinstance(content, TreeContent) and content.mixture is not None and content.error_model is not None
    assert content.total == pytest.approx(0.5 * first.total) and content.row_bound == 20
    assert content.mixture.total == 0.5 * first.mixture.total
    pairs = zip(content.error_model.pairs, first.error_model.pairs, strict=True)
    assert all(pair.variance == 0.25 * before.variance for pair, before in pairs)
