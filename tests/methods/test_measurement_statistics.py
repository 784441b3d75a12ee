"""Statistics from the stored measurements alone: least squares equals the library's, and values are unbiased."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

import ripost
from ripost.data.tensor import Tensor

SHAPE = (8, 6)
ENDS = ("lo", "hi")


def some_table() -> Tensor:
    rng = np.random.default_rng(2)
    coords = np.stack([rng.binomial(7, 0.3, 900), rng.binomial(5, 0.6, 900)], axis=1)
    return Tensor.from_arrays(SHAPE, coords, np.ones(900, np.int64))


def design(table: pa.Table) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Which cells each measurement is the total of, its value, and its standard deviation."""
    cells = np.indices(SHAPE).reshape(2, -1)
    inside = np.ones((table.num_rows, cells.shape[1]), bool)
    for axis in range(2):
        low, high = (table[f"x{axis}_{end}"].to_numpy()[:, None] for end in ("lo", "hi"))
        inside &= (cells[axis] >= low) & (cells[axis] < high)
    return inside.astype(float), table["value"].to_numpy(), np.sqrt(table["variance"].to_numpy())


@pytest.mark.parametrize(("method", "options"), [("quadtree", {}), ("hierarchy", {}), ("ripost", {"refine": True})])
def test_least_squares_from_the_file_alone_is_the_library_s(
    method: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """The weighted least-squares solution of all stored measurements gives every block the value in the file."""
    ripost.publish(some_table(), epsilon=1, seed=3, method=method, **options).save(tmp_path / "v")
    view = ripost.open(tmp_path / "v")
    inside, value, deviation = design(view.measurements())
    found = np.linalg.lstsq(inside / deviation[:, None], value / deviation, rcond=None)[0].reshape(SHAPE)
    blocks = view.blocks
    for low, high, expected in zip(blocks.lower.tolist(), blocks.upper.tolist(), blocks.value.tolist(), strict=True):
        total = found[low[0] : high[0], low[1] : high[1]].sum()
        assert total == pytest.approx(expected, rel=1e-9, abs=1e-9 * abs(value).max())


def test_the_best_total_in_duckdb(tmp_path: Path) -> None:
    """Both draws of a uniform grid cover the whole domain: its total is their mean, weighted by precision."""
    ripost.publish(some_table(), epsilon=1, seed=3, method="uniform-grid").save(tmp_path / "v")
    view = ripost.open(tmp_path / "v")
    pq.write_table(view.measurements(), tmp_path / "measurements.parquet")
    found = duckdb.sql(
        f"SELECT entry, SUM(value), SUM(variance) FROM '{tmp_path / 'measurements.parquet'}' GROUP BY entry"
    ).fetchall()
    weights = np.array([1 / noise for _, _, noise in found])
    mean = float(np.average([total for _, total, _ in found], weights=weights))
    assert mean == pytest.approx(float(view.answer([0, 0], SHAPE)[0]), rel=1e-9)


def wide_table() -> Tensor:
    """Attributes that depend on each other, so that ripost+ measures tables of their pairs."""
    rng = np.random.default_rng(2)
    group = rng.integers(0, 2, 9000)
    shape = (9, 8, 7, 6, 5)
    coords = np.stack([np.minimum(rng.poisson(0.5 + 2 * group), size - 1) for size in shape], axis=1)
    return Tensor.from_arrays(shape, coords, np.ones(9000, np.int64))


@pytest.mark.parametrize(
    ("method", "options", "seeds"),
    [
        ("ripost+", {}, 60),
        ("ripost+", {"delta": 1e-6}, 60),
        ("ripost+", {"pairs": True}, 4),  # the wide table
        ("identity", {}, 60),
        ("ripost", {}, 60),
    ],
)
def test_values_are_unbiased_and_as_noisy_as_stated(method: str, options: dict[str, Any], seeds: int) -> None:
    """Over some seeds: the mean of all standardized errors, and the mean of their squares.

    Errors of different draws are independent, also where later blocks depend on earlier values. With n of them the
    mean is within 5 / sqrt(n) of 0 but for one run in 1.7 million. Squares have a variance of at most 5 (Laplace), so
    their mean is within 5 sqrt(5 / n) of 1, but for about as few. No block is chosen by the noise of its own draw.
    """
    tensor = wide_table() if "pairs" in options else some_table()
    errors = []
    for seed in range(seeds):
        table = ripost.publish(tensor, epsilon=1, seed=seed, method=method, **options).measurements()
        table = table.filter(pc.is_valid(table["x0_lo"]))
        assert ("pairs" in options) == any("pairs" in purpose for purpose in table["purpose"].to_pylist())
        value, deviation = table["value"].to_numpy(), np.sqrt(table["variance"].to_numpy())
        names = tensor.domain.names
        truth = tensor.answer(*(np.stack([table[f"{name}_{end}"].to_numpy() for name in names], 1) for end in ENDS))
        errors.append((value - truth) / deviation)
    found = np.concatenate(errors)
    assert abs(found.mean()) < 5 / np.sqrt(len(found))
    assert abs((found**2).mean() - 1) < 5 * np.sqrt(5 / len(found))


def test_a_planted_bias_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: it sees values that are one count too high."""
    from ripost.privacy.seeded_noise import SeededNoise

    draw = SeededNoise.laplace
    monkeypatch.setattr(SeededNoise, "laplace", lambda *given: draw(*given) + 1)
    with pytest.raises(AssertionError):
        test_values_are_unbiased_and_as_noisy_as_stated("identity", {}, 60)
