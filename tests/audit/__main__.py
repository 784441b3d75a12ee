"""`python -m tests.audit`: how much every method really tells, by enumeration and by thousands of real releases."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .sweep import sweep
from .table import lines, put_into


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.audit")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--table", type=Path, help="write the tables into this page, and leave out the sweep")
    asked = parser.parse_args()
    started, said = time.perf_counter(), []
    for line in lines(asked.workers):
        said.append(line)
        _say(line)
    if asked.table:
        put_into(asked.table, "\n".join(said))
    else:
        for line in sweep():
            _say(line)
    _say(f"took {(time.perf_counter() - started) / 60:.0f} minutes")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
