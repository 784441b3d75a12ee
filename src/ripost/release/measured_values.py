"""Measured values: the noisy values that were paid for, beside the estimate that was made from them (docs/format.md).

A value is a total of consecutive rows of the file, or of a cell of a table of bins. A block is named by its rows, so
its box follows from theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ripost.answering.content.content import LARGEST, Content
from ripost.answering.content.tree import TreeContent
from ripost.arrays import Codes, Ints
from ripost.errors import ReleaseError
from ripost.privacy.ledger import Charge, Ledger, Privacy
from ripost.privacy.ledger_check import MEASURING, noise_variance
from ripost.release.manifest_part import Count, ManifestPart
from ripost.space.blocks import Blocks
from ripost.space.measurement import Measurement
from ripost.space.query_parameters import BinnedMargin
from ripost.space.tree import Tree
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART

if TYPE_CHECKING:
    import pyarrow as pa

INTEGER = np.dtype(np.int32)
TYPES: dict[str, np.dtype[Any]] = {
    "measurements.entry": INTEGER,
    "measurements.start": INTEGER,
    "measurements.stop": INTEGER,
    "measurements.value": np.dtype(np.int64),
}


class BinsFacts(ManifestPart):
    """The bins of an attribute in measured tables."""

    axis: Count = Field(description="The attribute, numbered from 0.")
    edges: list[Count] = Field(min_length=2, description="Edges of the bins in codes, increasing from 0 to the size.")


class TableFacts(ManifestPart):
    """A measured table of some attributes, in bins."""

    entry: Count = Field(description="The entry of the ledger that paid for it.")
    bins: list[Count] = Field(description="The bins of its attributes, by number. Cells are row-major.")


class MeasurementsFacts(ManifestPart):
    """What the column of noisy measurements holds; see docs/format.md."""

    values: int = Field(ge=1, lt=2**31, description="The number of noisy values.")
    bins: list[BinsFacts]
    tables: list[TableFacts]


@dataclass(frozen=True, eq=False)
class MeasuredValues:
    """All noisy values of a release, in whole counts, entry by entry of its ledgers.

    Entries are numbered through the ledger of the counts and on through those of the measures (`Privacy.ledgers`).
    """

    entry: NDArray[np.int32]  # (n,)
    start: NDArray[np.int32]  # (n,): the first row of the file that a value is the total of; of a table, its cell
    stop: NDArray[np.int32]  # (n,): the row after the last
    value: Ints  # (n,)
    tables: Mapping[int, BinnedMargin]  # by entry

    @classmethod
    def of(cls, measurements: Sequence[Measurement], content: Content) -> MeasuredValues | None:
        """The values of these draws; None if there are none. Blocks that are no rows of the content are left out."""
        parts, tables = [], {}
        for found in sorted(measurements, key=lambda found: found.entry):
            values, run = found.values, _runs(found, content)
            if run is None:
                continue
            order = np.argsort(run[0], kind="stable")
            parts.append((np.full(len(values), found.entry), run[0][order], run[1][order], values[order]))
            if found.table is not None:
                tables[found.entry] = found.table
        if not parts:
            return None
        entry, start, stop, value = map(np.concatenate, zip(*parts, strict=True))
        return cls(entry.astype(np.int32), start.astype(np.int32), stop.astype(np.int32), value, tables)

    @classmethod
    def read(cls, columns: Mapping[str, NDArray[np.generic]], facts: MeasurementsFacts) -> MeasuredValues:
        """The values in the columns of a file; ReleaseError if its tables are not described."""
        if any(number >= len(facts.bins) for table in facts.tables for number in table.bins):
            raise ReleaseError("a measured table has bins that are not there")
        if len({table.entry for table in facts.tables}) != len(facts.tables):
            raise ReleaseError("a measured table is listed twice")
        edges = [np.array(bins.edges, np.int64) for bins in facts.bins]
        tables = {
            table.entry: BinnedMargin(
                tuple(facts.bins[number].axis for number in table.bins), tuple(edges[number] for number in table.bins)
            )
            for table in facts.tables
        }
        entry, start, stop, value = (columns[name] for name in TYPES)
        return cls(entry, start, stop, value, tables)  # type: ignore[arg-type]  # decode has checked the types

    @property
    def columns(self) -> dict[str, NDArray[np.generic]]:
        """The fields of the file's column, by name."""
        arrays = (self.entry, self.start, self.stop, self.value)
        return {name: np.ascontiguousarray(array) for name, array in zip(TYPES, arrays, strict=True)}

    def to_json(self) -> dict[str, object]:
        """What the manifest says of them. Bins that tables share are listed once."""
        bins: dict[tuple[int, tuple[int, ...]], int] = {}
        tables = []
        for entry, table in self.tables.items():
            keys = [(axis, tuple(edges.tolist())) for axis, edges in zip(table.axes, table.edges, strict=True)]
            tables.append({"entry": entry, "bins": [bins.setdefault(key, len(bins)) for key in keys]})
        listed = [{"axis": axis, "edges": list(edges)} for axis, edges in bins]
        return {"values": len(self.value), "bins": listed, "tables": tables}

    def check(self, ledgers: Sequence[Ledger], shape: Sequence[int], *, rows: int, step: float, tree: bool) -> str:
        """ReleaseError unless each entry has the values that its draw over the blocks of its ledger returned.

        `tree` says whether the rows are blocks of a tree; else the whole domain is the only block.
        """
        if len(self.value) and (not (np.diff(self.entry) >= 0).all() or not 0 <= self.entry[0] <= self.entry[-1]):
            raise ReleaseError("its measurements are not in the order of the ledger")
        if not (np.abs(self.value.astype(np.float64)) <= LARGEST / step).all():
            raise ReleaseError("a measurement is too large")
        entries = [entry for ledger in ledgers for entry in ledger.entries]
        ended = [blocks for ledger in ledgers for blocks in ledger.ended_blocks()] if tree else [rows] * len(entries)
        for number, some in self._draws():
            if number >= len(entries) or entries[number].mechanism not in MEASURING:
                raise ReleaseError("a measurement is not of a draw that releases noisy values")
            entry, table = entries[number], self.tables.get(number)
            start, stop = self.start[some].astype(np.int64), self.stop[some].astype(np.int64)
            if entry.statistic == TOTAL.name:
                _check_rows(start, stop, entry.blocks, rows=rows, ended=ended[number])
                continue
            if not ((start == np.arange(len(start))) & (stop == start + 1)).all():
                raise ReleaseError("the cells of a measured table are not in order")
            if table is not None:
                _check_table(table, shape)
                if entry.statistic != TOTAL_OF_PART.name or entry.blocks != 1 or len(table) != len(start):
                    raise ReleaseError("a measured table has other cells than its draw in the ledger")
        if not self.tables.keys() <= set(self.entry.tolist()):
            raise ReleaseError("a measured table has no values")
        return f"{len(self.value):,} noisy values of {len(set(self.entry.tolist())):,} draws in the ledger"

    def check_blocks(self, entries: Sequence[Charge], tree: Tree) -> None:
        """ReleaseError unless what was measured are blocks of the tree."""
        totals = [number for number, entry in enumerate(entries) if entry.statistic == TOTAL.name]
        some = np.isin(self.entry, totals)
        _find_nodes(self.start[some], self.stop[some], tree)

    def measurements(self, content: Content, entries: Sequence[Charge]) -> list[Measurement]:
        """The draws, with boxes as the content has them."""
        found = []
        for number, some in self._draws():
            blocks, table = None, self.tables.get(number)
            is_total = entries[number].statistic == TOTAL.name
            if is_total and isinstance(content, TreeContent):
                blocks = content.tree.boxes.take(_find_nodes(self.start[some], self.stop[some], content.tree))
            elif is_total or table is not None:
                blocks = Blocks.whole(content.shape)
            found.append(Measurement(number, self.value[some], blocks, table))
        return found

    def to_arrow(
        self, content: Content, privacy: Privacy, *, names: Sequence[str], steps: Mapping[str | None, float]
    ) -> pa.Table:
        """One row a value, with its box in codes where it is a total, in units of what was measured.

        `steps` are the units in a whole number, of the counts (None) and of each measure.
        """
        import pyarrow as pa

        entries = [entry for ledger in privacy.ledgers.values() for entry in ledger.entries]
        measure = [name for name, ledger in privacy.ledgers.items() for _ in ledger.entries]
        step = np.array([steps[name] for name in measure])
        charge, found = self.entry.tolist(), self.measurements(content, entries)
        counts, box = [len(draw.values) for draw in found], [draw.boxes for draw in found]
        variances = {number: noise_variance(entries[number]) for number in set(charge)}
        columns: dict[str, pa.Array] = {"entry": pa.array(self.entry)}
        columns["measure"] = pa.array([measure[number] for number in charge], pa.string()).dictionary_encode()
        for name in ("purpose", "statistic", "mechanism"):
            columns[name] = pa.array([getattr(entries[number], name) for number in charge]).dictionary_encode()
        columns["value"] = pa.array(self.value * step[charge])
        columns["scale"] = pa.array([entries[number].scale * step[number] for number in charge])
        columns["variance"] = pa.array([variances[number] * step[number] ** 2 for number in charge])
        for axis, name in enumerate(names):
            for end, side in (("lo", "lower"), ("hi", "upper")):
                parts = [
                    pa.nulls(count, pa.int32()) if some is None else pa.array(getattr(some, side)[:, axis], pa.int32())
                    for some, count in zip(box, counts, strict=True)
                ]
                columns[f"{name}_{end}"] = pa.concat_arrays(parts)
        return pa.table(columns)

    def _draws(self) -> Iterator[tuple[int, slice]]:
        """Each entry that has values, and where they are."""
        numbers, first = np.unique(self.entry, return_index=True)
        ends = np.append(first[1:], len(self.entry)).tolist()
        for number, start, stop in zip(numbers.tolist(), first.tolist(), ends, strict=True):
            yield number, slice(start, stop)


