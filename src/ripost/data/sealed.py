"""Sealed: cells that nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ripost.data.statistics import Ints
from ripost.space.blocks import Codes, Mask
from ripost.space.question import Question


class Held(Protocol):
    """Cells of blocks that share none, in memory or on a cluster."""

    def compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints: ...

    def split(self, axis: Codes, cut: Codes) -> Any: ...

    def part(self, mask: Mask) -> Any: ...

    def join(self, others: Sequence[Any]) -> Any: ...

    def thin(self, draw: Any) -> Any: ...


class Sealed:
    """The cells of the whole domain, read when something about them is first asked.

    What a method does before that depends on public things alone, so what goes wrong there costs nothing. `read` is
    called once, and is where a release is paid for.
    """

    def __init__(self, read: Callable[[], Held]) -> None:
        self._read = read
        self._cells: Held | None = None

    def open(self) -> Held:
        if self._cells is None:
            self._cells = self._read()
        return self._cells

    def compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints:
        return self.open().compute(statistic, first, last, question)

    def split(self, axis: Codes, cut: Codes) -> Any:
        return self.open().split(axis, cut)

    def part(self, mask: Mask) -> Any:
        return self.open().part(mask)

    def join(self, others: Sequence[Any]) -> Any:
        return self.open().join(others)

    def thin(self, draw: Any) -> Any:
        return self.open().thin(draw)
