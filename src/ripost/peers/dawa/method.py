"""DAWA: data- and workload-aware buckets along a curve (Li, Hay, Miklau and Wang 2014).

Stage 1 covers a public order of the cells by nearly uniform runs, or by intervals cut evenly into such runs. Stage 2
measures the buckets along a tree whose budgets suit the workload. docs/methods/dawa.md lists the differences from the
public code, which loses more privacy than it states. peers/dawa/proof.md proves what a run spends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Codes, Floats
from ripost.errors import InputError
from ripost.estimate.least_squares import above_zero, least_squares
from ripost.methods.method import Buckets, Method, PublicInputs, check_axes
from ripost.methods.parameters import Share
from ripost.peers.bucket_tree import halve_buckets
from ripost.peers.dawa.levels import depths, energy, shares
from ripost.peers.dawa.statistics import DEVIATION_OF_RUN
from ripost.privacy.account import Account
from ripost.privacy.budget import scale_for, share
from ripost.privacy.mechanisms import Laplace, LeastPartition
from ripost.schema.domain import format_count
from ripost.space.query_parameters import Margin
from ripost.space.runs import Runs
from ripost.space.space_filling_curve import CellOrder
from ripost.space.workload import Workload
from ripost.statistics.totals import TOTAL_OF_PART

MOST_CELLS = 2**21
MOST_NOISE = 2.0**55  # sums of costs stay far inside 64 bits
VISITS = 2**25  # cells visited to learn the energy of a workload
BATCH = 2**21
QUESTIONS = 512  # of a workload, or along the curve if there is none
LEAST_VARIANCE = 1e-200


@dataclass(frozen=True)
class Dawa(Method):
    """Runs along a curve, chosen by the noisy cost of their deviations and measured for a workload."""

    name: ClassVar[str] = "dawa"

    share: Share = 0.25  # of epsilon, for the partition
    order: CellOrder = "auto"
    price: Annotated[float, Field(ge=0, le=100)] = 4.0  # of a piece of a partition, in means of the noise on its cost
    workload: Workload | None = None

    def check(self, inputs: PublicInputs) -> None:
        cells = math.prod(inputs.shape)
        if cells > MOST_CELLS:
            raise InputError(
                f"dawa weighs runs of {format_count(cells)} cells and stops at {MOST_CELLS:,}; choose another method"
            )
        check_axes(self.name, inputs.shape)
        mechanism = LeastPartition(DEVIATION_OF_RUN, inputs.epsilon * share(self.share, name="share"))
        if mechanism.scale(inputs.bound) * cells > MOST_NOISE:
            raise InputError("dawa cannot add up noise this large; give a larger epsilon or a coarser step")

    def run(self, account: Account) -> Buckets:
        cells = math.prod(account.shape)
        for_partition = account.epsilon * share(self.share, name="share")
        mechanism = LeastPartition(DEVIATION_OF_RUN, for_partition)
        runs = Runs.along(account.shape, self.order)
        price = self._prices(runs, mechanism, account.epsilon - for_partition, account.bound)
        chosen = account.charge_query("partition", mechanism, account.root).choose_partition(runs, price)
        bucket = np.zeros(cells, np.int64)
        bucket[runs.order] = np.repeat(np.arange(len(chosen)), runs.lengths[chosen])
        edges = np.append(runs.first[chosen], cells)
        return self.measure_buckets(account, bucket, runs, edges, account.epsilon - for_partition)

    def _prices(self, runs: Runs, mechanism: LeastPartition, left: Fraction, bound: int) -> Codes:
        """The price of each piece: the noise that its buckets will get, plus `price` means of the noise on its cost."""
        mean = np.array([scale_for(mechanism.shift(length, bound), mechanism.cost) for length in (1, 2, 3)])
        noise = mean[np.minimum(runs.longest, 3) - 1]
        price: Codes = np.rint(float(bound / left) * runs.buckets + self.price * noise).astype(np.int64)
        return price

    def measure_buckets(self, account: Account, bucket: Codes, runs: Runs, edges: Codes, epsilon: Fraction) -> Buckets:
        """Measure every depth of a balanced tree of buckets, and make the totals consistent and nonnegative."""
        tree = halve_buckets(len(edges) - 1)
        questions = _ranges(edges) if self.workload is None else _boxes(self.workload, account.shape, runs, edges)
        sums, precision = np.zeros(len(tree)), np.zeros(len(tree))
        axes = tuple(range(len(account.shape)))
        for number, (depth, part) in enumerate(zip(depths(tree), shares(energy(tree, questions)), strict=True)):
            if part == 0:
                continue
            noise = Laplace(TOTAL_OF_PART, epsilon * part)
            question = Margin(axes, account.shape, depth.group[bucket], len(depth.nodes))
            noisy = account.charge_query(f"buckets, depth {number}", noise, account.root).measure(question)
            factor = 1 / max(noise.variance(account.bound), LEAST_VARIANCE)
            precision[depth.nodes] += factor
            sums[depth.nodes] += (noisy - sums[depth.nodes]) * (factor / precision[depth.nodes])
        with np.errstate(divide="ignore"):
            variances = 1 / precision
        fitted = above_zero(tree, least_squares(tree, sums, variances), variances)
        return Buckets(bucket, tree, fitted[tree.leaves], variances)


def _boxes(workload: Workload, shape: tuple[int, ...], runs: Runs, edges: Codes) -> Iterator[Floats]:
    """The share of each bucket inside each box, for evenly chosen boxes, as many as the cells allow."""
    cells = len(runs.order)
    number = min(len(workload), QUESTIONS, max(VISITS // cells, 16))
    some = np.linspace(0, len(workload) - 1, number).round().astype(np.int64)
    step = max(BATCH // cells, 1)
    for start in range(0, number, step):
        batch = some[start : start + step]
        inside = np.ones((len(batch), 1), bool)
        for axis, size in enumerate(shape):
            code = np.arange(size)
            within = (code >= workload.lower[batch, axis, None]) & (code < workload.upper[batch, axis, None])
            inside = (inside[:, :, None] & within[:, None, :]).reshape(len(batch), -1)
        yield np.add.reduceat(inside[:, runs.order], edges[:-1], axis=1, dtype=np.float64) / np.diff(edges)


def _ranges(edges: Codes) -> Iterator[Floats]:
    """The share of each bucket inside ranges along the curve, whose ends are evenly chosen from all pairs."""
    number = np.arange(1, QUESTIONS + 1)
    ends = np.sort(np.stack([number * 0.7548776662466927, number * 0.5698402909980532]) % 1, axis=0) * edges[-1]
    inside = np.clip(edges, ends[0][:, None], ends[1][:, None])
    yield np.diff(inside, axis=1) / np.diff(edges)
