"""publish of a million rows in four dimensions against the bare GROUP BY of the same columns in DuckDB.

The first case groups by the raw columns, as they stand. The second has few cells, so that the fixed cost of a publish
weighs most. The third bins in the bare query too, and has many cells.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import ripost
from benchmarks.side_by_side import report, side_by_side
from benchmarks.subjects import flights

ROWS = 1_000_000
FIVE = ["month", "hour", "origin", "carrier", "dep_delay"]
FLIGHTS = """
[attributes.month]
type = "integer"
min = 1
max = 12
[attributes.hour]
type = "integer"
min = 0
max = 23
[attributes.origin]
type = "category"
values = ["EWR", "JFK", "LGA"]
[attributes.carrier]
type = "category"
values = ["9E", "AA", "AS", "B6", "DL", "EV", "F9", "FL", "HA", "MQ", "OO", "UA", "US", "VX", "WN", "YV"]
"""
SALES = """
[attributes.hour]
type = "integer"
min = 0
max = 23
[attributes.product]
type = "category"
values = [{products}]
[attributes.price]
type = "number"
min = 0
max = 1000
bins = 100
[attributes.day]
type = "date"
min = 2025-01-01
max = 2025-12-31
width = "1 month"
"""
PRODUCTS = [f"p{i:02d}" for i in range(40)]
DELAYS = (
    FLIGHTS[: FLIGHTS.index("[attributes.origin]")]
    + FLIGHTS[FLIGHTS.index("[attributes.carrier]") :]
    + """
[attributes.dep_delay]
type = "integer"
min = -30
max = 299
width = 10
"""
)
BARE_DELAYS = "SELECT month, hour, carrier, dep_delay, count(*) AS n FROM '{path}' GROUP BY ALL"
BARE_FLIGHTS = "SELECT month, hour, origin, carrier, count(*) AS n FROM '{path}' GROUP BY ALL"
BARE_SALES = """SELECT hour, product, least(floor(price / 10), 99) AS p, month(day) AS m, count(*) AS n
FROM '{path}' GROUP BY ALL"""


def sales(rows: int) -> pa.Table:
    """A made-up fact table with skew and dependence and ten times as many non-empty cells."""
    rng = np.random.default_rng(0)
    hour = np.clip(rng.normal(14, 4, rows), 0, 23).astype(np.int64)
    product = np.minimum(rng.zipf(1.4, rows) - 1, 39)
    price = np.round(rng.gamma(2.0, 20.0 + 3.0 * product), 2)
    day = np.datetime64("2025-01-01") + rng.integers(0, 365, rows)
    return pa.table({"hour": hour, "product": np.array(PRODUCTS)[product], "price": price, "day": day})


def bare(sql: str) -> None:
    duckdb.connect().sql(sql).to_arrow_table()


def main() -> None:
    products = ", ".join(f'"{p}"' for p in PRODUCTS)
    settings = (
        ("flights by month, hour, carrier, delay", flights(ROWS, FIVE), DELAYS, BARE_DELAYS),
        ("flights by month, hour, origin, carrier", flights(ROWS, FIVE), FLIGHTS, BARE_FLIGHTS),
        ("made-up sales, binned by hand", sales(ROWS), SALES.format(products=products), BARE_SALES),
    )
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, table, text, sql in settings:
            path = Path(folder) / f"{name}.parquet"
            pq.write_table(table, path)
            schema = ripost.Schema.parse(text)
            for epsilon in (0.1, 1.0):
                rows[f"publish 1,000,000 rows x 4: {name}, epsilon {epsilon:g}"] = side_by_side(
                    partial(ripost.publish, path, schema, epsilon=epsilon), partial(bare, sql.format(path=path))
                )
    report("publish", rows, target=5)


if __name__ == "__main__":
    main()
