"""A saved view comes back the same; writing is all or nothing."""

from __future__ import annotations

import errno
import json
import os
import platform
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.errors import ReleaseError
from ripost.privacy.ledger_check import variance_range
from ripost.release.atomic import check_target, write_whole
from ripost.release.verify import verify_view
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure, Unit
from ripost.view import View, open_view
from tests.answering.making import blocks_of, make_view, promise, random_boxes, seeds, shapes, sizes
from tests.marks import posix

EVERY_KIND = Domain.from_json(
    {
        "age": {"type": "integer", "min": 0, "max": 99, "width": 5, "outside": "other"},
        "delay": {"type": "number", "min": 0, "max": 60.5, "bins": 20},
        "pay": {"type": "number", "edges": [0, 1, 10.5, 100]},
        "day": {"type": "date", "min": "2013-01-01", "max": "2013-12-31", "width": "1 month"},
        "at": {"type": "timestamp", "min": "2013-01-01T00:00:00", "max": "2013-01-02T00:00:00", "width": "1 hour"},
        "where": {"type": "category", "values": ["A", "B", "Ü"], "label": "Ort", "unit": "x", "column": "w"},
        "ok": {"type": "boolean", "missing": "drop"},
    }
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def assert_same(one: View, other: View) -> None:
    """Both know the same and answer the same."""
    for name in ("domain", "measure", "method", "parameters", "privacy", "software"):
        assert getattr(one, name) == getattr(other, name), name
    np.testing.assert_array_equal(one.content.values, other.content.values)
    np.testing.assert_array_equal(one.blocks.lower, other.blocks.lower)
    np.testing.assert_array_equal(one.blocks.upper, other.blocks.upper)
    np.testing.assert_allclose(one.blocks.variance, other.blocks.variance)
    lower, upper = random_boxes(one.domain.shape, 10, np.random.default_rng(0), whole=False)
    np.testing.assert_allclose(one.answer(lower, upper), other.answer(lower, upper), rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(one.stderr(lower, upper), other.stderr(lower, upper), rtol=1e-12)


@settings(max_examples=30, deadline=None)
@given(shapes, sizes, seeds, st.booleans(), st.sampled_from([0.0, 0.5, 1.0]))
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    shape: tuple[int, ...],
    leaves: int,
    seed: int,
    marginals: bool,
    inner: float,
) -> None:
    path = tmp_path_factory.mktemp("file") / "v.ripost.parquet"
    view = make_view(shape, leaves=leaves, seed=seed, marginals=marginals, inner=inner)
    view.save(path)
    assert_same(view, open_view(path))
    assert all(check.ok for check in verify_view(path))


def test_round_trip_of_every_kind_of_attribute(tmp_path: Path) -> None:
    unit = Unit("person", 3)
    view = make_view(
        EVERY_KIND,
        leaves=40,
        inner=0.3,
        measure=Measure("pay", 0.25, 400),
        privacy=promise(40, epsilon="3/10", entropy="seed 7", unit=unit, bound=400, draws=80),
        density=[None if size > 20 else np.ones(size) for size in EVERY_KIND.shape],
        parameters={"k": 5, "nested": {"list": [1, 2.5, None, "ä"]}},
    )
    view.save(tmp_path / "v")
    opened = open_view(tmp_path / "v")
    assert_same(view, opened)
    assert opened.count(where="Ü", age=(20, 30)) == pytest.approx(view.count(where="Ü", age=(20, 30)))
    assert "NOT PRIVATE" in repr(opened)


@pytest.mark.parametrize(
    "dimensions",
    [
        ["x", "x_lo", "x_hi", "value", "variance", "depth", "x_lo_lo"],
        ["a", "A", " ", "", "a b", 'quote"d', "new\nline", "<b>", "日本", "a_"],
    ],
)
def test_any_names(tmp_path: Path, dimensions: list[str]) -> None:
    view = make_view(Domain.of(dict.fromkeys(dimensions, 3)), leaves=9)
    view.save(tmp_path / "v")
    assert_same(view, open_view(tmp_path / "v"))


def test_absurd_domains(tmp_path: Path) -> None:
    for name, shape in {"wide": (43,) * 35, "long": (2**31 - 3, 2), "cell": (1,)}.items():
        view = make_view(shape, leaves=30, inner=0.5)
        view.save(tmp_path / name)
        assert_same(view, open_view(tmp_path / name))


def test_many_distinct_variances(tmp_path: Path) -> None:
    view = make_view((300, 300), leaves=40_000, inner=1.0)
    most = variance_range(view.privacy)[1]
    variances = np.random.default_rng(0).uniform(most / 2, most, len(blocks_of(view).tree))
    many = make_view((300, 300), leaves=40_000, inner=1.0, variances=variances)
    many.save(tmp_path / "v")
    np.testing.assert_allclose(open_view(tmp_path / "v").blocks.variance, many.blocks.variance)


def test_the_same_view_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        make_view(inner=0.5, marginals=True).save(tmp_path / name)
    opened = open_view(tmp_path / "a")
    opened.save(tmp_path / "c")
    contents = {(tmp_path / name).read_bytes() for name in "abc"}
    assert len(contents) == 1
    (content,) = contents
    for fact in (str(tmp_path), Path.home().name, platform.node()):
        assert len(fact) < 5 or fact.encode() not in content


def test_opening_draws_no_tree(tmp_path: Path) -> None:
    make_view().save(tmp_path / "v")
    opened = open_view(tmp_path / "v")
    assert opened.total and repr(opened) and opened._repr_html_()
    assert "tree" not in vars(opened)


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_text("precious")
    with pytest.raises(ReleaseError, match="exists already"):
        make_view().save(path)
    with pytest.raises(ReleaseError, match="exists already"):
        check_target(path, force=False)
    assert path.read_text() == "precious"
    make_view().save(path, force=True)
    assert open_view(path)
    assert names(tmp_path) == ["v"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("none/v", "folder does not exist"),
        (".", "is a folder"),
        ("a\0b", "not a file name"),
        ("x" * 300, "name is too long"),
    ],
)
def test_targets_that_cannot_be(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(ReleaseError, match=sentence):
        make_view().save(tmp_path / name)
    assert names(tmp_path) == []


def test_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere, so it is told that it may not
    for attempt in (make_view().save, lambda path: check_target(path, force=False)):
        with pytest.raises(ReleaseError, match="permission"):
            attempt(tmp_path / "v")


@posix
@pytest.mark.parametrize(
    ("call", "number", "sentence"),
    [
        ("fsync", errno.ENOSPC, "disk is full"),
        ("fchmod", errno.EROFS, "read-only"),
        ("fdopen", errno.EIO, "Input/output error"),
    ],
)
def test_a_failed_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, sentence: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    old = tmp_path / "v"
    old.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(ReleaseError, match=sentence):
            make_view().save(old, force=True)
    assert names(tmp_path) == ["v"] and old.read_text() == "old"


def test_a_stopped_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "v", b"content", force=False)
    assert names(tmp_path) == []


