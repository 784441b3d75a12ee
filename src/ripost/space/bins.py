"""Bins: how an ordered attribute's values fall into codes 0, 1, 2, …

Values are numbers here ("ticks"): the integer itself, the float itself, days or microseconds. A *position* is a
point on the code axis: 2.5 is the middle of bin 2.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Even:
    """Bins of one width."""

    start: float
    width: float
    count: int

    def position(self, tick: float) -> float:
        return min(max((tick - self.start) / self.width, 0.0), float(self.count))

    def edge(self, code: int) -> float:
        return self.start + code * self.width


@dataclass(frozen=True, slots=True)
class Edges:
    """Bins between listed edges."""

    edges: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.edges) - 1

    def position(self, tick: float) -> float:
        if tick <= self.edges[0]:
            return 0.0
        if tick >= self.edges[-1]:
            return float(self.count)
        left = bisect_right(self.edges, tick) - 1
        low, high = self.edges[left], self.edges[left + 1]
        return left + (tick - low) / (high - low)

    def edge(self, code: int) -> float:
        return self.edges[code]


Bins = Even | Edges
