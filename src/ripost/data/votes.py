"""Read the exact numbers of votes of a table whose domain is not known yet. Private."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from ripost.arrays import Ints
from ripost.data.read import Reader, draw_secret, prepare, require_compiled
from ripost.errors import InputError
from ripost.schema.attribute import Number
from ripost.schema.discovery import MAX_ROWS, OpenBounds, OpenValues
from ripost.schema.schema import Schema
from ripost.sources.dialect import Dialect
from ripost.sources.encoding.unit_votes import count_row_votes, count_value_votes
from ripost.sources.error_redaction import redact_errors


def require_two_passes(reader: Reader) -> None:
    """InputError for a stream, which can be read only once."""
    if reader.opened.once:
        raise InputError(
            f"{reader.opened.name}: is a stream, and discovery reads a table more than once; write it to a file and "
            "publish that file"
        )


def require_votes_compiled(reader: Reader) -> None:
    """SourceError if the engine of a database refuses the SQL that counts votes, or a stated alias. It reads no row."""
    opened, open_parts = reader.opened, reader.schema.open
    stated = reader.schema.resolve(open_parts.list_stated(reader.schema.attributes), MAX_ROWS[-1])
    require_compiled(opened, stated, reader.period)
    if opened.is_ours or opened.load is not None:
        return
    advice = "list what the schema discovers, or export the table to Parquet and publish the file"
    sentence = f"{opened.name}: ripost cannot count votes on {opened.backend.name}; {advice}"
    for expression in _express_votes(reader, secret=""):
        redact_errors(partial(prepare, opened, expression), say=sentence)


def read_votes(
    reader: Reader, *, secret: str | None = None
) -> tuple[dict[str, tuple[list[str], Ints]], dict[str | None, Ints]]:
    """The votes for all that the schema leaves open. To be called after the debit."""
    key, parts = secret or draw_secret(), reader.schema.open
    values, grids = {}, dict[str | None, Ints]()
    for name, part in parts.attributes.items():
        if isinstance(part, OpenValues):
            values[name] = _read_values(reader, name, part, key)
        else:
            grids[name] = _read_grid(reader, name, part, key)
    if parts.max_rows is not None:
        grids[None] = _add_up(reader.opened.run(_express_rows(reader)), len(MAX_ROWS))
    return values, grids


def _express_votes(reader: Reader, *, secret: str) -> Iterator[Any]:
    """The expressions whose results are the votes."""
    parts = reader.schema.open
    for name, part in parts.attributes.items():
        if isinstance(part, OpenValues):
            yield _express_values(reader, name, secret)
        else:
            yield replace(reader, schema=_schema_of_grid(reader.schema, name, part)).expression(secret=secret)
    if parts.max_rows is not None:
        yield _express_rows(reader)


def _express_rows(reader: Reader) -> Any:
    schema = reader.schema
    assert schema.unit is not None
    return count_row_votes(
        reader.opened, MAX_ROWS, unit=schema.unit, period=reader.period, max_periods=schema.max_periods
    )


def _express_values(reader: Reader, name: str, secret: str) -> Any:
    schema = reader.schema
    return count_value_votes(
        reader.opened,
        name,
        schema.attributes[name],
        unit=schema.unit,
        secret=secret,
        period=reader.period,
        max_periods=schema.max_periods,
    )


def _read_values(reader: Reader, name: str, part: OpenValues, secret: str) -> tuple[list[str], Ints]:
    """Each value that can be listed, in the order of its bytes, with its votes."""
    counted = reader.opened.run(_express_values(reader, name, secret))
    dialect, votes = Dialect.of(reader.opened.backend), dict[str, int]()
    for raw, number in zip(counted["value"].to_pylist(), counted["votes"].to_pylist(), strict=True):
        text = dialect.decode(raw)
        value = None if text is None else part.find_value(text)
        if value is not None:
            votes[value] = votes.get(value, 0) + number
    listed = sorted(votes, key=str.encode)
    return listed, np.array([votes[value] for value in listed], np.int64)


def _read_grid(reader: Reader, name: str, part: OpenBounds, secret: str) -> Ints:
    """The votes of each cell of the grid: one row of each unit, encoded as an attribute between the grid's edges."""
    tensor = replace(reader, schema=_schema_of_grid(reader.schema, name, part)).tensor(secret=secret)
    votes: Ints = np.zeros(part.cells, np.int64)
    votes[tensor.coords[:, 0]] = tensor.counts
    return votes


def _schema_of_grid(schema: Schema, name: str, part: OpenBounds) -> Schema:
    """A schema of one row of each unit, with one attribute: the grid's cells."""
    known = schema.attributes[name].model_dump(by_alias=True, exclude_none=True)
    spelled: dict[str, Any] = {
        key: known[key] for key in ("expression", "missing_values", "decimal", "thousands") if key in known
    }
    if "expression" not in known:
        spelled["column"] = known.get("column", name)
    attribute = Number.model_validate(
        {**spelled, "type": "number", "edges": list(map(float, part.edges)), "outside": "clamp", "missing": "drop"}
    )
    return Schema.model_construct(
        **{
            key: getattr(schema, key) for key in ("title", "description", "unit", "period", "max_periods", "unreviewed")
        },
        max_rows=None if schema.unit is None else 1,
        total=None,
        attributes={name: attribute},
        open=type(schema.open)({}),
    )


def _add_up(found: pa.Table, cells: int) -> Ints:
    """The votes of each cell, 0 where the engine gave none."""
    votes: Ints = np.zeros(cells, np.int64)
    votes[found["cell"].to_numpy().astype(np.int64)] = found["votes"].to_numpy()
    return votes
