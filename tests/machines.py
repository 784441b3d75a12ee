"""Run the tests as other machines would: other processors, other numbers of threads, one worker or two.

`make machines` runs them all, one after another. OpenBLAS and NumPy add numbers in another order on each processor, so
the last bits of sums differ. A setting that this processor cannot run is skipped, and each is checked to take effect.
`--numeric` leaves out the folders that compute no sums of floating-point numbers. Other arguments go to pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np

CORES = {  # what OpenBLAS is told -> what the processor must have
    "SkylakeX": "AVX512_SKX",
    "Haswell": "AVX2",
    "Zen": "AVX2",
    "Sandybridge": "AVX",
    "Nehalem": "SSE42",
}
NUMERIC = [  # the other folders test text, engines that count whole numbers, ledgers and commands
    "answering", "audit", "certify", "data", "estimate", "experiments", "explore", "export", "methods", "peers",
    "planning", "privacy", "query", "space", "vectors",
]  # fmt: skip
ASKED = """
import sys
import numpy as np
from numpy._core._multiarray_umath import __cpu_features__
from threadpoolctl import threadpool_info
np.ones((2, 2)) @ np.ones((2, 2))
found = threadpool_info()[0]
print(found.get("architecture"), found["num_threads"], *[name for name in sys.argv[1:] if __cpu_features__[name]])
"""


@dataclass(frozen=True)
class Machine:
    """A setting, by the environment that makes it."""

    name: str
    environment: dict[str, str]
    workers: int = 2


def machines() -> list[Machine]:
    """Every setting that this processor can run."""
    features = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]
    cores = [name for name, needed in CORES.items() if features.get(needed)]
    found = [Machine(name, {"OPENBLAS_CORETYPE": name, "OPENBLAS_NUM_THREADS": "1"}) for name in cores]
    old = {"NPY_DISABLE_CPU_FEATURES": " ".join(switches()), "OPENBLAS_NUM_THREADS": "1"}
    found.append(Machine("NumPy without AVX", old))
    for number in ("1", "4"):
        threads = {"OPENBLAS_NUM_THREADS": number, "OMP_NUM_THREADS": number}
        found.append(Machine(f"threads: {number}", threads, workers=1))
    return found


def switches() -> list[str]:
    """Features of this processor that NumPy can be told to leave alone."""
    umath = np._core._multiarray_umath  # type: ignore[attr-defined]
    return [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name]]


def takes_effect(machine: Machine) -> bool:
    """Whether a process in this setting computes as asked."""
    command = [sys.executable, "-c", ASKED, *switches()]
    environment = {**os.environ, **machine.environment}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout.split()
    if len(told) < 2:
        return False
    wanted = machine.environment
    threads = min(
        int(wanted["OPENBLAS_NUM_THREADS"]), os.cpu_count() or 1
    )  # OpenBLAS starts no more than there are cores
    return (
        told[0].lower() == wanted.get("OPENBLAS_CORETYPE", told[0]).lower()
        and int(told[1]) == threads
        and (told[2:] == [] or "NPY_DISABLE_CPU_FEATURES" not in wanted)
    )


def run(machine: Machine, arguments: list[str]) -> bool:
    """Whether the tests pass in a setting."""
    workers = [] if "-n" in arguments else ["-n", str(machine.workers)]
    command = [sys.executable, "-m", "pytest", *workers, "-m", "not slow", *arguments]
    return subprocess.run(command, env={**os.environ, **machine.environment}, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a word of the names of settings to run")
    parser.add_argument("--numeric", action="store_true", help="run only the folders that compute floating-point sums")
    own, arguments = parser.parse_known_args()
    arguments += [f"tests/{folder}" for folder in NUMERIC if own.numeric]
    failed, skipped, number = [], [], 0
    for machine in machines():
        if own.only and own.only not in machine.name:
            continue
        if not takes_effect(machine):
            print(f"{machine.name}: not to be had on this computer, or not in this OpenBLAS", flush=True)
            skipped.append(machine.name)
            continue
        number += 1
        begun = time.monotonic()
        passed = run(machine, arguments)
        failed += [] if passed else [machine.name]
        verdict = "passed" if passed else "FAILED"
        print(f"{machine.name}: {verdict} in {time.monotonic() - begun:.0f} s", flush=True)
    print(
        f"{number - len(failed)} passed; failed: {', '.join(failed) or 'none'}; not run: {', '.join(skipped) or 'none'}"
    )
    return len(failed) or int(number == 0)  # a run of nothing is no success


if __name__ == "__main__":
    sys.exit(main())
