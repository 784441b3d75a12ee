"""side_by_side: two things timed in turn, so that a noisy machine disturbs both alike."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def side_by_side(
    ours: Callable[[], Any], theirs: Callable[[], Any], *, rounds: int = 7, warm: bool = True
) -> dict[str, float]:
    """Median seconds of both, and the median of the ratios of neighbouring runs."""
    if warm:
        ours(), theirs()  # imports and caches
    pairs = []
    for _ in range(rounds):
        pairs.append((_seconds(theirs), _seconds(ours)))
    return {
        "theirs": statistics.median(a for a, _ in pairs),
        "ours": statistics.median(b for _, b in pairs),
        "ratio": statistics.median(b / a for a, b in pairs),
    }


def _seconds(run: Callable[[], Any]) -> float:
    gc.collect()
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def report(
    name: str, rows: dict[str, dict[str, float]], *, target: float, at_most: bool = True, unit: str = "ms"
) -> None:
    """Print a line a row, say whether the target holds, and keep the figures."""
    RESULTS.mkdir(exist_ok=True)
    kept = {"target": target, "at_most": at_most, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
    for title, row in rows.items():
        fine = row["ratio"] <= target if at_most else row["ratio"] >= target
        factor = 1e3 if unit == "ms" else 1
        print(
            f"{name:10} {title:52} {row['theirs'] * factor:9.1f} {unit}  {row['ours'] * factor:9.1f} {unit}  "
            f"ratio {row['ratio']:6.2f}  target {'<=' if at_most else '>='} {target:g}  {'ok' if fine else 'MISSED'}"
        )
