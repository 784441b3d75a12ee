"""Frozen trials: all that a report is made from, in one Parquet file that is committed with it."""

from __future__ import annotations

import base64
import json
import os
import platform
import subprocess
import zlib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from experiments.datasets import NAMES, load
from experiments.pool import Outcome, Trial
from ripost import Tensor
from ripost.errors import InputError

COLUMNS = ("kind", "data", "attributes", "rows", "method", "epsilon", "seed", "records", "code")
PACKAGES = ("ripost", "numpy", "opendp", "dp-accounting", "pyarrow", "matplotlib")


def freeze(
    outcomes: list[tuple[Trial, Outcome]], facts: dict[str, str], path: Path, columns: Sequence[str] = COLUMNS
) -> None:
    """Write the trials in a fixed order with the facts of the run; the columns are the inputs of a trial."""
    rows = [{**{name: trial[name] for name in columns}, "outcome": json.dumps(outcome)} for trial, outcome in outcomes]
    rows.sort(key=lambda row: [str(row[name]).zfill(4) for name in columns])
    table = pa.Table.from_pylist(rows)
    table = table.replace_schema_metadata({name.encode(): fact.encode() for name, fact in facts.items()})
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd", compression_level=19)


def thaw(path: Path, columns: Sequence[str] = COLUMNS) -> tuple[list[tuple[Trial, Outcome]], dict[str, str]]:
    """The trials and facts of a file."""
    try:
        table = pq.read_table(path)
        facts = {name.decode(): fact.decode() for name, fact in (table.schema.metadata or {}).items()}
        rows = table.to_pylist()
        return [({name: row[name] for name in columns}, json.loads(row["outcome"])) for row in rows], facts
    except (OSError, pa.ArrowInvalid, KeyError, ValueError) as problem:
        raise InputError(f"{path} holds no trials of this report: {problem}") from None


def facts_of(plan: str, trials: int, data: Path | None) -> dict[str, str]:
    """What the report says of the run."""
    return {
        "plan": plan,
        "command": f"python -m experiments paper --{plan}",
        "trials": f"{trials:,}",
        **machine_facts(PACKAGES),
        **{f"source of {name}": load(name, data).source for name in NAMES},
        "cells of gowalla": _packed_cells(load("gowalla", data).tensor(("lat", "lon"))),
    }


def machine_facts(packages: Sequence[str]) -> dict[str, str]:
    """The machine, the versions and the commit that trials ran with."""
    versions = [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in packages)]
    return {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": ", ".join(versions),
        "commit": _commit(),
    }


def _commit() -> str:
    """The commit of the code, and whether files differ from it."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _packed_cells(tensor: Tensor) -> str:
    cells = np.column_stack([tensor.coords, tensor.counts]).astype("<i8")
    return base64.b64encode(zlib.compress(cells.tobytes(), 9)).decode("ascii")


def unpacked_cells(text: str) -> NDArray[np.int64]:
    """Non-empty cells and their counts, (n, 3)."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), "<i8").reshape(-1, 3)
