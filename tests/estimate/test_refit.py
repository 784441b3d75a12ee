"""The refit: views move towards histograms where their inside is unknown, and stay where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ripost.estimate.axis_intervals import AxisIntervals
from ripost.estimate.marginal import Marginal
from ripost.estimate.refit import refit
from ripost.space.blocks import Blocks
from tests.estimate.tables import tables

Array = np.ndarray[Any, np.dtype[Any]]
KNOWN: dict[str, Any] = {"scatter_parameter": 0.3, "total_variance": 100.0, "variance": np.array(1e12)}


def marginals(truth: Array, rng: np.random.Generator, variance: float = 50.0) -> list[Marginal]:
    """Of an axis with this truth, and of one of four codes whose halves hold 40 and 60 per cent."""
    other = truth.sum() * np.array([0.2, 0.2, 0.3, 0.3])
    return [Marginal.of(tables(mass, [1], variance, rng)) for mass in (truth, other)]


def fat(mass: Array) -> tuple[Blocks, Array, list[Array]]:
    """Two blocks side by side that span an axis whose density is `mass`."""
    size = len(mass)
    blocks = Blocks(np.array([[0, 0], [0, 2]]), np.array([[size, 2], [size, 4]]))
    return blocks, np.array([0.4, 0.6]) * mass.sum(), [mass, np.ones(4)]


def thin(values: Array) -> tuple[Blocks, Array, list[Array]]:
    """A block a code of the first axis: nothing is unknown there."""
    code = np.arange(len(values))
    lower, upper = np.stack([code, 0 * code], axis=1), np.stack([code + 1, 0 * code + 4], axis=1)
    return Blocks(lower, upper), values, [np.ones(len(values)), np.array([2.0, 2.0, 3.0, 3.0])]


def marginal_of(blocks: Blocks, values: Array, density: Array) -> Array:
    intervals = AxisIntervals.of(blocks, 0)
    return intervals.with_density(density).marginal(intervals.sums(values))


def along(blocks: Blocks) -> list[AxisIntervals]:
    return [AxisIntervals.of(blocks, axis) for axis in range(blocks.lower.shape[1])]


@pytest.mark.parametrize("seed", range(5))
def test_a_right_view_hardly_moves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = np.repeat(rng.poisson(200, 16), 4).astype(float)
    blocks, values, density = fat(truth)
    again, shaped = refit(along(blocks), values, density, marginals(truth, rng, 400.0), **KNOWN)
    assert again.tolist() == values.tolist()  # in two dimensions only densities move
    found = marginal_of(blocks, again, shaped[0])
    assert np.sqrt(np.mean((found - truth) ** 2)) < 15  # the noise alone is 20


def test_a_wrong_density_gives_way() -> None:
    rng = np.random.default_rng(6)
    truth = np.linspace(50, 400, 64)
    blocks, values, density = fat(np.full(64, truth.mean()))
    again, shaped = refit(along(blocks), values, density, marginals(truth, rng), **KNOWN)
    found = marginal_of(blocks, again, shaped[0])
    assert found.sum() == pytest.approx(truth.sum())
    assert abs(found - truth).mean() < 12  # it was 88


def test_blocks_of_one_code_stay() -> None:
    rng = np.random.default_rng(7)
    truth = rng.poisson(300, 32).astype(float)
    blocks, values, density = thin(truth)
    again, _ = refit(along(blocks), values, density, marginals(truth, rng, 800.0), **KNOWN)
    assert again.tolist() == values.tolist()


def test_three_axes_are_fitted_in_values_too() -> None:
    """Two blocks that are wrong about the first axis, which cuts between them."""
    rng = np.random.default_rng(8)
    truth = np.repeat([100.0, 300.0], 8)
    flat = np.full(4, truth.sum() / 4)
    known = [Marginal.of(tables(mass, [1], 20.0, rng)) for mass in (truth, flat, flat)]
    blocks = Blocks(np.array([[0, 0, 0], [7, 0, 0]]), np.array([[7, 4, 4], [16, 4, 4]]))
    density = [np.full(16, 200.0), flat, flat]
    values, shaped = refit(along(blocks), np.array([1400.0, 1800.0]), density, known, **KNOWN)
    assert values.sum() == pytest.approx(3200)
    found = marginal_of(blocks, values, shaped[0])
    assert abs(found - truth).mean() < 15


def test_a_block_that_was_measured_well_does_not_give_way() -> None:
    """A histogram with one measurement with a large error would take a tenth of the only block that holds anything."""
    rng = np.random.default_rng(9)
    truth = np.array([10_000.0, 0, 0, 0])
    known = [Marginal.of(tables(truth, [1], 2.0, rng)) for _ in range(3)]
    first = tables(truth, [1], 2.0, rng)
    first[0].value[3] += 1000
    blocks = Blocks(np.array([[0, 0, 0], [1, 0, 0]]), np.array([[1, 4, 4], [4, 4, 4]]))
    density = [np.maximum(truth, 1.0) for _ in range(3)]
    values = np.array([10_000.0, 30.0])

    def again(doubt: float) -> Array:
        given = KNOWN | {"variance": np.full(2, doubt)}
        return refit(along(blocks), values, density, [Marginal.of(first), *known[1:]], **given)[0]

    assert again(1e12)[0] < 9_950
    assert abs(again(400.0) - values).max() <= 20
