"""Publishing takes six steps in one order: prepare, debit, read, run, release, save."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ripost
from ripost.errors import InputError
from ripost.publishing.publication import Publication
from ripost.view import View
from tests.budget_ledger.making import open_ledger

TENSOR = ripost.Tensor.from_arrays((4, 5), [[0, 1], [3, 2]], [7, 9])
STEPS = ["debit", "read", "run", "release", "save"]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the steps of a publication in the order in which they begin."""
    seen: list[str] = []

    def record(name: str) -> None:
        step = getattr(Publication, name)

        def record_step(self: Publication, *arguments: Any) -> Any:
            seen.append(name)
            return step(self, *arguments)

        monkeypatch.setattr(Publication, name, record_step)

    for name in STEPS:
        record(name)
    return seen


def test_the_steps_come_in_order(tmp_path: Path, steps: list[str]) -> None:
    view = ripost.publish(TENSOR, epsilon=1, seed=1, output=tmp_path / "view.ripost.parquet")
    assert steps == STEPS
    assert isinstance(view, View) and (tmp_path / "view.ripost.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        {"epsilon": 0},
        {"method": "no-such-method"},
        {"method": "ripost", "alpha": 2},
        {"method": "identity", "unknown": 1},
        {"workload": ([[0, 0]], [[9, 9]])},
        {"protect": "nothing,here"},
        {"output": "no-such-folder/view.ripost.parquet"},
        {"engine": "abacus"},
        {"anchor": "anchor.txt"},
    ],
    ids=str,
)
def test_public_mistakes_are_found_before_the_debit(steps: list[str], arguments: dict[str, Any]) -> None:
    with pytest.raises((InputError, ripost.RipostError)):
        ripost.publish(TENSOR, **{"epsilon": 1, **arguments})
    assert steps == []


def test_the_ledger_is_debited_before_a_row_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_ledger(tmp_path)
    entries: list[int] = []
    read = Publication.read

    def look(self: Publication) -> Any:
        assert self.payment is not None
        entries.append(0 if self.payment.debited is None else self.payment.debited.number)
        return read(self)

    monkeypatch.setattr(Publication, "read", look)
    ripost.publish(TENSOR, epsilon=1, ledger=ledger)
    assert entries == [1]
