"""The four data sets of the RIPOST paper, coded as in its experiments: from local files, or from their publishers.

A file is looked for in the folder given, else in that named by RIPOST_DATA, else in shared/data beside the project,
then among earlier downloads; if there is none it is downloaded.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from experiments.datasets.attributes import ATTRIBUTES
from experiments.datasets.dataset import Dataset
from experiments.datasets.downloading import cache_folder, download
from experiments.datasets.publishers import PUBLISHERS
from experiments.datasets.stored import STORED, Stored, valid_places
from experiments.datasets.synthetic import SyntheticDataset
from ripost.errors import InputError, suggest_nearest

__all__ = ["NAMES", "SHARED", "Dataset", "load", "read"]

NAMES = tuple(ATTRIBUTES)
SHARED = Path(__file__).parents[3] / "shared" / "data"


def load(name: str, folder: Path | None = None) -> Dataset:
    """A data set by its name, read and coded once."""
    if name == "synth":
        return _synthetic(folder)
    if name not in ATTRIBUTES:
        raise InputError(f"there is no data set {name!r}; {suggest_nearest(name, NAMES)}")
    return _encode(name, *_locate(name, folder))


def read(name: str, folder: Path | None = None) -> pa.Table:
    """The checked table of a data set, before it is coded."""
    stored, path = _locate(name, folder)
    return stored.read(path)


def _locate(name: str, folder: Path | None) -> tuple[Stored, Path]:
    """The file of a data set, which is downloaded if there is none."""
    found = _find(name, folder or Path(os.environ.get("RIPOST_DATA") or SHARED))
    return found or (PUBLISHERS[name].stored, download(name, cache_folder()))


def _find(name: str, folder: Path) -> tuple[Stored, Path] | None:
    for place in (folder, cache_folder()):
        for stored in STORED[name]:
            if (place / stored.file).is_file():
                return stored, place / stored.file
    return None


@lru_cache(maxsize=1)
def _synthetic(folder: Path | None) -> Dataset:
    return SyntheticDataset.of(load("adult", folder))


@lru_cache(maxsize=len(NAMES))
def _encode(name: str, stored: Stored, path: Path) -> Dataset:
    table = stored.read(path)
    if name == "jm1":
        table = table.drop_null()
    if name == "gowalla":
        table = valid_places(table)
    columns = []
    for attribute in ATTRIBUTES[name]:
        try:
            columns.append(attribute.coding.code(table[attribute.column]))
        except InputError as problem:
            raise InputError(f"{attribute.column} of {path} {problem}") from None
    used = f"{stored.rows:,} rows" if len(table) == stored.rows else f"{len(table):,} of {stored.rows:,} rows used"
    return Dataset(
        name,
        {attribute.name: attribute.coding.size for attribute in ATTRIBUTES[name]},
        np.stack(columns, axis=1),
        f"{stored.what}, {stored.file}, {used}, {stored.origin(path)}",
        {attribute.name: attribute.coding.text for attribute in ATTRIBUTES[name]},
    )
