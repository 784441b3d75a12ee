"""Values on which an engine may fail, by engine and type of column, as SQL of that engine."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import duckdb

Source = tuple[Any, str]  # and the name of the table
Columns = Mapping[str, tuple[str, list[str]]]  # of each column its type, and its values
TEXTS = ["''", "'nan'", "'infinity'", "'now'", "'2020-02-30'", "'1e400'", "'2020-01-01 24:00:00'", "repeat('9', 400)"]
SQLITE_TEXTS = [  # the first three are no UTF-8
    *("CAST(x'ff' AS TEXT)", "CAST(x'323032302d30312d3031ff' AS TEXT)", "CAST(x'eda080' AS TEXT)", "x'ff00'"),
    *("CAST(x'61006200' AS TEXT)", "zeroblob(10)", "1e999", "-1e999", "-9223372036854775808", "9007199254740993"),
    *("2459000.5", "5e-324", "'now'", "'2020-02-31'", "'2020-01-01 24:00:00'", "'-4713-11-24'", "'10000-01-01'"),
    *("'9999-12-31 23:59:59.9999'", "'12:00'", "'0x10'", "'2020-01-01 00:00:00+99:99'", "''", "NULL"),
]
KINDS = ("TEXT", "INTEGER", "REAL", "NUMERIC", "DATE", "TIMESTAMP", "BOOLEAN", "DECIMAL(10, 2)")
MOMENTS = ["'infinity'", "'-infinity'", "'0001-01-01'", "NULL"]
EXTREMES: dict[str, Columns] = {
    "sqlite": {**{f"x{number}": (kind, SQLITE_TEXTS) for number, kind in enumerate(KINDS)}, "x8": ("INTEGER", ["1"])},
    "duckdb": {
        "x0": ("TIMESTAMP", [*MOMENTS, "'294247-01-10 04:00:54.775806'", "'290309-12-22 (BC) 00:00:00'"]),
        "x1": ("TIMESTAMP_S", [*MOMENTS, "'290309-12-22 (BC) 00:00:00'"]),
        "x2": ("TIMESTAMP_MS", [*MOMENTS, "'290309-12-22 (BC) 00:00:00'"]),
        "x3": ("TIMESTAMP_NS", ["'infinity'", "'1677-09-22 00:00:00'", "'2262-04-11 23:47:16.854775806'"]),
        "x4": ("TIMESTAMPTZ", [*MOMENTS, "'294247-01-10 04:00:54.775806'", "'0044-03-15 (BC)'"]),
        "x5": ("DATE", [*MOMENTS, "'5877642-06-25 (BC)'", "'5881580-07-10'"]),
        "x6": ("HUGEINT", [str(2**127 - 1), str(-(2**127))]),
        "x7": ("USMALLINT", ["65535"]),
        "x8": ("UBIGINT", [str(2**64 - 1)]),
        "x9": ("DECIMAL(38, 0)", ["9" * 38, "-" + "9" * 38]),
        "x10": ("DECIMAL(38, 38)", [f"'0.{'9' * 38}'"]),
        "x11": ("DOUBLE", ["'nan'", "'inf'", "'-inf'", "1.7e308", "'-0.0'", "5e-324"]),
        "x12": ("VARCHAR", [*TEXTS, "chr(0)", "'290309-12-22 (BC)'", "'2020-01-01 00:00:00 Foo/Bar'"]),
        "x13": ("UUID", ["'00010203-0405-0607-0809-0a0b0c0d0e0f'", "NULL"]),
        "x14": ("ENUM('a', 'b')", ["'a'", "NULL"]),
        "x15": ("BOOLEAN", ["true", "NULL"]),
        "x16": ("INTEGER", ["1"]),
    },
    "postgres": {
        "x0": ("timestamp", [*MOMENTS, "'4713-01-01 BC'", "'294276-12-31 23:59:59.999999'"]),
        "x1": ("timestamptz", [*MOMENTS, "'4713-01-02 BC'", "'294276-12-30'"]),
        "x2": ("date", [*MOMENTS, "'4713-01-01 BC'", "'5874897-12-31'"]),
        "x3": ("numeric", ["'Infinity'", "'-Infinity'", "'NaN'", "1e1000", "1e-1000"]),
        "x4": ("numeric(10, 2)", ["'NaN'", "1.5"]),
        "x5": ("float8", ["'NaN'", "'Infinity'", "'-Infinity'", "1e308", "'-0'"]),
        "x6": ("float4", ["'NaN'", "'Infinity'", "3e38"]),
        "x7": ("bigint", [str(2**63 - 1), str(-(2**63))]),
        "x8": ("text", TEXTS),
        "x9": ("char(10)", ["'a'"]),
        "x10": ("boolean", ["true", "NULL"]),
        "x11": ("uuid", ["'00010203-0405-0607-0809-0a0b0c0d0e0f'", "NULL"]),
        "x12": ("integer", ["1"]),
    },
    "spark": {
        "x0": (
            "timestamp",
            ["timestamp_micros(9223372036854775807)", "timestamp_micros(-9223372036854775807)"],
        ),
        "x1": ("timestamp_ntz", ["TIMESTAMP_NTZ '0001-01-01'", "TIMESTAMP_NTZ '+294247-01-10 04:00:54.775807'"]),
        "x2": ("date", ["DATE '+5881580-07-11'", "DATE '-5877641-06-23'", "DATE '0001-01-01'", "NULL"]),
        "x3": ("decimal(38, 0)", ["9" * 38, "-" + "9" * 38]),
        "x4": ("decimal(38, 38)", [f"0.{'9' * 38}"]),
        "x5": ("double", ["'NaN'", "'Infinity'", "'-Infinity'", "1.7e308", "'-0.0'", "5e-324"]),
        "x6": ("bigint", [f"{2**63 - 1}L", f"-{2**63 - 1}L - 1"]),
        "x7": ("tinyint", ["-128"]),
        "x8": ("string", [*TEXTS, "CAST(X'ff' AS STRING)", "'2020-01-01 00:00:00 Foo/Bar'"]),
        "x9": ("string collate UTF8_LCASE", ["'A'", "'a'", "''"]),
        "x10": ("boolean", ["true", "NULL"]),
        "x11": ("int", ["1"]),
    },
}


def list_rows(engine: str) -> list[list[str]]:
    """The values of all columns side by side, each column filled up with NULL."""
    columns = EXTREMES[engine].values()
    sides = [
        [f"CAST({value} AS {kind})" if engine != "sqlite" else value for value in values] for kind, values in columns
    ]
    return [list(row) for row in zip_longest(*sides, fillvalue="NULL")]


@contextmanager
def store_extremes(engine: str, folder: Path, fixture: Callable[[str], Any]) -> Iterator[Source]:
    """The source of a table with these columns."""
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in EXTREMES[engine].items())
    rows = ", ".join(f"({', '.join(row)})" for row in list_rows(engine))
    statements = [f"CREATE TABLE extremes ({columns})", f"INSERT INTO extremes VALUES {rows}"]
    match engine:
        case "sqlite":
            with closing(sqlite3.connect(folder / "t.db")) as connection, connection:
                for statement in statements:
                    connection.execute(statement)
            yield f"sqlite://{folder / 't.db'}", "extremes"
        case "duckdb":
            with duckdb.connect(folder / "t.duckdb") as connection:
                for statement in statements:
                    connection.execute(statement)
            yield f"duckdb://{folder / 't.duckdb'}", "extremes"
        case "postgres":
            import psycopg

            url = fixture("postgres_url")
            with psycopg.connect(url) as connection:
                connection.execute("DROP TABLE IF EXISTS extremes")
                for statement in statements:
                    connection.execute(statement)
            yield url, "extremes"
        case _:
            names = ", ".join(EXTREMES[engine])
            frame = fixture("spark").sql(f"SELECT * FROM VALUES {rows} AS t({names})")
            yield frame, ""
