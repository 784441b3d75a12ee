"""Tables in print: the numbers of a column have one format."""

from __future__ import annotations

import pytest

from ripost.query.table import _format_column


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([1234.5, 7.25, None], ["1,234", "7", "NULL"]),
        ([12.0, 3.0], ["12", "3"]),
        ([12.5, 3.0], ["12.50", "3.00"]),
        ([0.25, 0.0371], ["0.2500", "0.0371"]),
        ([-0.0000001, 2.5], ["0.000000", "2.500000"]),
        (["a", True], ["a", "true"]),
    ],
)
def test_one_format_a_column(numbers: list[object], shown: list[str]) -> None:
    assert _format_column(numbers) == shown