def join_measurements(parts: Mapping[str | None, Sequence[Measurement]], privacy: Privacy) -> list[Measurement]:
    """The draws of the counts (None) and of each measure, with entries numbered through all ledgers."""
    first = _first_entries(privacy)
    return [replace(found, entry=found.entry + first[name]) for name, some in parts.items() for found in some]


def split_measurements(measurements: Sequence[Measurement], privacy: Privacy) -> dict[str | None, list[Measurement]]:
    """The same draws by ledger, with entries numbered in each."""
    found: dict[str | None, list[Measurement]] = {}
    for name, first in _first_entries(privacy).items():
        last = first + len(privacy.ledgers[name].entries)
        found[name] = [replace(one, entry=one.entry - first) for one in measurements if first <= one.entry < last]
    return found


def _first_entries(privacy: Privacy) -> dict[str | None, int]:
    """The number of the first entry of each ledger."""
    found, first = dict[str | None, int](), 0
    for name, ledger in privacy.ledgers.items():
        found[name] = first
        first += len(ledger.entries)
    return found


def _runs(found: Measurement, content: Content) -> tuple[Codes, Codes] | None:
    """The rows that each value is the total of, or its place in the draw; None if rows do not make up its block."""
    if found.blocks is None or found.table is not None:
        place = np.arange(len(found.values))
        return place, place + 1
    if isinstance(content, TreeContent):
        try:
            node = content.tree.find(found.blocks)
        except ValueError:
            return None
        return content.tree.runs[0][node], content.tree.runs[1][node]
    whole = Blocks.whole(content.shape)
    if not (found.blocks.lower == whole.lower).all() or not (found.blocks.upper == whole.upper).all():
        return None
    return np.zeros(1, np.int64), np.array([len(content.values)])


