"""Items: what each table and figure of the paper asks for, and what we add; how much of it in haste and in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from experiments.ablation import WITHOUT
from experiments.paper.ask import EPSILON, SHAPE, Ask
from experiments.paper.subject import Subject

BASE, OURS = "ripost", "ripost+"
PARTITIONING, GENERATIVE = ("hdpview", "privtree"), ("privbayes", "p3gm")
RIVALS = (*PARTITIONING, *GENERATIVE)
BLIND = {
    name: f'{name}[reads="cells"]' for name in GENERATIVE
}  # as the paper used them: a row a non-empty cell, no counts
PUBLISHED = (*PARTITIONING, *BLIND.values())  # the paper's rivals, as it used them
KNOWING = ("hdmm", "dawa", "identity")
EXTRAS = ("privsyn", "slimview")
TREES = (BASE, *PARTITIONING, OURS)
QUICK_TO_RUN = (BASE, OURS, "hdpview", "privtree", "privbayes")
SLOW = "p3gm"

ADULT = ("age", "workclass", "education-num", "occupation", "capital-gain", "capital-loss", "hours-per-week")
FIRE = ("CallType", "CallFinalDisposition", "StationArea", "UnitType", "Neighborhood", "delay", "Priority")
SEVEN = {"adult": ADULT, "fire": FIRE}  # the paper does not name its seven attributes
MORE = ("marital-status", "relationship", "race", "sex", "native-country", "income", "fnlwgt")
SMALL = ("age", "workclass", "race", "capital-gain", "sex")
JM = ("loc", "v(g)", "ev(g)", "iv(g)", "n", "v")
PLANE = Subject("adult", ("age", "hours-per-week"))  # the 2-D tensor of Adult, which the paper does not name either
GOWALLA = Subject("gowalla", ("lat", "lon"))
DIMENSIONS = range(2, 7)

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


@dataclass(frozen=True)
class Plan:
    """How much is run."""

    name: str
    runs: int
    slow_runs: int  # of p3gm, which trains a network each time
    few_runs: int  # of the repository's extras and of ablations
    many_runs: int  # of sweeps on one small tensor, where a run is cheap and differs much from the next
    tensors: int | None = None  # of each number of dimensions; None: all
    most_slow_dimensions: int = 14

    @property
    def said(self) -> str:
        """How many runs, in words."""
        return f"{self.runs} runs" + (f" ({self.slow_runs} of P3GM)" if self.slow_runs != self.runs else "")

    def tensors_of(self, data: str, dimensions: int) -> list[Subject]:
        """Every choice of so many of the seven attributes, or some of them, evenly spread over the list."""
        every = [Subject(data, chosen) for chosen in combinations(SEVEN[data], dimensions)]
        if self.tensors is None or len(every) <= self.tensors:
            return every
        return [every[i] for i in np.linspace(0, len(every) - 1, self.tensors).round().astype(int).tolist()]

    def runs_of(self, method: str) -> int:
        return self.slow_runs if method.startswith(SLOW) else self.runs


FULL = Plan("full", runs=10, slow_runs=10, few_runs=3, many_runs=30)
QUICK = Plan("quick", runs=2, slow_runs=1, few_runs=1, many_runs=5, tensors=2, most_slow_dimensions=7)
PLANS = {plan.name: plan for plan in (FULL, QUICK)}


def comparison(plan: Plan) -> list[Ask]:
    """Table 1 and the figures of R-RMSE on Adult and Fire."""
    return [
        Ask(subject, method, plan.runs_of(method))
        for data in SEVEN
        for dimensions in DIMENSIONS
        for subject in plan.tensors_of(data, dimensions)
        for method in (BASE, OURS, *RIVALS, *BLIND.values())
    ]


def convergence(plan: Plan) -> list[Ask]:
    """Figure 3: blocks by depth on a plane of Adult, and the share with an aggregation error on all 21."""
    planes = {PLANE: None, **dict.fromkeys(plan.tensors_of("adult", 2))}
    return [Ask(plane, method, plan.runs, kind=SHAPE) for plane in planes for method in TREES]


def high(dimensions: int) -> Subject:
    """Adult with more attributes, one after the other."""
    return Subject("adult", (*ADULT, *MORE)[:dimensions])


def higher(plan: Plan) -> list[Ask]:
    """The figure of higher dimensions."""
    return [
        Ask(high(dimensions), method, plan.runs_of(method))
        for dimensions in range(7, 15)
        for method in (BASE, OURS, *RIVALS, *BLIND.values())
        if not method.startswith(SLOW) or dimensions <= plan.most_slow_dimensions
    ]


def spatial(plan: Plan) -> list[Ask]:
    """The figure of Gowalla: errors, and one partition each."""
    return [
        *(Ask(GOWALLA, method, plan.runs) for method in TREES),
        *(Ask(GOWALLA, method, 1, kind=SHAPE) for method in TREES),
    ]


def small_tensors() -> dict[str, list[Subject]]:
    """Small domains of a growing number of dimensions."""
    return {
        "Small-Adult": [Subject("adult", SMALL[:d]) for d in range(2, 6)],
        "Jm": [Subject("jm1", JM[:d]) for d in range(2, 7)],
    }


def knowing(plan: Plan) -> list[Ask]:
    """The figures of methods that know the workload."""
    return [
        Ask(subject, method, plan.runs)
        for subjects in small_tensors().values()
        for subject in subjects
        for method in (BASE, OURS, *KNOWING)
    ]


def sweep(name: str) -> dict[float, tuple[str, float]]:
    """For each value of a hyperparameter the method, all others as in the paper, and epsilon."""
    if name == "epsilon":
        return {value: (BASE, value) for value in EPSILONS}
    return {value: (f"ripost[{name}={value}]", EPSILON) for value in SHARES}


SWEEPS = ("epsilon", "alpha", "gamma", "beta")


def parameters(plan: Plan) -> list[Ask]:
    """The figure of hyperparameters."""
    return [Ask(PLANE, method, plan.many_runs, epsilon) for name in SWEEPS for method, epsilon in sweep(name).values()]


def stepped(steps: int) -> str:
    return BASE if steps == 1 else f"ripost[test_every={steps}]"


def with_series(k: int) -> str:
    return BASE if k == 5 else f"ripost[k={k}]"


def extended(plan: Plan) -> list[Ask]:
    """The figure of extended RIPOST, and the paper's other proposals."""
    specs = dict.fromkeys([*map(stepped, STEPS), *map(with_series, SERIES), *EXTENSIONS.values()])
    return [Ask(PLANE, spec, plan.many_runs) for spec in specs]


