"""Report: the page of the benchmark, from stored trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from experiments.bench.charts import draw_ratios
from experiments.bench.results import (
    APPROXIMATE,
    BY_SIZE,
    PURE,
    RELATIVE,
    SUBJECTS,
    TITLES,
    WORKLOADS,
    Done,
    Results,
    mean_of,
    standard_error,
)
from experiments.bench.rows import Covered, Row, covered
from experiments.bench.tables import TABLES
from experiments.paper.charts import Charts
from experiments.report.document import Command, Document, Figure, Section, Table, Text
from experiments.rows import ratio
from experiments.summary import geometric_mean
from experiments.table import times

HOW = "../how-to/compare-methods.md"
MEASURES = (
    "*k* ranges bound that many attributes at random, *all* every attribute, and *groups* are the groups of GROUP BY "
    "one attribute with a filter on up to two others; their errors are root mean squared errors. For the cells of "
    "all one-way, up to a hundred two-way and up to twenty three-way marginals the error is the sum of absolute errors "
    "over the number of rows, averaged over marginals."
)


def report(done: Done, facts: Mapping[str, str], charts: Charts) -> Document:
    """The page; its drawing goes to the folder of the charts, if there is one."""
    results = Results(done)
    rows = results.rows()
    return Document(
        "Benchmark",
        (
            Text(
                "All methods of `ripost.METHODS` on tables that packages of the registry hold, so that a clone of the "
                "repository needs nothing else:"
            ),
            Command("make bench-accuracy"),
            Text(facts["run"]),
            Text(
                f"[How to add a method or a table]({HOW}), and how to compare methods on a table of yours. "
                "[Where ripost+ loses](losses.md) lists what it is behind in."
            ),
        ),
        (
            _tables(results, facts),
            *(_errors(results, rows, promise, charts) for promise in (PURE, APPROXIMATE)),
            _relative(results, rows),
            _groups(results, rows),
            _intervals(results),
            _prediction(results),
            _costs(results),
            Section("The run", (_facts(facts), _every(rows))),
        ),
    )


def _tables(results: Results, facts: Mapping[str, str]) -> Section:
    lines = []
    for name in results.tables:
        table = TABLES[name]
        attributes, rows, cells, unit = facts[f"table {name}"].split("|")
        lines.append((name, attributes, rows, cells, unit, f"{table.source} ({table.license})", table.role))
    told = (
        "Constants of `ripost+` were chosen on the tables marked *choosing*, and never on the others. `flights-few` is "
        "a sample of `flights`. A unit of several rows makes each row's budget that much smaller."
    )
    heads = ("table", "attributes", "rows", "cells", "unit", "package (license)", "role")
    return Section("Tables", (Text(told), Table(heads, tuple(lines), left=frozenset({0, 4, 5, 6}))))


def _errors(results: Results, rows: Sequence[Row], promise: str, charts: Charts) -> Section:
    """Of each method the error over that of ripost+, a geometric mean over tables."""
    subject = SUBJECTS[promise]
    methods = results.methods(promise)
    parts: list[Text | Table | Figure] = [
        Text(
            f"The error over that of `{subject}`, a geometric mean over the tables that the method can publish (their "
            f"number in brackets if it is not {len(results.tables)}). Above 1, `{subject}` has the smaller error. "
            + (MEASURES if promise == PURE else "")
        )
    ]
    for epsilon in results.epsilons:
        here = [row for row in rows if row.epsilon == epsilon]
        lines = [
            (f"`{method}`", *(_ratio(here, workload, method, subject, results) for workload in WORKLOADS))
            for method in methods
        ]
        parts += [Text(f"Epsilon {epsilon:g}:"), Table(("method", *WORKLOADS), tuple(lines))]
    name = f"errors-{promise}"
    if draw_ratios(charts, name, results, rows, promise):
        alt = f"Errors of methods with {TITLES[promise]} over those of {subject}, by table"
        parts.append(
            Figure(name, f"Each dot is a table, each bar the geometric mean. Right of 1, `{subject}` is better.", alt)
        )
    return Section(f"Errors, {TITLES[promise].split(', delta ')[0]}", tuple(parts))


def _ratio(rows: Sequence[Row], workload: str, method: str, subject: str, results: Results) -> str:
    found = [one for row in rows if row.workload == workload and (one := ratio(row.mean(method), row.mean(subject)))]
    if not found:
        return "-"
    return times(geometric_mean(found)) + (f" ({len(found)})" if len(found) < len(results.tables) else "")


def _relative(results: Results, rows: Sequence[Row]) -> Section:
    told = (
        "The median relative error of ranges of two and three attributes and of groups, for true answers above a "
        "share of the rows; the mean over tables."
    )
    return Section("Relative errors", (Text(told), *_means(results, rows, RELATIVE, "at least {}", percent=True)))


def _groups(results: Results, rows: Sequence[Row]) -> Section:
    told = (
        "Groups are the codes of an attribute; the smallest first, by their share of the rows. The error of a group is "
        "the sum of absolute errors of its cells in two-way tables, over its number of rows. Above 1 such a group "
        "would be better answered by zeros. Means over tables and groups."
    )
    return Section("Errors by subgroup", (Text(told), *_means(results, rows, BY_SIZE, "{}")))


def _means(
    results: Results, rows: Sequence[Row], names: Mapping[str, str], head: str, *, percent: bool = False
) -> list[Text | Table]:
    parts: list[Text | Table] = []
    for promise in (PURE, APPROXIMATE):
        for epsilon in results.epsilons:
            lines = []
            for method in results.methods(promise):
                cells = []
                for figure in names.values():
                    here = [row for row in rows if (row.epsilon, row.workload) == (epsilon, figure)]
                    mean = mean_of([value for row in here if (value := row.mean(method)) is not None])
                    cells.append("-" if mean is None else f"{mean:.1%}" if percent else times(mean))
                number = sum(method in row.errors for row in rows if (row.epsilon, row.workload) == (epsilon, "k=1"))
                lines.append((f"`{method}`", str(number), *cells))
            parts.append(Text(f"{TITLES[promise].capitalize()}, epsilon {epsilon:g}:"))
            parts.append(Table(("method", "tables", *(head.format(name) for name in names)), tuple(lines)))
    return parts


def _intervals(results: Results) -> Section:
    """Pooled over tables: the share inside and the median width over the truth."""
    found = covered(results.done)
    lines = []
    for method in [*results.methods(PURE), *results.methods(APPROXIMATE)]:
        for epsilon in results.epsilons:
            some = [each for each in found if (each.method, each.epsilon) == (method, epsilon)]
            if some:
                lines.append((f"`{method}`", f"{epsilon:g}", str(len(some)), *(_inside(some, w) for w in WORKLOADS)))
    told = (
        "The share of true answers inside their 95 % intervals, over all tables, and after it the median width over "
        "the truth (the mean over tables). Synthetic rows and the baselines have no intervals."
    )
    heads = ("method", "epsilon", "tables", *WORKLOADS)
    return Section("Intervals", (Text(told), Table(heads, tuple(lines))))


def _inside(some: Sequence[Covered], workload: str) -> str:
    here = [each for each in some if workload in each.workloads]
    if not here:
        return "-"
    inside, asked = (sum(each.total(workload, part) for each in here) for part in ("inside", "asked"))
    width = mean_of([each.relative_width(workload) for each in here])
    return f"{inside / max(asked, 1):.1%} / {times(width)}"


def _prediction(results: Results) -> Section:
    """The area under the ROC curve by table."""
    found: dict[tuple[str, float], dict[str, list[float]]] = {}
    for trial, outcome in results.done:
        if "auc" in outcome:
            at = found.setdefault((trial["table"], trial["epsilon"]), {})
            at.setdefault(trial["method"], []).append(outcome["auc"])
            at.setdefault("real rows", []).append(outcome["auc of real rows"])
    places = sorted(found)
    lines = []
    for method in ["real rows", *results.methods(PURE), *results.methods(APPROXIMATE)]:
        cells = [_area(found[place].get(method, [])) for place in places]
        if set(cells) - {"-"}:
            lines.append((method if method == "real rows" else f"`{method}`", *cells))
    told = (
        "Gradient boosting (scikit-learn) is trained on at most 20,000 synthetic rows of a view of four fifths of the "
        "table, and tested on the other fifth. The area under the ROC curve; 0.5 is chance."
    )
    heads = ("trained on", *(f"{table} ({TABLES[table].target}), epsilon {epsilon:g}" for table, epsilon in places))
    return Section("Prediction", (Text(told), Table(heads, tuple(lines))))


def _area(values: Sequence[float]) -> str:
    error, mean = standard_error(values), mean_of(values)
    return "-" if mean is None else f"{mean:.3f}" + ("" if error is None else f" ± {error:.3f}")


def _costs(results: Results) -> Section:
    lines = []
    for method in [*results.methods(PURE), *results.methods(APPROXIMATE)]:
        done = results.outcomes(method)
        ran = [outcome for _, outcome in done if "seconds" in outcome]
        cells = []
        for part, unit in (("seconds", 1.0), ("mebibytes", 1.0), ("bytes", 1e3)):
            values = [outcome[part] / unit for outcome in ran if part in outcome]
            cells += [f"{median(values):,.2f}", f"{max(values):,.2f}"] if values else ["-", "-"]
        refused, stopped = (sorted({t["table"] for t, o in done if kind in o}) for kind in ("refused", "stopped"))
        lines.append((f"`{method}`", *cells, ", ".join(refused) or "-", ", ".join(stopped) or "-"))
    told = (
        "Processor seconds of publishing (noise by NumPy; noise of a private release takes longer), mebibytes at the "
        "peak on top of what the process held, and kilobytes of the release file: median and largest. A method "
        "refuses a table if it needs a value for too many cells, and is stopped at the limit of the run."
    )
    parts = ("seconds", "largest", "MiB", "largest", "kB", "largest")
    heads = ("method", *parts, "refused", "stopped")
    return Section("Costs", (Text(told), Table(heads, tuple(lines), left=frozenset({0, 7, 8}))))


def _facts(facts: Mapping[str, str]) -> Table:
    kept = [name for name in facts if not name.startswith("table ") and name != "run"]
    return Table(("fact", "value"), tuple((name, facts[name]) for name in kept), left=frozenset({0, 1}))


def _every(rows: Sequence[Row]) -> Table:
    """Every figure with its standard error, as a file."""
    lines = []
    for row in rows:
        for method, values in sorted(row.errors.items()):
            error = standard_error(values)
            told = "" if error is None else f"{error:.4g}"
            mean = sum(values) / len(values)
            lines.append(
                (row.table, f"{row.epsilon:g}", row.workload, f"`{method}`", f"{mean:.4g}", told, str(len(values)))
            )
    heads = ("table", "epsilon", "figure", "method", "mean", "standard error", "seeds")
    return Table(heads, tuple(lines), left=frozenset({0, 2, 3}), file="figures")
