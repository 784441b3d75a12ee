"""Dataset: the table or tensor that is published, with its public facts and a way to read its cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from ripost.data.tensor import Tensor
from ripost.errors import InputError, suggest_nearest
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure, Unit
from ripost.schema.measured_column import MeasuredColumn

if TYPE_CHECKING:
    from ripost.data.read import Reader
    from ripost.data.spark.distributed_cells import DistributedCells
    from ripost.data.undiscovered import UndiscoveredTable
    from ripost.schema.period import ReleasePeriod
    from ripost.schema.schema import Schema
    from ripost.sources.source_table import ReadProgress

AUTO, MEMORY, SPARK = ENGINES = ("auto", "memory", "spark")
MOST_IN_MEMORY = 2**23  # non-empty cells of a Spark table; more stay on the cluster


@dataclass(frozen=True)
class Dataset:
    """A tensor, or a table that is open but not read."""

    domain: Domain
    measure: Measure
    unit: Unit
    read: Callable[[], Tensor | DistributedCells | UndiscoveredTable]
    """Reads the exact counts, and closes the source if they are in memory; where the schema leaves something to
    discover, first the votes that it is found by."""
    measures: Mapping[str, MeasuredColumn] = field(default_factory=dict)
    _closing: ExitStack = field(default_factory=ExitStack)

    @classmethod
    def open(
        cls,
        source: Any,
        schema: Schema | None,
        *,
        table: str | None = None,
        encoding: str | None = None,
        engine: str = AUTO,
        samples: bool = False,
        memory: int | str | None = None,
        reading: ReadProgress | None = None,
        secret: str | None = None,
        period: ReleasePeriod | None = None,
    ) -> Dataset:
        """Open a source. SourceError if its column names and types do not fit the schema.

        Args:
            engine: where the cells are stored. It does not change what is released, so "auto" may choose by their
                number. Whether a source is refused is decided here, by public facts alone.
            samples: whether the method draws samples of single rows, which executors cannot do.
            memory: limit for reading, where ripost reads by itself.
            reading: called with the share of the table that was read.
            secret: key that chooses the rows of a unit; drawn anew unless a test sets it.
            period: whose rows are counted; all rows without it.
        """
        if engine not in ENGINES:
            raise InputError(
                f"engine must be one of {', '.join(ENGINES)}, got {engine!r}; {suggest_nearest(engine, ENGINES)}"
            )
        if isinstance(source, Tensor):
            if memory is not None:
                raise InputError("memory is for reading tables, and a tensor is in memory already; leave it out")
            if period is not None:
                raise InputError("a period chooses rows of a table, and a tensor has none; leave it out")
            return cls(source.domain, source.measure, source.unit, lambda: source, source.measures)
        if schema is None:
            raise InputError("publishing a table needs its schema: publish(table, schema, epsilon=...)")
        from ripost.data.read import Reader

        with ExitStack() as closing:
            reader = Reader.of(source, schema, table=table, encoding=encoding, memory=memory, period=period)
            closing.callback(reader.close)
            schema = reader.schema
            _check_engine(reader, engine, samples=samples)
            if schema.open:
                from ripost.data.votes import require_two_passes, require_votes_compiled

                require_two_passes(reader)
                require_votes_compiled(reader)
            kept = closing.pop_all()

        def read() -> Tensor | DistributedCells | UndiscoveredTable:
            if schema.open:
                return _read_votes(reader, kept, engine, secret, reading)
            return _read(reader, kept, engine, secret, reading)

        return cls(schema.domain, schema.measure, schema.row_unit, read, schema.measures, _closing=kept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


def _check_engine(reader: Reader, engine: str, *, samples: bool) -> None:
    """InputError if the engine cannot store the cells, by public facts alone."""
    on_spark = reader.opened.backend.name == "pyspark"
    if engine == SPARK and not on_spark:
        raise InputError("engine spark needs a Spark frame or a spark:// URL as its source")
    if engine == SPARK and reader.schema.measures:
        raise InputError("executors hold counts alone; leave out engine spark for a schema with measures")
    may_stay = engine == SPARK or (engine == AUTO and on_spark and reader.schema.domain.size > MOST_IN_MEMORY)
    if samples and may_stay:
        advice = "give engine='memory' if the driver can hold every non-empty cell, or choose another method"
        raise InputError(f"this method draws samples of single rows, which executors never do; {advice}")


def _read_votes(
    reader: Reader, closing: ExitStack, engine: str, secret: str | None, reading: ReadProgress | None
) -> UndiscoveredTable:
    """The votes of a table, and a way to count its cells by the schema that they lead to."""
    from ripost.data.undiscovered import UndiscoveredTable
    from ripost.data.votes import read_votes

    loaded = replace(reader, opened=reader.opened.load_rows())
    values, grids = read_votes(loaded, secret=secret)

    def read_cells(schema: Schema) -> Tensor | DistributedCells:
        return _read(replace(loaded, schema=schema), closing, engine, secret, reading)

    return UndiscoveredTable(reader.schema, values, grids, read_cells)


def _read(
    reader: Reader, closing: ExitStack, engine: str, secret: str | None, reading: ReadProgress | None
) -> Tensor | DistributedCells:
    if engine == MEMORY or reader.opened.backend.name != "pyspark" or reader.schema.measures:
        with closing:
            return reader.tensor(secret=secret, tell=reading)
    from ripost.data.spark.distributed_cells import DistributedCells

    cells = DistributedCells.of(reader.opened, reader.expression(secret=secret), reader.schema)
    closing.callback(cells.close)
    if engine == SPARK or cells.cells > MOST_IN_MEMORY:
        return cells
    with closing:
        return cells.gather()
