"""Where the time of a publish of ten million rows in six dimensions goes: seconds by part of ripost, and by function.

What libraries do is put down to the function of ripost that called them. Parts that work on several threads wait in the
first of them, so all of this is time on the clock.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import ripost
from benchmarks import subjects
from benchmarks.scale import bare

ROWS = 10**7
SHOWN = 12
DEEP = 60  # calls of libraries among themselves that are followed
HOME = str(Path(ripost.__file__).parent)
Key = tuple[str, int, str]


def by_function(profile: cProfile.Profile) -> dict[str, float]:
    """Seconds of each function of ripost, with what it spent in libraries."""
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    seconds: dict[str, float] = defaultdict(float)
    waiting = {key: own for key, (_, _, own, _, _) in stats.items()}
    for _ in range(DEEP):
        passed_on: dict[Key, float] = defaultdict(float)
        for key, amount in waiting.items():
            path, _, name = key
            callers = {caller: row[3] for caller, row in stats[key][4].items() if row[3] > 0}
            if path.startswith(HOME):
                seconds[f"{Path(path).relative_to(HOME).as_posix()}: {name}"] += amount
            for caller, share in callers.items() if not path.startswith(HOME) else ():
                passed_on[caller] += amount * share / sum(callers.values())
        waiting = passed_on
    seconds["elsewhere"] = sum(waiting.values())
    return seconds


def most(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: -item[1])


def main() -> None:
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        path, schema = subjects.flights_file(rows, Path(name)), ripost.Schema.load(subjects.FLIGHTS)
        ripost.publish(subjects.flights_file(1000, Path(name)), schema, epsilon=1)  # imports
        bare(path)
        started = time.perf_counter()
        bare(path)
        theirs = time.perf_counter() - started
        ripost.publish(path, schema, epsilon=1)
        started = time.perf_counter()
        ripost.publish(path, schema, epsilon=1)
        ours = time.perf_counter() - started
        profile = cProfile.Profile()
        profile.runcall(ripost.publish, path, schema, epsilon=1)
    found = by_function(profile)
    total = sum(found.values())
    parts: dict[str, float] = defaultdict(float)
    for where, seconds in found.items():
        parts[where.split("/")[0].split(":")[0]] += seconds
    print(f"{rows:,} rows: publish {ours:.2f} s, bare GROUP BY {theirs:.2f} s, ratio {ours / theirs:.2f}; profiled:\n")
    print("| part | share |\n| --- | ---: |")
    for part, seconds in most(parts):
        if seconds > total / 200:
            print(f"| {part} | {seconds / total:.0%} |")
    print("\n| function | s | share |\n| --- | ---: | ---: |")
    for where, seconds in most(found)[:SHOWN]:
        print(f"| {where} | {seconds:.2f} | {seconds / total:.0%} |")


if __name__ == "__main__":
    main()
