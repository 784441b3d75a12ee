"""What is asked of a table, its true answers, and errors and coverage against a view of known error."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ripost import Tensor, publish
from ripost.comparing.intervals import interval_answers
from ripost.comparing.measure import Case, measure_coverage, measure_errors
from ripost.comparing.workloads import (
    MarginalCells,
    groupings_of,
    marginals_of,
    questions_digest,
    ranges_of,
    true_answers,
)

SHAPE = (5, 130, 3, 20)


def make_tensor(shape: tuple[int, ...]) -> Tensor:
    """4,000 rows whose third attribute is half the first."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, shape[0], 4000)
    others = [rng.integers(0, size, 4000) for size in shape[1:]]
    others[1] = first // 2
    return Tensor.from_arrays(shape, np.stack([first, *others], axis=1), np.ones(4000, np.int64))


@pytest.fixture
def tensor() -> Tensor:
    return make_tensor(SHAPE)


@pytest.fixture
def case() -> Case:
    """A smaller table with what is asked of it."""
    return Case.of(make_tensor((5, 6, 3, 4)))


def test_ranges_bound_as_many_attributes_as_they_say_and_their_answers_are_true(tensor: Tensor) -> None:
    found = ranges_of(SHAPE)
    assert [ranges.name for ranges in found] == ["k=1", "k=2", "k=3", "all"]
    for ranges in found:
        inside = np.zeros(ranges.lower.shape, bool)
        np.put_along_axis(inside, ranges.axes, True, axis=1)
        whole = (ranges.lower == 0) & (ranges.upper == np.array(SHAPE))
        assert whole[~inside].all() and (ranges.lower < ranges.upper).all() and (ranges.upper <= np.array(SHAPE)).all()
        assert {tuple(axes) for axes in ranges.axes.tolist()} == set(combinations(range(4), ranges.axes.shape[1]))
        assert (true_answers(tensor, ranges) == tensor.answer(ranges.lower, ranges.upper)).all()


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_cells_of_a_marginal_tile_the_domain_and_their_answers_are_true(tensor: Tensor, ways: int) -> None:
    for cells in marginals_of(SHAPE, ways):
        lower, upper = cells.boxes
        truth = cells.truth(tensor)
        assert len(truth) == np.prod(cells.sizes) == len(lower) and max(cells.sizes) <= {1: 1024, 2: 64, 3: 16}[ways]
        assert (upper - lower).prod(axis=1).sum() == np.prod(SHAPE)
        assert truth.sum() == 4000 and (truth == tensor.answer(lower, upper)).all()


def test_bins_of_a_long_attribute_are_of_equal_width() -> None:
    cells = MarginalCells((1,), (3,), SHAPE)
    assert cells.sizes == (44,) and set((cells.boxes[1] - cells.boxes[0])[:-1, 1].tolist()) == {3}


def test_a_shape_decides_what_is_asked() -> None:
    assert questions_digest(SHAPE) == questions_digest(SHAPE) != questions_digest((5, 130, 3, 21))


def test_groups_are_all_codes_of_an_attribute_inside_one_filter(tensor: Tensor) -> None:
    asked = groupings_of(SHAPE)
    assert asked is not None
    assert (true_answers(tensor, asked) == tensor.answer(asked.lower, asked.upper)).all()
    bounded = (asked.upper - asked.lower) < np.array(SHAPE)
    assert (bounded.sum(axis=1) <= 3).all() and (bounded.sum(axis=1) == 3).any()
    start = 0
    while start < len(asked.lower):  # one key at a time: its codes in order, the filters unchanged
        key = next(a for a in range(4) if asked.lower[start : start + SHAPE[a], a].tolist() == [*range(SHAPE[a])])
        some = slice(start, start + SHAPE[key])
        assert (asked.upper[some, key] == asked.lower[some, key] + 1).all()
        assert all(
            (np.delete(side[some], key, 1) == np.delete(side[start], key)).all() for side in (asked.lower, asked.upper)
        )
        start += SHAPE[key]
    assert groupings_of((130, 200)) is None and groupings_of((5,)) is None