def extras(plan: Plan) -> list[Ask]:
    """What the authors' repository compares with besides."""
    return [
        Ask(subject, method, plan.few_runs)
        for dimensions in DIMENSIONS
        for subject in plan.tensors_of("adult", dimensions)
        for method in EXTRAS
    ]


def budgets(plan: Plan) -> list[Ask]:
    """Error against epsilon."""
    return [
        Ask(subject, method, plan.runs, epsilon) for subject in TRIED for method in QUICK_TO_RUN for epsilon in EPSILONS
    ]


def records(plan: Plan) -> list[Ask]:
    """Error against the number of records."""
    return [
        Ask(Subject(data, subject.attributes, rows), method, plan.runs)
        for data, subject in FOUR.items()
        for rows in (*RECORDS[data], None)
        for method in QUICK_TO_RUN
    ]


def ablations(plan: Plan) -> list[Ask]:
    """What each idea of ripost+ is worth."""
    return [Ask(subject, spec, plan.runs_of(spec)) for subject in TRIED for spec in (OURS, *WITHOUT.values())]


ITEMS: dict[str, Callable[[Plan], list[Ask]]] = {
    "comparison": comparison,
    "convergence": convergence,
    "higher": higher,
    "spatial": spatial,
    "knowing": knowing,
    "parameters": parameters,
    "extended": extended,
    "extras": extras,
    "budgets": budgets,
    "records": records,
    "ablations": ablations,
}


def asks_of(plan: Plan, items: tuple[str, ...] = tuple(ITEMS)) -> list[Ask]:
    """All that these items ask, each once with the most runs any of them wants, subject by subject."""
    most: dict[Ask, int] = {}
    for ask in (ask for item in items for ask in ITEMS[item](plan)):
        same = Ask(ask.subject, ask.method, 0, ask.epsilon, ask.kind)
        most[same] = max(most.get(same, 0), ask.runs)
    order = {subject: number for number, subject in enumerate(dict.fromkeys(ask.subject for ask in most))}
    found = [Ask(ask.subject, ask.method, runs, ask.epsilon, ask.kind) for ask, runs in most.items()]
    return sorted(found, key=lambda ask: order[ask.subject])
