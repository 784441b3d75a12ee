"""Column sample: a sample of rows, and the facts that the steward's draft takes from it.

Everything found here is private. It goes into the draft, which marks it, and nowhere else. Only majorities and the
middle of the values decide, never single rows.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ibis

from ripost.draft.text_spelling import MISSING_WORDS, find_format, find_signs
from ripost.schema.attribute import Boolean
from ripost.sources.dialect import Dialect
from ripost.sources.duckdb_engine import connect, quote_literal
from ripost.sources.encoding.attribute_codes import to_integers, to_timestamps
from ripost.sources.error_redaction import redact_errors
from ripost.sources.open_source import open_source
from ripost.sources.source_table import describe_type

CELLS = 4_000_000  # of the sample, at most
ROWS = 100_000
AT_ONCE = 200  # columns
MOST = 0.95  # share of the values that determines the kind of a column
MIDDLE = (0.01, 0.99)
COMMON = 10  # rows that make a value common
TEXTS = 500  # different texts that formats and signs are tried on


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """A summary of a column of the sample, by the majority of its values."""

    place: str  # its name in the sample
    kind: str  # as `describe_type` says, of what the text reads as where it is text
    typed: bool  # the table says so itself
    required: bool  # the table itself forbids missing values
    present: int
    distinct: int
    reads_numbers: bool  # ingest would read numbers from it
    format: str | None = None  # how its text spells dates
    unsure_format: bool = False  # another format reads as many
    decimal: str | None = None  # the sign before the fraction of its numbers, where it is text
    thousands: str | None = None

    @property
    def is_nearly_unique(self) -> bool:
        return self.present >= 20 and self.distinct > 0.9 * self.present


@dataclass(frozen=True, slots=True)
class CommonValue:
    """A value that enough rows have, with its spellings that are common by themselves."""

    value: str
    spellings: tuple[str, ...]


class TableSample:
    """Some columns of a random sample of the rows, in a database of their own."""

    def __init__(self, rows: Any, types: dict[str, Any], *, typed: bool, unit: str | None) -> None:
        self._con = connect()
        self._con.con.register("sample", rows)
        self._types, self._typed, self._unit = types, typed, unit
        self._places = {column: f"c{number}" for number, column in enumerate(types)}

    def close(self) -> None:
        self._con.disconnect()

    def look(self, column: str) -> ColumnSummary:
        place, dtype = self._places[column], self._types[column]
        kind = describe_type(dtype)
        present, distinct = self._one(f"SELECT count({place}), count(DISTINCT {place}) FROM sample")
        read = self._reads_as(place) if kind == "text" else kind
        spelled: dict[str, Any] = {}
        if self._typed and kind == "text" and read in ("integers", "numbers"):
            read, spelled = ("numbers", {"decimal": "."}) if read == "numbers" else (kind, {})  # codes stay text
        elif kind == "text" and read in ("text", "integers"):
            read, spelled = self._find_spelling(place, read)
        if kind == "numbers" and self._is_whole(place):
            read = "integers"
        return ColumnSummary(
            place,
            kind=read if present else "nothing",
            typed=self._typed and read == kind,
            required=self._typed and not dtype.nullable,
            present=present,
            distinct=distinct,
            reads_numbers=kind != "text" or not self._typed,
            **spelled,
        )

    def _find_spelling(self, place: str, read: str) -> tuple[str, dict[str, Any]]:
        """The kind of a text column and the keys that spell its values; the kind `read` and no keys if none fit."""
        sql = f"""
            SELECT x, count(*) FROM (SELECT trim({place}) AS x FROM sample) WHERE {is_present("x")}
            GROUP BY x ORDER BY hash(x) LIMIT {TEXTS}"""
        texts = redact_errors(lambda: self._con.con.execute(sql).fetchall(), say="the sample cannot be read")
        if not any(re.search("[0-9]", text) for text, _ in texts):
            return read, {}
        format, unsure = find_format(texts, MOST)
        if format is not None and (read == "text" or len(texts) >= 20):  # 20 numbers are not days by chance
            clock = "%H" in format or "%I" in format
            return "timestamps" if clock else "dates", {"format": format, "unsure_format": unsure}
        decimal, thousands = find_signs(texts, MOST) if read == "text" else (None, None)
        if decimal is None:
            return read, {}
        whole = all(decimal not in text for text, _ in texts)
        return "integers" if whole else "numbers", {"decimal": decimal, "thousands": thousands}

    def _is_whole(self, place: str) -> bool:
        """Whether most numbers of a column are whole, as where missing values made floats of integers."""
        some, whole = self._one(
            f"SELECT count(*) FILTER (isfinite({place})), count(*) FILTER (floor({place}) = {place}) FROM sample"
        )
        return bool(some) and whole >= MOST * some

    def _reads_as(self, place: str) -> str:
        """The kind that most values of a text column can be read as."""
        no, yes = (", ".join(map(quote_literal, sorted(ways))) for ways in Boolean.SPELLINGS)
        sql = f"""
            SELECT count(x), count(*) FILTER (isfinite(n)), count(*) FILTER (isfinite(n) AND floor(n) = n),
                count(*) FILTER (regexp_matches(x, '^0[0-9]')), count(d), count(*) FILTER (d = date_trunc('day', d)),
                count(*) FILTER (lower(x) IN ({no}, {yes}))
            FROM (SELECT x, try_cast(x AS DOUBLE) AS n, try_cast(x AS TIMESTAMPTZ) AS d
                  FROM (SELECT trim({place}) AS x FROM sample) WHERE {is_present("x")})"""
        text, numbers, wholes, padded, dates, midnights, flags = self._one(sql)
        enough = MOST * text
        if numbers >= enough and padded <= text - enough:
            return "integers" if wholes >= MOST * numbers else "numbers"
        if flags >= enough:
            return "booleans"
        if dates >= enough:
            return "dates" if midnights >= MOST * dates else "timestamps"
        return "text"

    def share_within(self, look: ColumnSummary, low: float, high: float, *, whole: bool) -> float:
        """Which share of the values are numbers in a range."""
        fits = f"n BETWEEN {low} AND {high}" + (" AND floor(n) = n" if whole else "")
        counted = f"SELECT count(*) FILTER ({fits}) FROM (SELECT {self._number(look)} AS n FROM sample)"
        return int(self._one(counted)[0]) / max(look.present, 1)

    def share_among(self, look: ColumnSummary, values: Sequence[str]) -> float:
        """Which share of the values are on a list, in any case."""
        names = ", ".join(quote_literal(value.lower()) for value in values)
        sql = f"""
            SELECT count(*) FILTER (v IN ({names})), count(*) FILTER ({is_present("v")})
            FROM (SELECT lower(trim(CAST({look.place} AS VARCHAR))) AS v FROM sample)"""
        among, present = self._one(sql)
        return int(among) / max(int(present), 1)

    def middle(self, look: ColumnSummary) -> tuple[Any, Any]:
        """The range of the middle of the values."""
        low, high = MIDDLE
        calendar = look.kind in ("dates", "timestamps")
        value = self._moment(look) if calendar else self._number(look)
        kept = "isfinite(v)"
        sql = f"SELECT quantile_disc(v, [{low}, {high}]) FROM (SELECT {value} AS v FROM sample) WHERE {kept}"
        first, last = self._one(sql)[0]
        return (_day(first), _day(last)) if look.kind == "dates" else (first, last)

    def common(self, look: ColumnSummary, most: int) -> tuple[list[CommonValue], float]:
        """The values that enough rows or units have, whatever their case, at most `most`; and their share of the rows.

        A value is spelled as most rows spell it, or in small letters if no spelling is common by itself.
        """
        holders = "count(*)" if self._unit is None else f"count(DISTINCT {self._unit})"
        sql = f"""
            WITH spelled AS (SELECT CAST({look.place} AS VARCHAR) AS v, count(*) AS rows, {holders} AS holders
                             FROM sample WHERE {look.place} IS NOT NULL GROUP BY v),
                 folded AS (SELECT lower(trim(v)) AS f, sum(rows) AS rows, sum(holders) AS holders,
                                   list(trim(v) ORDER BY rows DESC, v)[1] AS first, max(holders) AS clear,
                                   list(v ORDER BY rows DESC, v) FILTER (holders >= {COMMON}) AS ways
                            FROM spelled GROUP BY f)
            SELECT CASE WHEN clear >= {COMMON} THEN first ELSE f END, coalesce(ways, []), rows FROM folded
            WHERE holders >= {COMMON} ORDER BY rows DESC, f LIMIT {most}"""
        found = redact_errors(lambda: self._con.con.execute(sql).fetchall(), say="the sample cannot be read")
        values = [CommonValue(value, tuple(ways)) for value, ways, _ in found]
        return sorted(values, key=lambda one: one.value), sum(rows for *_, rows in found) / max(look.present, 1)

    def missing_words(self, look: ColumnSummary) -> list[str]:
        """The words for missing values that enough rows or units have in a text column."""
        if not self._is_text(look):
            return []
        holders = "count(*)" if self._unit is None else f"count(DISTINCT {self._unit})"
        sql = f"""
            SELECT x FROM (SELECT trim({look.place}) AS x, * FROM sample) WHERE NOT {is_present("x")} AND x <> ''
            GROUP BY x HAVING {holders} >= {COMMON} ORDER BY x"""
        found = redact_errors(lambda: self._con.con.execute(sql).fetchall(), say="the sample cannot be read")
        return [word for (word,) in found]

    def mixes_case(self, look: ColumnSummary, values: Sequence[str]) -> bool:
        """Whether some rows spell one of the values in another case."""
        names = ", ".join(quote_literal(value) for value in values)
        sql = f"""
            SELECT count(*) FILTER (lower(v) IN (SELECT lower(unnest([{names}]))) AND v NOT IN ({names}))
            FROM (SELECT trim(CAST({look.place} AS VARCHAR)) AS v FROM sample)"""
        return int(self._one(sql)[0]) >= COMMON

    def _number(self, look: ColumnSummary) -> str:
        if not self._is_text(look):
            return f"CAST({look.place} AS DOUBLE)"
        text = f"trim({look.place})"
        if look.thousands is not None:
            text = f"replace({text}, {quote_literal(look.thousands)}, '')"
        return f"try_cast(replace({text}, {quote_literal(look.decimal or '.')}, '.') AS DOUBLE)"

    def _moment(self, look: ColumnSummary) -> str:
        if look.format is not None:
            return f"try_strptime(trim({look.place}), {quote_literal(look.format)})"
        if self._is_text(look):
            return f"(try_cast(trim({look.place}) AS TIMESTAMPTZ) AT TIME ZONE 'UTC')"
        return f"CAST({look.place} AS TIMESTAMP)"

    def _is_text(self, look: ColumnSummary) -> bool:
        number = int(look.place[1:])
        return describe_type(list(self._types.values())[number]) == "text"

    def _one(self, sql: str) -> Any:
        return redact_errors(lambda: self._con.con.execute(sql).fetchone(), say="the sample cannot be read")


@contextmanager
def open_sample(
    source: str | Path,
    columns: Sequence[str],
    *,
    table: str | None = None,
    encoding: str | None = None,
    unit: str | None = None,
) -> Iterator[TableSample]:
    """A sample of some columns of a source."""
    wanted = list(dict.fromkeys([*columns, unit] if unit else columns))
    opened = open_source(source, columns=wanted, table=table, encoding=encoding)
    try:
        content = opened.load_rows().table
        types = {column: content[column].type() for column in wanted}
        dialect = Dialect.of(opened.backend)
        simple = {f"c{number}": _simplify(content[column], dialect) for number, column in enumerate(wanted)}
        limit = min(ROWS, max(CELLS // len(wanted), 1000))
        rows = content.select(**simple).order_by(ibis.random()).limit(limit)
        read = redact_errors(lambda: opened.backend.to_pyarrow(rows), say=opened.complaint)
        typed = opened.typed
    finally:
        opened.close()
    sample = TableSample(read, types, typed=typed, unit=f"c{wanted.index(unit)}" if unit else None)
    try:
        yield sample
    finally:
        sample.close()


def _simplify(column: Any, dialect: Dialect) -> Any:
    """A column as one of the few types of the sample; NULL if it has another type."""
    match describe_type(column.type()):
        case "text":
            return column.cast("string")
        case "integers" | "numbers":
            return to_integers(column)
        case "booleans" | "dates":
            return column
        case "timestamps":
            return to_timestamps(column, dialect)
    return ibis.null("string")


def is_present(place: str) -> str:
    """A condition in SQL: a text is not NULL and not a word for a missing value."""
    return f"lower({place}) NOT IN ({', '.join(map(quote_literal, MISSING_WORDS))})"


def _day(moment: dt.datetime) -> dt.date:
    return moment.date()
