"""The exact law of the least noisy partition, for domains of few cells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ripost.privacy.budget import scale_for
from ripost.privacy.mechanisms import LeastPartition
from ripost.space.runs import Runs

Floats = NDArray[np.float64]
Cover = tuple[int, ...]  # runs along the curve
Law = tuple[int, Floats]  # least value, and the probability of it and of each whole number after it

FAR = 36  # noise that goes beyond all costs by so many scales has a share of 1e-16 of any outcome


def scales(mechanism: LeastPartition, runs: Runs, bound: int) -> list[float]:
    return [scale_for(mechanism.shift(length, bound), mechanism.cost) for length in runs.longest.tolist()]


def covers(costs: list[int], runs: Runs, scale: list[float]) -> dict[Cover, float]:
    """The probability of every cover, each piece's cost lowered by geometric noise of its own scale.

    Runs are nested, so the halves of a run are independent: the law of the least cost of each follows from sums, and
    a run is told as one of its pieces if that costs at most what all that comes after it does.
    """
    laws: dict[int, dict[Cover, Law]] = {}
    reach = 2 * sum(map(abs, costs))
    for run in range(len(runs.order)):
        laws[run] = {(run,): _own(costs[run], scale[run], reach)}
    piece, inside = len(runs.order), [{run: (run,) for run in laws}]  # by level: the runs inside each run
    for level, (parents, lefts, rights) in enumerate(runs.joins, 1):
        for parent, left, right in zip(parents.tolist(), lefts.tolist(), rights.tolist(), strict=True):
            for cut in inside:
                cut[parent] = cut[left] + cut[right]
            laws[parent] = _both(laws[left], laws[right])
        inside.append({run: (run,) for run in laws})
        for cut in range(level + 1):
            for row, parent in enumerate(parents.tolist()):
                number = piece + (level - cut) * len(parents) + row
                law = _own(costs[number], scale[number], reach)
                laws[parent] = _before(inside[cut][parent], law, laws[parent], costs[number], scale[number])
        piece += (level + 1) * len(parents)
    return {cover: float(law.sum()) for cover, (_, law) in laws[len(runs) - 1].items()}


def _own(cost: int, scale: float, reach: int) -> Law:
    """cost - noise: P(noise = g) is q^g (1 - q) with q = exp(-1 / scale)."""
    noise = np.arange(reach + math.ceil(FAR * scale) + 1)
    law = np.exp(-noise / scale) * -np.expm1(-1 / scale)
    return cost - len(noise) + 1, law[::-1]


def _both(left: dict[Cover, Law], right: dict[Cover, Law]) -> dict[Cover, Law]:
    """What the halves of a run cost together."""
    return {
        one + other: (one_low + other_low, np.convolve(one_law, other_law))
        for one, (one_low, one_law) in left.items()
        for other, (other_low, other_law) in right.items()
    }


def _before(cover: Cover, piece: Law, others: dict[Cover, Law], cost: int, scale: float) -> dict[Cover, Law]:
    """What is told of a run if a piece comes before all others: it wins if it costs no more than they do."""
    found: dict[Cover, Law] = {}
    low, own = piece
    at_least = np.zeros(len(own))  # probability that the others cost at least as much as each value of the piece
    for other, (other_low, law) in others.items():
        value = other_low + np.arange(len(law))
        found[other] = other_low, law * -np.expm1(-np.maximum(cost - value, 0) / scale)
        tail = np.append(np.cumsum(law[::-1])[::-1], 0)
        at_least += tail[np.clip(low + np.arange(len(own)) - other_low, 0, len(law))]
    won = low, own * at_least
    found[cover] = _mix_laws(won, found[cover]) if cover in found else won
    return found


def _mix_laws(one: Law, other: Law) -> Law:
    """The law of a cover that came about in either of two ways."""
    low = min(one[0], other[0])
    law = np.zeros(max(one[0] + len(one[1]), other[0] + len(other[1])) - low)
    for first, part in (one, other):
        law[first - low : first - low + len(part)] += part
    return low, law
