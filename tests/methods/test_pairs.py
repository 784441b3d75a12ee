"""RIPOST+ with pair tables: which tables get a mixture, what it is worth, and that nothing breaks it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ripost
from ripost import publish
from ripost.arrays import Ints
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import combine, pair_plan
from ripost.methods.root_measurement import CHOOSING
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.release.promise import list_charges
from ripost.release.verify import verify_view
from ripost.schema.measure import Measure
from ripost.schema.schema import Schema
from ripost.view import View
from tests.marks import slow
from tests.methods.dependent_tables import WIDE, codes_of, dependent, has_mixture, tensor_of

from .silent import Silent, quick_fit, run


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_fit(monkeypatch)


def two_way(shape: tuple[int, ...], number: int = 300) -> tuple[Ints, Ints]:
    """Ranges of two attributes each."""
    rng = np.random.default_rng(1)
    lower, upper = np.zeros((number, len(shape)), np.int64), np.tile(shape, (number, 1))
    for row in range(number):
        for axis in rng.choice(len(shape), 2, replace=False):
            lower[row, axis], upper[row, axis] = np.sort(rng.choice(shape[axis] + 1, 2, replace=False))
    return lower, upper


def bins(shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Every code of every attribute."""
    axes = np.repeat(np.arange(len(shape)), shape)
    lower, upper = np.zeros((len(axes), len(shape)), np.int64), np.tile(shape, (len(axes), 1))
    lower[np.arange(len(axes)), axes] = code = np.concatenate([np.arange(size) for size in shape])
    upper[np.arange(len(axes)), axes] = code + 1
    return lower, upper


def test_answers_improve_with_epsilon_when_leaves_are_known_better_than_their_content() -> None:
    """The table has far more non-empty cells than a tree has leaves, whose values are almost exact at epsilon 100."""
    shape, errors = (24,) * 5, []
    tensor = tensor_of(codes_of(shape, 100_000, groups=2), shape)
    for epsilon in (10, 100):
        view = publish(tensor, epsilon=epsilon, seed=0)
        assert has_mixture(view)
        asked = bins(shape), two_way(shape)
        errors.append([float(np.sqrt(np.mean((view.content.answers(*q) - tensor.answer(*q)) ** 2))) for q in asked])
    (one, two), (one_later, two_later) = errors
    assert one_later < 0.8 * one and two_later < 0.8 * two
    assert one_later < 5


def test_a_mixture_answers_pairs_that_the_tree_does_not_cut() -> None:
    """Three pairs of attributes, each with a dependence of its own."""
    rng = np.random.default_rng(0)
    firsts = rng.integers(0, 12, (20_000, 3))
    codes = np.concatenate([firsts, (firsts + rng.integers(0, 3, firsts.shape)) % 12], axis=1)
    tensor = tensor_of(codes, WIDE)
    lower, upper = (np.zeros((300, 6), np.int64), np.tile(WIDE, (300, 1)))
    for row in range(300):  # ranges of a pair that goes together
        for axis in (row % 3, row % 3 + 3):
            lower[row, axis], upper[row, axis] = np.sort(rng.choice(13, 2, replace=False))
    truth = tensor.answer(lower, upper)

    def error(found: Any) -> float:
        return float(np.sqrt(np.mean((found - truth) ** 2)))

    ours, plain = (publish(tensor, epsilon=1, seed=1, pairs=pairs) for pairs in (True, False))
    assert has_mixture(ours) and not has_mixture(plain)
    product = 20_000 * ((upper - lower) / np.array(WIDE)).prod(axis=1)  # each attribute by itself is even
    assert error(ours.answer(lower, upper)) < error(plain.answer(lower, upper)) / 2
    assert error(ours.answer(lower, upper)) < error(product) / 5


