"""Buckets, matrices and samples answer as their definitions say, and survive a file."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tables import TableContent
from ripost.errors import ReleaseError
from ripost.release.verify import verify_view
from ripost.schema.domain import Domain
from ripost.view import View, open_view
from tests.answering.contents import KINDS, content_of, shapes
from tests.answering.making import Array, promise, random_boxes, seeds
from tests.answering.plain_tables import row_shares, table_variance
from tests.release.forging import forge


def cell_weights(shape: tuple[int, ...], lower: Array, upper: Array) -> Array:
    """The share of each cell that lies in a box: the definition."""
    weights = np.ones(shape)
    for cell in itertools.product(*map(range, shape)):
        for axis, code in enumerate(cell):
            weights[cell] *= max(0.0, min(upper[axis], code + 1) - max(lower[axis], code))
    return weights.ravel()


def exact(content: Content, weights: Array) -> tuple[float, float]:
    """The answer and the variance of its noise, by dense matrices."""
    if isinstance(content, SampleContent):
        dense = np.zeros(content.shape)
        np.add.at(dense, tuple(content.coords.T), content.values)
        return float(dense.ravel() @ weights), math.nan
    if isinstance(content, TableContent):
        return float(content.values @ row_shares(content, weights)), table_variance(content, weights)
    value = float(content.values @ weights)
    if isinstance(content, BucketContent):
        share = np.bincount(content.bucket, weights) / np.bincount(content.bucket)
        rows, precision = [], []
        for node in np.flatnonzero(np.isfinite(content.node_variances)):
            row = np.zeros(content.tree.shape[0])
            row[content.tree.boxes.lower[node, 0] : content.tree.boxes.upper[node, 0]] = 1
            rows.append(row)
            precision.append(1 / content.node_variances[node])
        normal = np.array(rows).T @ (np.array(precision)[:, None] * np.array(rows))
        return value, float(share @ np.linalg.solve(normal, share))
    assert isinstance(content, MatrixContent)
    normal = np.zeros((len(content.values),) * 2)
    for measured, weight in zip(content.stack.measured, content.stack.weight, strict=True):
        product = np.full((1, 1), weight)
        for gram, is_measured in zip(content.stack.grams, measured, strict=True):
            product = np.kron(product, gram if is_measured else np.ones_like(gram))
        normal += product
    return value, float(weights @ np.linalg.solve(normal, weights)) * content.variance


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(shape=shapes, seed=seeds, whole=st.booleans())
def test_answers_and_errors_are_those_of_the_definition(
    kind: str, shape: tuple[int, ...], seed: int, whole: bool
) -> None:
    content = content_of(kind, shape, seed)
    lower, upper = random_boxes(shape, 6, np.random.default_rng(seed), whole=whole)
    answers, variances = content.answers(lower, upper), content.variances(lower, upper)
    for box in range(len(lower)):
        value, variance = exact(content, cell_weights(shape, lower[box], upper[box]))
        assert answers[box] == pytest.approx(value, abs=1e-7)
        assert variances[box] == pytest.approx(variance, rel=1e-5, abs=1e-9, nan_ok=True)
        asked = content.selection({axis: [(lower[box, axis], upper[box, axis])] for axis in range(len(shape))})
        assert asked.value == pytest.approx(value, abs=1e-7)
        assert asked.stderr**2 == pytest.approx(variance, rel=1e-5, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(shape=shapes, seed=seeds)
def test_variances_of_cells(kind: str, shape: tuple[int, ...], seed: int) -> None:
    content = content_of(kind, shape, seed)
    blocks = content.blocks
    for row in range(min(8, len(blocks))):
        weights = cell_weights(shape, blocks.lower[row], blocks.upper[row])
        _, variance = exact(content, weights)
        if kind in ("sample", "tables"):
            assert math.isnan(blocks.variance[row])
        else:
            assert blocks.variance[row] == pytest.approx(variance, rel=1e-6)


def view_of(kind: str, shape: tuple[int, ...] = (5, 3, 4), seed: int = 1) -> View:
    return View(domain=Domain.of(shape), content=content_of(kind, shape, seed), privacy=promise(1), method="by hand")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1,), (5, 3, 4), (2, 1, 6)], ids=str)
def test_files_keep_everything(tmp_path: Path, kind: str, shape: tuple[int, ...]) -> None:
    view = view_of(kind, shape)
    view.save(tmp_path / "v")
    again = open_view(tmp_path / "v")
    assert all(check.ok for check in verify_view(tmp_path / "v"))
    boxes = random_boxes(shape, 50, np.random.default_rng(3), whole=False)
    np.testing.assert_array_equal(again.answer(*boxes), view.answer(*boxes))
    np.testing.assert_allclose(again.stderr(*boxes), view.stderr(*boxes), rtol=1e-12)
    assert str(again.count()) == str(view.count())
    assert repr(again) == repr(view) and again.total == view.total
    assert type(again.content) is type(view.content)
    again.save(tmp_path / "w")
    assert (tmp_path / "v").read_bytes() == (tmp_path / "w").read_bytes()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tables"])  # whose rows overlap
def test_sql_counts_them_like_blocks(tmp_path: Path, kind: str) -> None:
    import duckdb

    view = view_of(kind)
    view.save(tmp_path / "v.parquet")
    asked = "x0_lo >= 1 AND x0_hi <= 4 AND x2_lo >= 2"
    ((count,),) = duckdb.sql(f"SELECT SUM(value) FROM '{tmp_path / 'v.parquet'}' WHERE {asked}").fetchall()
    assert count == pytest.approx(view.answer([[1, 0, 2]], [[4, 3, 4]])[0])


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple),
    st.integers(1, 400),
    st.sampled_from([1, 3, 200]),
    seeds,
)
@settings(max_examples=60)
def test_words_of_cells_add_up_like_cells(shape: tuple[int, ...], records: int, weights: int, seed: int) -> None:
    """Whole boxes by bits, few weights and many, more than a word of cells each and fewer."""
    rng = np.random.default_rng(seed)
    coords = np.stack([rng.integers(0, size, records) for size in shape], axis=1)
    content = SampleContent.of(shape, coords, rng.integers(1, weights + 1, records) * 0.5)
    lower = np.stack([rng.integers(0, size + 1, 30) for size in shape], axis=1)
    upper = np.maximum(lower, np.stack([rng.integers(0, size + 1, 30) for size in shape], axis=1))
    upper[:10], lower[:5] = shape, 0
    inside = ((lower[:, None] <= content.coords) & (content.coords < upper[:, None])).all(axis=2)
    assert content.answers(lower.astype(float), upper.astype(float)).tolist() == (inside @ content.values).tolist()


def test_tables_that_would_be_too_large_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    content = content_of("sample", (5, 4), 1)
    boxes = np.zeros((20, 2)), np.tile([3.0, 4.0], (20, 1))
    by_words = content.answers(*boxes)
    monkeypatch.setattr("ripost.answering.content.bits.MOST_BYTES", 10)
    again = content_of("sample", (5, 4), 1)
    assert isinstance(again, SampleContent) and again._bits is None
    assert np.allclose(again.answers(*boxes), by_words)


def test_an_empty_sample_is_a_view() -> None:
    content = SampleContent.of((4, 4), np.zeros((0, 2), np.int64), np.zeros(0))
    assert content.answers(np.zeros((1, 2)), np.full((1, 2), 4.0)).tolist() == [0.0]
    assert "error unknown" in str(content.selection({}))


@pytest.mark.parametrize(
    ("kind", "column", "value", "sentence"),
    [
        ("buckets", "x1_lo", 2, "not the cells of the domain"),
        ("buckets", "bucket", 10**6, "buckets are not numbered"),
        ("buckets", "bucket", -1, "every cell must be in one bucket"),
        ("matrix", "x0_hi", 2, "not the cells of the domain"),
        ("sample", "x0_lo", 4, "not different cells in order"),
        ("sample", "x0_hi", 3, "not different cells in order"),
        ("sample", "value", -1.0, "weigh nothing below 0"),
        ("sample", "value", np.nan, "not a finite number"),
        ("matrix", "variance", -1.0, "a variance is negative"),
        ("tables", "x0_hi", 2, "not the cells of its tables"),
        ("tables", "value", np.inf, "not a finite number"),
    ],
)
def test_forged_rows_are_refused(tmp_path: Path, kind: str, column: str, value: float, sentence: str) -> None:
    path = tmp_path / "v"
    view_of(kind).save(path)

    def change(_: object, columns: dict[str, Array]) -> None:
        columns[column][3] = value

    forge(path, change)
    with pytest.raises(ReleaseError, match=sentence):
        open_view(path)
    assert not all(check.ok for check in verify_view(path))


@pytest.mark.parametrize(
    ("kind", "where", "value", "sentence"),
    [
        ("buckets", ("kind",), "matrix", "columns are not|parts of its manifest"),
        ("buckets", ("tree", "depths"), None, "parts of its manifest"),
        ("buckets", ("tree", "depths"), "", "depths"),
        ("buckets", ("marginals",), [None, None, None], "only blocks can have marginals"),
        ("tables", ("marginals",), None, "marginal of every attribute"),
        ("tables", ("marginals", 0), [0.0] * 5, "above 0 somewhere"),
        ("tables", ("matrix",), None, "parts of its manifest"),
        ("tables", ("matrix", "grams", 0), "eJw=", "Gram matrices"),
        ("tables", ("matrix", "products", 0, "axes"), [0, 0], "axes of the domain, in order"),
        ("tables", ("matrix", "products", 0, "axes"), [1, 2, 3], "axes of the domain, in order"),
        ("tables", ("matrix", "products", 0, "weight"), 0.0, "weight above 0"),
        ("tables", ("version",), 2, "of format 5"),
        ("matrix", ("matrix",), None, "parts of its manifest"),
        ("matrix", ("matrix", "grams"), [], "do not fit"),
        ("matrix", ("matrix", "grams", 0), "eJw=", "Gram matrices"),
        ("matrix", ("matrix", "products"), [], "wrong at matrix.products"),
        ("matrix", ("matrix", "products", 0, "axes"), [3], "dimension that is not there"),
        ("matrix", ("matrix", "products", 0, "axes"), [0], "one product must measure all dimensions"),
        ("matrix", ("matrix", "products", 0, "weight"), 0.0, "weight above 0"),
        ("sample", ("kind",), "blocks", "columns are not|parts of its manifest"),
        ("sample", ("kind",), "rows", "wrong at kind"),
    ],
)
def test_forged_manifests_are_refused(
    tmp_path: Path, kind: str, where: tuple[str | int, ...], value: object, sentence: str
) -> None:
    path = tmp_path / "v"
    view_of(kind).save(path)

    def change(manifest: dict[str, object], _: object) -> None:
        inside: object = manifest
        for step in where[:-1]:
            inside = inside[step]  # type: ignore[index]
        inside[where[-1]] = value  # type: ignore[index]

    forge(path, change)
    with pytest.raises(ReleaseError, match=sentence):
        open_view(path)


def test_contents_that_make_no_sense() -> None:
    view = content_of("matrix", (3, 2), 0)
    assert isinstance(view, MatrixContent)
    for wrong, message in [([[1.0, 2.0], [0.0, 1.0]], "symmetric"), ([[1.0, 1.0], [1.0, 1.0]], "tell all codes apart")]:
        stack = replace(view.stack, grams=(view.stack.grams[0], np.array(wrong)))
        with pytest.raises(ValueError, match=message):
            MatrixContent((3, 2), values=view.values, stack=stack, variance=1.0)
    with pytest.raises(ValueError, match="value for every cell"):
        MatrixContent((3, 2), values=[1.0], stack=view.stack, variance=1.0)
    with pytest.raises(ValueError, match="code for each axis"):
        SampleContent((3, 2), coords=np.zeros((2, 1), np.int64), values=[1.0, 2.0])
    with pytest.raises(ValueError, match="shape of the domain"):
        View(domain=Domain.of((2, 2)), content=view, privacy=promise(1), method="by hand")
