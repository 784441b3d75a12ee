"""One table with every kind of column, and schemas of it: rows, people, sums."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa

from ripost.schema.schema import Schema

ATTRIBUTES = """
[attributes.hour]
type = "integer"
min = 0
max = 23
width = 4

[attributes.delay]
type = "number"
min = -10
max = 30
bins = 8
outside = "other"

[attributes.origin]
type = "category"
values = ["JFK", "LGA", "São Paulo"]
missing = "drop"

[attributes.airport]
column = "origin"
type = "category"
values = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "JFK", "LGA", "a,b;'c"]

[attributes.day]
type = "date"
min = 2013-01-01
max = 2013-12-31
width = "1 month"
outside = "drop"

[attributes.left]
type = "timestamp"
min = 2013-01-01T00:00:00
max = 2013-01-08T00:00:00
width = "6 hours"

[attributes.night]
type = "boolean"

[attributes.price]
type = "number"
edges = [0, 0.5, 2.25, 10]

[attributes.rate]
type = "category"
values = ["1", "2.5"]
"""
LEVELS = """
impossible = ["night and hour < 4", "origin = 'JFK' and delay is null", "kind = 'few' and rate <> '1'"]
""" + ATTRIBUTES.replace(
    '"a,b;\'c"]\n',
    '"a,b;\'c"]\nlevels.kind = { letters = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"], '
    'few = ["JFK", "a,b;\'c", "LGA"] }\n'
    'derived.first = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "J", "L", "a"]\n',
)
WIDE = """
[attributes.night]
type = "boolean"

[attributes.rate]
type = "category"
values = ["1", "2.5"]

[attributes.hour]
type = "integer"
min = 0
max = 1999

[attributes.delay]
type = "number"
min = -10
max = 30
bins = 1000

[attributes.hours]
type = "integer"
column = "hour"
min = 0
max = 499
"""  # a step of `rate` is 1e9 cells, so that its codes times the step pass 2^31 and the step does not
SUM = '[measure]\nsum = "price"\nmax = 9\nstep = 0.25\n'
SCHEMAS = {
    "rows": Schema.parse(ATTRIBUTES),
    "levels": Schema.parse(LEVELS),
    "wide": Schema.parse(WIDE),
    "people": Schema.parse(f'unit = "person"\nmax_rows = 2\n{ATTRIBUTES}'),
    "sums of people": Schema.parse(f'unit = "person"\nmax_rows = 3\n{SUM}{ATTRIBUTES}'),
}


def row(number: int) -> dict[str, Any]:
    return {
        "person": None if number % 31 == 0 else f"p{number % 67}",
        "hour": None if number % 5 == 0 else number % 26 - 1,
        "delay": [None, math.nan, number % 50 - 15.5][min(number % 9, 2)],
        "origin": [None, "JFK", "LGA", "São Paulo", "", "a,b;'c"][number % 6],
        "day": None if number % 17 == 0 else dt.date(2012, 12, 20) + dt.timedelta(days=2 * number),
        "left": None if number % 19 == 0 else dt.datetime(2013, 1, 1, 1, 2, 3) + dt.timedelta(minutes=61 * number),
        "night": [None, True, False][number % 3],
        "price": None if number % 13 == 0 else Decimal(number * 7 % 1300) / 100,
        "rate": [None, Decimal("1.0"), Decimal("2.5"), Decimal("7.0")][number % 4],
    }


ROWS = [row(number) for number in range(200)]
TYPES = pa.schema(
    {
        "person": pa.string(),
        "hour": pa.int32(),
        "delay": pa.float64(),
        "origin": pa.string(),
        "day": pa.date32(),
        "left": pa.timestamp("us"),
        "night": pa.bool_(),
        "price": pa.decimal128(10, 2),
        "rate": pa.decimal128(4, 1),
    }
)
TABLE = pa.Table.from_pylist(ROWS, schema=TYPES)
POSTGRES = """CREATE TABLE trips (person TEXT, hour INTEGER, delay DOUBLE PRECISION, origin TEXT, day DATE,
    "left" TIMESTAMP, night BOOLEAN, price NUMERIC(10, 2), rate NUMERIC(4, 1))"""
