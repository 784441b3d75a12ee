"""Encode: from an opened source to its non-empty cells, as one Ibis expression.

Each row gets exactly one key, or none where the schema drops it, and is counted once (privacy/proofs/encoding.md). The
expression also counts the rows that it was given and the rows that it counted, so that the two can be compared.

The codes of a row are packed into as few 64-bit keys as hold the domain, so that engines group by one or two whole
numbers instead of by many columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any

import ibis
import pyarrow as pa

from ripost.schema.attribute import Category
from ripost.schema.domain import Domain
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema, Sum
from ripost.sources.dialect import Dialect
from ripost.sources.encoding.attribute_codes import (
    MEANS_MISSING,
    clamp,
    encode_attribute,
    encode_joined_category,
    float_literal,
    int_literal,
    read_numbers,
    to_names,
    to_unit_id,
)
from ripost.sources.encoding.cell_keys import NOT_KEPT, group_axes
from ripost.sources.encoding.computed import read_attribute
from ripost.sources.encoding.contribution_bounding import bound_contributions
from ripost.sources.encoding.first_periods import keep_first, place_in_time
from ripost.sources.source_table import SourceTable
from ripost.space.region import Intervals, Region

FEW = 12  # spellings of a category compared one by one; more are looked up by a join


def encode_rows(opened: SourceTable, schema: Schema, *, secret: str, period: ReleasePeriod | None = None) -> Any:
    """The non-empty cells as a table; of the rows of one period, if there is one.

    Columns: packed keys `k0`, `k1`, …, one of them NOT_KEPT for rows that are not kept; `amount`; `s0`, `s1`, …, the
    sum of each measure in half steps from its middle; `rows`, how many were counted here; `read`, how many rows the
    source has. No column holds NULL: with it, whole numbers pass through floats
    on their way from SQLite, which cannot hold keys beyond 2^53.
    """
    dialect = Dialect.of(opened.backend)
    rows = _pack_keys(_encode_columns(opened, schema, dialect, period), schema.domain)
    keys = [name for name in rows.columns if name.startswith("k")]
    measured = dict(zip(name_sums(schema), schema.measures.values(), strict=True))
    if schema.unit is not None:
        content = [*keys, "amount"] if schema.total is not None else [*keys, *measured]
        rows = bound_contributions(
            rows,
            unit="unit",
            keys=keys,
            content=content,
            max_rows=schema.row_unit.max_rows,
            secret=secret,
            dialect=dialect,
        )
    # a stream cannot be read a second time to count its rows, so they are numbered as they come
    read = rows.position + 1 if opened.once else opened.table.count().as_scalar()
    rows = rows.mutate(**{key: rows[key].fill_null(NOT_KEPT) for key in keys}, read=read)
    amount = rows.count() if schema.total is None else rows.amount.sum().cast("int64")
    cells = rows.group_by(keys)
    sums = {name: rows[name].sum().cast("int64") for name in measured}
    return cells.aggregate(amount=amount, **sums, rows=rows.count(), read=rows["read"].max())


def name_sums(schema: Schema) -> list[str]:
    """What the encoded table calls the sum of each measure."""
    return [f"s{number}" for number in range(len(schema.measures))]


def _encode_columns(opened: SourceTable, schema: Schema, dialect: Dialect, period: ReleasePeriod | None) -> Any:
    """The rows with columns `c0`, `c1`, … of codes, and `unit`, `amount`, `position` and `inside` where needed."""
    table = opened.table
    attributes = [(attribute, read_attribute(table, name, attribute, dialect)) for name, attribute in schema.domain]
    first: dict[str, Any] = {}
    listed: dict[str, Category] = {}
    for number, (attribute, column) in enumerate(attributes):
        if isinstance(attribute, Category) and is_looked_up(attribute):
            listed[f"c{number}"] = attribute
            first |= write_names(f"c{number}", column, attribute, dialect)
        else:
            first[f"c{number}"] = encode_attribute(column, attribute, dialect)
    if schema.unit is not None:
        first["unit"] = to_unit_id(table[schema.unit], dialect)
    if schema.total is not None:
        first["amount"] = _clamp_amounts(table[schema.total.sum], schema.total, dialect)
    for column, (name, measured) in zip(name_sums(schema), schema.measures.items(), strict=True):
        first[column] = _center_amounts(table[measured.column or name], measured, dialect)
    if opened.once:
        first["position"] = ibis.row_number()
    first |= place_in_time(table, first.get("unit"), period, schema.max_periods, dialect)
    encoded = join_categories(table.select(**first), listed, dialect, opened.lend)
    encoded = keep_first(encoded, period, schema.max_periods)
    return _leave_out_missing(encoded, [name for name in name_sums(schema) if name in encoded.columns])


def is_looked_up(attribute: Category) -> bool:
    """Whether a category has too many spellings to compare with one by one."""
    return len(attribute.lookup) > FEW


def write_names(name: str, column: Any, attribute: Category, dialect: Dialect) -> dict[str, Any]:
    """The columns that `join_categories` needs of a category: its text, and the bytes of that."""
    text = to_names(column, attribute, dialect)
    return {name: text, f"{name}_bytes": dialect.to_bytes(text)}


def join_categories(
    rows: Any, listed: Mapping[str, Category], dialect: Dialect, lend: Callable[[pa.Table], Any] = ibis.memtable
) -> Any:
    """The rows with columns of `write_names` turned into codes.

    The spellings of an attribute are grouped by their bytes before the join, so that a row meets at most one of them.
    """
    if not listed:
        return rows
    joined = rows
    for name, attribute in listed.items():
        joined = joined.left_join(_category_table(attribute, name, dialect, lend), [(f"{name}_bytes", f"{name}_key")])
    codes = {
        name: encode_joined_category(joined[name], joined[f"{name}_code"], attribute)
        for name, attribute in listed.items()
    }
    kept = {name: joined[name] for name in rows.columns if not name.endswith("_bytes")}
    return joined.select(**{**kept, **codes})


def _category_table(attribute: Category, name: str, dialect: Dialect, lend: Callable[[pa.Table], Any]) -> Any:
    """A table of the bytes of the spellings, each once, and their codes."""
    key, place = f"{name}_key", f"{name}_code"
    codes = pa.array([MEANS_MISSING if code is None else code for code in attribute.lookup.values()], pa.int64())
    names = lend(pa.table({key: pa.array(list(attribute.lookup), pa.string()), place: codes}))
    names = names.select(**{key: dialect.to_bytes(names[key]), place: names[place]})
    return names.group_by(key).aggregate(**{place: names[place].min()})


def _pack_keys(coded: Any, domain: Domain) -> Any:
    """The rows with their codes packed into keys.

    A key is NULL where one of its codes is, outside of the period, and in an impossible cell.
    """
    keys, dropped = {}, [~coded.inside] if "inside" in coded.columns else []
    if domain.impossible is not None:
        dropped.append(lies_in(coded, domain.impossible.region(domain.shape)))
    for number, axes in enumerate(group_axes(domain.shape)):
        terms = [
            coded[f"c{axis}"] * _wide_literal(math.prod(domain.shape[axis + 1 : axes.stop]))
            if axis + 1 < axes.stop
            else coded[f"c{axis}"]
            for axis in axes
        ]
        key = _add_up(terms)
        keys[f"k{number}"] = ibis.cases(*((one, int_literal(None)) for one in dropped), else_=key) if dropped else key
    others = [name for name in coded.columns if name in ("unit", "amount", "position") or name.startswith("s")]
    return coded.select(**keys, **{name: coded[name] for name in others})


def _wide_literal(value: int) -> Any:
    """A number of 64 bits in every engine.

    Engines take the bare numbers of CASE and a bare factor for 32 bits, and their product fails beyond 2^31.
    """
    return ibis.literal(str(value)).cast("int64")


def lies_in(coded: Any, region: Region) -> Any:
    """Whether the codes of a row lie in a region; not where one of the codes that tell is NULL."""
    selections = [
        reduce(and_, (_lies_between(coded[f"c{axis}"], spans) for axis, spans in sorted(selection.items())))
        for selection in region
    ]
    return _join_or(selections).fill_null(False)


def _lies_between(code: Any, spans: Intervals) -> Any:
    """Whether a code lies in one of some intervals."""
    return _join_or([(code >= int_literal(int(low))) & (code < int_literal(int(high))) for low, high in spans])


def _join_or(terms: list[Any]) -> Any:
    """Whether any of some conditions holds, by halves, for the same reason as in `_add_up`."""
    middle = len(terms) // 2
    return terms[0] if len(terms) == 1 else _join_or(terms[:middle]) | _join_or(terms[middle:])


def _add_up(terms: list[Any]) -> Any:
    """The sum of some terms, by halves: SQLite refuses expressions that are nested deeper than 100."""
    middle = len(terms) // 2
    return terms[0] if len(terms) == 1 else _add_up(terms[:middle]) + _add_up(terms[middle:])


def _clamp_amounts(column: Any, total: Sum, dialect: Dialect) -> Any:
    """What each row adds, in whole steps: clamped, rounded half up, nothing where it is missing."""
    x = read_numbers(column, total, dialect)
    steps = (
        clamp(x, float_literal(0), float_literal(total.max)) / float_literal(total.step) + float_literal(0.5)
    ).floor()
    return ibis.cases(
        (dialect.is_missing(x), int_literal(0)), else_=ibis.least(steps, int_literal(total.bound)).cast("int64")
    )


def _center_amounts(column: Any, measured: MeasuredColumn, dialect: Dialect) -> Any:
    """Half steps of each row from the middle of the range, -bound to bound; NULL where the row is dropped."""
    x, low = read_numbers(column, measured, dialect), float_literal(measured.min)
    steps = (
        (clamp(x, low, float_literal(measured.max)) - low) / float_literal(measured.step) + float_literal(0.5)
    ).floor()
    bound, missing = int_literal(measured.bound), measured.missing_steps
    inside = ibis.greatest(ibis.least(steps, bound), int_literal(0)).cast("int64") * int_literal(2) - bound
    return ibis.cases(
        (dialect.is_missing(x), int_literal(None if missing is None else 2 * missing - measured.bound)), else_=inside
    )


def _leave_out_missing(encoded: Any, sums: Sequence[str]) -> Any:
    """The rows with 0 for what they add where a measure is missing and drops them; `inside` says which are left."""
    if not sums:
        return encoded
    inside = encoded.inside if "inside" in encoded.columns else ibis.literal(True)
    for name in sums:
        inside &= encoded[name].notnull()
    return encoded.mutate(inside=inside, **{name: encoded[name].fill_null(int_literal(0)) for name in sums})
