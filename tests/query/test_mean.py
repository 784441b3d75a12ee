"""Means: what their intervals allow for, and how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

import ripost
from ripost.answering.answer import LEVEL
from ripost.query.distribution import IN_BIN, Distribution
from ripost.schema.domain import Domain
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view

WIDTH = 10.0


def known_shares(mass: list[float], level: float = LEVEL) -> Distribution:
    """Bins of which the totals are known exactly."""
    first, upto = WIDTH * np.arange(len(mass)), np.concatenate([[0.0], np.cumsum(mass) / np.sum(mass)])
    return Distribution(first, first + WIDTH, np.array(mass), upto, upto, (np.sum(mass),) * 3, level)


def test_values_of_one_bin_are_anywhere_in_it() -> None:
    assert known_shares([0.0, 7.0, 0.0]).mean() == pytest.approx((15, 10, 20))


@pytest.mark.parametrize("bins", [4, 25, 100])
def test_bins_are_independent(bins: int) -> None:
    """Of b bins of the same total, the interval is a bin's over the square root of b; more at a higher level."""
    value, low, high = known_shares([3.0] * bins).mean()
    assert value == WIDTH * bins / 2
    assert (high - value, value - low) == pytest.approx((IN_BIN * WIDTH / np.sqrt(bins),) * 2)
    _, least, most = known_shares([3.0] * bins, level=0.9999).mean()
    assert value - WIDTH / 2 <= least < low and high < most <= value + WIDTH / 2


def test_no_interval_is_longer_than_the_ends_of_bins_allow() -> None:
    """The note tells them, and where they are."""
    view = make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True)
    answer = view.mean("delay")
    assert answer.low < answer.value < answer.high and answer.stderr > 0
    assert "if all lie at the same end of their bins, the mean is" in answer.note
    assert view.sql("SELECT AVG(delay) FROM view").rows == [(answer.value, answer.low, answer.high)]
    assert view.mean("hour").note == ""  # each value has a bin of its own


def test_intervals_hold_true_means() -> None:
    """40 columns of other shapes, each in bins a fifth of its standard deviation to three times it, released at epsilon
    1 in 3 seeds: if 95 % are held, fewer than 88 % of 240 are by chance once in 10,000 times.
    """
    held = []
    for number in range(40):
        rng = np.random.default_rng(number)
        rows = np.clip(
            rng.gamma(rng.uniform(0.5, 8), rng.uniform(3, 30), 3000) * rng.choice([1, 1, 1, 0], 3000), 0, 239
        )
        for bins in (6, 30):
            domain = Domain.from_json({"x": {"type": "number", "min": 0, "max": 240, "bins": bins}})
            codes = np.floor(rows / (240 / bins)).astype(np.int64)[:, None]
            tensor = ripost.Tensor.from_arrays(domain, codes, np.ones(len(rows), np.int64))
            for seed in range(3):
                answer = ripost.publish(tensor, epsilon=1, seed=seed).mean("x")
                held.append(answer.low <= rows.mean() <= answer.high)
    assert len(held) == 240 and np.mean(held) >= 0.88
