"""page: docs/explanation/benchmarks.md, written from the figures that the last run of `make bench` kept."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.growth import ALLOWED
from benchmarks.side_by_side import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "benchmarks.md"
RATIOS = ("publish", "publish_1e+07", "publish_1e+08", "memory_1e+08", "cells", "answer", "wide", "open", "start")
GROWTH = "growth"
METHODS = "methods"
HEAD = """# Benchmarks

`make bench` wrote this page in {minutes} on {cores} cores with Python {python}, DuckDB {duckdb}, NumPy {numpy}
and OpenDP {opendp}. Each ratio is the median of runs side by side, so other load affects both sides.
Seconds depend on the machine. [Where the time goes](profile.md) explains the missed targets.
"""


def write(minutes: float) -> None:
    """Write the page; the run took so many minutes."""
    PAGE.write_text("\n".join(lines(minutes)), "utf-8")


def lines(minutes: float) -> Iterator[str]:
    facts = {name: version(name) for name in ("duckdb", "numpy", "opendp")}
    yield HEAD.format(minutes=f"{minutes:.0f} minutes", cores=os.cpu_count(), python=platform.python_version(), **facts)
    yield "## Targets\n"
    yield "| what | theirs | ours | ratio | target | |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for name in RATIOS:
        if (kept := _read_result(name)) is not None:
            yield from _ratios(kept, memory=name.startswith("memory"))
    if (growth := _read_result(GROWTH)) is not None:
        yield "\n## Growth\n"
        yield "Each size runs in its own process. The power of n log n is fitted to the two largest sizes."
        yield f"The limit is {ALLOWED:g}, to allow for noise.\n"
        yield "| step | variable | size: seconds, MiB at the peak | power of n log n | |"
        yield "| --- | --- | --- | ---: | --- |"
        for name, row in growth.items():
            yield _growth(name, row)
    if (methods := _read_result(METHODS)) is not None:
        yield "\n## Methods\n"
        yield "One million flights in four dimensions at epsilon 1: the first publish of a process, with imports.\n"
        yield "| method | seconds | MiB at the peak |"
        yield "| --- | ---: | ---: |"
        for name, row in sorted(methods.items(), key=lambda item: item[1]["seconds"]):
            yield f"| {name} | {row['seconds']:.2f} | {row['mebibytes']:,.0f} |"
    yield ""


def _read_result(name: str) -> Any:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def _ratios(kept: dict[str, Any], *, memory: bool) -> Iterator[str]:
    sign = "≤" if kept["at_most"] else "≥"
    for title, row in kept["rows"].items():
        fine = row["ratio"] <= kept["target"] if kept["at_most"] else row["ratio"] >= kept["target"]
        theirs, ours = (f"{row[side]:,.0f} MiB" if memory else _seconds(row[side]) for side in ("theirs", "ours"))
        verdict = "ok" if fine else "**missed**"
        yield f"| {title} | {theirs} | {ours} | {row['ratio']:.2f} | {sign} {kept['target']:g} | {verdict} |"


def _growth(name: str, row: dict[str, Any]) -> str:
    step, variable = name.split(":")
    sizes = [
        f"{size:,}: {_seconds(found['seconds'])}, {found['mebibytes']:,.0f}"
        for size, found in zip(row["sizes"], row["found"], strict=True)
    ]
    verdict = "ok" if row["power"] <= ALLOWED else "**missed**"
    return f"| {step} | {variable} | {'<br>'.join(sizes)} | {row['power']:.2f} | {verdict} |"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f} ms" if seconds < 1 else f"{seconds:,.1f} s"
