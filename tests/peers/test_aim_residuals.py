"""aim-residuals: its tables beside dense least squares, what it finds, and what its views know."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import ripost
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.aim_residuals.method import ResidualModel
from ripost.peers.graphical_model import MarginalMeasurement
from ripost.privacy.zcdp import rho_for
from tests.methods.silent import Silent, run

from .linked_tables import diagonal

SHAPE, AXES = (3, 1, 4, 2), (0, 2, 3)  # the second attribute has one code
WHICH = [(0,), (1,), (2,), (0, 1), (1, 2)]  # numbers among AXES; the pair (0, 2) is not measured


def measure_marginals(seed: int = 0) -> list[MarginalMeasurement]:
    """Noisy marginals of different precision."""
    rng, sizes = np.random.default_rng(seed), [SHAPE[axis] for axis in AXES]
    shapes = [[sizes[i] for i in axes] for axes in WHICH]
    return [
        MarginalMeasurement(axes, rng.normal(100, 30, shape), np.full(shape, precision))
        for axes, shape, precision in zip(WHICH, shapes, rng.uniform(0.5, 4, len(WHICH)), strict=True)
    ]


def marginal_matrix(axes: tuple[int, ...]) -> np.ndarray:
    """The sums of a marginal over the cells of the three long attributes."""
    found = np.ones((1, 1))
    for i, axis in enumerate(AXES):
        found = np.kron(found, np.eye(SHAPE[axis]) if i in axes else np.ones((1, SHAPE[axis])))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_measured_tables_are_the_least_squares_solution(seed: int) -> None:
    marginals = measure_marginals(seed)
    model = ResidualModel.of(SHAPE, AXES, marginals)
    roots = [np.sqrt(one.precision.ravel()) for one in marginals]
    rows = [marginal_matrix(one.axes) * root[:, None] for one, root in zip(marginals, roots, strict=True)]
    values = [one.values.ravel() * root for one, root in zip(marginals, roots, strict=True)]
    cells, *_ = np.linalg.lstsq(np.concatenate(rows), np.concatenate(values), rcond=None)
    for axes in WHICH:
        np.testing.assert_allclose(model.table(axes).ravel(), marginal_matrix(axes) @ cells, atol=1e-8)
    precision = np.concatenate(rows).T @ np.concatenate(rows)
    pair = marginal_matrix((0, 1))
    variance = (pair @ np.linalg.pinv(precision) @ pair.T)[0, 0]
    view = ripost.publish(diagonal(), epsilon=1, method="aim-residuals", seed=1)  # any view, for its class
    content = type(view.content)(
        SHAPE,
        values=model.completed.values,
        density=model.completed.density,
        union=model.union,
        variance=model.variance,
    )
    one = np.zeros((1, 4)), np.array([[1, 1, 1, 2]])
    assert content.variances(*one)[0] == pytest.approx(variance)
    assert content.answers(*one)[0] == pytest.approx(model.table((0, 1))[0, 0])


def test_a_pair_that_was_not_measured_is_taken_as_independent() -> None:
    model = ResidualModel.of(SHAPE, AXES, measure_marginals())
    one, other = model.table((0,)), model.table((2,))
    assert min(one.min(), other.min()) > 0
    np.testing.assert_allclose(model.table((0, 2)), np.outer(one, other) / one.sum())


def test_pairs_that_go_together_are_measured() -> None:
    found, account = run("aim-residuals", diagonal(), 5, noise=Silent())
    assert account.ledger.spent == account.epsilon == rho_for(Fraction(5), Fraction(1, 10**9))
    assert (0, 1) in found.union.tables
    truth = np.diag(np.full(12, 1500.0))
    model = ResidualModel((0, 1, 2), found.completed, found.union, found.variance)
    np.testing.assert_allclose(model.table((0, 1)), truth, atol=1e-6)


def test_a_view_knows_the_error_of_what_was_measured() -> None:
    tensor = diagonal(6, 3000)
    view = ripost.publish(tensor, epsilon=2, method="aim-residuals", seed=3)
    held = set(view.content.union.parts)
    for pair in combinations(range(3), 2):
        lower, upper = np.zeros((1, 3)), np.array([[6, 6, 3]])
        upper[0, list(pair)] = 1
        assert np.isfinite(view.stderr(lower, upper)[0]) == (pair in held)
    assert (0, 1) in held
    lower, upper = np.array([[2, 2, 0]]), np.array([[3, 3, 3]])
    assert abs(view.answer(lower, upper)[0] - 9000) <= 5 * view.stderr(lower, upper)[0]


@pytest.mark.parametrize("options", [{"degree": 0}, {"degree": 4}, {"delta": 0}], ids=str)
def test_it_refuses(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        METHODS["aim-residuals"].configure(options)