def test_no_more_than_a_hundred_pairs_are_asked() -> None:
    assert len([*marginals_of([2] * 14, 2)]) == 91 and len([*marginals_of([2] * 30, 2)]) == 100
    assert len([*marginals_of([2] * 30, 1)]) == 30 and len([*marginals_of([2] * 30, 3)]) == 20


def test_exact_answers_have_no_error_and_answers_of_zero_err_by_the_truth(case: Case) -> None:
    exact = measure_errors(case, case.tensor.answer)
    assert {value for part in exact.values() for value in part.values()} == {0.0}
    zero = measure_errors(case, lambda lower, _: np.zeros(len(lower)))
    cells = [zero["error"][f"{ways} cells"] for ways in ("one-way", "two-way", "three-way")]
    assert cells == pytest.approx([1, 1, 1])
    assert zero["error"]["k=2"] == pytest.approx(np.sqrt(np.mean(case.ranges[1][1] ** 2)))
    assert set(zero["relative"].values()) == {1.0} and list(zero["relative"]) == ["0.1 %", "1 %", "10 %"]
    assert set(zero["groups"].values()) == {1.0}  # as much as the group holds
    silent = measure_errors(case, lambda lower, _: np.full(len(lower), np.nan))
    assert silent == {"error": {}, "relative": {}, "groups": {}}


def test_relative_errors_are_those_of_large_answers() -> None:
    """Answers that are one row too large: 1 / truth, at the median of those above each share."""
    case = Case.of(make_tensor((5, 6, 3, 4)))
    found = measure_errors(case, lambda lower, upper: case.tensor.answer(lower, upper) + 1)["relative"]
    truth = np.concatenate([t for r, t in case.ranges if r.name in ("k=2", "k=3", "groups")])
    assert found["1 %"] == pytest.approx(np.median(1 / truth[truth >= 40]))
    assert found["10 %"] < found["1 %"] < found["0.1 %"]


def test_the_errors_of_small_groups_are_told_apart() -> None:
    """10 rows of a rare code and 990 of another: an error of 5 in each cell of its row in a two-way table of 2 x 3."""
    coords = [[0, i % 3] for i in range(10)] + [[1, i % 3] for i in range(990)]
    case = Case.of(Tensor.from_arrays((2, 3), coords, np.ones(1000, int)))
    rare = measure_errors(case, lambda lower, upper: case.tensor.answer(lower, upper) + 5.0 * (upper[:, 0] == 1))[
        "groups"
    ]
    assert rare["1 to 10 %"] == pytest.approx(15 / 10)
    assert rare["above 10 %"] == pytest.approx(np.mean([0, 5 / 334, 5 / 333, 5 / 333]))


def test_intervals_in_batches_are_those_of_single_questions(tensor: Tensor) -> None:
    view = publish(tensor, epsilon=1, seed=0)
    boxes = [ranges_of(SHAPE)[bounded] for bounded in (0, 1, 3)]
    lower, upper = (np.concatenate([getattr(ranges, side)[:10] for ranges in boxes]) for side in ("lower", "upper"))
    answers = dict(zip(("value", "low", "high"), interval_answers(view, lower, upper), strict=True))
    for number, (low, high) in enumerate(zip(lower, upper, strict=True)):
        bounds = {axis: [(a, b)] for axis, (a, b, n) in enumerate(zip(low, high, SHAPE, strict=True)) if b - a < n}
        alone = view.answer_selection(bounds)
        for part in answers:
            assert answers[part][number] == pytest.approx(getattr(alone, part), rel=1e-6, abs=1e-6)


def test_coverage_counts_cells_by_pair_and_is_unknown_for_synthetic_records(case: Case) -> None:
    found = measure_coverage(case, publish(case.tensor, epsilon=100, method="identity", seed=0))
    assert all(each["inside"] == each["asked"] > 0 and each["error"] == 0 for each in found["coverage"].values())
    assert found["pairs"]["x0 x x2"] == (5, 5)  # of 15 cells, 5 are not empty
    assert measure_coverage(case, publish(case.tensor, epsilon=1, method="privsyn", seed=0)) == {}
