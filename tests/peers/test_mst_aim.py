"""mst and aim on small tables: what they find without noise, their options, and what they refuse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.aim.rounds import candidates
from ripost.peers.marginals import AttributeCodes, count_requests
from ripost.privacy.seeded_noise import SeededNoise
from ripost.privacy.zcdp import rho_for
from ripost.space.workload import Workload
from tests.methods.silent import poisson, run

from .linked_tables import diagonal

both = pytest.mark.parametrize("name", ["mst", "aim"])


@both
def test_axes_that_go_together_are_found(name: str) -> None:
    found, account = run(name, diagonal(), 5)
    apart = np.abs(found.coords[:, 0] - found.coords[:, 1])
    assert found.weights[apart == 0].sum() > 0.9 * found.weights.sum()
    assert found.weights.sum() == pytest.approx(18_000, rel=0.05)
    assert account.ledger.spent == account.epsilon == rho_for(Fraction(5), Fraction(1, 10**9))


@both
def test_delta_is_an_option(name: str) -> None:
    _, account = run(name, poisson((4, 3)), 1, delta=1e-5)
    assert account.epsilon == rho_for(Fraction(1), Fraction(1, 10**5))
    with pytest.raises(InputError, match="delta must be above 0 for Gaussian noise"):
        METHODS[name].configure({"delta": 0})
    with pytest.raises(InputError, match="delta must be"):
        METHODS[name].configure({"delta": 0.5})


@both
def test_synthetic_rows_stand_for_several(name: str) -> None:
    tensor = Tensor.from_arrays((4, 3), [[0, 0], [3, 2]], [10**7, 10**7])
    found, _ = run(name, tensor, 1, noise=SeededNoise(3))
    assert found.weights.sum() == pytest.approx(2 * 10**7, rel=1e-3)
    assert len(found.weights) <= 12


@both
def test_too_many_attributes(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} needs 41 attributes and stops at 40; choose another method"):
        run(name, Tensor.from_arrays((2,) * 41, [], []))


@pytest.mark.parametrize(
    "options", [{"degree": 0}, {"degree": True}, {"degree": 9}, {"max_model_size": 0}, {"max_model_size": "x"}], ids=str
)
def test_aim_refuses(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        METHODS["aim"].configure(options)


def test_candidates_of_a_workload() -> None:
    """A marginal matters by the axes that it shares with those asked for; one of 200 x 200 cells is left out."""
    sizes = (200, 200, 4)
    assert candidates({(0, 1): 5.0, (0, 2): 2.0, (1, 2): 1.0}, sizes) == {
        (0,): 2.0,
        (1,): 1.0,
        (2,): 3.0,
        (0, 2): 5.0,
        (1, 2): 4.0,
    }


def test_requests_of_a_workload() -> None:
    tensor = diagonal(6)
    whole = np.array(tensor.domain.shape)
    lower, upper = np.zeros((5, 3), int), np.tile(whole, (5, 1))
    upper[:, :2] = 2
    codes = AttributeCodes.of(tensor.domain.shape)
    assert count_requests(codes, Workload.of((lower, upper), tuple(whole.tolist())), 2) == {(0, 1): 5.0}
    assert count_requests(AttributeCodes.of((6, 1, 6, 3)), None, 2) == {(0, 1): 1.0, (0, 2): 1.0, (1, 2): 1.0}
    nothing = Workload.of((np.zeros((1, 3), int), whole[None]), tuple(whole.tolist()))
    assert count_requests(codes, nothing, 2) == {}


def test_codes_in_bins() -> None:
    codes = AttributeCodes((0, 2), (4, 3), (np.array([0, 2, 1, 2]), np.arange(3)))
    assert codes.binned == (3, 3)
    margin = codes.margin((0, 1))
    assert margin.axes == (0, 2)
    assert margin.group.tolist() == [0, 1, 2, 6, 7, 8, 3, 4, 5, 6, 7, 8]
    assert codes.margin((1,)).group is None
    swapped = AttributeCodes((0,), (3,), (np.array([0, 2, 1]),))  # as many bins as codes, in another order
    assert swapped.margin((0,)).group.tolist() == [0, 2, 1]
    spread = codes.draw_codes(np.array([[2, 0], [2, 1], [0, 2]]), np.array([[0.1, 0.9, 0.5], [0.5, 0.5, 0.999]]))
    assert spread.tolist() == [[1, 0], [3, 1], [0, 2]]
