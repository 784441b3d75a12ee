"""AHP: group cells by their noisy counts, then measure the total of each group (Zhang, Chen, Xu, Meng and Xie 2014).

peers/ahp/proof.md shows what a run spends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Codes, Floats
from ripost.methods.method import Buckets, Method, PublicInputs, check_axes, check_cells
from ripost.methods.parameters import Share
from ripost.peers.bucket_tree import halve_buckets
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Laplace
from ripost.space.query_parameters import Margin
from ripost.statistics.totals import TOTAL_OF_PART

MOST_CELLS = 2**22
GROWTH = 1.1  # ratio of the cluster lengths that are tried
CHUNK = 64


@dataclass(frozen=True)
class Ahp(Method):
    """Noisy counts of all cells, small ones set to 0, sorted and clustered; the rest of epsilon for the clusters."""

    name: ClassVar[str] = "ahp"

    share: Share = 0.85  # of epsilon, for the noisy counts
    eta: Annotated[float, Field(ge=0, le=100)] = 0.35  # noisy counts up to eta ln(cells) / (share epsilon) become 0

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_CELLS)
        check_axes(self.name, inputs.shape)

    def run(self, account: Account) -> Buckets:
        axes = tuple(range(len(account.shape)))
        for_cells = account.epsilon * share(self.share, name="share")
        counts = Laplace(TOTAL_OF_PART, for_cells)
        totals = Laplace(TOTAL_OF_PART, account.epsilon - for_cells)
        noisy = (
            account.charge_query("cells", counts, account.root).measure(Margin(axes, account.shape)).astype(np.float64)
        )
        noisy[noisy <= self.eta * math.log(len(noisy)) * counts.scale(account.bound)] = 0
        bucket = clusters(noisy, totals.variance(account.bound))
        number = int(bucket.max()) + 1
        question = Margin(axes, account.shape, bucket, number)
        values = account.charge_query("clusters", totals, account.root).measure(question).astype(np.float64)
        tree = halve_buckets(number)
        variances = np.full(len(tree), np.inf)
        variances[tree.leaves] = totals.variance(account.bound)
        return Buckets(bucket, tree, values, variances)


def clusters(counts: Floats, variance: float) -> Codes:
    """The cluster of each count, numbered from small counts to large.

    Counts are visited in rising order. The error of a cluster is the sum of squared distances from its mean plus the
    variance of a noisy mean. A count joins the open cluster if that raises its error by less than the least error that
    the count would have in a cluster that begins with it.
    """
    order = np.argsort(counts, kind="stable")
    rising = counts[order] - counts[order[len(order) // 2]]  # near 0, so that squares lose no digits
    sums, squares = (np.concatenate([[0.0], np.cumsum(part)]) for part in (rising, rising**2))
    alone = _alone(rising, sums, variance)
    starts = [0]
    while (start := _end(starts[-1], sums, squares, alone, variance)) < len(rising):
        starts.append(start)
    number = np.zeros(len(counts), np.int64)
    number[order] = np.repeat(np.arange(len(starts)), np.diff([*starts, len(counts)]))
    return number


def _alone(rising: Floats, sums: Floats, variance: float) -> Floats:
    """The least error of each count in a cluster that begins with it, over lengths that grow by GROWTH."""
    size = len(rising)
    least = np.full(size, np.inf)
    length = 1
    while length <= size:
        begin = np.arange(size - length + 1)
        mean = (sums[begin + length] - sums[begin]) / length
        least[begin] = np.minimum(least[begin], (rising[begin] - mean) ** 2 + variance / length**2)
        length = max(length + 1, int(length * GROWTH))
    return least


def _end(start: int, sums: Floats, squares: Floats, alone: Floats, variance: float) -> int:
    """The end of the cluster that begins at a count: the first count that has a smaller error elsewhere."""
    chunk, at = CHUNK, start + 1
    while at < len(alone):
        stop = np.arange(at, min(at + chunk, len(alone)) + 1)  # counts from start up to each stop are in the cluster
        length = stop - start
        total = sums[stop] - sums[start]
        error = squares[stop] - squares[start] - total**2 / length + variance / length
        better = np.flatnonzero(np.diff(error) >= alone[stop[:-1]])
        if len(better):
            return int(stop[better[0]])
        at, chunk = int(stop[-1]), 2 * chunk
    return len(alone)
