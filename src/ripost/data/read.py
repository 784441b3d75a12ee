"""Read: the tensor of a table, in two steps: first its public facts, then its rows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ripost.data.tensor import Tensor
from ripost.errors import SourceError
from ripost.schema.attribute import Category
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from ripost.sources.encoding.cell_keys import check_rows, count_rows, decode
from ripost.sources.encoding.encode import encode_rows, is_looked_up, name_sums
from ripost.sources.error_redaction import redact_errors
from ripost.sources.open_source import open_source
from ripost.sources.source_table import ReadProgress, SourceTable

MOST_SQLITE_LISTS = 63  # it joins at most 64 tables


@dataclass(frozen=True)
class Reader:
    """An open source whose column names and types fit a schema. No row was read."""

    opened: SourceTable
    schema: Schema
    period: ReleasePeriod | None = None  # whose rows are counted; None for all rows

    @classmethod
    def of(
        cls,
        source: Any,
        schema: Schema,
        *,
        table: str | None = None,
        encoding: str | None = None,
        memory: int | str | None = None,
        period: ReleasePeriod | None = None,
    ) -> Reader:
        """Open a source. SourceError if it does not exist, lacks a column, or has one of a type that cannot be read.

        SchemaError if an entry of the schema was drafted from the data and nobody has reviewed it.
        """
        schema.require_reviewed()
        if period is None:
            schema = schema.keep_all_periods()
        opened = open_source(source, columns=schema.columns, table=table, encoding=encoding)
        try:
            opened.check(schema)
            require_compiled(opened, schema, period)
            if memory is not None:
                opened.limit_memory(memory)
        except BaseException:
            opened.close()
            raise
        return cls(opened, schema, period)

    def expression(self, *, secret: str | None = None) -> Any:
        """An expression for the non-empty cells, which an engine computes. To be called after the debit.

        The secret is drawn here, once: if an engine computes cells again, after a fault, they are the same.
        """
        opened = self.opened.load_rows()
        opened.check(self.schema)  # types that only rows show
        return encode_rows(opened, self.schema, secret=secret or secrets.token_hex(16), period=self.period)

    def tensor(self, *, secret: str | None = None, tell: ReadProgress | None = None) -> Tensor:
        """Encode and count the rows; `secret` is as in read_tensor, `tell` is called with the share that was read."""
        cells = self.opened.run(self.expression(secret=secret), tell=tell)
        check_rows(*count_rows(cells), name=self.opened.name)
        schema = self.schema
        coords, counts, sums = decode(cells, schema.domain.shape, name_sums(schema))
        return Tensor(schema.domain, coords, counts, schema.measure, schema.row_unit, schema.measures, sums)

    def close(self) -> None:
        self.opened.close()


def draw_secret() -> str:
    """A key that chooses the rows of a unit."""
    return secrets.token_hex(16)


def require_compiled(opened: SourceTable, schema: Schema, period: ReleasePeriod | None = None) -> None:
    """SourceError if the engine of a database cannot express an attribute. It reads no row.

    The embedded DuckDB expresses all attributes. Of tables whose types only rows show, only the lists can be counted.
    """
    lists = sum(isinstance(one, Category) and is_looked_up(one) for one in schema.attributes.values())
    if opened.backend.name == "sqlite" and lists > MOST_SQLITE_LISTS:
        advice = "leave some out, or export the table to Parquet and publish the file"
        raise SourceError(f"{opened.name}: SQLite looks up at most {MOST_SQLITE_LISTS} long lists of values; {advice}")
    if opened.is_ours or opened.load is not None or compiles(opened, schema, period):
        return
    parts = {name: Schema(attributes={name: attribute}) for name, attribute in schema.attributes.items()}
    tables = {name: replace(opened, table=opened.table.select(*part.columns)) for name, part in parts.items()}
    bad = next((name for name, part in parts.items() if not compiles(tables[name], part)), None)
    what = "the schema" if bad is None else f"attribute {bad}"
    advice = "make its column what the schema needs in a database view, or export the table to Parquet"
    raise SourceError(f"{opened.name}: ripost cannot read {what} on {opened.backend.name}; {advice}")


def compiles(opened: SourceTable, schema: Schema, period: ReleasePeriod | None = None) -> bool:
    """Whether the engine has the SQL for a schema."""
    try:
        cells = partial(encode_rows, opened, schema, secret="", period=period)
        redact_errors(lambda: prepare(opened, cells()), say="no SQL for it")
    except SourceError:
        return False
    return True


def prepare(opened: SourceTable, cells: Any) -> None:
    """Compile an expression; engines that may refuse its SQL also plan it, which reads no row.

    The parser of SQLite refuses deep expressions, a PostgreSQL database texts that its encoding has no letters for, and
    DuckDB functions of texts of two collations.
    """
    sql = opened.backend.compile(cells)
    if opened.backend.name in ("sqlite", "postgres", "duckdb"):
        opened.backend._run_pre_execute_hooks(cells)
        opened.backend.con.execute(f"EXPLAIN {sql}").fetchall()


def read_tensor(
    source: Any,
    schema: Schema,
    *,
    table: str | None = None,
    encoding: str | None = None,
    secret: str | None = None,
    period: ReleasePeriod | None = None,
) -> Tensor:
    """The tensor of a source by the rules of a schema.

    Args:
        table: the table of a database URL, or the sheet of an Excel file.
        encoding: of a text file that is not UTF-8.
        secret: key that chooses the rows of a unit; drawn anew unless a test sets it.
        period: whose rows are counted; all rows without it.
    """
    reader = Reader.of(source, schema, table=table, encoding=encoding, period=period)
    try:
        return reader.tensor(secret=secret)
    finally:
        reader.close()
