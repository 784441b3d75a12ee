"""A view that is estimated again from its own file is the same view, and costs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.answering.content.tree import TreeContent
from ripost.data.tensor import Tensor
from ripost.errors import InputError, ReleaseError
from ripost.release.verify import verify_view
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure
from tests.release.forging import Columns, Manifest, forge

WITH_MIXTURE = ("mixture", "mixture with delta", "protected")
WIDE = (9, 8, 7, 6, 5, 4)


def draw_table(shape: tuple[int, ...], rows: int, *, measure: Measure | None = None) -> Tensor:
    """Rows whose attributes depend on each other."""
    rng = np.random.default_rng(11)
    group = rng.integers(0, 3, rows)
    coords = np.stack([np.minimum(rng.poisson(1 + group * size / 4), size - 1) for size in shape], axis=1)
    counts = np.ones(rows, np.int64) if measure is None else rng.integers(0, measure.bound, rows)
    domain = Domain.from_json(
        {f"x{i}": {"type": "integer", "min": 0, "max": n - 1, "missing": "drop"} for i, n in enumerate(shape)}
    )
    made = Tensor.from_arrays(domain, coords, counts)
    return made if measure is None else Tensor(made.domain, made.coords, made.counts, measure)


CASES: dict[str, tuple[tuple[int, ...], int, dict[str, Any]]] = {
    "mixture": (WIDE, 60_000, {}),
    "mixture with delta": (WIDE, 60_000, {"delta": 1e-9}),
    "protected": (WIDE, 60_000, {"protect": ["x0,x1", "x4,x5"]}),
    "without a mixture": (WIDE, 60_000, {"pairs": False}),
    "dense": ((4, 5, 3), 20_000, {}),
    "dense with delta": ((4, 5, 3), 20_000, {"delta": 1e-9}),
    "few rows": ((4, 5, 3), 20, {}),
    "two attributes": ((60, 50), 20_000, {}),
    "one attribute": ((300,), 20_000, {}),
    "a size of one": ((1, 20, 1), 5_000, {}),
    "one cell": ((1,), 5_000, {}),
    "least squares only": ((60, 50), 20_000, {"shrink": False, "joint": False, "refit": False}),
    "ripost": ((60, 50), 20_000, {"method": "ripost"}),
    "ripost, refined": ((60, 50), 20_000, {"method": "ripost", "refine": True}),
    "ripost, unspent": ((60, 50), 20_000, {"method": "ripost", "reuse_unspent": True}),
    "identity": ((12, 7), 3_000, {"method": "identity"}),
    "quadtree": ((16, 16), 3_000, {"method": "quadtree"}),
    "privtree": ((16, 16), 3_000, {"method": "privtree"}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_software_gives_the_same_view(case: str, tmp_path: Path) -> None:
    shape, rows, options = CASES[case]
    published = ripost.publish(draw_table(shape, rows), epsilon=1, seed=7, **options)
    assert isinstance(published.content, TreeContent)
    assert (published.content.mixture is not None) == (case in WITH_MIXTURE)
    published.save(tmp_path / "old")
    again = ripost.reestimate(tmp_path / "old")
    for name, column in published.file.columns.items():
        assert np.array_equal(again.file.columns[name], column), name  # to the last bit
    old, new = published.file.manifest, again.file.manifest
    for part in ("marginals", "mixture", "error_model", "tree", "privacy", "measurements", "parameters", "domain"):
        assert getattr(new, part) == getattr(old, part), part


def test_sums(tmp_path: Path) -> None:
    tensor = draw_table((30, 20), 4_000, measure=Measure("pay", 0.5, 9))
    published = ripost.publish(tensor, epsilon=1, seed=7)
    published.save(tmp_path / "old")
    assert np.array_equal(ripost.reestimate(tmp_path / "old").blocks.value, published.blocks.value)


def test_the_new_view_names_the_old_one_and_keeps_its_promise(tmp_path: Path) -> None:
    published = ripost.publish(draw_table((6, 5), 3_000), epsilon="1/3", seed=7)
    published.save(tmp_path / "old")
    again = ripost.reestimate(tmp_path / "old")
    again.save(tmp_path / "new")
    opened = ripost.open(tmp_path / "new")
    assert opened.origin is not None
    assert opened.origin.digest == published.file.manifest.digest
    assert opened.origin.software == published.software
    assert opened.privacy == published.privacy
    assert all(check.ok for check in verify_view(tmp_path / "new"))
    third = ripost.reestimate(opened)
    assert third.origin == opened.origin  # the one that drew noise


def test_no_row_is_read_and_no_noise_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ripost.data.dataset import Dataset
    from ripost.privacy.account import Account
    from ripost.privacy.noise import SystemNoise

    ripost.publish(draw_table(WIDE, 60_000), epsilon=1, seed=7).save(tmp_path / "old")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("this is not post-processing")

    for kind in (Account, Dataset, SystemNoise):
        monkeypatch.setattr(kind, "__init__", refuse)
    assert len(ripost.reestimate(tmp_path / "old").blocks)


@pytest.mark.parametrize("method", ["privbayes", "dawa", "hdmm"])
def test_a_method_without_an_estimator_says_so(method: str) -> None:
    view = ripost.publish(draw_table((4, 3), 500), epsilon=1, seed=1, method=method)
    assert view.measurements().num_rows
    with pytest.raises(InputError, match=f"^method {method} has no estimator that starts from stored measurements"):
        ripost.reestimate(view)


def test_a_view_without_measurements_says_so() -> None:
    view = ripost.publish(draw_table((4, 3), 500), epsilon=1, seed=1, measurements=False)
    with pytest.raises(InputError, match="holds no noisy measurements"):
        ripost.reestimate(view)


def test_a_parameter_that_is_gone_is_named(tmp_path: Path) -> None:
    ripost.publish(draw_table((4, 3), 500), epsilon=1, seed=1).save(tmp_path / "old")
    forge(tmp_path / "old", lambda manifest, _: manifest["parameters"].update(wings=2))
    with pytest.raises(InputError, match="no longer has 'wings'"):
        ripost.reestimate(tmp_path / "old")


def test_measurements_of_another_method_are_refused(tmp_path: Path) -> None:
    """A file that lost the description of a histogram is sound, but ripost+ cannot start from it."""
    ripost.publish(draw_table((6, 5), 3_000), epsilon=1, seed=1).save(tmp_path / "old")

    def forget(manifest: Manifest, _: Columns) -> None:
        manifest["measurements"]["tables"].pop()

    forge(tmp_path / "old", forget)
    with pytest.raises(ReleaseError, match="not those that ripost\\+ makes"):
        ripost.reestimate(tmp_path / "old")
