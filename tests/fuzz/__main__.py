"""`python -m tests.fuzz --files 100000 --queries 100000`: what becomes of mutated files and of odd questions.

Further classes: `--deep` SQL, `--heavy` questions of many measures and groups, hostile `--names` of categories, `--wide`
views, and files whose figures are near `--overflow`.

Cases are told by their number, so that `--first 1234 --files 1` repeats one. Each worker is a process of its own: one that
dies, or that spends more than `--limit` seconds of processor time on a case, is a fault, named by the case. So is a case
that takes ten times as long by the clock. A question that takes more than 10 seconds of processor time is a fault, too; the
slowest case of each outcome is printed.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

KINDS = ("files", "queries", "deep", "heavy", "names", "wide", "overflow")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz the reader, the SQL and the exports of views."
    )
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0, help="number of cases of this class")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds of processor time for one case")
    parser.add_argument("--memory", type=float, default=6, help="GiB of address space for a worker")
    parser.add_argument("--work", nargs=5, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        _work(*asked.work)
        return
    faults = [_fuzz(kind, getattr(asked, kind), asked) for kind in KINDS if getattr(asked, kind)]
    sys.exit(1 if any(faults) else 0)


def _fuzz(kind: str, number: int, asked: argparse.Namespace) -> int:
    """Run all cases of a kind in worker processes, print what came of them, and return the number of faults."""
    started, ends = time.perf_counter(), collections.Counter[str]()
    details: dict[str, str] = {}
    slowest: dict[str, tuple[float, int]] = {}
    step, rss = -(-number // asked.workers), 0
    stop = asked.first + number
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        waiting = [(first, min(first + step, stop)) for first in range(asked.first, stop, step)]
        running = [_start(kind, *part, folder, asked) for part in waiting]
        while running:
            worker, first, last, note = running.pop(0)
            code = worker.wait()
            said = json.loads(note.read_text()) if note.exists() else _said(first)
            ends.update(said["ends"])
            details |= said["details"]
            _keep_slowest(slowest, said["slowest"])
            rss = max(rss, said["rss"])
            if code:
                ends["hang or death of the process"] += 1
                details[f"case {said['at']} ended its process with {code}"] = str(said["at"])
                if said["at"] + 1 < last:
                    running.append(_start(kind, said["at"] + 1, last, folder, asked))
    faults = number - ends["answered"] - ends["refused"]
    told = ", ".join(f"{count:,} {end}" for end, count in sorted(ends.items()))
    took = time.perf_counter() - started
    print(f"{number:,} {kind}: {told}; {faults} faults; {took:,.0f} s, at most {rss / 2**20:.2f} GiB", flush=True)
    for end, (seconds, at) in sorted(slowest.items()):
        print(f"  slowest {end}: case {at}, {seconds:.2f} s of processor time", flush=True)
    for detail, case in sorted(details.items()):
        print(f"  case {case}: {detail}")
    return faults


def _start(
    kind: str, first: int, last: int, folder: str, asked: argparse.Namespace
) -> tuple[subprocess.Popen[bytes], int, int, Path]:
    note = Path(folder) / f"{kind}-{first}"
    work = [kind, str(first), str(last), str(note), f"{asked.limit},{asked.memory}"]
    command = [sys.executable, "-m", "tests.fuzz", "--work", *work]
    return subprocess.Popen(command, env=os.environ | {"TMPDIR": folder}), first, last, note


def _work(kind: str, first: str, last: str, note: str, limits: str) -> None:
    """Judge some cases, noting where one is and what was found."""
    import faulthandler

    from tests.fuzz.cases import Cases

    seconds, memory = map(float, limits.split(","))
    cases = Cases()
    room = int(memory * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    faulthandler.register(signal.SIGPROF, chain=True)  # chain: the signal then ends the process
    ends, details, slowest = collections.Counter[str](), dict[str, str](), dict[str, tuple[float, int]]()
    path = Path(note)
    for number in range(int(first), int(last)):
        path.write_text(json.dumps(_said(number, ends, details, slowest)))
        faulthandler.dump_traceback_later(10 * seconds, exit=True)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        verdict = cases.judge(kind, number)
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        ends[verdict.end] += 1
        _keep_slowest(slowest, {verdict.end: (verdict.seconds, number)})
        if verdict.is_fault and len(details) < 500:
            details.setdefault(f"{verdict.end}: {verdict.detail}", str(number))
    path.write_text(json.dumps(_said(int(last), ends, details, slowest)))


def _said(
    number: int,
    ends: dict[str, int] | None = None,
    details: dict[str, str] | None = None,
    slowest: dict[str, tuple[float, int]] | None = None,
) -> dict[str, Any]:
    """What a worker notes before it judges a case: all that was found so far."""
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"at": number, "ends": ends or {}, "details": details or {}, "slowest": slowest or {}, "rss": rss}


def _keep_slowest(slowest: dict[str, tuple[float, int]], more: dict[str, tuple[float, int]]) -> None:
    """Keep the slowest case of each outcome."""
    for end, (seconds, number) in more.items():
        if end not in slowest or seconds > slowest[end][0]:
            slowest[end] = (seconds, number)


if __name__ == "__main__":
    main()
