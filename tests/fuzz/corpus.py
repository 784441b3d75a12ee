"""Corpus: sound view files of every method and every kind of content, from which fuzzers start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq

import ripost
from ripost.data.tensor import Tensor
from ripost.estimate.error_model import ErrorModel
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.making import make_view
from tests.answering.mixing import mixed_view
from tests.release.forging import read_columns

Columns = dict[str, Any]

SMALL = {
    "age": {"type": "integer", "min": 0, "max": 19, "width": 5, "outside": "other"},
    "place": {"type": "category", "values": ["A", "B", "Ü"], "missing": "drop"},
    "day": {"type": "date", "min": "2013-01-01", "max": "2013-03-31", "width": "1 month", "missing": "drop"},
}
EVERY_TYPE = SMALL | {
    "delay": {"type": "number", "min": 0, "max": 60.5, "bins": 5},
    "pay": {"type": "number", "edges": [0, 1, 10.5, 100], "missing": "drop"},
    "at": {"type": "timestamp", "min": "2013-01-01T00:00:00", "max": "2013-01-02T00:00:00", "width": "6 hour"},
    "ok": {"type": "boolean"},
}
QUICK: dict[str, dict[str, Any]] = {"p3gm": {"steps": 4, "iterations": 1, "components": 2, "hidden": 3, "rate": 0.25}}


@dataclass(frozen=True)
class Sound:
    """A file that is as it should be, whole and in parts."""

    name: str
    content: bytes
    manifest: str
    columns: Columns


@cache
def views() -> dict[str, View]:
    """Small views: one of each method, and blocks made by hand that have what methods seldom make."""
    rng = np.random.default_rng(7)
    domain = Domain.from_json(SMALL)
    coords = np.stack([rng.integers(0, size, 300) for size in domain.shape], axis=1)
    tensor = Tensor.from_arrays(domain, coords, np.ones(300, int))
    found = {
        name: ripost.publish(tensor, epsilon=2, method=name, seed=7, **QUICK.get(name, {})) for name in ripost.METHODS
    }
    wide = Domain.from_json(EVERY_TYPE)
    found["every type"] = make_view(wide, leaves=40, inner=0.5, marginals=True)
    found["smoothed"] = make_view(domain, leaves=12, marginals=True, error_model=ErrorModel(0.5, (18.0, None, 25.5)))
    found["mixture"] = mixed_view(domain, leaves=12, components=3)
    found["long"] = make_view((2**31 - 3, 2), leaves=9, inner=0.5)
    found["one cell"] = make_view((1,), leaves=1)
    return found


@cache
def sounds() -> tuple[Sound, ...]:
    """The files of these views."""
    found = []
    with TemporaryDirectory() as folder:
        for number, (name, view) in enumerate(views().items()):
            path = Path(folder) / str(number)
            view.save(path)
            table = pq.read_table(path)
            columns = read_columns(table)
            text = table.schema.metadata[b"ripost"].decode()
            assert json.loads(text)["method"] == view.method
            found.append(Sound(name, path.read_bytes(), text, columns))
    return tuple(found)
