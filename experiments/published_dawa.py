"""published-dawa: our DAWA with the noise of its public code, which does not keep its epsilon, beside both.

The noise is that of dpcomp_core: runs of 2^k places at every offset of a Hilbert curve through the next larger square,
single places without noise, longer runs with Laplace noise of scale (2 - 1/length - 1/places) / epsilon, and no cost
below the price of a bucket. It is written anew here, to tell what our DAWA owes to noise that keeps the promise; nobody
may publish with it. Stage 2 is ours.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from experiments.cases import CASES, Workload, load_case
from experiments.match import NEAR
from experiments.peers import PEERS, Key, read_peers
from experiments.running import outcomes_of, trials_for
from experiments.summary import geometric_mean
from experiments.table import number, print_head, print_line, times
from ripost import Tensor
from ripost.data.memory import MemoryBlockData
from ripost.peers.dawa.method import Dawa
from ripost.privacy.account import Account
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space import workload as boxes
from ripost.space.runs import Runs
from ripost.statistics.cut_scores import above

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PUBLIC = "dawa (dpcomp, Hilbert)"
SHARE = Fraction(1, 4)  # of epsilon for the partition, as published


def published_dawa(
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 10,
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    figures: Annotated[Path, typer.Option(help="Figures of public peers.")] = PEERS,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = 1,
) -> None:
    """Print the error of public DAWA, of ours, and of ours with the public code's noise, which is not private."""
    public = read_peers(figures).figures.get(PUBLIC, {})
    print_head(["case", "epsilon", "public", "ours", "ratio", "ours, its noise", "ratio"], left=(0,))
    sound: list[float] = []
    same: list[float] = []
    for key, theirs in sorted(public.items()):
        case, _, epsilon = key
        ours = fmean(_sound(key, runs, cases, store, jobs))
        twin = fmean(with_its_noise(key, seed, cases) for seed in range(runs))
        sound.append(ours / theirs.error)
        same.append(twin / theirs.error)
        errors = [number(theirs.error), number(ours), times(sound[-1]), number(twin), times(same[-1])]
        print_line([case, f"{epsilon:g}", *errors])
    if public:
        near = [f"{times(geometric_mean(part))}, {sum(one <= NEAR for one in part)} near" for part in (sound, same)]
        print_line(["geometric mean", "", "", "", near[0], "", near[1]])


def _sound(key: Key, runs: int, cases: Path, store: Path, jobs: int) -> list[float]:
    """Errors of our DAWA as it is."""
    case, bounded, epsilon = key
    trials = trials_for(["dawa"], str(epsilon), case, runs, cases)
    return [outcome["rmse"][str(bounded)] for _, outcome in outcomes_of(trials, store, cases, jobs)]


def with_its_noise(key: Key, seed: int, cases: Path) -> float:
    """The error of our stage 2 on a partition that was found with the public code's noise."""
    name, bounded, epsilon = key
    case = load_case(name, cases)
    (workload,) = (one for one in case.workloads if one.bounded == bounded)
    side = 1 << (max(case.tensor.domain.shape) - 1).bit_length()
    square = Tensor.from_arrays((side, side), case.tensor.coords, case.tensor.counts)
    curve = Runs.along((side, side), "hilbert")
    whole = Fraction(str(epsilon))
    account = Account(
        MemoryBlockData.of(square), shape=(side, side), epsilon=whole * (1 - SHARE), noise=SeededNoise(seed)
    )
    edges = partition(_along(square, curve), float(whole * SHARE), float(account.epsilon), seed)
    bucket = np.zeros(side * side, np.int64)
    bucket[curve.order] = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    asked = boxes.Workload(workload.lower, workload.upper)
    found = Dawa(workload=asked).measure_buckets(account, bucket, curve, edges, account.epsilon)
    cells = (found.values / np.bincount(bucket))[bucket].reshape(side, side)
    return float(np.sqrt(np.mean((_answers(cells, workload) - workload.truth) ** 2)))


def partition(line: Ints, epsilon: float, left: float, seed: int) -> Ints:
    """Where buckets begin, and the end: the least noisy cost of covering a line. It tells more than epsilon."""
    size, rng = len(line), np.random.default_rng([seed, 1])
    costs = []
    for length, cost in deviations(line).items():
        scale = (2 - 1 / length - 1 / size) / epsilon if length > 1 else 0.0
        costs.append((length, (np.maximum(cost + rng.laplace(0, scale, len(cost)), 0) + 1 / left).tolist()))
    least, begin = [0.0], [0]
    for end in range(1, size + 1):
        offers = [(least[end - length] + cost[end - length], end - length) for length, cost in costs if length <= end]
        best = min(offers)
        least.append(best[0])
        begin.append(best[1])
    edges = [size]
    while edges[-1]:
        edges.append(begin[edges[-1]])
    return np.array(edges[::-1])


def deviations(line: Ints) -> dict[int, Floats]:
    """The sum of |count - mean| over every run of each length 2^k, by where the run begins."""
    below = np.concatenate([[0], np.cumsum(line)])
    found, length = {}, 1
    while length <= len(line):
        first = np.arange(len(line) - length + 1)
        total = below[first + length] - below[first]
        high, count = above(line, first, first + length, total // length)
        found[length] = 2 * (high - count * total / length)
        length *= 2
    return found


def _along(square: Tensor, curve: Runs) -> Ints:
    line = np.zeros(len(curve.order), np.int64)
    line[curve.at(square.coords.T)] = square.counts
    return line


def _answers(cells: Floats, workload: Workload) -> Floats:
    """Sums of cells inside boxes."""
    below = np.pad(cells, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    (top, left), (bottom, right) = workload.lower.T, workload.upper.T
    found: Floats = below[bottom, right] - below[top, right] - below[bottom, left] + below[top, left]
    return found
