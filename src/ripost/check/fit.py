"""The fit of a schema to the rows of a table, for the steward alone. PRIVATE: it shows exact counts and values."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import ibis
import numpy as np

from ripost.check.map_fit import ImpossibleFit, MapFit, measure_impossible, measure_maps
from ripost.data.read import Reader
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.schema.attribute import AttributeBase, Category
from ripost.schema.period import label_number, read_rule
from ripost.schema.schema import Schema
from ripost.sources.dialect import Dialect
from ripost.sources.encoding.attribute_codes import encode_attribute, to_text, to_unit_id
from ripost.sources.encoding.computed import read_attribute
from ripost.sources.encoding.encode import is_looked_up, join_categories, write_names
from ripost.sources.encoding.first_periods import place_rows
from ripost.sources.source_table import SourceTable

EXAMPLES = 5  # values outside the domain that are shown for a column
STRONG_LAMBDA = 0.95  # Goodman and Kruskal's lambda from which an attribute counts as nearly a function of another
MOST_PAIR_CELLS = 2**22  # cells of a pair table that is counted densely


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """How many rows of a column fall outside what its attribute describes."""

    attribute: str
    column: str  # or the expression that computes it
    rows: int
    missing: int  # NULL, NaN, blank text or what missing_values lists
    unparsed: int  # text that is no number, date or truth value; counts as missing
    outside: int  # values beyond the bounds or not listed
    policy: str  # what the schema does with values outside: clamp, other or drop
    examples: tuple[tuple[str, int], ...]  # the most frequent values that are unparsed or outside, with their counts
    computed: bool = False


@dataclass(frozen=True, slots=True)
class UnitFit:
    """How the rows of a table spread over its privacy units."""

    column: str
    units: int
    without_id: int  # rows that are dropped because their id is missing
    beyond_bound: int  # rows that are dropped because their unit has more than max_rows
    largest: int  # rows of the unit that has most


@dataclass(frozen=True, slots=True)
class PeriodFit:
    """How the rows of a table spread over the periods of its units."""

    rule: str
    periods: int
    first: str  # the label of the first period that has rows; empty where no row has a moment
    last: str
    beyond_rows: int  # rows that no release of a period counts, because they are after the first periods of their unit
    beyond_units: int  # units with such rows


@dataclass(frozen=True, slots=True)
class FunctionalDependence:
    """An attribute that is nearly a function of another."""

    determinant: str
    dependent: str
    share: float  # of rows in which the determinant tells the dependent attribute


@dataclass(frozen=True, slots=True)
class FitReport:
    """What a steward should know before publishing. PRIVATE."""

    rows: int
    kept: int  # rows that are counted in a cell
    columns: tuple[ColumnFit, ...]
    unit: UnitFit | None
    dependences: tuple[FunctionalDependence, ...]
    impossible: tuple[ImpossibleFit, ...] = ()
    maps: tuple[MapFit, ...] = ()
    periods: PeriodFit | None = None  # where the schema has max_periods


def measure_fit(source: Any, schema: Schema, *, table: str | None = None, encoding: str | None = None) -> FitReport:
    """Read the rows and return how well the schema fits them. Nothing of this may be published."""
    schema = schema.keep_stated()
    reader = Reader.of(source, schema, table=table, encoding=encoding)
    try:
        opened = reader.opened.load_rows()
        if opened.once:
            raise InputError("--fit reads the table several times; write what is piped in to a file first")
        columns = _measure_columns(opened, schema)
        unit = None if schema.unit is None else _measure_unit(opened, schema)
        periods = None if schema.max_periods is None else _measure_periods(opened, schema)
        tensor = reader.tensor()
    finally:
        reader.close()
    rows = columns[0].rows
    kept = int(tensor.counts.sum()) if schema.total is None else rows
    options = {"table": table, "encoding": encoding}
    impossible, maps = measure_impossible(source, schema, **options), measure_maps(source, schema, **options)
    return FitReport(rows, kept, columns, unit, find_dependences(tensor), impossible, maps, periods)


def _measure_columns(opened: SourceTable, schema: Schema) -> tuple[ColumnFit, ...]:
    """Classify every value of every attribute's column, in one pass, then look for the most frequent misfits."""
    states = _classify(opened, schema)
    counts = {
        f"{state}{number}": (states[f"s{number}"] == state).sum()
        for number in range(len(schema.domain))
        for state in ("missing", "unparsed", "outside")
    }
    found = opened.run(states.aggregate(rows=states.count(), **counts)).to_pylist()[0]
    columns = []
    for number, (name, attribute) in enumerate(schema.domain):
        missing, unparsed, outside = (found[f"{state}{number}"] or 0 for state in ("missing", "unparsed", "outside"))
        columns.append(
            ColumnFit(
                attribute=name,
                column=attribute.expression or attribute.column or name,
                computed=attribute.expression is not None,
                rows=found["rows"],
                missing=missing,
                unparsed=unparsed,
                outside=outside,
                policy=getattr(attribute, "outside", "missing"),
                examples=_find_examples(opened, states, number) if unparsed + outside else (),
            )
        )
    return tuple(columns)