@posix
def test_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Private while it is written, as usual when it is done."""
    seen = []
    usual = os.fchmod

    def watch(handle: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        usual(handle, mode)

    monkeypatch.setattr(os, "fchmod", watch)
    mask = os.umask(0o027)
    try:
        make_view().save(tmp_path / "v")
    finally:
        os.umask(mask)
    assert seen == [0o600]
    assert stat.S_IMODE((tmp_path / "v").stat().st_mode) == 0o640


def test_a_ledger_that_does_not_add_up_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="every block"):
        make_view(privacy=promise(7)).save(tmp_path / "v")
    assert names(tmp_path) == []


def test_common_tools_read_it(tmp_path: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow.parquet as pq

    view, path = make_view(), tmp_path / "v.parquet"
    view.save(path)
    frames = [
        pd.read_parquet(path),
        pl.read_parquet(path),
        pq.read_table(path).to_pandas(),
        duckdb.sql(f"FROM '{path}'").df(),
    ]
    for frame in frames:
        columns = [f"x{axis}_{end}" for axis in range(3) for end in ("lo", "hi")]
        assert list(frame.columns) == [*columns, "value", "variance", "depth"]
        np.testing.assert_array_equal(np.asarray(frame["value"]), view.content.values)
        np.testing.assert_array_equal(np.asarray(frame["x1_hi"]), view.blocks.upper[:, 1])


def test_a_view_opens_without_heavy_libraries(tmp_path: Path) -> None:
    make_view().save(tmp_path / "v")
    code = (
        "import sys; from ripost.view import open_view; print(open_view(sys.argv[1]).count().value);"
        "print(sorted({'ibis', 'duckdb', 'opendp', 'pandas', 'polars', 'sqlglot', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "v")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    value, loaded = done.stdout.splitlines()
    assert float(value) == pytest.approx(make_view().total)
    assert json.loads(loaded.replace("'", '"')) == []
