"""compare: several methods on one table, with the same budget and the same questions."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from ripost.comparing.measure import Case, measure_view
from ripost.comparing.workloads import Ranges
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import resolve_method
from ripost.methods.method import Method
from ripost.privacy.budget import Number, parse_epsilon
from ripost.publishing.prepare import load_schema
from ripost.publishing.publication import FilePath
from ripost.publishing.publish import publish
from ripost.query.table import ResultColumn, Table, print_value
from ripost.space.workload import Workload

if TYPE_CHECKING:
    from ripost.schema.schema import Schema

QUICK = ("ripost+", "ripost", "privtree", "privbayes")  # pure, for any number of attributes, without extras
YOURS = "workload"
NOT_PRIVATE = "NOT PRIVATE: these errors were measured against the rows themselves"
ADVICE = (
    "error is the root mean squared error of a workload of boxes; for cells it is the sum of absolute errors over the "
    "total"
)


@dataclass(frozen=True)
class ComparedMethod:
    """A method, and what was measured of each of its releases."""

    method: Method
    outcomes: list[dict[str, Any]]

    @property
    def label(self) -> str:
        """The name with the options that are not the defaults, as `ripost+[delta=1e-09]`."""
        kind = type(self.method)
        changed = [
            f"{field.name}={getattr(self.method, field.name)!r}"
            for field in fields(self.method)
            if getattr(self.method, field.name) != getattr(kind(), field.name) and field.name != "workload"
        ]
        return self.method.name + (f"[{';'.join(changed)}]" if changed else "")

    def mean(self, *path: str) -> float | None:
        """The mean over releases of a figure of their outcomes."""
        found = [_look_up(outcome, path) for outcome in self.outcomes]
        return None if None in found else fmean(value for value in found if value is not None)

    def spread(self, workload: str) -> float | None:
        """The standard error of the mean error; None of one release."""
        errors = [outcome["error"][workload] for outcome in self.outcomes]
        return stdev(errors) / len(errors) ** 0.5 if len(errors) > 1 else None

    def inside(self, workload: str) -> float | None:
        """The share of true answers inside their intervals; None without intervals."""
        asked, held = (self.mean("coverage", workload, part) for part in ("asked", "inside"))
        return held / asked if held is not None and asked else None


def compare(
    source: Any,
    schema: Schema | FilePath | None = None,
    *,
    epsilon: Number,
    methods: Sequence[str | Method | type[Method]] = QUICK,
    workload: Any = None,
    runs: int = 3,
    table: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Publish a table with each method and compare the answers with the truth; one row a workload and method.

    NOT PRIVATE: the result is computed from the rows themselves, and nothing pays for it. Compare methods on a public
    table that resembles yours. If you choose a method by its errors on the private table, the choice itself tells of
    the rows. No ledger is debited, and no view is kept.

    Args:
        source: a path, data frame, Arrow data, Ibis table, database URL, or a Tensor.
        schema: the schema, or the path of its TOML file.
        epsilon: the budget of each release.
        methods: names of `ripost.METHODS`, classes, or instances with options of their own.
        workload: boxes to ask for, (lower, upper) with upper exclusive, each (n, d). Methods that can be tuned to a
            workload are. By default random ranges of 1, 2, 3 and all attributes, groups inside filters, and the
            cells of one-way, two-way and three-way marginals.
        runs: releases of each method, with seeds 0, 1, 2, ...
        table: the table of a database URL, or the sheet of an Excel file.
        encoding: of a CSV file that is not UTF-8.

    Returns:
        A table with the columns workload, method, promise, error and its standard error, the median width of the 95 %
        intervals over the truth, the share of true answers inside them, seconds, and kilobytes of the release file.
    """
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise InputError(f"runs must be a whole number from 1, got {runs!r}")
    if isinstance(methods, str) or not methods:
        raise InputError("methods must be a list such as ['ripost+', 'privbayes']")
    exact_epsilon = parse_epsilon(epsilon)
    chosen = [resolve_method(method, {}) for method in methods]
    tensor = _read(source, schema, table, encoding)
    boxes = None if workload is None else Workload.of(workload, tensor.domain.shape)
    case = Case.of(tensor) if boxes is None else _case_of(tensor, boxes)
    compared, refused = [], []
    for method in chosen:
        try:
            compared.append(ComparedMethod(method, [*_outcomes(case, method, exact_epsilon, boxes, runs)]))
        except InputError as error:
            refused.append(f"without {method.name}: {error}")
    if not compared:
        raise InputError(f"no method can publish this table: {'; '.join(refused)}")
    return _tabulate(compared, refused)


def _read(source: Any, schema: Schema | FilePath | None, table: str | None, encoding: str | None) -> Tensor:
    if isinstance(source, Tensor):
        return source
    if schema is None:
        raise InputError("a table needs a schema; run ripost init to draft one, or give a Tensor")
    return Tensor.from_table(source, load_schema(schema), table=table, encoding=encoding)


def _case_of(tensor: Tensor, boxes: Workload) -> Case:
    every = np.tile(np.arange(len(tensor.domain)), (len(boxes), 1))
    truth = tensor.answer(boxes.lower, boxes.upper)
    return Case(tensor, ((Ranges(YOURS, every, boxes.lower, boxes.upper), truth),), ())


def _outcomes(
    case: Case, method: Method, epsilon: Fraction, boxes: Workload | None, runs: int
) -> Iterator[dict[str, Any]]:
    for seed in range(runs):
        started = time.perf_counter()
        view = publish(case.tensor, epsilon=epsilon, method=method, workload=boxes, seed=seed)
        yield {"seconds": time.perf_counter() - started} | measure_view(case, view)


def _tabulate(compared: Sequence[ComparedMethod], refused: Iterable[str]) -> Table:
    """A row a workload and method: workloads in their order, methods by rising error."""
    workloads = dict.fromkeys(name for one in compared for name in one.outcomes[0]["error"])
    some = [(name, one) for name in workloads for one in compared if name in one.outcomes[0]["error"]]
    order = {name: number for number, name in enumerate(workloads)}
    some.sort(key=lambda pair: (order[pair[0]], pair[1].mean("error", pair[0]) or 0.0))
    columns: dict[str, Sequence[float | None]] = {
        "error": [one.mean("error", name) for name, one in some],
        "error_stderr": [one.spread(name) for name, one in some],
        "width_over_truth": [one.mean("coverage", name, "width over truth") for name, one in some],
        "inside": [one.inside(name) for name, one in some],
        "seconds": [one.mean("seconds") for _, one in some],
        "kilobytes": [(one.mean("bytes") or 0.0) / 1000 for _, one in some],
    }
    shows = {"inside": lambda value: f"{value:.1%}", "kilobytes": lambda value: f"{value:,.0f}"}
    return Table(
        [
            ResultColumn("workload", "string", [name for name, _ in some]),
            ResultColumn("method", "string", [one.label for _, one in some]),
            ResultColumn("promise", "string", [_promise(one.method) for _, one in some]),
            *(
                ResultColumn(name, "double", values, ["-"] * len(some), shows.get(name, print_value))
                for name, values in columns.items()
            ),
        ],
        warning=NOT_PRIVATE,
        note="; ".join([ADVICE, *refused]),
    )


def _promise(method: Method) -> str:
    return f"epsilon, {float(method.exact_delta):g}" if method.exact_delta else "epsilon"


def _look_up(outcome: Any, path: Sequence[str]) -> float | None:
    for name in path:
        if name not in outcome:
            return None
        outcome = outcome[name]
    return float(outcome)
