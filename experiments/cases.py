"""Cases: a tensor with its workloads and true answers, from a folder of the form of shared/cases."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ripost import Tensor
from ripost.errors import InputError

ROOT = Path(__file__).parents[1]
CASES = ROOT.parent / "shared" / "cases"
PEERS = ROOT.parent / "shared" / "reference" / "peers.csv"


@dataclass(frozen=True)
class Workload:
    """Boxes and their true sums; `bounded` dimensions of each box are not the whole axis."""

    bounded: int
    lower: NDArray[np.int64]  # (n, d), inclusive
    upper: NDArray[np.int64]  # (n, d), exclusive
    truth: NDArray[np.float64]  # (n,)


@dataclass(frozen=True)
class Case:
    """A tensor and what is asked of it."""

    name: str
    tensor: Tensor
    workloads: tuple[Workload, ...]


def case_names(folder: Path = CASES) -> list[str]:
    if not folder.is_dir():
        raise InputError(f"there is no folder of cases at {folder}; give one with --cases")
    return sorted(path.parent.name for path in folder.glob("*/domain.json"))


def load_case(name: str, folder: Path = CASES) -> Case:
    place = folder / name
    domain = json.loads((place / "domain.json").read_text("utf-8"))
    cells = pq.read_table(place / "cells.parquet")
    coords = np.stack([cells[dimension].to_numpy() for dimension in domain], axis=1)
    tensor = Tensor.from_arrays(domain, coords, cells["count"].to_numpy())
    workloads = []
    for path in sorted(place.glob("queries*.npy")):
        boxes = np.load(path)
        truth = np.load(place / path.name.replace("queries", "truth"))
        suffix = path.stem.removeprefix("queries").removeprefix("_k")
        workloads.append(Workload(int(suffix or len(domain)), boxes[:, :, 0], boxes[:, :, 1] + 1, truth))
    return Case(name, tensor, tuple(workloads))


def best_peers(path: Path = PEERS) -> dict[tuple[str, int, float], tuple[str, float]]:
    """(case, bounded dimensions, epsilon) -> name and error of the best public peer; empty without the file."""
    import csv

    best: dict[tuple[str, int, float], tuple[str, float]] = {}
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                key = (row["case"], int(row["k"]), float(row["eps"]))
                error = float(row["rmse"])
                if key not in best or error < best[key][1]:
                    best[key] = (row["method"], error)
    return best
