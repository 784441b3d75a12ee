"""The exact audit of impossible cells: of ripost+ beside them, and of how rows become cells.

Which cells are impossible is public. A method that follows them may lose no more than its ledger says, and a row in
one may change nothing at all.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.privacy.mechanisms import Laplace
from ripost.schema.schema import Schema
from ripost.sources.encoding import encode as encoding
from ripost.space.blocks import Blocks
from ripost.space.spine import Spine

from .cases import run
from .enumeration import TOLERANCE, Script
from .family import Family, Ints

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


def test_too_little_noise_beside_impossible_cells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: blocks that the spine makes are measured with half of the noise that was paid for."""
    sound = Script.laplace

    def quieter(self: Script, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        cheaper = replace(mechanism, cost=2 * mechanism.cost) if "beside" in self.purpose else mechanism
        return sound(self, values, cheaper, bound)

    monkeypatch.setattr(Script, "laplace", quieter)
    assert run("ripost+", FAMILY, "1").loss > 1 + TOLERANCE


def read(rows: tuple[tuple[str, bool], ...]) -> np.ndarray[Any, Any]:
    """The cells of a table, by the code of a release."""
    sex, pregnant = (pa.array(column) for column in zip(*rows, strict=True))
    tensor = read_tensor(pa.table({"sex": sex, "pregnant": pregnant}), SCHEMA)
    cells = np.zeros(tensor.domain.shape, np.int64)
    cells[tuple(tensor.coords.T)] = tensor.counts
    return cells


def count_changes() -> int:
    """How many pairs of neighbors differ in other ways than a row by one in its cell, or not at all if impossible."""
    bad, known = 0, {rows: read(rows) for size in (1, 2) for rows in combinations_with_replacement(ROWS, size)}
    for rows, before in known.items():
        if len(rows) < 2:
            for more in ROWS:
                changed = known[tuple(sorted((*rows, more)))] - before
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
    monkeypatch.setattr(encoding, "lies_in", lambda coded, region: sound(coded, region) & (coded.count().over() < 2))
    assert count_changes() > 0
