"""A small made-up case for the tests of the experiments."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A folder with one small case, in the form of the shared ones."""
    folder = tmp_path / "cases" / "small"
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    table = rng.poisson(3, (6, 5))
    where = np.argwhere(table > 0)
    (folder / "domain.json").write_text(json.dumps({"a": 6, "b": 5}), "utf-8")
    columns = {"a": where[:, 0], "b": where[:, 1], "count": table[tuple(where.T)]}
    pq.write_table(pa.table(columns), folder / "cells.parquet")
    boxes = np.sort(rng.integers(0, 5, (40, 2, 2)), axis=2)
    np.save(folder / "queries.npy", boxes)
    np.save(folder / "truth.npy", [float(table[a : b + 1, c : d + 1].sum()) for (a, b), (c, d) in boxes])
    return folder.parent


@pytest.fixture
def figures(tmp_path: Path) -> Path:
    """A file of peers for the small case at epsilon 1."""
    path = tmp_path / "peers.csv"
    path.write_text(
        "case,k,method,eps,runs,rmse,sd,blocks,seconds\n"
        "small,2,answer zero,1.0,1,0.5,,0.0,0.0\n"
        "small,2,hdpview,1.0,10,9.0,1.0,4.0,2.0\n"
        "small,2,privtree,1.0,10,6.0,1.0,4.0,1.0\n",
        "utf-8",
    )
    return path
