"""Summary: geometric means and worst rows by kind of workload, and the seconds that publishing took."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from experiments.peers import PACE, Peers
from experiments.pool import Outcome, Trial
from experiments.rows import MARGINALS, Row, groups_of, ratio
from experiments.table import BASE, print_head, print_line, times

CLEARLY_WORSE = 1.1  # times the error of the best peer


def print_summary(rows: Sequence[Row], methods: Sequence[str], peers: Peers) -> None:
    """A line an epsilon, kind of workload and method: geometric means, the worst row, how many are bad."""
    heads = ["epsilon", "workloads", "method", "rows", f"{BASE} / method", "best peer / method"]
    print_head([*heads, "worst method / best peer", f"above {CLEARLY_WORSE}"], left=(1, 2, 6))
    for epsilon in sorted({row.epsilon for row in rows}):
        for group in groups_of(rows):
            for method in methods:
                some = [row for row in rows if (row.epsilon, row.group) == (epsilon, group) and method in row.errors]
                if some:
                    print_line([f"{epsilon:g}", group, method, *_compare_row(some, method, peers)])


def _compare_row(rows: Sequence[Row], method: str, peers: Peers) -> list[str]:
    """How many rows; the two geometric means; the worst row against the best peer; how many are clearly worse."""
    worse = [(found, row) for row in rows if (found := ratio(row.mean(method), peers.best.get(row.key, ("", None))[1]))]
    base = geometric_mean(ratio(row.mean(BASE), row.mean(method)) for row in rows)
    best = geometric_mean(1 / found for found, _ in worse)
    if not worse:
        return [str(len(rows)), times(base), "-", "-", "-"]
    most, row = max(worse, key=lambda pair: pair[0])
    bad = sum(found > CLEARLY_WORSE for found, _ in worse)
    return [
        str(len(rows)),
        times(base),
        times(best),
        f"{most:.2f} ({row.case}, {row.bounded} bounded)",
        f"{bad} of {len(worse)}",
    ]


def print_marginals(rows: Sequence[Row], method: str) -> None:
    """A line an epsilon: a method on single dimensions against the marginals that it released."""
    pairs = [(row, found) for row in rows if (found := ratio(row.mean(method), row.mean(MARGINALS)))]
    if not pairs:
        return
    print_head(["epsilon", "cases", f"{method} / {MARGINALS}", "worst", "above 1"], left=(3,))
    for epsilon in sorted({row.epsilon for row, _ in pairs}):
        some = [(found, row.case) for row, found in pairs if row.epsilon == epsilon]
        mean = times(geometric_mean(found for found, _ in some))
        most, case = max(some)
        above = sum(found > 1 for found, _ in some)
        print_line([f"{epsilon:g}", str(len(some)), mean, f"{most:.2f} ({case})", f"{above} of {len(some)}"])
    print()


def geometric_mean(values: Iterable[float | None]) -> float | None:
    """The geometric mean of those that are there; None if none is."""
    logs = [math.log(value) for value in values if value]
    return math.exp(fmean(logs)) if logs else None


def print_seconds(trials: Iterable[tuple[Trial, Outcome]], peers: Peers) -> None:
    """A line a method: seconds to publish, and the largest ratio to those of the peer that sets the pace."""
    taken: dict[str, dict[tuple[str, float], list[float]]] = defaultdict(lambda: defaultdict(list))
    for trial, outcome in trials:
        if "seconds" in outcome:
            taken[trial["method"]][trial["case"], trial["epsilon"]].append(outcome["seconds"])
    heads = ["method", "trials", "median seconds", "largest seconds", f"largest method / {PACE}"]
    print_head(heads, left=(0, 3, 4))
    for method, places in taken.items():
        every = [seconds for found in places.values() for seconds in found]
        longest, where = max((max(found), place) for place, found in places.items())
        against = [(fmean(found) / peers.seconds[at], at) for at, found in places.items() if at in peers.seconds]
        pace = "-" if not against else f"{max(against)[0]:.2f} {_place(*max(against)[1])}"
        print_line([method, str(len(every)), f"{median(every):.2f}", f"{longest:.2f} {_place(*where)}", pace])


def _place(case: str, epsilon: float) -> str:
    return f"({case}, epsilon {epsilon:g})"