def _classify(opened: SourceTable, schema: Schema) -> Any:
    """Return the rows with the text `v0` and the state `s0` of each attribute's value: inside, missing and so on."""
    dialect, table = Dialect.of(opened.backend), opened.table
    strict = [_tell_apart(attribute) for _, attribute in schema.domain]
    first, listed = {}, {}
    for number, (name, attribute) in enumerate(schema.domain):
        column = read_attribute(table, name, attribute, dialect)
        read = [table[one] for one in attribute.list_columns(name)]
        first[f"v{number}"] = ibis.coalesce(*(_to_shown(one, dialect) for one in (column, *read)))
        first[f"b{number}"] = _is_absent(column, read, attribute, dialect)
        if isinstance(attribute, Category) and is_looked_up(attribute):
            listed[f"c{number}"] = strict[number]
            first |= write_names(f"c{number}", column, attribute, dialect)
        else:
            first[f"c{number}"] = encode_attribute(column, strict[number], dialect)
    rows = join_categories(table.select(**first), listed, dialect, opened.lend)
    states = {}
    for number, attribute in enumerate(strict):
        codes = rows[f"c{number}"]
        absent = ibis.ifelse(rows[f"b{number}"], "missing", "unparsed")
        is_missing = codes == attribute.missing_code
        states[f"s{number}"] = ibis.cases((codes.isnull(), "outside"), (is_missing, absent), else_="inside")
    return rows.select(**{f"v{number}": rows[f"v{number}"] for number in range(len(strict))}, **states)


def _to_shown(column: Any, dialect: Dialect) -> Any:
    """Return a column as text; of SQLite as it is, since it may hold text among numbers."""
    mixed = dialect.engine == "sqlite" and column.type().is_numeric()
    return column.cast("string") if mixed else to_text(column, dialect)


def _tell_apart(attribute: AttributeBase) -> Any:
    """Return the attribute with a code for missing values and none for values outside, so that the two differ."""
    changes = {"missing": "bin"} | ({"outside": "drop"} if hasattr(attribute, "outside") else {})
    return attribute.model_copy(update=changes)


def _is_absent(column: Any, read: Sequence[Any], attribute: AttributeBase, dialect: Dialect) -> Any:
    """Return whether a value that is read as missing is blank or listed in missing_values, rather than unparsed.

    A computed value is blank where one of the columns that it is `read` from is.
    """
    if attribute.computed is not None:
        return reduce(operator.or_, (_is_blank(one, dialect) for one in read))
    if not attribute.missing_values:
        return _is_blank(column, dialect)
    if isinstance(attribute, Category):
        return ibis.literal(True)
    plain = type(attribute).model_validate(attribute.model_dump(by_alias=True, exclude={"missing_values"}))
    code = encode_attribute(column, _tell_apart(plain), dialect)
    found = _is_blank(column, dialect) | code.isnull() | (code != plain.missing_code)
    text = to_text(column, dialect).strip()
    for spelling in attribute.missing_values:
        found |= text.notnull() & dialect.equals(text, spelling)
    return found


def _is_blank(column: Any, dialect: Dialect) -> Any:
    kind = column.type()
    if kind.is_null():
        return ibis.literal(True)
    if kind.is_string():
        return column.isnull() | (column.strip().length() == 0)
    return dialect.is_missing(column) if kind.is_floating() else column.isnull()


