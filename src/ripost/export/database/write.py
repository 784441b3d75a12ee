"""Write: a view as the file of a DuckDB database."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ripost.answering.axis_index import EVEN, AxisIndex
from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.tables import TableContent
from ripost.answering.content.tree import TreeContent
from ripost.arrays import Codes
from ripost.errors import InputError
from ripost.export.database import impossible, mixture, pairs
from ripost.export.database.axis import SqlAxis, text
from ripost.export.database.cells import Cells
from ripost.export.database.errors import of_tree
from ripost.export.database.explain import explain
from ripost.export.database.macros import Macros
from ripost.export.database.measure_macros import MeasureMacros, ReleaseMeasure
from ripost.export.database.periods import CELLS, PartMacros, SeriesCells, SeriesMacros
from ripost.export.database.series_measures import PartMeasure, SeriesMeasure
from ripost.query.source import table_name
from ripost.query.tabulate import measure_name
from ripost.series import Series
from ripost.view import View

STORAGE = "v1.2.0"  # read by every DuckDB from 1.2 on
PAGE = 16_384  # bytes that a table takes at least; DuckDB's usual 262,144 would make small views large
MOST_DIMENSIONS = 100  # macros name every dimension, and DuckDB reads none whose expressions go deeper
Columns = Mapping[str, Any]


def database(view: View, name: str) -> bytes:
    """The bytes of a database whose relations and macros are called after a name."""
    import duckdb

    if len(view.domain) > MOST_DIMENSIONS:
        raise InputError(
            f"a database holds at most {MOST_DIMENSIONS} dimensions and the view has {len(view.domain)}; export csv, "
            "json-stat or xlsx instead"
        )
    _check_names(view)
    with tempfile.TemporaryDirectory(prefix="ripost-") as folder:
        path = Path(folder) / "view.duckdb"
        connection = duckdb.connect()
        try:
            connection.execute(f"ATTACH {text(str(path))} AS made (STORAGE_VERSION '{STORAGE}', BLOCK_SIZE {PAGE})")
            connection.execute("USE made")
            _fill(connection, view, table_name(name))
            connection.execute("USE memory")
            connection.execute("DETACH made")
        finally:
            connection.close()
        return path.read_bytes()


def _check_names(view: View) -> None:
    seen: dict[str, str] = {"by": "the parameter by"}
    for name in view.domain.asked_names:
        if (other := seen.setdefault(name.lower(), name)) != name:
            raise InputError(
                f"a database cannot tell {name} from {other}, which differ in case only; export csv or xlsx instead"
                if name.lower() != "by"
                else "a database cannot have a dimension that is called by; export csv or xlsx instead"
            )


def _fill(connection: Any, view: View, name: str) -> None:
    connection.execute("CREATE SCHEMA ripost")
    macros = _fill_series(connection, view, name) if isinstance(view, Series) else _macros(view, name)
    if not isinstance(view, Series):
        _create_all(connection, "ripost", _tables(view, macros.axes), macros.prefix)
    for statement in macros.statements():
        connection.execute(statement)
    for number, measure in enumerate(view.measures):
        made = _measure(view, macros, measure, number)
        if isinstance(made, ReleaseMeasure):
            _create_home(connection, made)
        for statement in made.statements():
            connection.execute(statement)
    explain(connection, view, macros)


def _macros(view: View, name: str) -> Macros:
    """What is asked of one release."""
    axes = _axes(view)
    measure = measure_name(view.measure, view.domain.names)
    mixed = view.content.mixture if isinstance(view.content, TreeContent) else None
    cells = Cells(name, measure, axes, view.domain.size, 0 if mixed is None else len(mixed.weights))
    return Macros(name, measure, axes, view.content, view.min_interval_width, cells)


def _fill_series(connection: Any, series: Series, name: str) -> SeriesMacros:
    """Write each release into a schema of its own; what is asked of all of them."""
    parts = []
    for number, view in enumerate(series.parts, 1):
        part = PartMacros(_macros(view, CELLS), f"period_{number}")
        connection.execute(f"CREATE SCHEMA {part.schema}")
        connection.execute(f"USE made.{part.schema}")
        _create_all(connection, part.schema, _tables(view, part.macros.axes), part.macros.prefix)
        measures = [_part_measure(view, part, name, place) for place, name in enumerate(view.measures)]
        for one in measures:
            _create_home(connection, one.macros)
        for statement in [*part.statements, *(made for one in measures for made in one.statements)]:
            connection.execute(statement)
        connection.execute("USE made.main")
        parts.append(part)
    axes = [_series_axis(series, number, label) for number, label in enumerate(series.domain.names)]
    measure = parts[0].macros.measure
    cells = SeriesCells(name, measure, axes, series.domain.size, 0, parts)
    macros = SeriesMacros(name, measure, axes, series.content, series.min_interval_width, cells, parts)
    made: dict[str, Columns] = {f"codes_{axis.number}": axis.code_columns() for axis in axes if axis.is_listed}
    made |= {f"bins_{axis.number}": bins for axis in axes if (bins := axis.bin_columns()) is not None}
    _create_all(connection, "ripost", made | {"intervals_0": axes[0].interval_columns()}, macros.prefix)
    return macros


def _series_axis(series: Series, number: int, name: str) -> SqlAxis:
    """An axis of a series: codes of periods are intervals, and the intervals of other axes are in the parts."""
    codes: Codes = np.arange(len(series.parts) if number == 0 else 1)
    low = codes.astype(np.float64)
    return SqlAxis(number, series.domain, name, AxisIndex(EVEN, low, low + 1, codes))


def _create_all(connection: Any, schema: str, tables: Mapping[str, Columns], prefix: str) -> None:
    """Create tables in a schema, with a prefix on the names of their columns."""
    for table, columns in tables.items():
        _create(connection, f"{schema}.{table}", {prefix + name: column for name, column in columns.items()})


def _measure(view: View, macros: Macros, name: str, number: int) -> MeasureMacros:
    """What is asked of a measure."""
    sums, shortest = view.measures[name], view.find_min_sum_width(name)
    if isinstance(view, Series):
        assert isinstance(macros, SeriesMacros)
        parts = [_part_measure(*both, name, number) for both in zip(view.parts, macros.parts, strict=True)]
        return SeriesMeasure(macros.name, name, macros.axes, sums, shortest, macros.prefix, parts)
    return _release_measure(view, macros, name, f"ripost_measure_{number}")


def _part_measure(view: View, part: PartMacros, name: str, number: int) -> PartMeasure:
    home = f"{part.schema}_measure_{number}"
    return PartMeasure(_release_measure(view, part.macros, name, home), part.schema, number)


def _release_measure(view: View, macros: Macros, name: str, home: str) -> ReleaseMeasure:
    content, sums = view.content, view.measures[name]
    assert isinstance(content, TreeContent) and isinstance(sums, MeasureContent)
    shortest = view.find_min_sum_width(name)
    return ReleaseMeasure(macros.name, name, macros.axes, sums, shortest, macros.prefix, content, home)


def _create_home(connection: Any, measure: ReleaseMeasure) -> None:
    """The tables of a measure, in a schema of its own."""
    connection.execute(f"CREATE SCHEMA {measure.home}")
    _create_all(connection, measure.home, measure.tables(), measure.prefix)


def _axes(view: View) -> list[SqlAxis]:
    """The axes of a view; rows that are cells lie on their codes."""
    content, found = view.content, []
    for number, name in enumerate(view.domain.names):
        if isinstance(content, TableContent):
            found.append(SqlAxis(number, view.domain, name, content.index(number)))
            continue
        if isinstance(content, TreeContent):
            marginal, blocks = content.density[number] if content.density else None, content.blocks
            index = AxisIndex.of(marginal, blocks.lower[:, number], blocks.upper[:, number])
            found.append(SqlAxis(number, view.domain, name, index))
            continue
        codes = content.blocks.lower[:, number]
        lower = np.arange(view.domain.shape[number], dtype=np.float64)
        if len(lower) > len(codes):  # of a long axis, those where something lies
            distinct, codes = np.unique(codes, return_inverse=True)
            lower = distinct.astype(np.float64)
        found.append(SqlAxis(number, view.domain, name, AxisIndex(EVEN, lower, lower + 1, codes)))
    return found


def _tables(view: View, axes: Sequence[SqlAxis]) -> dict[str, Columns]:
    content = view.content
    made: dict[str, Columns] = {}
    blocks: dict[str, Any] = {"block": np.arange(len(content.values), dtype=np.int32), "value": content.values}
    blocks |= {f"s{axis.number}": axis.index.which.astype(np.int32) for axis in axes}
    for axis in axes:
        made[f"intervals_{axis.number}"] = axis.interval_columns()
        if axis.has_mass:
            made[f"mass_{axis.number}"] = axis.mass_columns()
        if axis.is_listed:
            made[f"codes_{axis.number}"] = axis.code_columns()
        if (bins := axis.bin_columns()) is not None:
            made[f"bins_{axis.number}"] = bins
    match content:
        case TreeContent():
            made |= of_tree(content.tree, content.node_variances)
            if content.mixture is not None:
                blocks["correction"] = content.corrections
                made |= mixture.tables(content.mixture, axes) | {"pairs": pairs.table(content)}
        case BucketContent():
            blocks["bucket"] = content.bucket.astype(np.int32)
            size = np.bincount(content.bucket)
            total = np.bincount(content.bucket, content.values)
            made["buckets"] = {"bucket": np.arange(len(size), dtype=np.int32), "size": size, "total": total}
            made |= of_tree(content.tree, content.node_variances)
        case MatrixContent():
            made |= _matrix(content)
    return {"blocks": blocks, **made, **impossible.make_tables(content)}


def _matrix(content: MatrixContent) -> dict[str, Columns]:
    made: dict[str, Columns] = {}
    for number, basis in enumerate(content.stack.bases):
        code, vector = np.indices(basis.shape, np.int32)
        made[f"basis_{number}"] = {"code": code.ravel(), "vector": vector.ravel(), "weight": basis.ravel()}
    inverse = 1 / content.stack.eigenvalues
    bits = np.indices(inverse.shape).reshape(inverse.ndim, -1).astype(bool)
    made["spectrum"] = {**{f"b{i}": column for i, column in enumerate(bits)}, "inverse": inverse.ravel()}
    return made


def _create(connection: Any, table: str, columns: Columns) -> None:
    import pyarrow as pa

    connection.register("filled", pa.table(dict(columns)))
    connection.execute(f"CREATE TABLE {table} AS SELECT * FROM filled")
    connection.unregister("filled")
