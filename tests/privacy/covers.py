"""The exact law of the least noisy partition, for domains of few cells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ripost.privacy.budget import scale_for
from ripost.privacy.mechanisms import LeastPartition
from ripost.space.runs import Offer, Runs

Floats = NDArray[np.float64]
Cover = tuple[int, ...]  # runs along the curve
Law = tuple[int, Floats]  # least value, and the probability of it and of each whole number after it

FAR = 36  # noise that goes beyond all costs by so many scales has a share of 1e-16 of any outcome


def scales(mechanism: LeastPartition, runs: Runs, bound: int) -> list[float]:
    return [scale_for(mechanism.shift(length, bound), mechanism.cost) for length in runs.lengths.tolist()]


def effective(runs: Runs, offers: list[Offer]) -> NDArray[np.int64]:
    """One price per run that stands for all offers: of two cells there are two covers, and each takes its best."""
    if len(offers) == 1:
        return offers[0].price
    assert len(runs) <= 3, "several offers share their noise: the law is worked out for two cells only"
    apart = min(offer.fee + int(offer.price[:-1].sum()) for offer in offers)
    whole = min(offer.fee + int(offer.price[-1]) for offer in offers)
    return np.array([apart, 0, whole])[-len(runs) :]


def covers(costs: list[int], runs: Runs, scale: list[float]) -> dict[Cover, float]:
    """The probability of every cover, each run's cost lowered by geometric noise of its own scale.

    Runs are nested, so the halves of a run are independent: the law of the least cost of each follows from sums, and
    a run stays whole if its own cost is at most that of its halves.
    """
    laws: dict[int, dict[Cover, Law]] = {}
    reach = 2 * sum(map(abs, costs))
    for run in range(len(runs.order)):
        laws[run] = {(run,): _own(costs[run], scale[run], reach)}
    for parents, lefts, rights in runs.joins:
        for parent, left, right in zip(parents.tolist(), lefts.tolist(), rights.tolist(), strict=True):
            laws[parent] = _joined(
                parent, laws[left], laws[right], _own(costs[parent], scale[parent], reach), costs[parent], scale[parent]
            )
    return {cover: float(law.sum()) for cover, (_, law) in laws[len(runs) - 1].items()}


def _own(cost: int, scale: float, reach: int) -> Law:
    """cost - noise: P(noise = g) is q^g (1 - q) with q = exp(-1 / scale)."""
    noise = np.arange(reach + math.ceil(FAR * scale) + 1)
    law = np.exp(-noise / scale) * -np.expm1(-1 / scale)
    return cost - len(noise) + 1, law[::-1]


def _joined(
    run: int, left: dict[Cover, Law], right: dict[Cover, Law], whole: Law, cost: int, scale: float
) -> dict[Cover, Law]:
    found: dict[Cover, Law] = {}
    low, own = whole
    at_least = np.zeros(len(own))  # probability that the halves cost at least as much as each value of the whole
    for one, (one_low, one_law) in left.items():
        for other, (other_low, other_law) in right.items():
            both_low, both = one_low + other_low, np.convolve(one_law, other_law)
            value = both_low + np.arange(len(both))
            found[one + other] = both_low, both * -np.expm1(-np.maximum(cost - value, 0) / scale)
            tail = np.append(np.cumsum(both[::-1])[::-1], 0)
            at_least += tail[np.clip(low + np.arange(len(own)) - both_low, 0, len(both))]
    found[(run,)] = low, own * at_least
    return found
