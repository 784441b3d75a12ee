"""`python -m tests.fuzz --files 100000 --queries 100000`: what becomes of mutated files and of odd questions.

Further classes: `--deep` SQL, `--heavy` questions of many measures and groups, hostile `--names` of categories, `--wide`
views, and files whose figures are near `--overflow`.

Cases are told by their number, so that `--first 1234 --files 1` repeats one. Each worker is a process of its own: one that
dies, or that sits on a case for longer than `--limit` seconds, is a fault, named by the case.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

KINDS = ("files", "queries", "deep", "heavy", "names", "wide", "overflow")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz the reader, the SQL and the exports of views."
    )
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0, help="number of cases of this class")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one case")
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
    step, rss = -(-number // asked.workers), 0
    stop = asked.first + number
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        waiting = [(first, min(first + step, stop)) for first in range(asked.first, stop, step)]
        running = [_start(kind, *part, folder, asked) for part in waiting]
        while running:
            worker, first, last, note = running.pop(0)
            code = worker.wait()
            said = json.loads(note.read_text()) if note.exists() else {"at": first, "ends": {}, "details": {}, "rss": 0}
            ends.update(said["ends"])
            details |= said["details"]
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
    ends, details = collections.Counter[str](), dict[str, str]()
    path = Path(note)
    for number in range(int(first), int(last)):
        faulthandler.dump_traceback_later(seconds, exit=True)
        _note(path, number, ends, details)
        verdict = cases.judge(kind, number)
        faulthandler.cancel_dump_traceback_later()
        ends[verdict.end] += 1
        if verdict.is_fault and len(details) < 500:
            details.setdefault(f"{verdict.end}: {verdict.detail}", str(number))
    _note(path, int(last), ends, details)


def _note(path: Path, number: int, ends: collections.Counter[str], details: dict[str, str]) -> None:
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = {"at": number, "ends": ends, "details": details, "rss": rss}
    path.write_text(json.dumps(said))


if __name__ == "__main__":
    main()
