"""Synthetic rows, drawn from released tables by public randomness."""

from __future__ import annotations

import math

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.methods.method import Sample
from ripost.privacy.noise import Noise

MOST_ROWS = 2**22  # beyond, each synthetic row stands for several
MOST_AXES = 32  # of an array of NumPy, whatever its version


def number_of_rows(total: float, most: int = MOST_ROWS) -> tuple[int, float]:
    """How many synthetic rows to draw for a table of `total` rows, and how many rows each stands for."""
    rows = max(0, round(total))
    drawn = min(rows, most)
    return drawn, rows / drawn if drawn else 1.0


def draw_columns(noise: Noise, tables: Floats, which: Ints) -> Ints:
    """Draw a column of its table for each row, by the column's share; tables are (tables, columns), >= 0.

    A table without mass is replaced by the sum of all tables, or by the uniform distribution if that is empty, too.
    """
    overall = tables.sum(axis=0)
    if not overall.sum() > 0:
        overall = np.ones(tables.shape[1])
    mass = tables.sum(axis=1, keepdims=True)
    filled = np.where(mass > 0, tables, overall)
    edges = np.cumsum(filled, axis=1)
    edges /= edges[:, -1:]
    columns = tables.shape[1]
    flat = (edges + np.arange(len(tables))[:, None]).ravel()
    found: Ints = np.searchsorted(flat, which + noise.uniforms(len(which)), side="right") - which * columns
    last = columns - 1 - (filled[:, ::-1] > 0).argmax(axis=1)  # rounding must not go past the last column with mass
    return np.clip(found, 0, last[which])


def spread_rows(noise: Noise, bin_numbers: Ints, size: int, bins: int) -> Ints:
    """Draw a code from each bin, uniformly among its codes; bins are those of a Grid."""
    if bins == size:
        return bin_numbers
    edges = -(-np.arange(bins + 1) * size // bins)
    low, length = edges[bin_numbers], np.diff(edges)[bin_numbers]
    codes: Ints = low + np.minimum((noise.uniforms(len(bin_numbers)) * length).astype(np.int64), length - 1)
    return codes


def count_rows(coords: Ints, weight: float) -> Sample:
    """Rows as a release: distinct cells, sorted, with their counts."""
    if len(coords) == 0:
        return Sample(coords, np.zeros(0))
    sizes = coords.max(axis=0) + 1
    if math.prod(sizes.tolist()) < 2**62 and len(sizes) <= MOST_AXES:
        flat, counts = np.unique(np.ravel_multi_index(tuple(coords.T), tuple(sizes)), return_counts=True)
        return Sample(np.stack(np.unravel_index(flat, tuple(sizes)), axis=1), counts * np.float64(weight))
    ordered = coords[np.lexsort(coords.T[::-1])]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    counts = np.diff(np.append(np.flatnonzero(new), len(ordered)))
    return Sample(ordered[new], counts * np.float64(weight))
