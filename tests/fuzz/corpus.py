"""Corpus: sound view files of every method, of every kind of content and of every format, and archives of them."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import numpy as np
import pyarrow.parquet as pq

import ripost
from ripost.data.tensor import Tensor
from ripost.estimate.error_model import ErrorModel
from ripost.schema.domain import Domain
from ripost.series import encode_series, union
from ripost.view import View
from tests.answering.making import make_view
from tests.answering.mixing import mixed_view
from tests.fuzz.features import feature_views, monthly_views
from tests.release.forging import read_columns

Columns = dict[str, Any]

GOLDEN = Path(__file__).parents[1] / "release" / "golden"  # files of every format
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


@dataclass(frozen=True)
class Archive:
    """A sound series: its archive, and the release files in it by their names."""

    name: str
    content: bytes
    members: tuple[tuple[str, Sound], ...]


@cache
def views() -> dict[str, View]:
    """Small views: one of each method and feature, and blocks made by hand that have what methods seldom make."""
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
    return {**found, **feature_views()}


@cache
def series_views() -> dict[str, View]:
    """Small series."""
    return {name: union(parts) for name, parts in monthly_views().items()}


@cache
def sounds() -> tuple[Sound, ...]:
    """The files of these views, and those of every format."""
    found = []
    with TemporaryDirectory() as folder:
        for number, (name, view) in enumerate(views().items()):
            path = Path(folder) / str(number)
            view.save(path)
            found.append(read_sound(path, name))
            assert json.loads(found[-1].manifest)["method"] == view.method
    return (*found, *(read_sound(path, path.name) for path in sorted(GOLDEN.glob("*.parquet"))))


def read_sound(path: Path, name: str) -> Sound:
    table = pq.read_table(path)
    return Sound(name, path.read_bytes(), table.schema.metadata[b"ripost"].decode(), read_columns(table))


@cache
def archives() -> tuple[Archive, ...]:
    """The archives of series, of which some were written by an earlier version."""
    contents = {name: bytes(encode_series(series)) for name, series in series_views().items()}
    contents |= {path.name: path.read_bytes() for path in sorted((GOLDEN / "series").glob("*.zip"))}
    found = []
    for name, content in contents.items():
        with TemporaryDirectory() as folder, ZipFile(io.BytesIO(content)) as archive:
            paths = [(one, Path(archive.extract(one, folder))) for one in archive.namelist()]
            members = tuple((one, read_sound(path, name)) for one, path in paths)
        found.append(Archive(name, content, members))
    return tuple(found)
