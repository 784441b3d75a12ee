"""Sealed: cells that nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ripost.arrays import Codes, Ints, Mask
from ripost.space.query_parameters import QueryParameters
from ripost.statistics.block_data import BlockData


class Sealed:
    """The cells of the whole domain, read when something about them is first asked.

    What a method does before that depends on public things alone, so what goes wrong there costs nothing. `read` is
    called once, and is where a release is paid for.
    """

    def __init__(self, read: Callable[[], BlockData]) -> None:
        self._read = read
        self._cells: BlockData | None = None

    def open(self) -> BlockData:
        if self._cells is None:
            self._cells = self._read()
        return self._cells

    def compute(self, statistic: str, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        return self.open().compute(statistic, first, last, parameters)

    def split(self, axis: Codes, cut: Codes) -> Any:
        return self.open().split(axis, cut)

    def select(self, mask: Mask) -> Any:
        return self.open().select(mask)

    def merge(self, others: Sequence[Any]) -> Any:
        return self.open().merge(others)

    def subsample(self, draw: Any) -> Any:
        return self.open().subsample(draw)
