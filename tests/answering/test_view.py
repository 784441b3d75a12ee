"""A view answers in the owner's units, with honest errors, and says what it is."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from ripost import Tensor, publish
from ripost.answering.answer import Answer, Answers
from ripost.errors import QueryError
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure, Unit
from ripost.space.tree import Tree
from ripost.view import View
from tests.answering.flights import FLIGHTS
from tests.answering.making import Array, blocks_of, leaf_weights, make_view, promise


def clustered_variance(view: View, lower: Array, upper: Array) -> float:
    """Variance inside blocks: those cut along the same intervals are one cluster or, if that is more, each its own."""
    weights = leaf_weights(view, lower, upper)
    shape = view.domain.shape
    alone = [
        leaf_weights(
            view,
            np.where(np.arange(len(shape)) == axis, lower, 0),
            np.where(np.arange(len(shape)) == axis, upper, shape),
        )
        for axis in range(len(shape))
    ]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for leaf in np.flatnonzero((weights > 0) & (weights < 1 - 1e-12)):
        cut = [axis for axis in range(len(shape)) if alone[axis][leaf] < 1 - 1e-12]
        ends = tuple((axis, view.blocks.lower[leaf, axis], view.blocks.upper[leaf, axis]) for axis in cut)
        groups.setdefault(ends, []).append(leaf)
    return sum(
        max(view.content.values[group].sum() ** 2, (view.content.values[group] ** 2).sum())
        * weights[group[0]]
        * (1 - weights[group[0]])
        for group in groups.values()
    )


@pytest.fixture
def view() -> View:
    return make_view(FLIGHTS, leaves=150, inner=0.4, marginals=True)


@pytest.mark.parametrize(
    ("conditions", "box"),
    [
        ({}, {}),
        ({"hour": (6, 9)}, {"hour": (6, 10)}),
        ({"hour": 23}, {"hour": (23, 24)}),
        ({"hour": None}, {"hour": (24, 25)}),
        ({"delay": (-5, 12.5)}, {"delay": (2.5, 4.25)}),
        ({"origin": "JFK", "hour": (0, 3)}, {"origin": (1, 2), "hour": (0, 4)}),
        ({"day": ("2013-01-01", "2013-01-07")}, {"day": (0, 1)}),
    ],
)
def test_count_is_a_box_in_the_owners_units(view: View, conditions: dict[str, Any], box: dict[str, Any]) -> None:
    ends = [box.get(name, (0, size)) for name, size in zip(view.domain.names, view.domain.shape, strict=True)]
    lower, upper = np.array(ends, float).T
    answer = view.count(**conditions)
    assert answer == view.count(conditions)
    assert answer.value == pytest.approx(view.answer(lower, upper)[0])
    assert answer.stderr == pytest.approx(view.stderr(lower, upper)[0])
    ends = []
    for low, high in ((lower, upper), (np.ceil(lower), np.floor(upper)), (np.floor(lower), np.ceil(upper))):
        variance = view.stderr(low, high)[0] ** 2 + clustered_variance(view, low, high)
        value, reach = view.answer(low, high)[0], max(2.12 * np.sqrt(variance), view.min_interval_width / 2)
        ends.append((max(0, value - reach), max(0, value + reach)))
    assert answer.low == pytest.approx(min(low for low, _ in ends))
    assert answer.high == pytest.approx(max(high for _, high in ends))


def test_count_of_a_union(view: View) -> None:
    asked = view.count(hour=[1, 2, 7, None], origin=["EWR", "LGA"])
    hours, origins = [(1, 3), (7, 8), (24, 25)], [(0, 1), (2, 3)]
    shape = view.domain.shape
    boxes = [([h[0], 0, o[0], 0], [h[1], shape[1], o[1], shape[3]]) for h in hours for o in origins]
    lower, upper = (np.array(ends, float) for ends in zip(*boxes, strict=True))
    assert asked.value == pytest.approx(view.answer(lower, upper).sum())
    weights = sum(leaf_weights(view, low, high) for low, high in zip(lower, upper, strict=True))
    assert asked.stderr**2 == pytest.approx(blocks_of(view).covariance.of_weights(np.asarray(weights)))


def test_no_interval_is_shorter_than_epsilon_allows() -> None:
    """Whoever reads 0 to 3 where 10 rows more look nearly alike was told too much."""
    tensor = Tensor.from_arrays((10, 10, 10), [[0, 0, 0], [0, 1, 0]], [5000, 40])
    view = publish(tensor, epsilon=0.1, seed=1)
    assert view.min_interval_width == pytest.approx(math.log(19) / 0.1)
    corners = [({0: [(i, i + 1.0)], 1: [(8, 10)], 2: [(7.5, 10)]},) for i in range(10)]
    answers = view.answer_regions(corners)
    assert (answers.low <= answers.value).all() and (answers.value <= answers.high).all()
    widths = answers.high - answers.low
    assert widths.min() == pytest.approx(view.min_interval_width)
    assert view.content.regions(corners).high.min() < view.min_interval_width / 10  # the model alone would say less
    assert view.count(x0=0, x1=0, x2=0).high - view.count(x0=0, x1=0, x2=0).low > view.min_interval_width


def test_the_shortest_interval_grows_with_what_a_unit_adds() -> None:
    of_people = make_view(privacy=promise(20, unit=Unit("person", 3)))
    assert of_people.min_interval_width == pytest.approx(3 * math.log(19) / 0.5)
    of_pay = make_view(measure=Measure("pay", step=10.0, bound=7))
    assert of_pay.min_interval_width == pytest.approx(70 * math.log(19) / 0.5)


def test_widening_is_to_both_sides_and_never_below_zero() -> None:
    value = np.array([50.0, 2.0, -9.0, 0.0, 3.0, 1.0])
    stderr = np.array([1.0, 1.0, 1.0, 0.0, np.nan, np.inf])
    low = np.array([48.0, 0.0, 0.0, 0.0, np.nan, 0.0])
    high = np.array([52.0, 4.0, 0.0, 0.0, np.nan, np.inf])
    narrow = Answers(value, stderr, low, high, (high - low) / 2, np.zeros(6, bool))
    wide = narrow.no_shorter(10.0)
    np.testing.assert_array_equal(wide.low, [45, 0, 0, 0, np.nan, 0])
    np.testing.assert_array_equal(wide.high, [55, 10, 10, 0, np.nan, np.inf])
    same = narrow.no_shorter(0.0)
    np.testing.assert_array_equal(same.low, low)
    np.testing.assert_array_equal(same.high, high)


def test_an_empty_selection_is_exactly_nothing(view: View) -> None:
    assert view.answer_selection({0: []}) == Answer(0, 0, 0, 0)


def test_names_that_are_no_python_words() -> None:
    view = make_view(Domain.of({"a b": 4, "self": 3, "conditions": 2}))
    assert view.count({"a b": 1}, self=2) == view.count({"a b": 1, "self": 2})
    assert view.count(conditions=1).value == pytest.approx(view.answer([0, 0, 1], [4, 3, 2])[0])
    with pytest.raises(QueryError, match="twice"):
        view.count({"self": 1}, self=2)


@pytest.mark.parametrize(
    ("conditions", "sentence"),
    [
        ({"huor": 3}, "did you mean 'hour'"),
        ({"hour": 77}, "hour lies in 0 to 23"),
        ({"hour": (9, 6)}, "reversed"),
        ({"origin": "JKF"}, "did you mean 'JFK'"),
        ({"origin": ("A", "B")}, "no order"),
    ],
)
def test_questions_that_do_not_fit(view: View, conditions: dict[str, Any], sentence: str) -> None:
    with pytest.raises(QueryError, match=sentence):
        view.count(conditions)


@pytest.mark.parametrize(
    ("lower", "upper", "sentence"),
    [
        ([[0, 0]], [[1, 1]], r"lower must have shape \(n, 3\), got \(1, 2\)"),
        ([0, 0, 0], [[[1, 1, 1]]], "upper must have shape"),
        ([[0, 0, 0]], [[1, 1, 1]] * 2, "1 boxes and upper has 2"),
        ([[-1, 0, 0]], [[1, 1, 1]], "0 <= lower"),
        ([[2, 0, 0]], [[1, 1, 1]], "lower <= upper"),
        ([[0, 0, 0]], [[13, 1, 1]], r"\[12, 7, 5\]"),
        ([[0, 0, float("nan")]], [[1, 1, 1]], "0 <= lower"),
        ([["a", 0, 0]], [[1, 1, 1]], "array of numbers"),
        ([[0, 0], [0]], [[1, 1, 1]], "array of numbers"),
        (None, [[1, 1, 1]], "array of numbers"),
    ],
)
def test_boxes_that_do_not_fit(lower: Any, upper: Any, sentence: str) -> None:
    view = make_view()
    for ask in (view.answer, view.stderr):
        with pytest.raises(QueryError, match=sentence):
            ask(lower, upper)


def test_blocks(view: View) -> None:
    blocks = view.blocks
    assert len(blocks) == 150
    np.testing.assert_array_equal(blocks.value, view.content.values)
    np.testing.assert_allclose(view.answer(blocks.lower, blocks.upper), blocks.value, atol=1e-9)
    np.testing.assert_allclose(view.stderr(blocks.lower, blocks.upper) ** 2, blocks.variance)
    assert view.total == pytest.approx(blocks.value.sum())


def test_it_does_not_change(view: View) -> None:
    with pytest.raises(AttributeError, match="cannot assign"):
        view.method = "other"
    with pytest.raises(ValueError, match="read-only"):
        view.content.values[0] = 3


def test_repr_and_html(view: View) -> None:
    assert repr(view) == "View(25 x 13 x 5 x 54, 150 blocks, epsilon 0.5)"
    html = view._repr_html_()
    for fact in ("hour", "delay", "minutes", "150", "0.5", "one row", "by hand", "COUNT(*)", "EWR … LGA"):
        assert fact in html
    assert "NOT PRIVATE" not in html


def test_a_seeded_view_shouts() -> None:
    view = make_view(privacy=promise(20, entropy="seed 7"), leaves=20)
    assert "NOT PRIVATE" in repr(view)
    assert "NOT PRIVATE" in view._repr_html_() and "#b00020" in view._repr_html_()


def test_hostile_names_are_text_in_html() -> None:
    evil = "<script>alert('x')</script>\"&"
    domain = Domain.from_json(
        {evil: {"type": "category", "values": [evil, "b"], "label": evil, "unit": evil, "outside": "drop"}}
    )
    measure, unit = Measure(evil), Unit(evil, 2)
    view = make_view(
        domain, leaves=2, measure=measure, method=evil, privacy=promise(2, entropy=f"seed {evil}", unit=unit)
    )
    html = view._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html


def test_html_of_many_dimensions_and_of_one_cell() -> None:
    assert "and 10 more attributes" in make_view((2,) * 50, leaves=3)._repr_html_()
    assert "1" in make_view((1,), leaves=1)._repr_html_()
    assert "x …" in repr(make_view((2,) * 50, leaves=3))


@pytest.mark.parametrize(
    "given",
    [
        {"values": [1.0]},
        {"values": [np.nan] * 20},
        {"values": [1e200] * 20},
        {"density": [np.ones(12)]},
        {"density": [np.ones(12), np.ones(7), np.ones(6)]},
        {"density": [np.ones(12), np.ones(7), -np.ones(5)]},
        {"density": [np.ones(12), np.ones(7), np.full(5, np.nan)]},
        {"parameters": {"k": float("nan")}},
        {"tree": Tree.stump((3, 3, 3))},
    ],
)
def test_views_that_make_no_sense(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        make_view(**given)


def test_an_axis_may_have_no_marginal() -> None:
    view = make_view(density=[np.arange(12.0), None, np.zeros(5)])
    lower, upper = np.array([2.5, 1.5, 0.5]), np.array([9.25, 6.0, 4.5])
    assert view.answer(lower, upper)[0] == pytest.approx(leaf_weights(view, lower, upper) @ view.content.values)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Answer(1234.4, 56.2, 1119.6, 1350.2), "1,234 (95 %: 1,120 to 1,350)"),
        (Answer(-3.2, 5.0, 0.0, 7.4), "-3.2 (95 %: 0.0 to 7.4)"),
        (Answer(0.0, 0.0, 0.0, 0.0), "0 (95 %: 0 to 0)"),
        (Answer(0.25, 0.0, 0.25, 0.25), "0.250 (95 %: 0.250 to 0.250)"),
        (Answer(-0.3, 15.0, 0.0, 31.5), "0 (95 %: 0 to 32)"),
        (Answer(5000.0, 0.0, 5000.0, 5000.0), "5,000 (95 %: 5,000 to 5,000)"),
        (Answer(1.5, 0.01, 1.4788, 1.5212), "1.500 (95 %: 1.479 to 1.521)"),
    ],
)
def test_answers_show_the_digits_that_count(answer: Answer, text: str) -> None:
    assert str(answer) == text
    assert text in answer._repr_html_()


def test_the_range_of_an_answer() -> None:
    answer, below = Answers.of(np.array([10.0, -50.0]), noise=np.array([9.0, 1.0]), model=np.array([16.0, 0.0]))
    assert (answer.stderr, answer.low, answer.high) == pytest.approx((3.0, 0.0, 20.6))
    assert (below.low, below.high) == pytest.approx((0.0, 2.12))  # clipped, but not collapsed


def test_the_range_covers_clumps_and_noise() -> None:
    """Data that is one cluster a block, at a random place: at least 92 of 100 ranges hold the truth, seeded."""
    rng = np.random.default_rng(3)
    inside = 0
    for seed in range(400):
        view = make_view((64,), leaves=6, seed=seed)
        boxes = view.blocks
        noise = rng.laplace(0, np.sqrt(boxes.variance / 2))
        place = rng.integers(boxes.lower[:, 0], boxes.upper[:, 0])
        low, high = np.sort(rng.choice(65, 2, replace=False))
        truth = view.content.values[(low <= place) & (place < high)].clip(0).sum()
        noisy = make_view((64,), leaves=6, seed=seed, values=view.content.values.clip(0) + noise)
        answer = noisy.count(x0=(int(low), int(high) - 1))
        inside += answer.low - 1e-9 <= truth <= answer.high + 1e-9
    assert inside >= 368


def test_parameters_are_what_a_file_can_hold() -> None:
    view = make_view(parameters={"edges": (1, 2)})
    assert view.parameters == json.loads(json.dumps({"edges": [1, 2]}))
