"""Charts: errors of methods over those of ripost+, a dot a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.bench.results import SUBJECTS, WORKLOADS, Results
from experiments.bench.rows import Row
from experiments.paper.charts import RULE, Charts, between
from experiments.rows import ratio
from experiments.styles import style_of
from experiments.summary import geometric_mean


def draw_ratios(charts: Charts, name: str, results: Results, rows: Sequence[Row], promise: str) -> bool:
    """A panel an epsilon, a line a method; whether there was anything to draw."""
    subject = SUBJECTS[promise]
    found = {epsilon: _ratios(results, rows, promise, epsilon) for epsilon in results.epsilons}
    methods = {method for by_method in found.values() for method in by_method}
    if not methods:
        return False
    first = found[results.epsilons[-1]]
    order = sorted(methods, key=lambda method: geometric_mean(first.get(method, [])) or np.inf)
    size = (1 + 4.6 * len(found), 1.2 + 0.27 * len(order))
    with charts.draw(name, columns=len(found), size=size) as panels:
        for panel, (epsilon, by_method) in zip(panels.flat, found.items(), strict=True):
            for place, method in enumerate(order):
                values = by_method.get(method, [])
                if not values:
                    continue
                style = style_of(method)
                panel.scatter(values, [place] * len(values), s=16, color=style.colour, alpha=0.55, zorder=3)
                panel.scatter([geometric_mean(values)], [place], s=220, marker="|", color=style.colour, zorder=4)
            panel.axvline(1, color=style_of(subject).colour, linewidth=1.3)
            panel.set_xscale("log")
            panel.xaxis.set_major_formatter("{x:,.10g}")
            panel.xaxis.set_minor_formatter(between())
            panel.set_yticks(range(len(order)), order)
            panel.set_ylim(len(order) - 0.5, -0.5)
            panel.set_title(f"epsilon {epsilon:g}")
            panel.set_xlabel(f"error / error of {subject}")
            panel.grid(color=RULE, linewidth=0.7, which="major")
    return True


def _ratios(results: Results, rows: Sequence[Row], promise: str, epsilon: float) -> dict[str, list[float]]:
    """Of each method and table the geometric mean over workloads of its error over that of the subject."""
    subject = SUBJECTS[promise]
    found: dict[str, list[float]] = {}
    for method in results.methods(promise):
        for table in results.tables:
            here = [row for row in rows if (row.table, row.epsilon) == (table, epsilon) and row.workload in WORKLOADS]
            mean = geometric_mean(ratio(row.mean(method), row.mean(subject)) for row in here)
            if mean is not None and method != subject:
                found.setdefault(method, []).append(mean)
    return found
