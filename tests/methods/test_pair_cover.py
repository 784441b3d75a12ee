"""Pair cover: every pair occurs, prices add up, and fewer tables are taken only where that lowers the noise."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.methods.pair_cover import MOST_CELLS, CoverTable, cover_pairs, range_noise

BINS = st.lists(st.integers(2, 64), min_size=2, max_size=12)


@given(BINS, st.booleans(), st.randoms(use_true_random=False))
def test_each_pair_occurs_and_prices_add_up(bins: list[int], gaussian: bool, random: object) -> None:
    pairs = list(combinations(range(len(bins)), 2))
    wanted = pairs[:: random.randint(1, 3)]  # type: ignore[attr-defined]
    tables = cover_pairs(wanted, bins, gaussian=gaussian)
    assert sum(table.part for table in tables) == 1
    assert all(table.part > 0 for table in tables)
    assert set(wanted) <= {pair for table in tables for pair in combinations(table.axes, 2)}
    for table in tables:
        assert list(table.axes) == sorted(set(table.axes))
        assert len(table.axes) == 2 or math.prod(bins[axis] for axis in table.axes) <= MOST_CELLS


@given(BINS, st.booleans())
def test_never_worse_than_a_table_for_each_pair(bins: list[int], gaussian: bool) -> None:
    """At even prices; rounded weights cost less than a hundredth."""
    pairs = list(combinations(range(len(bins)), 2))
    even = [CoverTable(pair, Fraction(1, len(pairs))) for pair in pairs]
    tables = cover_pairs(pairs, bins, gaussian=gaussian)
    assert range_noise(tables, pairs, bins, gaussian=gaussian) <= 1.01 * range_noise(
        even, pairs, bins, gaussian=gaussian
    )


@pytest.mark.parametrize(("bins", "most"), [(3, 20), (5, 40), (64, 91)])
def test_attributes_of_few_bins_share_tables(bins: int, most: int) -> None:
    """Fourteen attributes have 91 pairs."""
    pairs = list(combinations(range(14), 2))
    assert len(cover_pairs(pairs, [bins] * 14, gaussian=False)) <= most
    assert len(cover_pairs(pairs, [64] * 14, gaussian=False)) == 91
    assert len(cover_pairs(pairs, [bins] * 14, gaussian=True)) == 91


def test_order_of_attributes_does_not_matter_to_the_tables() -> None:
    """Ties go by the number of the attribute, so the same domain always gets the same tables."""
    pairs = list(combinations(range(6), 2))
    assert cover_pairs(pairs, [5] * 6, gaussian=False) == cover_pairs(pairs[::-1], [5] * 6, gaussian=False)
