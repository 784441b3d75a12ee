"""Opened: a source as an Ibis table on its engine, and whether it has the columns that a schema needs."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import duckdb
import ibis
import pyarrow as pa

from ripost.errors import SourceError
from ripost.schema.attribute import AttributeBase, Boolean, Category
from ripost.schema.expression import Term
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.period import read_rule
from ripost.schema.schema import Schema, Sum
from ripost.sources.dialect import Dialect
from ripost.sources.duckdb_engine import limit_memory, run_interruptible
from ripost.sources.error_redaction import redact_errors

ACCEPTS = {
    "integer": ("integers", "numbers"),
    "number": ("integers", "numbers"),
    "date": ("dates", "timestamps", "text"),
    "timestamp": ("dates", "timestamps", "text"),
    "category": ("text", "integers", "numbers", "booleans", "dates"),
    "boolean": ("booleans", "integers", "numbers", "text"),
}
READ_AS = {  # what a column is to an expression: the type of attribute that reads it so, and words
    "number": ("number", "a number"),
    "moment": ("timestamp", "a date"),
    "text": ("category", "text"),
    "boolean": ("boolean", "true or false"),
}
UNITS = ("text", "integers", "numbers", "booleans", "dates", "timestamps")


ReadProgress = Callable[[float], None]  # told which share of a table was read


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A source that is open, with the columns asked for."""

    name: str  # what errors call it
    table: Any  # an Ibis table
    backend: Any  # the Ibis backend that runs it
    typed: bool = True  # False: a text file, whose columns are all text
    once: bool = False  # True: a stream, which can be read only once
    end: Callable[[], None] | None = None  # what to do when it has been read
    complain: Callable[[Exception], str] | None = None  # a public sentence for what reading may raise
    lend: Callable[[pa.Table], Any] = ibis.memtable  # a small table of ours, as an Ibis table for the same engine
    fetch: Callable[[Any], pa.Table] | None = None  # what an expression gives, where Ibis has no good way
    mixed: frozenset[str] = frozenset()  # columns of different types in different files: values may become one
    objects: frozenset[str] = frozenset()  # columns of Python objects, whose moments lose their nanoseconds
    load: Callable[[], Any] | None = None  # the table, where finding its rows or types means to look at rows

    def load_rows(self) -> SourceTable:
        """The source with its rows at hand. To be called after the debit: whether it fails can depend on a row."""
        return self if self.load is None else replace(self, table=self.load(), load=None)

    def close(self) -> None:
        if self.end is not None:
            self.end()

    @property
    def is_ours(self) -> bool:
        """Whether the engine is a DuckDB that serves this source alone, so that its settings may be changed."""
        return self.backend.name == "duckdb" and self.end is not None

    def limit_memory(self, memory: int | str) -> None:
        """Let the engine hold so many bytes."""
        if not self.is_ours:
            raise SourceError(f"{self.name}: memory is for what ripost reads itself; {self.backend.name} has its own")
        limit_memory(self.backend, memory)

    def run(self, expression: Any, *, tell: ReadProgress | None = None) -> pa.Table:
        """What an expression on the table gives; `tell` hears which share of the work is done, where that is known."""
        work = partial(self.fetch or self.backend.to_pyarrow, expression)
        attentive = partial(run_interruptible, self.backend, work, tell) if self.is_ours else work
        found: pa.Table = redact_errors(attentive, say=self.complaint)
        return found

    def complaint(self, error: Exception) -> str:
        """What to say when the engine fails while reading."""
        if isinstance(error, duckdb.OutOfMemoryException):
            return f"{self.name}: reading it takes more memory, or more room on disk for what is left over, than it has"
        if self.complain is not None:
            return self.complain(error)
        why = "what it says is withheld, since it may quote rows"
        return f"{self.name}: the engine {self.backend.name} failed while reading it; {why}"

    def check(self, schema: Schema) -> None:
        """SourceError where a column holds something that its attribute cannot be read from."""
        for name, attribute in schema.domain:
            if attribute.computed is not None:
                self._check_computed(f"attribute {name}", attribute.computed, list_text_keys(attribute))
                continue
            kind = type(attribute).__name__.lower()
            use = f"attribute {name} is {'an' if kind == 'integer' else 'a'} {kind}"
            self._accept(attribute.column or name, ACCEPTS[kind], use, spelled=list_text_keys(attribute))
        if schema.total is not None:
            keys = list_text_keys(schema.total)
            self._accept(schema.total.sum, ACCEPTS["number"], "its sum is the measure", spelled=keys)
        for name, measured in schema.measures.items():
            use = f"measure {name} adds it up"
            self._accept(measured.column or name, ACCEPTS["number"], use, spelled=list_text_keys(measured))
        if schema.unit is not None:
            self._accept(schema.unit, UNITS, "it is the unit")
            kind = self.table[schema.unit].type()
            if kind.is_decimal() and kind.scale is None:  # 1.0 and 1.00 would be two people
                advice = "cast it to an integer or to text in a view"
                raise SourceError(f"{self.name}: column {schema.unit} holds decimals of any scale; {advice}")
            if kind.is_timestamp() and schema.unit in self.objects:
                advice = "make it datetime64, since different people could become one"
                raise SourceError(f"{self.name}: column {schema.unit} holds moments as Python objects; {advice}")
            if schema.unit in self.mixed:
                advice = "write all files with one type, since different people could become one"
                raise SourceError(f"{self.name}: column {schema.unit} is not of one type in all files; {advice}")
        if schema.period is not None:
            self._check_computed("the period", read_rule(schema.period)[1], ())
        if not Dialect.of(self.backend).compares_bytes and self._compares_text(schema):
            advice = "export the table to Parquet and publish the file"
            raise SourceError(f"{self.name}: ripost cannot compare text byte by byte on {self.backend.name}; {advice}")

    def _check_computed(self, what: str, computed: Term, keys: Sequence[str]) -> None:
        """SourceError where the engine is not examined, or a column cannot be read as the expression needs it."""
        if not Dialect.of(self.backend).parses_text:
            advice = "compute it in a database view, or export the table to Parquet and publish the file"
            raise SourceError(f"{self.name}: ripost cannot compute {what} on {self.backend.name}; {advice}")
        for column, terms in computed.columns.items():
            for term in terms:
                reads = "by its format" if term.operation == "strptime" else f"as {READ_AS[term.kind][1]}"
                spelled = [*keys, "STRPTIME"] if term.operation == "strptime" or term.kind == "number" else keys
                use = f"the expression of {what} reads it {reads}"
                self._accept(column, ACCEPTS[READ_AS[term.kind][0]], use, spelled=spelled, advise="write STRPTIME with")

    def _compares_text(self, schema: Schema) -> bool:
        """Whether any value is compared as text: ids of units, categories, and true or false as text."""
        plain = [(name, attribute) for name, attribute in schema.domain if attribute.computed is None]
        kinds = [(attribute, self.table[attribute.column or name].type()) for name, attribute in plain]
        return schema.unit is not None or any(
            isinstance(attribute, Category) or (isinstance(attribute, Boolean) and kind.is_string())
            for attribute, kind in kinds
        )

    def _accept(
        self, column: str, kinds: Sequence[str], use: str, *, spelled: Sequence[str] = (), advise: str = "add"
    ) -> None:
        """SourceError unless a column is of one of some kinds; with keys that say how text is `spelled`, also text."""
        kind = describe_type(self.table[column].type())
        if kind == "text" and spelled:
            dialect = Dialect.of(self.backend)
            if not dialect.parses_text:
                advice = f"leave out {' and '.join(spelled)}, or export the table to Parquet and publish the file"
                where = f"{self.backend.name} in {dialect.encoding}"
                raise SourceError(f"{self.name}: ripost cannot read text by a rule on {where}; {advice}")
            return
        if self.typed and kind not in kinds and kind != "nothing":
            raise SourceError(f"{self.name}: column {column} holds {kind} but {use}")
        if kind == "text" and kinds == ACCEPTS["date"] and not self.parses_dates:
            advice = f"{advise} a format such as '%Y-%m-%d', since {self.backend.name} fails on text that is no date"
            raise SourceError(f"{self.name}: column {column} holds text but {use}; {advice}")

    @property
    def parses_dates(self) -> bool:
        """Whether the engine turns text that is no date into a missing value instead of failing."""
        return self.backend.name in ("duckdb", "sqlite", "pyspark", "databricks", "snowflake", "bigquery", "trino")