def _find_nodes(start: NDArray[np.int32], stop: NDArray[np.int32], tree: Tree) -> Codes:
    """The nodes whose leaves are these rows; ReleaseError if one has none."""
    far = len(tree) + 1
    key, wanted = tree.runs[0] * far + tree.runs[1], start.astype(np.int64) * far + stop
    order = np.argsort(key)
    place = np.searchsorted(key[order], wanted).clip(max=len(key) - 1)
    if (key[order[place]] != wanted).any():
        raise ReleaseError("a measurement is of rows that are no block of the tree")
    found: Codes = order[place]
    return found


def _check_rows(start: Codes, stop: Codes, blocks: int, *, rows: int, ended: int) -> None:
    """ReleaseError unless a draw over so many blocks is of rows that are there, of as many as paths paid for it."""
    if len(start) != blocks:
        raise ReleaseError("a draw measured another number of blocks than the ledger says")
    if not ((start >= 0) & (start < stop) & (stop <= rows)).all():
        raise ReleaseError("a measurement is of rows that are not there")
    if (start[1:] < stop[:-1]).any():
        raise ReleaseError("a draw measured a row twice")
    if int((stop - start).sum()) != ended:
        raise ReleaseError("a draw measured other rows than those whose paths in the ledger paid for it")


def _check_table(table: BinnedMargin, shape: Sequence[int]) -> None:
    """ReleaseError unless the bins of a table are those of attributes that are there."""
    if any(axis >= len(shape) for axis in table.axes) or len(set(table.axes)) != len(table.axes):
        raise ReleaseError("a measured table is of attributes that are not there, or of one twice")
    for axis, edges in zip(table.axes, table.edges, strict=True):
        if (edges[0], edges[-1]) != (0, shape[axis]) or not (np.diff(edges) > 0).all():
            raise ReleaseError("the bins of a measured table do not fit its attribute")
