"""The exact audit of impossible cells: of ripost+ beside them, and of how rows become cells.

Which cells are impossible is public. A method that follows them may lose no more than its ledger says, and a row in
one may change nothing at all.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.schema.schema import Schema
from ripost.sources.encoding import encode as encoding
from ripost.space.blocks import Blocks
from ripost.space.spine import Spine

from .cases import run
from .enumeration import TOLERANCE
from .family import Family

IMPOSSIBLE = Blocks(np.array([[1, 1]]), np.array([[2, 2]]))
SPINE = Spine(((), ()), IMPOSSIBLE)
FAMILY = Family((2, 2), most=1, spine=SPINE)
SCHEMA = Schema.from_dict(
    {
        "impossible": ["sex = 'm' and pregnant"],
        "attributes": {
            "sex": {"type": "category", "values": ["f", "m"], "outside": "drop", "missing": "drop"},
            "pregnant": {"type": "boolean", "missing": "drop"},
        },
    }
)
ROWS = [("f", False), ("f", True), ("m", False), ("m", True)]


@pytest.mark.parametrize("epsilon", ["1", pytest.param("60", marks=pytest.mark.slow)])
def test_a_method_with_a_spine_loses_no_more_than_it_spends(epsilon: str) -> None:
    """With few rows, where blocks beside impossible cells are measured, and with many."""
    audit = run("ripost+", FAMILY, epsilon)
    assert not audit.faulty
    assert audit.loss <= float(epsilon) + TOLERANCE


def test_blocks_that_are_measured_twice_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: blocks of the spine that overlap, so that a row is in two of one draw."""
    sound = TreeBuilder.follow_spine

    def overlapping(self: TreeBuilder, branch: Branch) -> tuple[Branch, Branch]:
        possible, impossible = sound(self, branch)
        possible.partition.blocks.lower[:] = 0
        return possible, impossible

    monkeypatch.setattr(TreeBuilder, "follow_spine", overlapping)
    with pytest.raises(AssertionError, match="blocks share a cell"):
        run("ripost+", FAMILY, "1")


def read(rows: tuple[tuple[str, bool], ...]) -> np.ndarray[Any, Any]:
    """The cells of a table, by the code of a release."""
    sex, pregnant = (pa.array(column) for column in zip(*rows, strict=True))
    tensor = read_tensor(pa.table({"sex": sex, "pregnant": pregnant}), SCHEMA)
    cells = np.zeros(tensor.domain.shape, np.int64)
    cells[tuple(tensor.coords.T)] = tensor.counts
    return cells


def count_changes() -> int:
    """How many pairs of neighbors differ in other ways than a row by one in its cell, or not at all if impossible."""
    bad, known = 0, {rows: read(rows) for size in (1, 2, 3) for rows in combinations_with_replacement(ROWS, size)}
    for rows in known:
        if len(rows) < 3:
            for more in ROWS:
                changed = known[tuple(sorted((*rows, more)))] - known[rows]
                expected = np.zeros_like(changed)
                if more != ("m", True):
                    expected[ROWS.index(more) // 2, int(more[1])] = 1
                bad += (changed != expected).any()
    return int(bad)


def test_a_row_in_an_impossible_cell_changes_nothing() -> None:
    assert count_changes() == 0


def test_dropping_by_other_rows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: impossible rows are kept once there are several."""
    sound = encoding.lies_in
    monkeypatch.setattr(encoding, "lies_in", lambda coded, region: sound(coded, region) & (coded.count().over() < 3))
    assert count_changes() > 0
