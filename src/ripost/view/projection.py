"""Projection: leaves seen on the few axes that boxes bound, where those on the same stretches are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Codes
from ripost.view.density import Density, Spans

MANY = 32  # boxes that bound the same axes, for which a projection pays
AT_ONCE = 1 << 18  # pairs of a box and a stretch held at a time


@dataclass(frozen=True)
class Projections:
    """Leaves with their values, ready to be projected."""

    density: Density
    values: Floats

    def totals(self, lower: Floats, upper: Floats, axes: Sequence[int]) -> Floats | None:
        """The sum of each box, if all of them bound just these axes; None if a projection does not pay."""
        if len(lower) < MANY or not axes or len(axes) == len(self.density.shape):
            return None
        spans = [self.density.spans(axis) for axis in axes]
        cell = np.zeros(len(self.values), np.int64)
        for span in spans:
            cell = cell * len(span.first) + span.which
        _, first, which = np.unique(cell, return_index=True, return_inverse=True)
        if len(first) * len(axes) > len(self.values):
            return None
        values = np.bincount(which, self.values)
        places = [span.which[first] for span in spans]
        found = np.zeros(len(lower))
        step = max(1, AT_ONCE // len(first))
        for start in range(0, len(lower), step):
            some = slice(start, start + step)
            share = np.ones((len(lower[some]), len(first)))
            for axis, span, place in zip(axes, spans, places, strict=True):
                share *= self._shares(axis, span, lower[some, axis], upper[some, axis])[:, place]
            found[some] = share @ values
        return found

    def _shares(self, axis: int, span: Spans, low: Floats, high: Floats) -> Floats:
        """Share of each stretch that lies in each box, (boxes, stretches)."""
        density = self.density
        flat = density.flat[axis][span.first]
        start, stop = (ends[span.first] for ends in density.ends[axis])
        ruler = density.rulers[axis]
        begin = np.where(flat, low[:, None], ruler.at(low)[:, None])
        end = np.where(flat, high[:, None], ruler.at(high)[:, None])
        part: Floats = np.minimum(stop, end) - np.maximum(start, begin)
        return np.clip(part / (stop - start), 0.0, 1.0)


def by_axes(lower: Floats, upper: Floats, shape: Sequence[int]) -> list[tuple[list[int], Codes]]:
    """Boxes by the axes that they bound: the axes, and which boxes."""
    bounded = (lower > 0) | (upper < np.array(shape))
    kinds, which = np.unique(bounded, axis=0, return_inverse=True)
    return [(np.flatnonzero(kind).tolist(), np.flatnonzero(which.ravel() == i)) for i, kind in enumerate(kinds)]
