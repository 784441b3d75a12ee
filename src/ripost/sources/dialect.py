"""Dialect: what the encoding must know of the engine that runs it.

Engines compare text by a collation, which may call different texts equal: `a` and `A`, `é` and `e`, `x` and `x `.
The encoding therefore compares bytes, which every engine compares one by one (privacy/proofs/encoding.md). An engine
whose way from text to bytes is not known here is refused where text would have to be compared.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ibis
import ibis.expr.operations as ops

from ripost.schema.date_format import DateFormat
from ripost.schema.dates import EPOCH
from ripost.schema.period import number_moment

Value = Any  # an Ibis column or scalar; ibis has no type hints

FRACTION = re.compile(r"(\d\d:\d\d:\d\d)[.]\d+")  # of a second, and the clock before it
NOT_WRITTEN = re.compile(  # SQLite takes now for the query's time, 24:00 for the day it ends
    r"(?s)^(?:(?![-+.\d])|[^:]*[^:\d]24:).*"
)


def _call(name: str, takes: str = "string", **place: str) -> Callable[[Value], Value]:
    """A function of the engine that gives bytes; in a `place`, so that none of a user is taken for it."""

    def to_bytes(value: Any) -> Any: ...

    signature = ((takes,), "binary")
    function: Callable[[Value], Value] = ibis.udf.scalar.builtin(to_bytes, name=name, signature=signature, **place)
    return function


def _call_with(
    name: str, told: str, takes: str = "string", gives: str = "binary", **place: str
) -> Callable[[Value], Value]:
    """A function of the engine that turns text into bytes, or back, by the encoding that it is told."""

    def encode(value: Any, encoding: Any) -> Any: ...

    function: Any = ibis.udf.scalar.builtin(encode, name=name, signature=((takes, "string"), gives), **place)
    return lambda value: function(value, told)


def _call_as_text(name: str, **place: str) -> Callable[[Value], Value]:
    """A function of the engine that turns bytes into text."""

    def spell(value: Any) -> Any: ...

    function: Callable[[Value], Value] = ibis.udf.scalar.builtin(
        spell, name=name, signature=(("binary",), "string"), **place
    )
    return function


def _cast(text: Value) -> Value:
    return text.cast("binary")


_convert_to = _call_with("convert_to", "UTF8", database="pg_catalog")  # a cast would read backslashes as escapes
_float_bits = _call("float8send", "float64", database="pg_catalog")
_hex = _call_with("encode", "hex", "binary", "string", database="pg_catalog")


TO_HEX = {  # bytes as hexadecimal digits, text without a collation
    "duckdb": _call_as_text("hex", database="main", catalog="system"),
    "sqlite": _call_as_text("hex"),
    "postgres": _hex,
    "pyspark": _call_as_text("hex"),
    "databricks": _call_as_text("hex"),
}
_convert_from = _call_with("convert_from", "UTF8", "binary", "string", database="pg_catalog")
UTF8 = "UTF-8"
ENCODINGS = {"sqlite": "PRAGMA encoding", "postgres": "SHOW server_encoding"}  # how to ask a database for its own
PARSES_TEXT = ("duckdb", "sqlite", "postgres", "pyspark", "databricks")  # engines whose text functions are examined


TO_BYTES: dict[str, Callable[[Value], Value]] = {
    "duckdb": _call("encode", database="main", catalog="system"),
    "sqlite": _cast,
    "postgres": lambda text: _convert_to(text + ""),  # which makes text of an enum
    "pyspark": _cast,
    "databricks": _cast,
    "bigquery": _cast,
    "clickhouse": _cast,
    "snowflake": _call_with("to_binary", "UTF-8"),
    "trino": _call("to_utf8"),
    "athena": _call("to_utf8"),
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """An engine, by the name that Ibis gives it."""

    engine: str
    has_nan: bool
    has_md5: bool
    encoding: str = UTF8  # of text in the database, by the name that Python has for it too

    @classmethod
    def of(cls, backend: Any) -> Dialect:
        has_nan, has_md5 = (backend.has_operation(one) for one in (ops.IsNan, ops.HexDigest))
        ask = ENCODINGS.get(backend.name)
        found = UTF8 if ask is None else backend.con.execute(ask).fetchone()[0]
        return cls(backend.name, has_nan, has_md5, found)

    @property
    def compares_bytes(self) -> bool:
        """Whether text can be compared byte by byte, whatever its collation."""
        return self.engine in TO_BYTES

    def to_bytes(self, text: Value) -> Value:
        """The bytes of a text; Opened.check refuses an engine that has no entry."""
        return TO_BYTES[self.engine](text)

    def equals(self, text: Value, constant: str) -> Value:
        """Whether a text is a constant, byte by byte."""
        return self.to_bytes(text) == self.to_bytes(ibis.literal(constant))

    def decode(self, raw: bytes) -> str | None:
        """The text of bytes that `to_bytes` gave; None where they are no text."""
        try:
            text = bytes(raw).decode(self.encoding if self.engine == "sqlite" else UTF8)
            text.encode()
        except UnicodeError:
            return None
        return text

    def to_hex(self, text: Value) -> Value:
        """The bytes of a text in hexadecimal digits: engines refuse to join texts of two collations."""
        spell = TO_HEX.get(self.engine)
        return text if spell is None else spell(self.to_bytes(text)).lower()

    @property
    def parses_text(self) -> bool:
        """Whether text can be searched and folded as on every other engine.

        PostgreSQL fails on a query with letters that the encoding of its database lacks.
        """
        return self.engine in PARSES_TEXT and (self.engine != "postgres" or self.encoding == "UTF8")

    def to_plain_text(self, column: Value) -> Value:
        """A column as text that no collation and no odd byte changes the meaning of.

        PostgreSQL refuses to search text under some collations, and Spark folds it by them. SQLite holds bytes that are
        no text, on which a function would fail.
        """
        text = column if column.type().is_string() else column.cast("string")
        match self.engine:
            case "postgres":
                return _convert_from(self.to_bytes(text))
            case "pyspark" | "databricks":
                return self.to_bytes(text).cast("string")
            case "sqlite":
                return _decode_in_python(text.cast("binary"), self.encoding)
        return text

    def clean_moment(self, column: Value) -> Value:
        """The text of dates and moments of SQLite, without fractions of a second; empty where it is no moment.

        It is one function, since the parser of SQLite takes few calls inside each other.
        """
        return _moment_in_python(column.cast("binary"), self.encoding)

    def to_pattern(self, pattern: str) -> str:
        """A regular expression whose end is the end of the text; Java takes more signs for line ends."""
        return f"(?d){pattern}" if self.engine in ("pyspark", "databricks") else pattern

    def group(self, number: int) -> str:
        """A group of a regular expression, in what replaces a match."""
        return f"${number}" if self.engine in ("pyspark", "databricks") else f"\\{number}"

    def read_moment(
        self, text: Value, format: DateFormat, first: dt.datetime = dt.datetime.min, end: dt.datetime = dt.datetime.max
    ) -> Value:
        """Text as an ISO timestamp by a format, or NULL; for SQLite, which has no calendar of its own."""

        @lru_cache(maxsize=2**16)  # an expression asks for the same text several times
        def spell(text: str) -> str | None:
            found = format.read(text)
            return found.isoformat(sep=" ") if found is not None and first <= found < end else None

        def read(text: str | None) -> str | None:
            return None if text is None else spell(text)

        udf: Any = ibis.udf.scalar.python(read, signature=(("string",), "string"))
        return udf(text)

    def read_float(self, text: Value) -> Value:
        """Text that is a number or NULL as a float; SQLite does not round to the nearest one."""
        return _float_in_python(text) if self.engine == "sqlite" else text.cast("float64")

    def count_seconds(self, x: Value) -> Value:
        """Whole seconds since 1970 of a moment from 1000 on, as floats; in Python for SQLite, whose parser is flat."""
        if self.engine == "sqlite":
            return _seconds_in_python(x.cast("string"))
        days = x.cast("date").delta(ibis.date(EPOCH.date()), unit="day").cast("int64")
        clock = (x.hour().cast("int64") * 60 + x.minute()) * 60 + x.second().cast("float64").floor()
        return (days * 86400 + clock).cast("float64")

    def number_period(self, span: str, moment: Value) -> Value:
        """The number of the period of a moment; for SQLite, whose parser is flat and has no calendar."""
        return _period_in_python(span, moment.cast("string"))

    def keep_numbers(self, column: Value) -> Value:
        """A column of numbers, NULL where SQLite holds text in it; it would take NA for 0 or for a large number."""
        if self.engine != "sqlite" or not column.type().is_numeric():
            return column
        return ibis.ifelse(column.typeof().isin(("integer", "real")), column, ibis.null(column.type()))

    def is_missing(self, column: Value) -> Value:
        """Whether a value is NULL or NaN."""
        nan = self.has_nan and column.type().is_floating()
        return column.isnull() | column.isnan() if nan else column.isnull()

    def bits(self, x: Value) -> Value:
        """The bits of a float of PostgreSQL as text; a cast gives as many digits as the database is set to."""
        return _hex(_float_bits(x))

    def md5(self, text: Value) -> Value:
        """The MD5 of a text in hexadecimal digits."""
        if self.engine == "sqlite":
            return _md5_in_python(text.cast("binary"))  # it holds bytes that are no text, on which Python fails
        return text.hexdigest("md5") if self.has_md5 else _md5_in_engine(text)


def md5(raw: bytes) -> str:
    return hashlib.md5(raw, usedforsecurity=False).hexdigest()


_md5_in_python: Any = ibis.udf.scalar.python(md5, signature=(("binary",), "string"))
_md5_in_engine: Any = ibis.udf.scalar.builtin(md5, name="md5", signature=(("string",), "string"))


def decode_text(raw: bytes | None, encoding: str) -> str | None:
    return None if raw is None else raw.decode(encoding, "replace")


def write_moment(raw: bytes | None, encoding: str) -> str | None:
    if raw is None:
        return None
    return FRACTION.sub(r"\1", NOT_WRITTEN.sub("", raw.decode(encoding, "replace").strip(string.whitespace)))


def count_seconds(moment: str | None) -> float | None:
    try:
        return None if moment is None else (dt.datetime.fromisoformat(moment) - EPOCH) // dt.timedelta(seconds=1) * 1.0
    except ValueError:  # 31 February, which SQLite takes for a date
        return None


def number_period(span: str, moment: str | None) -> int | None:
    try:
        return None if moment is None else number_moment(span, dt.datetime.fromisoformat(moment))
    except ValueError:  # 31 February, which SQLite takes for a date
        return None


def read_float(text: str | None) -> float | None:
    return None if text is None else float(text)


_decode_in_python: Any = ibis.udf.scalar.python(decode_text, signature=(("binary", "string"), "string"))
_moment_in_python: Any = ibis.udf.scalar.python(write_moment, signature=(("binary", "string"), "string"))
_seconds_in_python: Any = ibis.udf.scalar.python(count_seconds, signature=(("string",), "float64"))
_period_in_python: Any = ibis.udf.scalar.python(number_period, signature=(("string", "string"), "int64"))
_float_in_python: Any = ibis.udf.scalar.python(read_float, signature=(("string",), "float64"))
