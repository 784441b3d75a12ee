"""Table of errors, in Markdown, so that what is printed is what the docs hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from experiments.peers import Peers
from experiments.rows import Row, ratio

MOST_COMPARED = 4  # methods whose ratios have columns of their own; the summary has those of all
BASE = "ripost"  # the paper's method, which the others are compared with


def print_rows(rows: Sequence[Row], methods: Sequence[str], peers: Peers) -> None:
    """A line a workload: mean and spread of each method, its ratios, the best public peer, and answering zero."""
    heads = ["case", "bounded", "epsilon"]
    few = len(methods) <= MOST_COMPARED
    for method in methods:
        heads += [method] if method == BASE or not few else [method, f"{BASE} / {method}", f"{method} / best peer"]
    heads += ["best public peer", "answer zero"]
    print_head(heads, left=(0, len(heads) - 2))
    for row in rows:
        name, best = peers.best.get(row.key, ("", None))
        cells = [row.case, str(row.bounded), f"{row.epsilon:g}"]
        for method in methods:
            cells.append(_spread(row.errors.get(method)))
            if method != BASE and few:
                mean = row.mean(method)
                cells += [times(ratio(row.mean(BASE), mean)), times(ratio(mean, best))]
        cells += [f"{name} {number(best)}".strip(), number(peers.zero.get(row.key))]
        print_line(cells)


def print_head(heads: Sequence[str], *, left: Iterable[int]) -> None:
    """The head of a table; columns are to the right unless they are named as left."""
    texts = set(left)
    print_line(heads)
    print_line(["---" if i in texts else "---:" for i in range(len(heads))])


def print_line(cells: Iterable[str]) -> None:
    print(f"| {' | '.join(cells)} |")


def number(value: float | None) -> str:
    """An error: whole, or with a decimal below ten."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def times(value: float | None) -> str:
    """A ratio, with two decimals, or two digits if it is small."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _spread(values: list[float] | None) -> str:
    return f"{number(float(np.mean(values)))} ± {number(float(np.std(values)))}" if values else "-"
