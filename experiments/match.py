"""match: each peer as it is implemented here, beside the figures of its public implementation."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer

from experiments.cases import CASES
from experiments.peers import OURS, PEERS, TREES_AND_GRIDS, Figure, Key, read_peers
from experiments.pool import Outcome, Trial
from experiments.running import outcomes_of, trials_for, words
from experiments.spec import parse_spec
from experiments.summary import geometric_mean
from experiments.table import number, print_head, print_line, times
from ripost.errors import InputError, suggest_nearest

NEAR = 1.2  # times the public error, or below it
FASTER = 10  # times, for trees and grids

Found = dict[Key, Figure]


def match(
    peers: Annotated[str, typer.Option(help="Public implementations, with semicolons, or all.")] = "all",
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 10,
    every_row: Annotated[bool, typer.Option(help="Print every row, not only those that are off.")] = False,
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    figures: Annotated[Path, typer.Option(help="Figures of public peers.")] = PEERS,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/accuracy.jsonl"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run our peers where public figures exist; print how many errors are within a fifth of them, and which are not."""
    public = read_peers(figures).figures
    chosen = [name for name in OURS if name in public] if peers == "all" else words(peers, ";")
    off: list[list[str]] = []
    heads = ["public implementation", "here", "rows", f"at most {NEAR} times its error", "error / its error", "worst"]
    print_head([*heads, "its seconds / seconds", "least"], left=(0, 1, 5, 7))
    for name in chosen:
        if name not in OURS:
            raise InputError(f"there is no public implementation {name!r}; {suggest_nearest(name, OURS)}")
        theirs = public[name]
        ours = _ours(OURS[name], theirs, runs, cases, store, jobs)
        print_line([name, OURS[name], *_compare_row(ours, theirs, name)])
        off += [
            _row(name, key, ours[key], theirs[key]) for key in sorted(ours) if every_row or _is_off(ours, theirs, key)
        ]
    print()
    print_head(["public implementation", "case", "bounded", "epsilon", "here", "public", "ratio"], left=(0, 1))
    for row in off:
        print_line(row)


def _ours(spec: str, theirs: Found, runs: int, cases: Path, store: Path, jobs: int) -> Found:
    """Mean error and seconds of our implementation on the cases that the public one was run on."""
    places = sorted({(case, epsilon) for case, _, epsilon in theirs})
    trials: list[Trial] = []
    for case, epsilon in places:
        trials += trials_for([spec], str(epsilon), case, runs, cases)
    errors: dict[Key, list[float]] = defaultdict(list)
    seconds: dict[Key, list[float]] = defaultdict(list)
    for trial, outcome in outcomes_of(trials, store, cases, jobs):
        for key, error in _errors(trial, outcome):
            errors[key].append(error)
            seconds[key].append(outcome["seconds"])
    return {key: Figure(fmean(errors[key]), fmean(seconds[key])) for key in theirs if key in errors}


def _errors(trial: Trial, outcome: Outcome) -> list[tuple[Key, float]]:
    return [
        ((trial["case"], int(bounded), trial["epsilon"]), error) for bounded, error in outcome.get("rmse", {}).items()
    ]


def _compare_row(ours: Found, theirs: Found, name: str) -> list[str]:
    if not ours:
        return [f"0 of {len(theirs)}", "-", "-", "-", "-", "-"]
    ratios = {key: found.error / theirs[key].error for key, found in ours.items()}
    near = sum(value <= NEAR for value in ratios.values())
    worst = max(ratios, key=lambda key: ratios[key])
    speed = {key: theirs[key].seconds / found.seconds for key, found in ours.items() if theirs[key].seconds > 0}
    slowest = min(speed, key=lambda key: speed[key], default=None)
    least = "-" if slowest is None else f"{times(speed[slowest])} ({slowest[0]}, epsilon {slowest[2]:g})"
    if parse_spec(OURS[name])[0] in TREES_AND_GRIDS:
        least += f", {sum(value < FASTER for value in speed.values())} of {len(speed)} below {FASTER}"
    return [
        f"{len(ours)} of {len(theirs)}",
        f"{near} ({near / len(ours):.0%})",
        times(geometric_mean(ratios.values())),
        f"{ratios[worst]:.2f} ({worst[0]}, {worst[1]} bounded, epsilon {worst[2]:g})",
        times(geometric_mean(speed.values())),
        least,
    ]


def _is_off(ours: Found, theirs: Found, key: Key) -> bool:
    """Whether an error is not within a fifth of the public one, either way."""
    return not 1 / NEAR <= ours[key].error / theirs[key].error <= NEAR


def _row(name: str, key: Key, ours: Figure, theirs: Figure) -> list[str]:
    case, bounded, epsilon = key
    ratio = ours.error / theirs.error
    return [name, case, str(bounded), f"{epsilon:g}", number(ours.error), number(theirs.error), f"{ratio:.2f}"]
