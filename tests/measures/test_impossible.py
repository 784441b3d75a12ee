"""Sums in impossible cells are exactly 0, also with a mixture, and a file that says otherwise is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import ripost
from ripost.answering.content.tree import TreeContent
from ripost.errors import ReleaseError
from ripost.release.verify import verify_file
from ripost.schema.schema import Schema
from ripost.view import View

NAMES = ("a", "b", "c", "d", "e")
SCHEMA = Schema.from_dict(
    {
        "attributes": {
            name: {"type": "integer", "min": 0, "max": 5, "outside": "drop", "missing": "drop"} for name in NAMES
        },
        "impossible": ["a >= 4 and b < 3", "c = 0 and d = 5"],
        "measures": {"v": {"min": -20.0, "max": 60.0, "weight": 0.2}},
    }
)


def draw_table(rows: int = 12_000) -> pa.Table:
    """Attributes that depend on each other, without rows in impossible cells, and a value that depends on them."""
    rng = np.random.default_rng(3)
    group = rng.integers(0, 2, rows)
    codes = {name: np.minimum(rng.poisson(0.5 + 3 * group), 5) for name in NAMES}
    bad = ((codes["a"] >= 4) & (codes["b"] < 3)) | ((codes["c"] == 0) & (codes["d"] == 5))
    codes = {name: values[~bad] for name, values in codes.items()}
    return pa.table({**codes, "v": rng.normal(8 * codes["a"] - 4.0 * codes["c"], 5)})


TABLE = draw_table()


@pytest.fixture(scope="module")
def view() -> View:
    found = ripost.publish(TABLE, SCHEMA, epsilon=2, seed=1, protect=["a,b"])
    assert isinstance(found.content, TreeContent) and found.content.mixture is not None
    return found


def test_parts_of_impossible_cells_add_nothing(view: View) -> None:
    sums = view.measures["v"]
    assert isinstance(sums, TreeContent) and sums.mixture is not None
    for where in ("a >= 4 and b < 3", "a = 5 and b = 1", "c = 0 and d = 5 and e = 2", "a = 4 and b = 0 and e < 3"):
        total, mean = view.sum("v", where=where), view.mean("v", where=where)
        assert (total.value, total.stderr, total.low, total.high) == (0, 0, 0, 0), where
        assert np.isnan([mean.value, mean.low, mean.high]).all()
    lower = np.array([[4, 0, 0, 0, 0], [5, 1, 2, 0, 3]])
    assert sums.answers(lower, lower + np.array([[2, 3, 6, 6, 6], [1, 2, 4, 6, 3]])).tolist() == [0.0, 0.0]


def test_the_rest_is_near_the_truth(view: View) -> None:
    values, codes = TABLE["v"].to_numpy().clip(-20, 60), {name: TABLE[name].to_numpy() for name in NAMES}
    sure = view.at(0.9999)
    for where, here in {
        "a >= 4": codes["a"] >= 4,
        "a >= 4 and b < 5": (codes["a"] >= 4) & (codes["b"] < 5),
        "c = 0": codes["c"] == 0,
        "c < 2 and d = 5 or a = 1": ((codes["c"] < 2) & (codes["d"] == 5)) | (codes["a"] == 1),
    }.items():
        found = sure.sum("v", where=where)
        assert found.low <= values[here].sum() <= found.high, where
    assert float(view.sum("v")) == pytest.approx(values.sum(), rel=0.05)


def test_it_is_estimated_again(view: View) -> None:
    again = ripost.reestimate(view)
    assert again.to_arrow().equals(view.to_arrow())
    assert all(check.ok for check in verify_file(again.file))


@pytest.mark.parametrize("column", ["v_above", "v_correction", "v_variance"])
def test_a_sum_in_an_impossible_block_is_refused(view: View, column: str) -> None:
    tree = view.content.tree  # type: ignore[attr-defined]
    bad = {name: values.copy() for name, values in view.file.columns.items()}
    bad[column][view.domain.spine.is_impossible(tree.boxes.take(tree.leaves))] = 1.0
    with pytest.raises(ReleaseError, match="an impossible block is not 0"):
        replace(view.file, columns=bad).check_variances()
