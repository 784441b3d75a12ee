"""inside-bins: bounds inside bins of the demo's flights."""

from __future__ import annotations

import re

import pytest
from experiments.inside_bins import inside_bins


@pytest.mark.slow
def test_intervals_that_allow_for_rows_anywhere_hold_more(capsys: pytest.CaptureFixture[str]) -> None:
    """Of one release: few truths may lie outside, where proportion leaves out more than one in 20."""
    inside_bins(runs=1, seed_from=5)
    _, _, *rows = capsys.readouterr().out.splitlines()
    held = [int(inside) / int(count) for row in rows for inside, count in re.findall(r"(\d+) of (\d+)", row)]
    assert len(held) == 4
    for plain, wide in (held[:2], held[2:]):
        assert plain < 0.95 and wide >= 0.98
