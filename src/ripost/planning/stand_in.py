"""Stand-in: a synthetic table of one shape, as a tensor of the expected size."""

from __future__ import annotations

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.data.tensor import Tensor
from ripost.planning.public_facts import PublicFacts
from ripost.planning.row_distributions import RowDistribution, even_intervals
from ripost.space.public_randomness import Generator

MOST_CELLS = 2**18  # of a domain, to count in every cell at once
MOST_DRAWS = 2**17  # of rows one by one; beyond that a draw stands for several rows


def is_thinned(facts: PublicFacts) -> bool:
    """Whether one draw of a cell stands for several rows, so that a stand-in is coarser than the table."""
    return facts.domain.size > MOST_CELLS and facts.rows > MOST_DRAWS


def draw_stand_in(mixture: RowDistribution, facts: PublicFacts, rng: Generator) -> Tensor:
    """Draw a table of `facts.rows` rows from a mixture.

    If there are few cells, the counts of all cells are drawn at once. Otherwise rows are drawn one by one, up to a
    limit. Rows beyond the limit are distributed over the draws, which bounds time and memory, and makes the stand-in
    more clustered than a real table of that size.
    """
    shape = facts.domain.shape
    if facts.domain.size <= MOST_CELLS:
        counts = rng.multinomial(facts.rows, _cell_probabilities(mixture, shape))
        full = np.flatnonzero(counts)
        coords, counts = np.stack(np.unravel_index(full, shape), axis=1), counts[full]
    else:
        number = min(facts.rows, MOST_DRAWS)
        coords = _draw(mixture, shape, number, rng)
        counts = (
            rng.multinomial(facts.rows, np.full(number, 1 / number)) if number < facts.rows else np.ones(number, int)
        )
    amounts = _amounts(counts, facts.measure.bound, rng)
    return Tensor.from_arrays(facts.domain, coords, amounts, measure=facts.measure, unit=facts.unit)


def _cell_probabilities(mixture: RowDistribution, shape: tuple[int, ...]) -> Floats:
    """The probability of every cell, row-major."""
    tables = []
    for table, size in zip(mixture.tables, shape, strict=True):
        lengths = np.diff(even_intervals(size))
        tables.append(np.repeat(table / lengths, lengths, axis=1))
    total = np.zeros(shape).ravel()
    for component, weight in enumerate(mixture.weights):
        cells = np.array([weight])
        for table in tables:
            cells = np.multiply.outer(cells, table[component]).ravel()
        total += cells
    return np.asarray(total / total.sum())


def _draw(mixture: RowDistribution, shape: tuple[int, ...], number: int, rng: Generator) -> Ints:
    """Draw the cells of `number` rows, (number, d)."""
    coords = np.empty((number, len(shape)), np.int64)
    ends = np.cumsum(rng.multinomial(number, mixture.weights))
    for axis, (table, size) in enumerate(zip(mixture.tables, shape, strict=True)):
        edges = even_intervals(size)
        for component, (first, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            reached = np.cumsum(table[component])
            found = np.searchsorted(reached, rng.uniform(0, reached[-1], end - first), side="right")
            found = np.minimum(found, len(reached) - 1)
            coords[first:end, axis] = rng.integers(edges[found], edges[found + 1])
    return coords


def _amounts(counts: Ints, bound: int, rng: Generator) -> Ints:
    """The sum of each cell in steps of the measure: its count, or a sum of amounts of which most are small."""
    if bound == 1:
        return counts
    mean, deviation = bound / 4, bound * np.sqrt(0.0375)  # of Beta(1, 3)
    sums = rng.normal(counts * mean, np.sqrt(counts) * deviation)
    return np.rint(np.clip(sums, 0, counts * bound)).astype(np.int64)
