"""alone: one thing measured in a process of its own, its seconds and its peak memory."""

from __future__ import annotations

import gc
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[[], Any]
CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def alone(prepare: str, size: int, folder: Path) -> dict[str, float]:
    """Measure benchmarks.<module>:<function>, which takes a size and a folder and returns what to run."""
    command = [sys.executable, "-m", "benchmarks.alone", prepare, str(size), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{prepare} of size {size:,} failed:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(run: Run) -> dict[str, float]:
    """Seconds, and mebibytes at the peak on top of what was there before."""
    gc.collect()
    if CLEAR.exists():
        CLEAR.write_text("5", "utf-8")  # the peak starts anew
    before, started = _peak(), time.perf_counter()
    run()
    return {"seconds": time.perf_counter() - started, "mebibytes": _peak(), "before": before}


def _peak() -> float:
    lines = STATUS.read_text("utf-8").splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), float("nan"))


def main() -> None:
    prepare, size, folder = sys.argv[1:]
    module, name = prepare.split(":")
    run = getattr(importlib.import_module(f"benchmarks.{module}"), name)(int(size), Path(folder))
    print(json.dumps(measure(run)))


if __name__ == "__main__":
    main()
