"""compare: errors and coverage of methods on a table of one's own, in a frame that prints itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ripost
from ripost.comparing.measure import Case, measure_errors
from ripost.errors import InputError, SchemaError
from ripost.query.table import Table

BOXES = (np.array([[0, 0], [1, 2]]), np.array([[2, 6], [4, 5]]))


@pytest.fixture(scope="module")
def tensor() -> ripost.Tensor:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 4, 3000)
    return ripost.Tensor.from_arrays((4, 6), np.stack([first, first + rng.integers(0, 3, 3000)], 1), np.ones(3000, int))


@pytest.fixture(scope="module")
def comparison(tensor: ripost.Tensor) -> Table:
    delta = ripost.METHODS["ripost+"](delta=1e-9)
    return ripost.compare(tensor, epsilon=1, methods=["identity", delta, "privsyn"], runs=2)


def test_a_row_is_a_workload_of_a_method(comparison: Table) -> None:
    assert dict.fromkeys(comparison["workload"]) == dict.fromkeys(
        ["k=1", "all", "groups", "one-way cells", "two-way cells"]
    )
    assert set(comparison["method"]) == {"identity", "ripost+[delta=1e-09]", "privsyn"} and len(comparison) == 15
    promises = dict(zip(comparison["method"], comparison["promise"], strict=True))
    assert promises["identity"] == "epsilon" and promises["privsyn"] == "epsilon, 1e-09"
    assert all(error >= 0 for error in comparison["error_stderr"])


def test_methods_of_a_workload_stand_by_rising_error(comparison: Table) -> None:
    for workload in set(comparison["workload"]):
        errors = [row["error"] for row in comparison if row["workload"] == workload]
        assert errors == sorted(errors)


def test_errors_are_those_of_the_views(comparison: Table, tensor: ripost.Tensor) -> None:
    views = [ripost.publish(tensor, epsilon=1, method="identity", seed=seed) for seed in range(2)]
    errors = [measure_errors(Case.of(tensor), view.answer)["error"]["two-way cells"] for view in views]
    (row,) = [row for row in comparison if (row["workload"], row["method"]) == ("two-way cells", "identity")]
    assert row["error"] == pytest.approx(np.mean(errors))
    assert row["error_stderr"] == pytest.approx(np.std(errors, ddof=1) / 2**0.5)


def test_coverage_is_told_where_there_are_intervals(comparison: Table) -> None:
    inside = {row["method"]: row["inside"] for row in comparison if row["workload"] == "all"}
    assert inside["privsyn"] is None and 0.5 < inside["identity"] <= 1


def test_the_result_says_that_it_is_not_private(comparison: Table) -> None:
    told = str(comparison)
    assert told.startswith("NOT PRIVATE: these errors were measured against the rows themselves")
    assert comparison.to_arrow().schema.metadata[b"ripost"].startswith(b"NOT PRIVATE")
    assert "%" in told and " - " in told and told.rstrip().endswith("over the total")


def test_a_workload_is_asked_alone_and_tunes_methods(tensor: ripost.Tensor) -> None:
    found = ripost.compare(tensor, epsilon=1, methods=["hdmm", "identity"], workload=BOXES, runs=1)
    assert set(found["workload"]) == {"workload"} and found["error_stderr"] == [None, None]
    tuned = ripost.publish(tensor, epsilon=1, method="hdmm", workload=BOXES, seed=0)
    missed = tuned.answer(*BOXES) - tensor.answer(*BOXES)
    errors = dict(zip(found["method"], found["error"], strict=True))
    assert errors["hdmm"] == pytest.approx(np.sqrt((missed**2).mean()))


def test_a_method_that_refuses_is_named_with_its_reason() -> None:
    wide = ripost.Tensor.from_arrays([100] * 6, [[0] * 6], [50])
    found = ripost.compare(
        wide, epsilon=1, methods=["identity", "uniform-grid"], workload=([[0] * 6], [[1] * 6]), runs=1
    )
    assert found["method"] == ["uniform-grid"] and "without identity: identity needs a value for each" in found.note


def test_a_table_is_read_with_its_schema_and_its_unit(tmp_path: Path) -> None:
    rows = pd.DataFrame({"who": np.repeat(np.arange(500), 2), "size": np.tile(["S", "L"], 500)})
    text = 'unit = "who"\nmax_rows = 2\n[attributes.size]\ntype = "category"\nvalues = ["S", "L"]\n'
    (tmp_path / "schema.toml").write_text(text, "utf-8")
    boxes = ([[0]], [[1]])
    found = ripost.compare(rows, tmp_path / "schema.toml", epsilon=1, methods=["identity"], workload=boxes, runs=40)
    assert 1.5 < found["error"][0] < 6  # the scale of the noise is 2 rows a cell: 2.8 is expected


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"runs": 0}, "runs must be a whole number from 1, got 0"),
        ({"methods": "ripost+"}, "methods must be a list"),
        ({"methods": ["riposte"]}, "did you mean 'ripost'"),
        ({"workload": ([[0]], [[1]])}, r"needs lower and upper of shape \(n, 2\)"),
        ({"epsilon": -1}, "epsilon must be"),
    ],
)
def test_wrong_arguments_are_named(tensor: ripost.Tensor, changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        ripost.compare(tensor, **({"epsilon": 1, "methods": ["identity"], "runs": 1} | changes))  # type: ignore[arg-type]


def test_methods_that_all_refuse_are_an_error() -> None:
    wide = ripost.Tensor.from_arrays([100] * 6, [[0] * 6], [50])
    with pytest.raises(InputError, match="no method can publish this table: without identity: identity needs"):
        ripost.compare(wide, epsilon=1, methods=["identity"], workload=([[0] * 6], [[1] * 6]))


def test_a_table_needs_a_schema() -> None:
    with pytest.raises(InputError, match="a table needs a schema"):
        ripost.compare(pd.DataFrame({"a": [1]}), epsilon=1)
    with pytest.raises(SchemaError, match="schema must be"):
        ripost.compare(pd.DataFrame({"a": [1]}), 3, epsilon=1)  # type: ignore[arg-type]
