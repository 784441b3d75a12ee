"""DistributedCells: the non-empty cells of a table, exact and private, spread over a cluster."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ripost.arrays import Ints
from ripost.data.spark.block_data import SparkCells
from ripost.data.spark.chunks import (
    CHUNK_COLUMNS,
    MARK,
    PART_COLUMNS,
    PARTS,
    SUM_COLUMNS,
    Pack,
    SubsampleChunks,
    SumUp,
    unpack_chunks,
)
from ripost.data.tensor import Tensor, check_total
from ripost.errors import SourceError
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure, Unit
from ripost.schema.schema import Schema
from ripost.sources.encoding.cell_keys import check_rows
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.spark import to_spark_frame
from ripost.sources.source_table import SourceTable
from ripost.statistics.block_data import KeyedSubsampler
from ripost.statistics.layout import Layout

ON_DRIVER = 2**22  # sums of all partitions together; more are added up by executors first
CHANGED = (
    "the frame gave other rows when a part of it was read again; write it to a table first, and publish that table"
)


@dataclass(frozen=True)
class DistributedCells:
    """Chunks of cells. Spark stores them, and computes a lost one again from the table."""

    domain: Domain
    measure: Measure
    unit: Unit
    chunks: Any  # a Spark frame
    parts: int  # partitions
    cells: int
    mark: int  # of all cells; every statistic checks it

    @classmethod
    def of(cls, opened: SourceTable, expression: Any, schema: Schema) -> DistributedCells:
        """The cells of an encoded source, counted once."""

        def pack() -> tuple[Any, Any]:
            from pyspark.sql import functions as sql

            keyed = to_spark_frame(opened.backend, expression)
            chunks = _persist(keyed.mapInArrow(Pack(schema.domain.shape), CHUNK_COLUMNS))
            facts = (
                chunks.withColumn("part", sql.spark_partition_id())
                .groupBy()
                .agg(
                    sql.coalesce(sql.max("part") + 1, sql.lit(0)).alias("parts"),
                    sql.coalesce(sql.sum("cells"), sql.lit(0)).alias("cells"),
                    sql.coalesce(sql.sum("amount"), sql.lit(0.0)).alias("amount"),
                    sql.coalesce(sql.sum("mark"), sql.lit(0)).alias("mark"),
                    sql.coalesce(sql.sum("rows"), sql.lit(0)).alias("rows"),
                    sql.coalesce(sql.max("read"), sql.lit(0)).alias("read"),
                )
            )
            return chunks, facts.toArrow().to_pylist()[0]

        chunks, facts = redact_errors(pack, say=opened.complaint)
        check_rows(facts["rows"], facts["read"], name=opened.name)
        check_total(np.array([facts["amount"]]))
        return cls(
            schema.domain, schema.measure, schema.row_unit, chunks, facts["parts"], facts["cells"], facts["mark"]
        )

    def close(self) -> None:
        with suppress(Exception):  # a broken session stores nothing
            self.chunks.unpersist()

    def occupied(self) -> DistributedCells:
        """The cells with the count 1 in every non-empty cell."""
        return replace(self, measure=OCCUPIED)

    def as_block_data(self) -> SparkCells:
        """All cells, as one block."""
        return SparkCells.of(self)

    def gather(self) -> Tensor:
        """The cells in the memory of the driver."""
        say = "the driver could not take the cells from Spark; give it more memory, or engine='spark'"
        return self._fetch(None, say)

    def subsample(self, sampler: KeyedSubsampler) -> Tensor:
        """A sample of the rows, in the memory of the driver."""
        say = "Spark failed while it drew a sample; what it says is withheld, since it may quote rows"
        return self._fetch(SubsampleChunks(sampler, len(self.domain), occupied=self.measure.cells), say)

    def _fetch(self, task: SubsampleChunks | None, say: str) -> Tensor:
        rows = redact_errors(lambda: self.rows(task), say=say)
        if sum(row["mark"] for row in rows) != self.mark:
            raise SourceError(CHANGED)
        coords, counts = unpack_chunks([(row["coords"], row["counts"]) for row in rows], len(self.domain))
        order = np.lexsort(coords[::-1])
        return Tensor(self.domain, coords.T[order], counts[order], self.measure, self.unit)

    def rows(self, task: SubsampleChunks | None) -> list[dict[str, Any]]:
        """All chunks, or the result of a task on them."""
        frame = self.chunks.select(*PARTS.names) if task is None else self.chunks.mapInArrow(task, PART_COLUMNS)
        found: list[dict[str, Any]] = frame.toArrow().to_pylist()
        return found

    def sum_up(self, task: SumUp) -> Ints:
        """Sums over all cells, added up over partitions."""
        nothing = np.zeros((len(self.domain), 0), np.int32), np.zeros(0, np.int64)
        found = task.sums(Layout(task.blocks, *nothing, np.zeros(0, np.int64)))
        if len(task.blocks) == 0:
            return found
        task = replace(task, occupied=self.measure.cells)
        say = "Spark failed while it computed a statistic; what it says is withheld, since it may quote rows"
        rows = redact_errors(lambda: self.collect(task, len(found)), say=say)
        slot, value = rows["slot"].to_numpy(), rows["value"].to_numpy()
        if int(value[slot == MARK].sum()) != self.mark:
            raise SourceError(CHANGED)
        np.add.at(found, slot[slot != MARK], value[slot != MARK])
        return found

    def collect(self, task: SumUp, slots: int) -> pa.Table:
        """The sums of all partitions, slots and values; executors add up large ones first."""
        from pyspark.sql import functions as sql

        sums = self.chunks.mapInArrow(task, SUM_COLUMNS)
        if self.parts * slots > ON_DRIVER:
            sums = sums.groupBy("slot").agg(sql.sum("value").alias("value"))
        return sums.toArrow()


def _persist(frame: Any) -> Any:
    """Persist the frame on executors, or in the checkpoint folder if the session has one."""
    kept = frame.persist()
    context = getattr(frame.sparkSession, "_sc", None)  # remote sessions have none
    if context is not None and context.getCheckpointDir() is not None:
        saved = kept.checkpoint()
        kept.unpersist()
        return saved
    return kept
