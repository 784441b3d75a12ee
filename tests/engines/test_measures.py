"""One exam for all engines: the sums of measures are those of a loop over the rows, whatever reads them."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from tests.engines.stores import STORES, Store
from tests.measures.rows import MEASURES, dense, half_steps, schema_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]
VALUES = [None, -11.0, -3.0, -0.4, 0.0, 0.5, 0.6249, 0.625, 1.9, 2.5, 1e300, -1e300, 5e-324, 7.25]
ROWS = [(number % 3, VALUES[number % len(VALUES)], VALUES[number * 5 % len(VALUES)]) for number in range(42)]


@pytest.mark.parametrize("store", ENGINES, ids=str)
def test_sums_of_measures(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    schema = schema_of([*MEASURES])
    x, v, w = (list(column) for column in zip(*ROWS, strict=True))
    table = pa.table({"x": pa.array(x, pa.int64()), "v": pa.array(v, pa.float64()), "w": pa.array(w, pa.float64())})
    expected = [[0] * 3 for _ in range(5)]
    for place, *values in ROWS:
        added = [half_steps(one, values[one.column == "w"]) for one in schema.measures.values()]
        assert all(one is None or not math.isnan(one) for one in added)
        if None not in added:
            for line, more in zip(expected, [1, *added], strict=True):
                line[place] += more
    with store.holds(table, tmp_path, request.getfixturevalue) as (source, name):
        assert dense(read_tensor(source, schema, table=name)).tolist() == expected
        possible = schema_of([*MEASURES], impossible=["x = 1"])
        zeros = [[one if place != 1 else 0 for place, one in enumerate(line)] for line in expected]
        assert dense(read_tensor(source, possible, table=name)).tolist() == zeros
