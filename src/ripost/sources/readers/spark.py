"""Spark: frames of a session, and tables of a cluster by URL, as Ibis tables.

Whatever passes between Python and Spark passes as Arrow: the ways by way of pandas do not stand pandas 3.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, unquote

import ibis
import pyarrow as pa

from ripost.errors import SourceError, suggest_nearest
from ripost.sources.error_redaction import redact_errors
from ripost.sources.source_table import SourceTable, require_columns

SCHEMES = ("spark", "pyspark")
FORMATS = ("parquet", "orc", "avro", "delta", "iceberg")  # files that say what type their columns have
LOCAL = {  # of sessions made here, on one machine
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
}
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}

_numbers = itertools.count()


def is_spark(url: str) -> bool:
    return url.partition("://")[0].lower() in SCHEMES


def open_frame(
    frame: Any, *, columns: Sequence[str], name: str = "frame", stop: Callable[[], None] | None = None
) -> SourceTable:
    """The columns of a Spark frame; `stop` is called when it has been read."""
    require_columns(columns, frame.columns, name=name)
    session = frame.sparkSession
    zone = session.conf.get("spark.sql.session.timeZone")
    backend = _backend(session)
    views: list[str] = []

    def view(held: Any) -> Any:
        views.append(f"ripost_{next(_numbers)}")
        held.createOrReplaceTempView(views[-1])
        return backend.table(views[-1])

    def end() -> None:
        with suppress(Exception):  # a session that broke has nothing left to tidy
            for one in views:
                session.catalog.dropTempView(one)
            session.conf.set("spark.sql.session.timeZone", zone)
        if stop is not None:
            stop()

    def lend(table: pa.Table) -> Any:
        return redact_errors(lambda: view(session.createDataFrame(table)), say=f"{name}: Spark takes no Arrow table")

    wanted = frame.select(*[f"`{column.replace('`', '``')}`" for column in columns])
    table = redact_errors(lambda: view(wanted), say=f"{name}: cannot be read")
    return SourceTable(
        name, table, backend, end=end, lend=lend, fetch=lambda cells: to_spark_frame(backend, cells).toArrow()
    )


def to_spark_frame(backend: Any, expression: Any) -> Any:
    """The Spark frame of an Ibis expression."""
    return backend.raw_sql(backend.compile(expression))


def open_url(url: str, *, columns: Sequence[str], table: str | None) -> SourceTable:
    """A table of the catalogue, or files given as `format:path`, in the session that a URL names."""
    if not table:
        files = ", or files as parquet:PATH"
        raise SourceError(f"a spark URL needs the name of a table in the catalogue{files}")
    session, stop = connect(url)
    try:
        frame = _frame(session, table)
        return open_frame(frame, columns=columns, name=f"spark table {table}", stop=stop)
    except SourceError:
        if stop is not None:
            stop()
        raise


def connect(url: str) -> tuple[Any, Callable[[], None] | None]:
    """The session of `spark://PLACE?spark.option=value`, and what ends it if it was not there before.

    PLACE is HOST:PORT of a standalone master, `local[2]`, `yarn`, `k8s://…`, or nothing for what is set up already, by
    spark-submit say. Messages of Spark may quote rows, so a session that is made here does not log.
    """
    place, _, query = url.partition("://")[2].partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name in options:
        if not name.startswith("spark."):
            raise SourceError(f"options of a spark URL begin with 'spark.', got {name!r}")
    place = unquote(place)
    if re.fullmatch(r"([\w.-]+:\d+)(,[\w.-]+:\d+)*", place):
        place = f"spark://{place}"
    settings = {**QUIET, **(LOCAL if place.startswith("local") else {}), **({"spark.master": place} if place else {})}

    def start() -> tuple[Any, Callable[[], None] | None]:
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        if place.startswith("local"):
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        if (active := SparkSession.getActiveSession()) is not None:
            return active, None
        builder = SparkSession.builder.appName("ripost")
        for name, value in {**settings, **options}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        return session, session.stop

    return redact_errors(start, say=_why)


def _why(error: Exception) -> str:
    if isinstance(error, ImportError):
        return "reading from Spark needs more packages: pip install 'ripost[spark]'"
    return "cannot start Spark; check the URL, that java runs, and that the master can be reached"


def _backend(session: Any) -> Any:
    """Ibis on a session; it moves the session to UTC."""
    return redact_errors(lambda: ibis.pyspark.connect(session), say=_why)


def _frame(session: Any, table: str) -> Any:
    kind, colon, path = table.partition(":")
    if colon:
        if kind not in FORMATS:
            raise SourceError(f"cannot read files of format {kind!r}; {suggest_nearest(kind, FORMATS)}")
        say = f"spark found no {kind} files at {path}, or cannot read them"
        return redact_errors(lambda: session.read.format(kind).load(path), say=say)

    def found() -> Any:
        frame = session.table(table)
        _ = frame.columns  # sessions far away look only now
        return frame

    return redact_errors(found, say=f"the spark catalogue has no table {table!r}; give it as database.table")
