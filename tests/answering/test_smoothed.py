"""Views whose values were smoothed: their intervals, and that the scatter parameter is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ripost
from ripost.answering.answer import Z
from ripost.answering.within_block_variance import Overlaps, scattered_variance
from ripost.estimate.error_model import ErrorModel

from .making import Array, blocks_of, make_view, promise

SMOOTHING = ErrorModel(1.25, (None, 18.0, 25.5))


def half_of(blocks: int, *, partly: bool = True) -> Overlaps:
    """One region that covers half of each of some blocks on one interval, or all of them."""
    every, zeros = np.arange(blocks), np.zeros(blocks, np.int64)
    some = every if partly else every[:0]
    return Overlaps(1, zeros, every, np.full(blocks, 0.5 if partly else 1.0), some, zeros[: len(some)])


def test_content_strays_as_the_tree_showed() -> None:
    """One block of 100 rows, half of it covered: 0.25 (100 + 2 * 100^1.7)."""
    model = ErrorModel(2.0, ())

    def found(parts: Overlaps, records: float) -> Array:
        return scattered_variance(
            parts, np.array([records]), model.split_variance_factor(np.array([records])), model=model
        )

    assert found(half_of(1), 100.0) == pytest.approx(0.25 * (100 + 2 * 100**1.7))
    assert found(half_of(1, partly=False), 100.0) == 0
    assert found(half_of(1), -5.0) == 0


def test_blocks_on_one_interval_deviate_partly_alike() -> None:
    records = np.array([100.0, 300.0])
    apart = sum(0.25 * (x + x**1.7) for x in records)
    together = 0.25 * (400 + 400**1.7)
    model = ErrorModel(1.0, ())
    found = scattered_variance(half_of(2), records, model.split_variance_factor(records), model=model)
    assert found == pytest.approx(0.75 * apart + 0.25 * together)


def test_intervals_count_both_errors() -> None:
    view = make_view((40,), leaves=1, error_model=ErrorModel(0.5, (None,)))
    variance = float(view.blocks.variance[0])
    inside = view.answer_selection({0: [(0.0, 40.0)]})
    assert inside.high - inside.value == pytest.approx(SMOOTHING.z * np.sqrt(variance))
    half = view.answer_selection({0: [(0.0, 20.0)]})
    records = max(float(view.content.values[0]), 0)
    model = 0.25 * (records + 0.5 * records**1.7)
    assert half.high - half.value == pytest.approx(SMOOTHING.z * np.sqrt(variance / 4 + model))
    plain = make_view((40,), leaves=1).answer_selection({0: [(0.0, 40.0)]})
    assert plain.high - plain.value == pytest.approx(Z * np.sqrt(variance))


def test_the_roughness_is_kept_in_the_file(tmp_path: Path) -> None:
    view = make_view(leaves=20, marginals=True, error_model=SMOOTHING, privacy=promise(20))
    view.save(tmp_path / "v.ripost.parquet")
    again = ripost.open(tmp_path / "v.ripost.parquet")
    assert blocks_of(again).error_model == SMOOTHING
    assert str(again.count()) == str(view.count())


def test_a_question_about_one_axis_is_as_sure_as_its_histogram() -> None:
    """Three codes of an axis, or all but three: the variance of three noises, or of those and the total's."""
    view = make_view((40, 3), leaves=1, error_model=ErrorModel(5.0, (7.0, None)))
    total = float(view.blocks.variance[0])

    def reach(**selection: list[tuple[float, float]]) -> float:
        answer = view.answer_selection({int(axis[1:]): intervals for axis, intervals in selection.items()})
        return ((answer.high - answer.value) / SMOOTHING.z) ** 2

    assert reach(_0=[(2.0, 5.0)]) == pytest.approx(21.0)
    assert reach(_0=[(0.0, 37.0)]) == pytest.approx(21.0 + total)
    for wide in ({"_0": [(2.0, 5.5)]}, {"_1": [(0.0, 1.0)]}, {"_0": [(2.0, 5.0)], "_1": [(0.0, 1.0)]}):
        assert reach(**wide) > 25


def test_one_entry_per_axis() -> None:
    with pytest.raises(ValueError, match="one histogram variance per axis"):
        make_view(error_model=ErrorModel(1.0, (None,)))


@pytest.mark.parametrize("wrong", [-1.0, np.inf, np.nan])
def test_a_wrong_roughness_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        make_view(error_model=ErrorModel(1.0, (None, wrong, None)))
    with pytest.raises(ValueError, match="finite numbers"):
        make_view(error_model=ErrorModel(wrong, (None,) * 3))


def test_a_release_of_the_default_method_is_the_same_from_its_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    counts = rng.poisson(30, (12, 8, 5))
    tensor = ripost.Tensor.from_arrays(counts.shape, np.argwhere(counts >= 0), counts.ravel())
    view = ripost.publish(tensor, epsilon=1, seed=4)
    view.save(tmp_path / "v.ripost.parquet")
    again = ripost.open(tmp_path / "v.ripost.parquet")
    lower = rng.integers(0, 4, (100, 3))
    upper = lower + rng.integers(1, 4, (100, 3)).clip(max=np.array(counts.shape) - lower)
    np.testing.assert_allclose(again.answer(lower, upper), view.answer(lower, upper))
    np.testing.assert_allclose(again.stderr(lower, upper), view.stderr(lower, upper))
    assert blocks_of(again).error_model == blocks_of(view).error_model and again.method == "ripost+"


def test_a_question_that_names_all_of_one_axis_is_the_question_about_everything() -> None:
    view = make_view((4, 3), leaves=6, error_model=ErrorModel(5.0, (0.01, None)))
    answer, everything = view.answer_selection({0: [(0.0, 4.0)]}), view.answer_selection({})
    assert (answer.value, answer.stderr) == pytest.approx((everything.value, everything.stderr))
    assert answer.stderr**2 == pytest.approx(blocks_of(view).covariance.root)
