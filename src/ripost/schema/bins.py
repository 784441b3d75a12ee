"""Bins: how an ordered attribute's values fall into codes 0, 1, 2, …

Values are numbers here ("ticks"): the integer itself, the float itself, or microseconds. A *position* is a
point on the code axis: 2.5 is the middle of bin 2.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EvenBins:
    """Bins of one width; the last may be shorter, where `stop` is the end of the range."""

    start: float
    width: float
    count: int
    stop: float | None = None

    @property
    def end(self) -> float:
        return self.start + self.count * self.width if self.stop is None else self.stop

    def code(self, tick: float) -> int:
        """The bin a value falls into, the nearest for one outside; a quotient that rounding moved is moved back."""
        place = math.floor((tick - self.start) / self.width)
        if tick < self.start + place * self.width:
            place -= 1
        elif tick >= self.start + (place + 1) * self.width:
            place += 1
        return min(max(place, 0), self.count - 1)

    def position(self, tick: float) -> float:
        if tick >= self.end:
            return float(self.count)
        place = max((tick - self.start) / self.width, 0.0)
        last = self.count - 1
        if place > last and self.stop is not None:
            low = self.edge(last)
            place = max(last + (tick - low) / (self.stop - low), float(last))
        return min(place, float(self.count))

    def edge(self, code: int) -> float:
        return self.end if code == self.count else self.start + code * self.width


@dataclass(frozen=True, slots=True)
class EdgeBins:
    """Bins between listed edges."""

    edges: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.edges) - 1

    def code(self, tick: float) -> int:
        """The bin a value falls into, the nearest for one outside."""
        return min(max(bisect_right(self.edges, tick) - 1, 0), self.count - 1)

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


Bins = EvenBins | EdgeBins
