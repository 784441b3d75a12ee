"""Risks of a release, reported to its owner before the debit. They follow from public facts: no row is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ripost.check.resolution import count_visible
from ripost.errors import InputError
from ripost.schema.known_columns import is_identifier
from ripost.schema.schema import Schema
from ripost.sources.open_source import list_columns

LARGE_EPSILON = 10  # a larger epsilon protects hardly anybody


def find_release_risks(
    source: Any,
    schema: Schema | None,
    *,
    epsilon: float,
    table: str | None = None,
    encoding: str | None = None,
    rows: float | None = None,
) -> Iterator[str]:
    """Sentences about a release that is allowed but may protect less, or be less accurate, than its owner expects.

    Args:
        rows: about how many rows the owner expects, to find attributes that will be lost in noise.
    """
    if (weak := describe_large_epsilon(epsilon)) is not None:
        yield weak
    if (
        schema is not None
        and schema.unit is None
        and (ids := find_ids(list_public_names(source, table, encoding), schema))
    ):
        yield describe_ids(ids)
    if schema is not None and rows is not None:
        lost = describe_lost(schema, rows=rows, epsilon=epsilon)
        if lost is not None:
            yield lost


def describe_lost(schema: Schema, *, rows: float, epsilon: float) -> str | None:
    """A sentence about attributes whose counts would be lost in noise with this many rows; None if there are none."""
    most = count_visible(schema, rows=rows, epsilon=epsilon)
    stated = [(name, attribute) for name, attribute in schema.domain if name not in schema.open.attributes]
    fine = [f"{name} ({attribute.size:,} codes)" for name, attribute in stated if attribute.size > most]
    if not fine:
        return None
    return (
        f"{', '.join(fine)} will hardly be told from noise with {rows:,.0f} rows at epsilon {epsilon:g}, where about "
        f"{most:,} codes would show; widen bins or group values (ripost plan forecasts the errors)"
    )


def describe_large_epsilon(epsilon: float) -> str | None:
    """A sentence about an epsilon above 10; None for any other."""
    if epsilon <= LARGE_EPSILON:
        return None
    return (
        f"epsilon {epsilon:g} is above {LARGE_EPSILON} and protects hardly anybody; choose a smaller one unless you "
        "can say why (docs/how-to/choose-epsilon.md)"
    )


def find_ids(names: Sequence[str], schema: Schema) -> list[str]:
    """The columns that are named like ids and are not attributes of the schema."""
    used = {column for name, attribute in schema.domain for column in attribute.list_columns(name)}
    return [name for name in names if is_identifier(name) and name not in used]


def describe_ids(ids: Sequence[str]) -> str:
    """A sentence about columns that may identify people where only rows are protected."""
    listed = ", ".join(repr(column) for column in ids[:3])
    return (
        f"the schema protects one row, but the table has {listed}: if a person can have several rows, set unit and "
        "max_rows"
    )


def list_public_names(source: Any, table: str | None = None, encoding: str | None = None) -> list[str]:
    """The names of the columns of a source, if they are known without reading any row."""
    if isinstance(source, (str, Path)):
        if str(source) == "-" or str(source).startswith("spark"):
            return []
        try:
            return list_columns(source, table=table, encoding=encoding, public=True)
        except InputError:  # a pipe, which is read only once
            return []
    # The rows of a lazy frame may decide its names.
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):
        return []
    names: Any = getattr(source, "column_names", None) or getattr(source, "columns", None)
    if names is None:
        names = getattr(getattr(source, "schema", None), "names", ())
    return [name for name in names if isinstance(name, str)]
