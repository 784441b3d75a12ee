"""UndiscoveredTable: a table whose domain is not known yet: exact votes, and its cells once it is. Private."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ripost.arrays import Ints

if TYPE_CHECKING:
    from ripost.data.spark.distributed_cells import DistributedCells
    from ripost.data.tensor import Tensor
    from ripost.schema.schema import Schema


@dataclass(frozen=True)
class UndiscoveredTable:
    """A table that was read: its votes by attribute (max_rows: None), and a way to count its cells."""

    schema: Schema  # what it leaves open is not found yet
    values: dict[str, tuple[list[str], Ints]]  # the values of a category in the order of their bytes, and their votes
    grids: dict[str | None, Ints]  # the votes of each cell of a public grid
    read_cells: Callable[[Schema], Tensor | DistributedCells]  # by the schema that was found
