"""Gradients that are worked out by hand are those that automatic differentiation finds, and rows do not mix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ripost.peers.p3gm.bounded_sums import sum_products
from ripost.peers.p3gm.gradients import clip_pairs, layer_pairs
from ripost.peers.p3gm.network import UNIT, Lesson

from . import plain_network


def lesson(shape: tuple[int, ...], seed: int) -> Lesson:
    found = plain_network.question("gradient", shape, np.random.default_rng(seed))
    assert isinstance(found, Lesson)
    return found


def cells(shape: tuple[int, ...]) -> np.ndarray:
    return np.argwhere(np.ones(shape)).T.astype(np.int32)


@pytest.mark.parametrize("seed", range(6))
def test_gradients_are_those_of_torch(seed: int) -> None:
    """Within what the grid cuts off. Weights are on the grid, so that both see the same network."""
    torch = pytest.importorskip("torch", reason="torch is not installed; pip install torch to run this comparison")
    shape = (4, 3)
    asked, where = lesson(shape, seed), cells(shape)
    wide = replace(asked.mixture, variances=asked.mixture.variances.clip(0.25))  # no error reaches the end of the grid
    asked = replace(asked, mixture=wide)
    layers = [torch.tensor(np.trunc(layer.clip(-8, 8) * UNIT) / UNIT, requires_grad=True) for layer in asked.layers]
    first, second, third, fourth = layers
    mixture = [torch.tensor(np.asarray(part)) for part in (asked.mixture.weights, asked.mixture.means)]
    variances = 1 / torch.tensor(np.trunc(2**6 / asked.mixture.variances) / 2**6)
    one = torch.ones(1, dtype=torch.float64)
    for column, pairs in zip(where.T, _records(asked, where), strict=True):
        place = torch.tensor(sum(t[c] for t, c in zip(asked.projection.tables, column, strict=True)) / UNIT)
        jitter = torch.tensor(asked.jitter[int(asked.turns @ column) % len(asked.jitter)])
        unsure = torch.relu(first @ torch.cat([place, one]))
        log_variance = torch.clamp(second @ torch.cat([unsure, one]), -8, 4)
        drawn = place + torch.exp(log_variance / 2) * jitter
        scores = fourth @ torch.cat([torch.relu(third @ torch.cat([drawn, one])), one])
        loss, start = torch.zeros((), dtype=torch.float64), 0
        for part, code, number in zip(asked.bins, column, asked.outputs, strict=True):
            loss = loss - torch.log_softmax(scores[start : start + number], 0)[int(part[code])]
            start += number
        apart = (torch.exp(log_variance) + (place - mixture[1]) ** 2) / variances + torch.log(variances)
        divergence = (apart - 1 - log_variance).sum(1) / 2
        loss = loss - torch.logsumexp(torch.log(mixture[0]) - divergence, 0)
        expected = torch.autograd.grad(loss, layers)
        if bool((log_variance.abs() >= 3.99).any()):
            continue  # there the hand-made gradient goes on, as if nothing had been cut off
        for (error, entered), found in zip(pairs, expected, strict=True):
            np.testing.assert_allclose(np.outer(error, entered), found.numpy(), rtol=0.03, atol=0.03)


def _records(asked: Lesson, where: np.ndarray) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    pairs = layer_pairs(asked, where)
    return [[(error[i], entered[i]) for error, entered in pairs] for i in range(where.shape[1])]


@pytest.mark.parametrize("clip", [0.001, 1.0, 30.0, 1e6])
def test_no_row_is_longer_than_the_figure_and_some_nearly_are(clip: float) -> None:
    for seed in range(5):
        pairs = clip_pairs(layer_pairs(lesson((5, 4, 3), seed), cells((5, 4, 3))), clip)
        square = sum(
            (error.astype(object) ** 2).sum(axis=1) * (entered.astype(object) ** 2).sum(axis=1)
            for error, entered in pairs
        )
        assert all(int(value) <= 2**56 for value in square)
        if clip < 0.01:
            assert max(square) >= 0.999 * 2**56


def test_what_is_no_number_counts_as_nothing() -> None:
    odd = np.array([[np.nan, 1.0], [np.inf, 0.0], [-np.inf, 2.0], [1e300, 1e300], [0.1, 0.2]])
    with np.errstate(all="ignore"):
        pairs = clip_pairs([(odd, odd), (odd, odd)], 1.0)
    for row in range(len(odd)):
        square = sum(int((error[row] ** 2).sum()) * int((entered[row] ** 2).sum()) for error, entered in pairs)
        assert square <= 2**56


def test_a_row_does_not_depend_on_its_company() -> None:
    """To the last bit, in any order and among any number of others."""
    asked, where = lesson((9, 8), 3), cells((9, 8))
    together = layer_pairs(asked, where)
    mixed = np.random.default_rng(0).permutation(where.shape[1])
    again = layer_pairs(asked, where[:, mixed])
    alone = layer_pairs(asked, where[:, 5:6])
    for (error, entered), (error_2, entered_2), (error_3, entered_3) in zip(together, again, alone, strict=True):
        assert (error[mixed] == error_2).all()
        assert (entered[mixed] == entered_2).all()
        assert (error[5] == error_3[0]).all()
        assert (entered[5] == entered_3[0]).all()


def test_sums_are_exact_however_large() -> None:
    left, right = np.array([[2.0**20, -3.0]]), np.array([[2.0**20 - 1]])
    for count in (1, 2**20, 2**60):
        found = sum_products(left, np.array([count]), right)
        assert found.ravel().tolist() == [count * 2**20 * (2**20 - 1), -3 * count * (2**20 - 1)]
