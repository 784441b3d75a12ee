"""Items: what each table and figure of the paper asks for, and what we add."""

from __future__ import annotations

from collections.abc import Callable

from experiments.ablation import WITHOUT
from experiments.paper.ask import EPSILON, READING, SHAPE, Ask
from experiments.paper.plan import (
    BASE,
    BLIND,
    CELL_TREE,
    DIMENSIONS,
    EPSILONS,
    EXTENSIONS,
    EXTRAS,
    FOUR,
    FULL,
    GOWALLA,
    HIGHER,
    JM,
    KNOWING,
    MORE,
    NUMERIC,
    OTHER_SIDE,
    OURS,
    PARTITIONING,
    PLANE,
    QUICK_TO_RUN,
    RECORDS,
    RIVALS,
    SERIES,
    SEVEN,
    SHARES,
    SLOW,
    SMALL,
    STEPS,
    SYNTH,
    TREES,
    TRIED,
    Plan,
)
from experiments.paper.readings.list import READINGS
from experiments.paper.subject import Subject


def comparison(plan: Plan) -> list[Ask]:
    """Table 1 and the figures of R-RMSE on Adult and Fire."""
    return [
        Ask(subject, method, plan.few_runs if method == CELL_TREE else plan.runs_of(method))
        for data in SEVEN
        for dimensions in DIMENSIONS
        for subject in plan.tensors_of(data, dimensions)
        for method in (BASE, OURS, *RIVALS, CELL_TREE, *BLIND.values())
    ]


def convergence(plan: Plan) -> list[Ask]:
    """Figure 3: blocks by depth on a plane of Adult, and the share with an aggregation error on all 21."""
    planes = {PLANE: None, **dict.fromkeys(plan.tensors_of("adult", 2))}
    return [Ask(plane, method, plan.runs, kind=SHAPE) for plane in planes for method in TREES]


def high(dimensions: int, data: str = "adult") -> Subject:
    """A data set with more attributes, one after the other."""
    return Subject(data, (*SEVEN[data], *MORE[data])[:dimensions])


def higher(plan: Plan) -> list[Ask]:
    """The figure of higher dimensions on Adult."""
    return [
        Ask(high(dimensions), method, plan.runs_of(method))
        for dimensions in HIGHER
        for method in (BASE, OURS, *RIVALS, CELL_TREE, *BLIND.values())
        if not method.startswith(SLOW) or dimensions <= plan.most_slow_dimensions
    ]


def higher_of_fire(plan: Plan) -> list[Ask]:
    """The same on Fire, which the paper lists but does not draw: fewer runs, and none of P3GM on the records."""
    return [
        Ask(high(dimensions, "fire"), method, 1 if method.startswith(SLOW) else plan.few_runs)
        for dimensions in HIGHER
        for method in (BASE, OURS, *RIVALS, CELL_TREE, *BLIND.values())
        if method != SLOW and (not method.startswith(SLOW) or dimensions <= plan.most_slow_dimensions)
    ]


def spatial(plan: Plan) -> list[Ask]:
    """The figure of Gowalla: errors, and one partition each."""
    return [
        *(Ask(GOWALLA, method, plan.runs) for method in (*TREES, OTHER_SIDE)),
        *(Ask(GOWALLA, method, 1, kind=SHAPE) for method in TREES),
    ]


def small_tensors() -> dict[str, list[Subject]]:
    """Small domains of a growing number of dimensions."""
    return {
        "Small-Adult": [Subject("adult", SMALL[:d]) for d in range(2, 5)],
        "Jm": [Subject("jm1", JM[:d]) for d in DIMENSIONS],
    }


def knowing(plan: Plan) -> list[Ask]:
    """The figures of methods that know the workload."""
    return [
        Ask(subject, method, plan.runs)
        for subjects in small_tensors().values()
        for subject in subjects
        for method in (BASE, OURS, *KNOWING)
    ]


def subsets(plan: Plan) -> list[Ask]:
    """Every choice of 2 to 6 of nine attributes of jm1: the 456 workloads of the paper's Table 2."""
    return [
        Ask(subject, method, 1)
        for dimensions in DIMENSIONS
        for subject in plan.choices_of("jm1", JM, dimensions)
        for method in (BASE, OURS, *KNOWING)
        if method != "dawa" or dimensions < max(DIMENSIONS)
    ]


def numeric(plan: Plan) -> list[Ask]:
    """The figure of R-RMSE on Adult with the seven attributes of HDPView's and SLIM-View's programs."""
    return [
        Ask(subject, method, plan.few_runs)
        for dimensions in DIMENSIONS
        for subject in plan.choices_of("adult", NUMERIC, dimensions)
        for method in (BASE, OURS, *PARTITIONING, CELL_TREE, BLIND["privbayes"])
    ]


def read_tensors() -> list[Subject]:
    """Where readings are compared: of each data set and number of dimensions the middle tensor; and Gowalla."""
    every = [FULL.tensors_of(data, dimensions) for data in SEVEN for dimensions in DIMENSIONS]
    return [*(some[len(some) // 2] for some in every), GOWALLA]


def readings(plan: Plan) -> list[Ask]:
    """What the paper may mean otherwise, and the rivals beside it."""
    subjects = read_tensors() if plan.tensors is None else read_tensors()[: plan.tensors]
    specs = (*(reading.spec for reading in READINGS), *PARTITIONING, CELL_TREE)
    return [Ask(subject, spec, plan.few_runs, kind=READING) for subject in subjects for spec in specs]


def synthetic(plan: Plan) -> list[Ask]:
    """Synth-6 of the authors' repository."""
    return [Ask(subject, method, plan.few_runs) for subject in SYNTH for method in (*TREES, *EXTRAS)]


def sweep(name: str) -> dict[float, tuple[str, float]]:
    """For each value of a hyperparameter the method, all others as in the paper, and epsilon."""
    if name == "epsilon":
        return {value: (BASE, value) for value in EPSILONS}
    return {value: (f"ripost[{name}={value}]", EPSILON) for value in SHARES}


SWEEPS = ("epsilon", "alpha", "gamma", "beta")


def parameters(plan: Plan) -> list[Ask]:
    """The figure of hyperparameters."""
    return [Ask(PLANE, method, plan.many_runs, epsilon) for name in SWEEPS for method, epsilon in sweep(name).values()]


def with_steps(steps: int) -> str:
    return BASE if steps == 1 else f"ripost[test_every={steps}]"


def with_series(k: int) -> str:
    return BASE if k == 5 else f"ripost[k={k}]"


def ask_extended(plan: Plan) -> list[Ask]:
    """The figure of extended RIPOST, and the paper's other proposals."""
    specs = dict.fromkeys([*map(with_steps, STEPS), *map(with_series, SERIES), *EXTENSIONS.values()])
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
    "higher-fire": higher_of_fire,
    "spatial": spatial,
    "knowing": knowing,
    "subsets": subsets,
    "numeric": numeric,
    "readings": readings,
    "synthetic": synthetic,
    "parameters": parameters,
    "extended": ask_extended,
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
