"""Plan: the methods and tensors of the paper and of ours, and how much is run in haste and in full."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from experiments.paper.subject import Subject

BASE, OURS = "ripost", "ripost+"
TREE = "privtree"
CELL_TREE = "privtree (cells)"  # as an earlier program of the authors runs it: its tests count non-empty cells
PARTITIONING, GENERATIVE = ("hdpview", TREE), ("privbayes", "p3gm")
RIVALS = (*PARTITIONING, *GENERATIVE)
BLIND = {
    name: f'{name}[reads="cells"]' for name in GENERATIVE
}  # as the paper used them: a row a non-empty cell, no counts
KNOWING = ("hdmm", "dawa", "identity")
EXTRAS = ("privsyn", "slimview")
TREES = (BASE, *PARTITIONING, CELL_TREE, OURS)
QUICK_TO_RUN = (BASE, OURS, "hdpview", "privtree", "privbayes")
SLOW = "p3gm"

ADULT = ("age", "workclass", "education-num", "occupation", "capital-gain", "capital-loss", "hours-per-week")
FIRE = ("CallType", "CallFinalDisposition", "StationArea", "UnitType", "Neighborhood", "delay", "Priority")
SEVEN = {"adult": ADULT, "fire": FIRE}  # the paper does not name its seven attributes
MORE = {
    "adult": ("marital-status", "relationship", "race", "sex", "native-country", "income", "fnlwgt"),
    "fire": ("City", "Zipcode", "Battalion", "OriginalPriority", "FinalPriority", "ALSUnit", "CallTypeGroup"),
}
NUMERIC = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week", "income")
SMALL = ("age", "workclass", "race", "capital-gain")  # Small-Adult of HDPView's program
JM = ("loc", "v(g)", "ev(g)", "iv(g)", "n", "v", "l", "d", "i")
PLANE = Subject("adult", ("age", "hours-per-week"))  # the 2-D tensor of Adult, which the paper does not name either
GOWALLA = Subject("gowalla", ("lat", "lon"))
OTHER_SIDE = "ripost[alpha=0.7;beta=0.6]"  # alpha and beta as the shares of leaves and of cuts
SYNTH = (
    Subject("synth", NUMERIC[:6]),
    Subject("synth", ("workclass", "education-num", "marital-status", "relationship", "race", "sex")),
)
DIMENSIONS, HIGHER = range(2, 7), range(7, 15)

EPSILONS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
STEPS = (1, 2, 3, 4, 5, 6, 8, 10)
SERIES = (1, 2, 3, 5, 10, 20)  # k of S^k, which the paper does not state
RECORDS = {"adult": (500, 2_000, 8_000, 32_000), "fire": (500, 2_000, 8_000, 32_000, 128_000)}
FOUR = {
    "adult": Subject("adult", ("age", "education-num", "capital-gain", "hours-per-week")),
    "fire": Subject("fire", ("CallType", "CallFinalDisposition", "Neighborhood", "delay")),
}
TRIED = (PLANE, *FOUR.values())  # where epsilon and the number of records are varied, and ideas are left out
EXTENSIONS = {
    "as printed": "ripost",
    "scores charged once": "ripost[tight=true]",
    "a leaf spends what its path did not": "ripost[reuse_unspent=true]",
    "noisy sums of tests kept, fitted by least squares": "ripost[refine=true]",
    "half of the cuts stand for choice": "ripost[sample_cuts=0.5]",
    "a tenth of the cuts stands for choice": "ripost[sample_cuts=0.1]",
    "all of the first three": "ripost[tight=true;reuse_unspent=true;refine=true]",
}


def published_methods(tree: str = TREE) -> tuple[str, ...]:
    """The paper's rivals as it used them, with this PrivTree."""
    return ("hdpview", tree, *BLIND.values())


@dataclass(frozen=True)
class Plan:
    """How much is run."""

    name: str
    runs: int
    slow_runs: int  # of p3gm, which trains a network each time
    few_runs: int  # of the repository's extras, of readings and of further tensors
    many_runs: int  # of sweeps on one small tensor, where a run is cheap and differs much from the next
    tensors: int | None = None  # of each number of dimensions; None: all
    most_slow_dimensions: int = 14

    @property
    def said(self) -> str:
        """How many runs, in words."""
        return f"{self.runs} runs" + (f" ({self.slow_runs} of P3GM)" if self.slow_runs != self.runs else "")

    def tensors_of(self, data: str, dimensions: int) -> list[Subject]:
        """Every choice of so many of the seven attributes, or some of them, evenly spread over the list."""
        return self.choices_of(data, SEVEN[data], dimensions)

    def choices_of(self, data: str, attributes: tuple[str, ...], dimensions: int) -> list[Subject]:
        """The same of other attributes."""
        every = [Subject(data, chosen) for chosen in combinations(attributes, dimensions)]
        if self.tensors is None or len(every) <= self.tensors:
            return every
        return [every[i] for i in np.linspace(0, len(every) - 1, self.tensors).round().astype(int).tolist()]

    def runs_of(self, method: str) -> int:
        return self.slow_runs if method.startswith(SLOW) else self.runs


FULL = Plan("full", runs=10, slow_runs=10, few_runs=3, many_runs=30)
QUICK = Plan("quick", runs=2, slow_runs=1, few_runs=1, many_runs=5, tensors=2, most_slow_dimensions=7)
PLANS = {plan.name: plan for plan in (FULL, QUICK)}
