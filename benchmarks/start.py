"""`ripost --help` against `python -c "import typer"`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.side_by_side import report, side_by_side


def main() -> None:
    command = Path(sys.executable).with_name("ripost")
    row = side_by_side(
        lambda: subprocess.run([command, "--help"], capture_output=True, check=True),
        lambda: subprocess.run([sys.executable, "-c", "import typer"], check=True),
        rounds=11,
    )
    report("start", {"ripost --help / import typer": row}, target=3)


if __name__ == "__main__":
    main()
