"""Cases: a tensor with its workloads and true answers, from a folder of the form of shared/cases."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ripost import Tensor
from ripost.errors import InputError

CASES = Path(__file__).parents[2] / "shared" / "cases"
RANGES = 200  # of each dimension, in the workload that bounds one
MOST_RANGES = 2000  # of all dimensions together
SEED = 0  # of the ranges; they are part of the case, so every trial asks the same


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


@lru_cache(maxsize=2)  # trials of a case follow each other
def load_case(name: str, folder: Path = CASES) -> Case:
    """The case with the workloads of its files, and those of one dimension and of the total if no file holds them."""
    place = folder / name
    domain = json.loads((place / "domain.json").read_text("utf-8"))
    cells = pq.read_table(place / "cells.parquet")
    coords = np.stack([cells[dimension].to_numpy() for dimension in domain], axis=1)
    tensor = Tensor.from_arrays(domain, coords, cells["count"].to_numpy())
    workloads = {}
    for path in sorted(place.glob("queries*.npy")):
        boxes = np.load(path)
        truth = np.load(place / path.name.replace("queries", "truth"))
        suffix = path.stem.removeprefix("queries").removeprefix("_k")
        bounded = int(suffix or len(domain))
        workloads[bounded] = Workload(bounded, boxes[:, :, 0], boxes[:, :, 1] + 1, truth)
    if 1 not in workloads:
        workloads[1] = _one_dimension(tensor)
    if 0 not in workloads:
        workloads[0] = _total(tensor)
    return Case(name, tensor, tuple(workloads.values()))


@cache
def case_digest(name: str, folder: Path = CASES) -> str:
    """A digest of a case's files: trials of another case of the same name do not count."""
    digest = hashlib.sha256()
    for path in sorted((folder / name).iterdir()):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _one_dimension(tensor: Tensor) -> Workload:
    """Random ranges of each axis in turn, drawn as in the files: length uniform, then start uniform."""
    rng = np.random.default_rng(SEED)
    shape = np.array(tensor.domain.shape)
    each = min(RANGES, max(1, MOST_RANGES // len(shape)))
    lower = np.zeros((each * len(shape), len(shape)), np.int64)
    upper = np.tile(shape, (len(lower), 1))
    for axis, size in enumerate(shape):
        rows = slice(axis * each, (axis + 1) * each)
        length = rng.integers(1, size, each, endpoint=True)
        lower[rows, axis] = rng.integers(0, size - length, endpoint=True)
        upper[rows, axis] = lower[rows, axis] + length
    return Workload(1, lower, upper, tensor.answer(lower, upper))


def _total(tensor: Tensor) -> Workload:
    upper = np.array([tensor.domain.shape], np.int64)
    return Workload(0, np.zeros_like(upper), upper, tensor.answer(np.zeros_like(upper), upper))
