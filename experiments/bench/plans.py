"""Plans: what the benchmark runs in minutes, and in days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from experiments.bench import tables
from experiments.bench.trial import ANSWERS, PREDICTION, digest_for, promise_of
from experiments.digest import cells_digest
from experiments.pool import Trial
from ripost.comparing.workloads import questions_digest

COLUMNS = ("kind", "table", "data", "method", "promise", "code", "epsilon", "seed", "limit")  # of a trial


@dataclass(frozen=True)
class Plan:
    """Tables, epsilons and seeds, and the seconds of the processor that a release may take."""

    name: str
    tables: tuple[str, ...]
    predicted: tuple[str, ...]  # tables on which a classifier is trained too
    epsilons: tuple[float, ...]
    seeds: range
    limit: int


PACKAGED = tuple(name for name, table in tables.TABLES.items() if table.is_packaged)
QUICK = Plan(
    "quick", ("recidivism15", "flights-few", "health12", "mortgages6", "births5"), ("health12",), (1.0,), range(1), 30
)
FULL = Plan(
    "full", PACKAGED, tuple(name for name in PACKAGED if tables.TABLES[name].target), (0.1, 1.0), range(10), 300
)


def trials_of(plan: Plan, methods: Sequence[str]) -> Iterator[Trial]:
    """The inputs of every trial, with digests of the code, the table and what is asked of it; by seed, then table.

    A run that is stopped has then all tables and methods with fewer seeds.
    """
    code = {spec: digest_for(spec) for spec in methods}
    data = {}
    for name in tables.there(plan.tables):
        tensor = tables.load(name)
        data[name] = cells_digest(tensor) + questions_digest(tensor.domain.shape)
    for seed in plan.seeds:
        for table, epsilon in ((table, epsilon) for table in data for epsilon in plan.epsilons):
            for kind in (ANSWERS, PREDICTION) if table in plan.predicted else (ANSWERS,):
                for spec in methods:
                    yield {
                        "kind": kind,
                        "table": table,
                        "data": data[table],
                        "method": spec,
                        "promise": promise_of(spec),
                        "code": code[spec],
                        "epsilon": epsilon,
                        "seed": seed,
                        "limit": plan.limit,
                    }