def test_which_tables_get_one() -> None:
    """Attributes must depend on each other, clearly for the rows that there are, and there must be several."""
    assert has_mixture(publish(dependent(), epsilon=1, seed=2))
    independent = publish(tensor_of(codes_of(WIDE, 20_000, groups=1), WIDE), epsilon=1, seed=2)
    assert not has_mixture(independent)
    assert "test of dependence" in {entry.purpose for entry in independent.privacy.ledger.entries}
    few = dependent(rows=pair_plan.LEAST_ROWS[False] // 2)
    several = (1,) * 3 + (12,) * (pair_plan.LEAST_ATTRIBUTES - 1)
    for tensor in (few, dependent(several), dependent((2,) * 6)):
        view = publish(tensor, epsilon=1, seed=2)
        assert not has_mixture(view)
        assert "test of dependence" not in {entry.purpose for entry in view.privacy.ledger.entries}


@pytest.mark.parametrize("options", [{}, {"delta": 1e-9}], ids=str)
def test_shares(options: dict[str, Any]) -> None:
    """In epsilon or in rho: tables of pairs get their part of what histograms leave, and all is spent."""
    _, account = run("ripost+", dependent(), Fraction(2), noise=SeededNoise(3), **options)
    spent = {entry.purpose: entry.epsilon / account.epsilon for entry in account.ledger.entries}
    plan = pair_plan.plan_for(WIDE, 20_000 * 2, gaussian="delta" in options)
    assert sum(part for purpose, part in spent.items() if purpose.startswith("axis ")) == plan.histograms
    assert spent["test of dependence"] == pair_plan.TESTING
    rest = 1 - spent["planning, look 1"] - pair_plan.TESTING - plan.histograms - (0 if options else CHOOSING)
    assert sum(part for purpose, part in spent.items() if purpose.startswith("pairs, ")) == rest * plan.pairs
    assert account.ledger.spent == account.epsilon


@pytest.mark.parametrize(
    ("looks", "options"),
    [
        ((200, 10**5), {}),
        ((200, 210, 10**4), {}),
        ((20_000,), {"marginals": 0.66}),
        ((2 * 10**5,), {"marginals": 0.66}),
    ],
    ids=str,
)
def test_no_path_runs_out(looks: tuple[int, ...], options: dict[str, Any]) -> None:
    """Looks that disagree, or much for histograms, leave less than the plan has for pairs."""

    class Looking(Silent):
        told = 0

        def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
            if len(values) > 1 or self.told == len(looks):
                return values
            self.told += 1
            return np.array([looks[self.told - 1]])

    tensor = dependent((20,) * 6, times=10)
    found, account = run("ripost+", tensor, Fraction(1), noise=Looking(), **options)
    assert found.mixture is not None
    assert account.ledger.spent == 1
    assert 0 < sum(entry.epsilon for entry in account.ledger.entries if entry.purpose.startswith("pairs, ")) < 1


class Recorded(SeededNoise):
    """Keeps what it says."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.said: list[Ints] = []

    def laplace(self, *given: Any) -> Ints:
        return self._keep(super().laplace(*given))

    def gaussian(self, *given: Any) -> Ints:
        return self._keep(super().gaussian(*given))

    def choose(self, *given: Any) -> Ints:
        return self._keep(super().choose(*given))

    def _keep(self, found: Ints) -> Ints:
        self.said.append(found)
        return found


class Repeated(Silent):
    """Says again what was said of another table, whatever it is asked of."""

    def __init__(self, said: list[Ints]) -> None:
        self.said = iter(said)

    def laplace(self, *_: Any) -> Ints:
        return next(self.said)

    gaussian = choose = laplace


@pytest.mark.parametrize("options", [{}, {"delta": 1e-9}], ids=str)
def test_nothing_but_what_was_released_decides(options: dict[str, Any]) -> None:
    """A table with other rows, of which the same was said: the same draws, at the same prices, and the same release."""
    noise = Recorded(8)
    first, account = run("ripost+", dependent(), Fraction(4 if options else 1), noise=noise, **options)
    other = Tensor.from_arrays(WIDE, [[1] * 6, [7] * 6], [5, 3])
    again, there = run("ripost+", other, Fraction(4 if options else 1), noise=Repeated(noise.said), **options)
    assert first.mixture is not None and any("axes" in entry.purpose for entry in account.ledger.entries)
    assert there.ledger == account.ledger
    for name in ("axis", "cut"):
        assert np.array_equal(getattr(again.tree, name), getattr(first.tree, name))
    assert np.array_equal(again.values, first.values) and np.array_equal(again.corrections, first.corrections)
    for one, same in zip(first.mixture.levels, again.mixture.levels, strict=True):
        assert np.array_equal(one, same)


def test_delta_is_stated_and_checked(tmp_path: Path) -> None:
    view = publish(dependent(), epsilon=1, delta=1e-9, seed=4)
    assert has_mixture(view)
    assert view.privacy.delta == Fraction(1, 10**9)
    assert view.privacy.epsilon_spent <= 1
    assert {entry.mechanism for entry in view.privacy.ledger.entries} <= {"discrete Gaussian", "permute and flip"}
    same = save_and_open(view, tmp_path)
    assert same.privacy == view.privacy
    text = format_certificate(CertifiedRelease.open(tmp_path / "view.ripost.parquet"))
    assert "largest_dependence.md" in text and "no proof is known" not in text
    (pairs,) = [price for purpose, _, price in list_charges(view) if purpose.startswith("pairs")]
    assert 0.4 < pairs / view.privacy.spent < 0.7


def save_and_open(view: View, folder: Path) -> View:
    path = folder / "view.ripost.parquet"
    view.save(path)
    assert [check for check in verify_view(path) if not check.ok] == []
    return ripost.open(path)


def test_the_file_answers_as_the_view_does(tmp_path: Path) -> None:
    view = publish(dependent(), epsilon=1, seed=5)
    same = save_and_open(view, tmp_path)
    lower, upper = two_way(WIDE)
    assert has_mixture(same)
    np.testing.assert_allclose(same.answer(lower, upper), view.answer(lower, upper), rtol=1e-9)
    np.testing.assert_allclose(same.stderr(lower, upper), view.stderr(lower, upper), rtol=1e-9)
    assert same.privacy == view.privacy


def test_sums() -> None:
    """The same rows worth 1000 steps each: planned as rows, and answers are a thousand times as large."""
    measure = Measure("price", step=0.5, bound=1000)
    view = publish(dependent(times=1000, measure=measure), epsilon=1, seed=6)
    assert has_mixture(view)
    assert view.total == pytest.approx(20_000 * 1000 * 0.5, rel=0.02)
    lower, upper = two_way(WIDE)
    truth = dependent().answer(lower, upper) * 500.0
    assert np.sqrt(np.mean((view.answer(lower, upper) - truth) ** 2)) < 0.02 * truth.max()


def test_people_with_several_rows(tmp_path: Path) -> None:
    names = "abcdef"
    codes = codes_of(WIDE, 20_000, groups=4)
    table = pa.table({"person": np.arange(20_000) // 2, **dict(zip(names, codes.T, strict=True))})
    attributes = {name: {"type": "integer", "min": 0, "max": 11} for name in names}
    schema = Schema.from_dict({"unit": "person", "max_rows": 2, "attributes": attributes})
    for options in ({"epsilon": 2}, {"epsilon": 2, "delta": 1e-9}):
        view = publish(table, schema, seed=7, **options)
        assert has_mixture(view)
        assert view.privacy.epsilon_spent <= 2
        assert view.total == pytest.approx(20_000, rel=0.03)
    save_and_open(view, tmp_path)


@pytest.mark.parametrize("times", [1, 10, 50_000])
def test_the_total_is_that_which_was_measured(times: int) -> None:
    """Tables that contradict the densities inside blocks do not move it: within five standard errors."""
    tensor = dependent(times=times)
    for seed in range(3):
        answer = publish(tensor, epsilon=1, seed=seed).count()
        assert abs(answer.value - 20_000 * times) < 5 * answer.stderr


EDGES = {
    "1 code": dependent((1, 9, 9, 1, 9, 9, 9, 1)),
    "2 codes": dependent((2,) * 20),
    "5000 codes": dependent((5000, 9, 9, 9, 9, 3)),
    "one cell": Tensor.from_arrays(WIDE, [[3] * 6], [20_000]),
    "two cells": Tensor.from_arrays(WIDE, [[0] * 6, [11] * 6], [10_000, 10_000]),
    "empty": Tensor.from_arrays(WIDE, [], []),
    "10^9": dependent((20,) * 8, rows=5000, times=200_000),
    "40-D": dependent((4,) * 40, rows=5000, times=4),
}
LARGE = ("10^9", "40-D")  # a second for a mixture
PROMISES = [(epsilon, delta) for delta in (0, 1e-9) for epsilon in ("0.01", "1", "20")]


def is_quick(name: str, promise: tuple[str, float]) -> bool:
    """Pure epsilon on all, and a small epsilon with delta where no mixture is fitted."""
    return promise == ("1", 0) or (promise == ("0.01", 1e-9) and name not in LARGE)


@pytest.mark.parametrize(
    ("name", "epsilon", "delta"),
    [(name, *one) if is_quick(name, one) else slow(name, *one) for name in EDGES for one in PROMISES],
)
def test_the_edges_of_what_can_be_published_have_finite_answers_and_keep_the_promise(
    name: str, epsilon: str, delta: float
) -> None:
    tensor = EDGES[name]
    view = publish(tensor, epsilon=epsilon, seed=2, delta=delta)
    rows = int(tensor.counts.sum())
    answer = view.count()
    assert np.isfinite([answer.value, answer.low, answer.high, answer.stderr]).all()
    # Without a mixture, blocks that are held above zero bias the total of huge tables a little.
    assert abs(answer.value - rows) <= 6 * answer.stderr + 1 + (0 if has_mixture(view) else 1e-4 * rows)
    shape = np.array(tensor.domain.shape)
    lower, upper = two_way(tuple(shape)) if (shape > 1).all() else (np.zeros((1, len(shape)), int), shape[None])
    assert np.isfinite(view.answer(lower, upper)).all() and np.isfinite(view.stderr(lower, upper)).all()
    spent = view.privacy.epsilon_spent
    assert spent <= float(epsilon) * (1 + 1e-9) and (delta or view.privacy.spent == view.privacy.epsilon)


def pair_error(view: View, tensor: Tensor, axes: tuple[int, int]) -> float:
    """Root mean squared error of all cells of a pair."""
    shape = tensor.domain.shape
    lower, upper = np.zeros((144, len(shape)), np.int64), np.tile(shape, (144, 1))
    for axis, codes in zip(axes, np.indices((12, 12)).reshape(2, -1), strict=True):
        lower[:, axis], upper[:, axis] = codes, codes + 1
    return float(np.sqrt(np.mean((view.answer(lower, upper) - tensor.answer(lower, upper)) ** 2)))


@pytest.mark.parametrize("options", [{}, {"delta": 1e-9}], ids=str)
def test_protected_pairs_are_measured_first_and_better(options: dict[str, Any]) -> None:
    """Also in tables that would not get a mixture: of few attributes, or of attributes that do not depend."""
    shape, rng = (12,) * 8, np.random.default_rng(0)
    firsts = rng.integers(0, 12, (5000, 8))
    firsts[:, 3] = (firsts[:, 1] + rng.integers(0, 2, 5000)) % 12
    tensor = tensor_of(firsts, shape)
    plain = [publish(tensor, epsilon=1, seed=seed, **options) for seed in range(4)]
    better = [publish(tensor, epsilon=1, seed=seed, protect="x3, x1", **options) for seed in range(4)]
    errors = [np.mean([pair_error(view, tensor, (1, 3)) for view in views]) for views in (plain, better)]
    assert errors[1] < 0.7 * errors[0]
    entries = {entry.purpose: entry for entry in better[0].privacy.ledger.entries}
    tables = [entry for purpose, entry in entries.items() if purpose.startswith("pairs, ")]
    assert tables[0].epsilon == max(entry.epsilon for entry in tables)
    assert "test of dependence" not in entries
    assert better[0].parameters["protect"] == [["x1", "x3"]]
    small = publish(dependent((9, 9, 9)), epsilon=1, seed=1, protect=[["x0", "x1"], "x1,x2"], **options)
    assert has_mixture(small) and 0.999 < small.privacy.epsilon_spent <= 1


@pytest.mark.parametrize(
    ("protect", "told"),
    [
        ("x0", "sets of 2 to 6"),
        ("x0,x0", "different"),
        ("", "sets of 2 to 6"),
        (5, "sets of 2 to 6"),
        ([["x0", 1]], "sets of 2 to 6"),
        ("x0,colour", "the schema has no attribute 'colour'"),
        ([["x0", "x1", "x2", "x3", "x4", "x5", "x0"]], "sets of 2 to 6"),
    ],
)
def test_what_cannot_be_protected(protect: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        publish(dependent(), epsilon=1, seed=1, protect=protect)


def test_other_methods_do_not_protect() -> None:
    with pytest.raises(InputError, match="privtree cannot protect"):
        publish(dependent(), epsilon=1, seed=1, method="privtree", protect="x0,x1")
    with pytest.raises(InputError, match="leave out pairs=false"):
        publish(dependent(), epsilon=1, seed=1, pairs=False, protect="x0,x1")


def test_protected_attributes_of_one_code() -> None:
    tensor = Tensor.from_arrays((1, 1, 9), [[0, 0, 3]], [5000])
    assert publish(tensor, epsilon=1, seed=1, protect="x0,x1").total == pytest.approx(5000, rel=0.05)


def test_roundings_do_not_add_up() -> None:
    """Corrections are rounded for a smaller file: sums of neighboring blocks and the total stay as they were."""
    values = np.random.default_rng(1).normal(0, 5, 60_000)
    rounded = combine.round_running_sums(values, 0.25)
    assert (rounded % 0.25 == 0).all()
    assert np.abs(rounded - values).max() <= 0.25 + 1e-9
    assert np.abs(np.cumsum(rounded) - np.cumsum(values)).max() <= 0.125 + 1e-9
    assert abs((np.rint(values * 4) / 4).sum() - values.sum()) > 1  # each by itself


def test_single_codes_where_half_of_the_tables_have_rows_enough() -> None:
    shape = (52, 4, 2, 1, 2, 100, 300)
    pairs = pair_plan.pairs_of(shape)

    def bins(rows: float) -> dict[int, int]:
        return pair_plan.bins_of(pairs, shape, rows)

    assert bins(399) == {0: 19, 1: 4, 2: 2, 4: 2, 5: 19, 6: 19}
    assert bins(832) == {0: 52, 1: 4, 2: 2, 4: 2, 5: 28, 6: 28}  # half of its tables have up to 208 cells
    assert bins(1600) == {0: 52, 1: 4, 2: 2, 4: 2, 5: 100, 6: 40}
    assert bins(1e9) == {0: 52, 1: 4, 2: 2, 4: 2, 5: 100, 6: 64}
    assert pair_plan.bins_of([(0, 5)], shape, 1600) == {0: 40, 5: 40}


def test_a_remainder_is_seen_in_single_codes() -> None:
    """One attribute is another's code modulo 4: bins of several codes would hide it."""
    rng = np.random.default_rng(0)
    shape = (100, 4, 2, 2, 2, 2, 30)
    codes = rng.integers(0, shape, (30_000, 7))
    codes[:, 1], codes[:, 5] = codes[:, 0] % 4, codes[:, 6] // 15  # the test of dependence sees the latter
    view = publish(tensor_of(codes, shape), epsilon=1, seed=1)
    lower, upper = np.zeros((400, 7), np.int64), np.tile(shape, (400, 1))
    lower[:, :2] = np.indices((100, 4)).reshape(2, -1).T
    upper[:, :2] = lower[:, :2] + 1
    truth = np.where(lower[:, 0] % 4 == lower[:, 1], np.bincount(codes[:, 0], minlength=100)[lower[:, 0]], 0)
    assert np.abs(view.answer(lower, upper) - truth).sum() < 0.5 * len(codes)  # independence would give 1.5
