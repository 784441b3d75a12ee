"""Stored: the Parquet file of a data set, and the check that it holds what it should."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ripost.errors import InputError

ORIGIN = "ripost.downloaded_from"  # key in the file's metadata
WORLD = ((-90.0, 90.0), (-180.0, 180.0))


def table_digest(table: pa.Table) -> str:
    """SHA-256 of names, types and values, whichever file the table came from."""
    digest = hashlib.sha256()
    for field in table.schema:
        column = table[field.name].combine_chunks()
        digest.update(f"{field.name} {field.type} {len(column)}\n".encode())
        digest.update(column.is_null().to_numpy(zero_copy_only=False).tobytes())
        coded = column.drop_null().dictionary_encode()  # in order of first appearance
        digest.update(coded.indices.to_numpy().astype("<i4").tobytes())
        values = coded.dictionary
        if pa.types.is_temporal(values.type):
            values = values.cast(pa.int32() if pa.types.is_date32(values.type) else pa.int64())
        digest.update(repr(values.to_pylist()).encode())
    return digest.hexdigest()


def valid_places(table: pa.Table) -> pa.Table:
    """The rows that lie on the globe: 27 of the 6,442,890 do not."""
    inside = [
        pc.and_(pc.greater_equal(table[name], low), pc.less_equal(table[name], high))
        for name, (low, high) in zip(("lat", "lon"), WORLD, strict=True)
    ]
    return table.filter(pc.and_(*inside))


def world_grid(table: pa.Table) -> NDArray[np.int64]:
    """Counts on a 256 x 256 grid of the world, latitude first, as DPBench publishes them."""
    rows = valid_places(table)
    at = [
        np.clip(np.floor((rows[name].to_numpy() - low) / ((high - low) / 256)), 0, 255).astype(np.int64)
        for name, (low, high) in zip(("lat", "lon"), WORLD, strict=True)
    ]
    return np.bincount(at[0] * 256 + at[1], minlength=256 * 256).reshape(256, 256)


def grid_digest(table: pa.Table) -> str:
    return hashlib.sha256(world_grid(table).astype("<i8").tobytes()).hexdigest()


@dataclass(frozen=True)
class Stored:
    """A Parquet file: its columns in use, how many rows, and a digest of their values."""

    file: str
    what: str
    schema: pa.Schema
    rows: int
    digest: str
    fingerprint: Callable[[pa.Table], str] = table_digest

    def read(self, path: Path) -> pa.Table:
        """The checked table."""
        try:
            table = pq.read_table(path, columns=self.schema.names).select(self.schema.names).cast(self.schema)
        except (pa.ArrowException, KeyError, OSError) as problem:
            reason = str(problem).splitlines()[0]
            raise InputError(f"{path} cannot be read as {self.what}: {reason}; {self._remedy(path)}") from problem
        self.check(table, str(path), self._remedy(path))
        return table

    def origin(self, path: Path) -> str:
        publisher = (pq.read_schema(path).metadata or {}).get(ORIGIN.encode())
        return f"downloaded from {publisher.decode()}" if publisher else "local"

    def check(self, table: pa.Table, place: str, remedy: str) -> None:
        if len(table) != self.rows:
            raise InputError(f"{place} must hold the {self.rows:,} rows of {self.what}, got {len(table):,}; {remedy}")
        if (found := self.fingerprint(table)) != self.digest:
            raise InputError(
                f"{place} does not hold the values of {self.what}: its digest must begin with {self.digest[:12]}, "
                f"got {found[:12]}; {remedy}"
            )

    @staticmethod
    def _remedy(path: Path) -> str:
        return f"remove {path.name} to have it downloaded, or name a folder with the right file in RIPOST_DATA"


def _schema(columns: str) -> pa.Schema:
    """A schema from "name type, name type"."""
    pairs = (column.split() for column in columns.split(","))
    return pa.schema([(name, pa.type_for_alias(kind)) for name, kind in pairs])


ADULT_COLUMNS = _schema(
    "age int16, workclass string, fnlwgt int32, education string, education_num int8, marital_status string,"
    "occupation string, relationship string, race string, sex string, capital_gain int32, capital_loss int32,"
    "hours_per_week int16, native_country string, income string"
)
FIRE_COLUMNS = _schema(
    "CallType string, CallDate date32, WatchDate date32, CallFinalDisposition string, AvailableDtTm timestamp[s],"
    "City string, Zipcode int32, Battalion string, StationArea string, OriginalPriority string, Priority string,"
    "FinalPriority int8, ALSUnit bool, CallTypeGroup string, NumAlarms int8, UnitType string,"
    "UnitSequenceInCallDispatch int16, FirePreventionDistrict string, SupervisorDistrict string, Neighborhood string,"
    "Latitude double, Longitude double, Delay float"
)
JM1_COLUMNS = _schema(
    "loc double, v_g double, ev_g double, iv_g double, n double, v double, l double, d double, i double, e double,"
    "b double, t double, lOCode int64, lOComment int64, lOBlank int64, locCodeAndComment int64, uniq_Op double,"
    "uniq_Opnd double, total_Op double, total_Opnd double, branchCount double, defects bool"
)
PLACES = _schema("lat double, lon double")

GOWALLA_FULL = Stored(
    "gowalla_full.parquet",
    "all check-ins of Gowalla",
    PLACES,
    6_442_890,
    "dec48bc1a7c973ad74da1942865dac9ed0e262397a2165552f141890a58c0b54",
    grid_digest,
)
STORED = {  # in order of preference
    "adult": (
        Stored(
            "adult.parquet",
            "UCI Adult",
            ADULT_COLUMNS,
            48_842,
            "934c69be0ee10dad970df03c42b54ccec128cf29b4aab453bca6ff83b086999e",
        ),
    ),
    "fire": (
        Stored(
            "fire.parquet",
            "the sample of San Francisco fire calls",
            FIRE_COLUMNS,
            175_296,
            "5c34b8a787cf46b6a7eb42aab7ac41958e2801e565fd0042405b7927ea4b0be5",
        ),
    ),
    "gowalla": (
        GOWALLA_FULL,
        Stored(
            "gowalla.parquet",
            "the subset of Gowalla",
            PLACES,
            620_683,
            "cc9e751750c22dd2f1df0eb27497cf817905b3b4410ed131d00e8fd2b848da99",
        ),
    ),
    "jm1": (
        Stored(
            "jm1.parquet",
            "jm1",
            JM1_COLUMNS,
            10_885,
            "45c1d406de861cf1b8a407c4ff272222551a8d1ef5400252d4d79351ac7a3e31",
        ),
    ),
}