def _find_examples(opened: SourceTable, states: Any, number: int) -> tuple[tuple[str, int], ...]:
    misfits = states.filter(states[f"s{number}"].isin(("unparsed", "outside")))
    counted = misfits.group_by(value=misfits[f"v{number}"]).aggregate(rows=misfits.count())
    found = opened.run(counted.order_by(ibis.desc("rows"), "value").limit(EXAMPLES)).to_pylist()
    return tuple((row["value"], row["rows"]) for row in found)


def _measure_unit(opened: SourceTable, schema: Schema) -> UnitFit:
    assert schema.unit is not None
    dialect, bound = Dialect.of(opened.backend), schema.row_unit.max_rows
    ids = opened.table.select(id=to_unit_id(opened.table[schema.unit], dialect))
    ids = ids.mutate(key=dialect.to_bytes(ids.id), absent=ids.id.isnull())
    units = ids.group_by(["absent", "key"]).aggregate(rows=ids.count())
    present = ~units.absent
    found = opened.run(
        units.aggregate(
            units=present.sum(),
            without_id=ibis.ifelse(units.absent, units.rows, 0).sum(),
            beyond_bound=ibis.ifelse(present & (units.rows > bound), units.rows - bound, 0).sum(),
            largest=ibis.ifelse(present, units.rows, 0).max(),
        )
    ).to_pylist()[0]
    return UnitFit(schema.unit, **{name: int(value or 0) for name, value in found.items()})


def _measure_periods(opened: SourceTable, schema: Schema) -> PeriodFit:
    assert schema.unit is not None and schema.period is not None and schema.max_periods is not None
    dialect = Dialect.of(opened.backend)
    unit = to_unit_id(opened.table[schema.unit], dialect)
    number, place = place_rows(opened.table, unit, schema.period, dialect)
    rows = opened.table.select(unit_bytes=dialect.to_bytes(unit), number=number, place=place)
    rows = rows.filter(rows.number.notnull() & rows.unit_bytes.notnull())
    late = rows.place >= schema.max_periods
    found = opened.run(
        rows.aggregate(
            periods=rows.number.nunique(),
            first=rows.number.min(),
            last=rows.number.max(),
            rows=late.sum(),
            units=rows.unit_bytes.nunique(where=late),
        )
    ).to_pylist()[0]
    first, last = (
        "" if found[end] is None else label_number(read_rule(schema.period)[0], int(found[end]))
        for end in ("first", "last")
    )
    beyond = int(found["rows"] or 0), int(found["units"] or 0)
    return PeriodFit(schema.period, int(found["periods"]), first, last, *beyond)


def find_dependences(tensor: Tensor) -> tuple[FunctionalDependence, ...]:
    """Return the attributes that are nearly functions of others, strongest first, by Goodman and Kruskal's lambda."""
    found = []
    total = int(tensor.counts.sum())
    for one, other in combinations(range(len(tensor.domain)), 2):
        pairs = _count_pairs(tensor, one, other)
        for determinant, dependent, table in ((one, other, pairs), (other, one, pairs[:, [1, 0, 2]])):
            share, base = _predict(table, total)
            if base < 1 and (share - base) / (1 - base) >= STRONG_LAMBDA:
                names = tensor.domain.names
                found.append(FunctionalDependence(names[determinant], names[dependent], share))
    return tuple(sorted(found, key=lambda dependence: -dependence.share))


def _count_pairs(tensor: Tensor, one: int, other: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the non-empty cells of a pair table as rows of (code, other code, count)."""
    width = tensor.domain.shape[other]
    keys = tensor.coords[:, one].astype(np.int64) * width + tensor.coords[:, other]
    if tensor.domain.shape[one] * width <= MOST_PAIR_CELLS:
        counts = np.bincount(keys, weights=tensor.counts)
        distinct = np.flatnonzero(counts)
        counts = counts[distinct]
    else:
        distinct, place = np.unique(keys, return_inverse=True)
        counts = np.bincount(place, weights=tensor.counts)
    return np.stack([*np.divmod(distinct, width), counts.astype(np.int64)], axis=1)


def _predict(table: np.ndarray[Any, np.dtype[np.int64]], total: int) -> tuple[float, float]:
    """Return the share of rows whose second code is the most frequent one given the first, and without it."""
    if total == 0:
        return 0.0, 1.0
    first, second, counts = table.T
    best = np.zeros(int(first.max()) + 1, np.int64)
    np.maximum.at(best, first, counts)
    base = np.bincount(second, weights=counts).max()
    return float(best.sum() / total), float(base / total)
