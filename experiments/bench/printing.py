"""Printing: Markdown tables of errors, ratios and coverage on wide tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.bench.rows import Covered, Row
from experiments.bench.tables import TABLES, Role, load
from experiments.rows import ratio
from experiments.summary import geometric_mean
from experiments.table import print_head, print_line, times
from ripost.comparing.measure import CELLS

BEFORE = "before"  # the subject in another version of the code
ROLES: tuple[Role, ...] = ("choosing", "reporting")
PLANNER = "residual-planner"
LOW = 0.9  # share inside below which a pair is called low


@dataclass(frozen=True)
class Against:
    """What the subject is compared with: the best of some methods."""

    name: str
    methods: Sequence[str]

    def ratio(self, row: Row, subject: str) -> float | None:
        """Error of the subject over the least of these; None if both are below a row, as where all answers are 0."""
        mine, theirs = row.mean(subject), row.best(self.methods)
        if row.workload not in CELLS.values() and max(mine or 0.0, theirs or 0.0) < 1:
            return None
        return ratio(mine, theirs)


def comparisons(peers: Sequence[str], pure: Sequence[str], *, before: bool) -> list[Against]:
    """With the code before, the best peer that promises pure epsilon, the best of any promise, and ResidualPlanner."""
    earlier = [Against(BEFORE, [BEFORE])] if before else []
    best = [Against("best pure peer", pure), Against("best peer", peers)]
    return [*earlier, *best, *(Against(peer, [peer]) for peer in peers if peer.startswith(PLANNER))]


def print_tables(names: Sequence[str]) -> None:
    """A line a table: its role, attributes, rows and cells."""
    print_head(["table", "role", "attributes", "rows", "cells"], left=(0, 1))
    for name in names:
        tensor = load(name)
        rows = f"{int(tensor.counts.sum()):,}"
        print_line([name, TABLES[name].role, str(len(tensor.domain)), rows, f"{float(tensor.domain.size):.1e}"])


def print_errors(rows: Sequence[Row], methods: Sequence[str]) -> None:
    """A line a workload: the mean error of each method; the least of a line is bold, the code before set aside."""
    print_head(["table", "role", "epsilon", "workload", *methods], left=(0, 1, 3))
    for row in rows:
        least = row.best([method for method in methods if method != BEFORE])
        errors = [_error(row.mean(method), least) for method in methods]
        print_line([row.table, TABLES[row.table].role, f"{row.epsilon:g}", row.workload, *errors])


def print_ratios(rows: Sequence[Row], subject: str, against: Sequence[Against]) -> None:
    """A line an epsilon, role and workload: geometric mean of subject / others, and the worst table."""
    print_head(["epsilon", "tables", "workload", *(f"{subject} / {one.name}" for one in against)], left=(1, 2))
    for epsilon in sorted({row.epsilon for row in rows}):
        for role in ROLES:
            some = [row for row in rows if row.epsilon == epsilon and TABLES[row.table].role == role]
            for workload in [*dict.fromkeys(row.workload for row in some), *(["together"] if some else [])]:
                these = [row for row in some if workload in (row.workload, "together")]
                compared = [_compared(these, subject, one) for one in against]
                print_line([f"{epsilon:g}", role, workload, *compared])


def print_coverage(found: Sequence[Covered]) -> None:
    """A line a table, epsilon and method: the worst pair, the share inside by workload, and widths of two-way cells."""
    workloads = [*dict.fromkeys(workload for each in found for workload in each.workloads)]
    heads = ["table", "epsilon", "method", "worst pair", f"pairs below {LOW:.0%}", *workloads]
    print_head([*heads, "median width / truth", "mean width / mean error"], left=(0, 2, 3))
    for each in found:
        shares = [f"{each.inside(name):.1%}" if name in each.workloads else "-" for name in workloads]
        cells, widths = CELLS[2], ["-", "-"]
        if cells in each.workloads:
            widths = [f"{each.relative_width(cells):.2f}", f"{each.width_by_error(cells):.1f}"]
        print_line([each.table, f"{each.epsilon:g}", each.method, *_pairs(each), *shares, *widths])


def print_coverage_summary(found: Sequence[Covered]) -> None:
    """A line an epsilon and method: the worst pair of all tables, two-way cells pooled, and the worst workload."""
    heads = ["epsilon", "method", "tables", "worst pair", f"pairs below {LOW:.0%}", "two-way cells", "worst workload"]
    print_head(heads, left=(1, 6))
    for epsilon, method in sorted({(each.epsilon, each.method) for each in found}):
        some = [each for each in found if (each.epsilon, each.method) == (epsilon, method)]
        pairs = [share for each in some for share in each.pairs.values()]
        low = sum(share < LOW for share in pairs)
        cells = [each for each in some if CELLS[2] in each.workloads]
        inside, asked = (sum(each.total(CELLS[2], part) for each in cells) for part in ("inside", "asked"))
        least, where = min((each.inside(name), f"{name}, {each.table}") for each in some for name in each.workloads)
        worst = f"{min(pairs):.0%}" if pairs else "-"
        told = [f"{epsilon:g}", method, str(len(some)), worst, f"{low} of {len(pairs)}"]
        print_line([*told, f"{inside / asked:.1%}" if asked else "-", f"{least:.0%} ({where})"])


def _compared(rows: Sequence[Row], subject: str, one: Against) -> str:
    ratios = [(found, row) for row in rows if (found := one.ratio(row, subject))]
    if not ratios:
        return "-"
    worst, row = max(ratios, key=lambda pair: pair[0])
    return f"{times(geometric_mean(found for found, _ in ratios))} (worst {times(worst)} {row.table})"


def _pairs(each: Covered) -> list[str]:
    pairs = each.pairs
    if not pairs:
        return ["-", "-"]
    worst = min(pairs, key=lambda pair: pairs[pair])
    return [f"{pairs[worst]:.0%} {worst}", f"{sum(share < LOW for share in pairs.values())} of {len(pairs)}"]


def _error(value: float | None, least: float | None) -> str:
    if value is None:
        return "-"
    text = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"**{text}**" if value == least else text