def list_text_keys(described: AttributeBase | Sum | MeasuredColumn) -> list[str]:
    """The keys of an attribute or a sum that say how text spells its values."""
    return [key for key in ("decimal", "thousands", "format", "fold_case") if getattr(described, key, None)]


def describe_type(dtype: Any) -> str:
    """What a column of an Ibis type holds, in plain words."""
    words = {
        "text": dtype.is_string() or dtype.is_uuid(),
        "booleans": dtype.is_boolean(),
        "integers": dtype.is_integer(),
        "numbers": dtype.is_floating() or dtype.is_decimal(),
        "dates": dtype.is_date(),
        "timestamps": dtype.is_timestamp(),
        "nothing": dtype.is_null(),
        "bytes": dtype.is_binary(),
        "nested values": dtype.is_nested() or dtype.is_json(),
    }
    return next((word for word, holds in words.items() if holds), "values of another kind")


def select_columns(table: Any, columns: Sequence[str]) -> Any:
    """The columns of an Ibis table; as text UUIDs, and nanoseconds with a zone, unknown to Ibis 12 on DuckDB 2."""
    kinds = {name: table[name].type() for name in columns}
    unknown = [name for name, kind in kinds.items() if kind.is_uuid() or "TIMESTAMPTZ_NS" in str(kind)]
    return table.select(*columns).mutate(**{name: table[name].cast("string") for name in unknown})


def defer_error(name: str, columns: Sequence[str], backend: Any, error: SourceError) -> SourceTable:
    """A source that cannot be read, which is said once it is loaded: what broke it may be a row."""

    def load() -> Any:
        raise error

    return SourceTable(name, build_null_table(columns), backend, typed=False, end=backend.disconnect, load=load)


def build_null_table(columns: Sequence[str]) -> Any:
    """A table that stands for columns of which no more is known before rows are read."""
    return ibis.table(dict.fromkeys(columns, "null"), name="unread")


def require_columns(
    columns: Sequence[str], names: Sequence[str], *, name: str, beside: Sequence[str] | None = None, hint: bool = True
) -> None:
    """SourceError where a column is not among the names, or is twice, or once more in other letters.

    Only a name close to the wanted one is shown: in a file without a header the names are somebody's row. None is shown
    without `hint`, for names that come from rows. DuckDB does not tell letters of different case apart, and would take
    one column for another that is read `beside` it.
    """
    folded = Counter(one.casefold() for one in (names if beside is None else beside))
    for column in columns:
        if column not in names:
            close = difflib.get_close_matches(column, names, n=1, cutoff=0.6) if hint else []
            advice = f"; did you mean {close[0]!r}?" if close else ""
            raise SourceError(f"{name}: has no column {column!r}{advice}")
        if list(names).count(column) > 1:
            raise SourceError(f"{name}: has two columns named {column!r}; rename one")
        if folded[column.casefold()] > 1:
            raise SourceError(f"{name}: has another column that differs from {column!r} only in case; rename one")
