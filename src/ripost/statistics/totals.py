"""Totals of blocks, and of the parts of blocks."""

from __future__ import annotations

from functools import partial

import numpy as np

from ripost.arrays import Codes, Ints
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Parts, Slabs
from ripost.statistics.exact_sums import PIECE, pieces, sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import PROOFS, Statistic


def totals(layout: Layout) -> Ints:
    """Return the sum of counts of each block."""
    return layout.totals


def total_steps(_: Blocks) -> Steps:
    return (yield totals)


def part_totals(layout: Layout, parameters: Parts) -> Ints:
    """Return the sum of counts in each part of each block, block by block."""
    parts = len(parameters)
    if isinstance(parameters, Slabs):
        by_code = layout.along(parameters.axis)
        code_bins = _check_parts(parameters.code_bins[: by_code.shape[1]], parts)
        slot = np.arange(len(by_code))[:, None] * parts + code_bins
        return sums_at(slot.ravel(), by_code.ravel(), len(by_code) * parts)
    found, counts = np.zeros(len(layout.blocks) * parts, np.int64), layout.weights
    for cells in pieces(len(layout.owner), max(PIECE, 2 * len(found))):
        part = _check_parts(parameters.part(layout.coords[:, cells]), parts)
        found += sums_at(layout.owner[cells] * parts + part, counts[cells], len(found))
    return found


def _check_parts(part: Codes, parts: int) -> Codes:
    if part.min(initial=0) < 0 or part.max(initial=0) >= parts:
        raise PrivacyError("query parameters place a cell in no part of its block")
    return part


def part_total_steps(_: Blocks, parameters: Parts) -> Steps:
    return (yield partial(part_totals, parameters=parameters))


TOTAL = Statistic("total", total_steps, PROOFS / "total.md", per_count=1, extra_tests=0, is_measurement=True)
TOTAL_OF_PART = Statistic(
    "total of part", part_total_steps, PROOFS / "total_of_part.md", per_count=1, is_measurement=True
)
