"""Debit and publish on a disk that is full, at every amount of room that matters. Run by test_full_disk.py."""

from __future__ import annotations

import errno
import json
import os
import sys
from fractions import Fraction
from pathlib import Path

import ripost
from ripost.budget_ledger.operations import debit, read_ledger
from ripost.data.tensor import Tensor
from ripost.errors import LedgerError, ReleaseError

PAGE = 4096


def main() -> None:
    folder = Path(sys.argv[1])
    ledger, ballast = folder / "budget.sqlite", folder / "ballast"
    from ripost.budget_ledger.operations import create_ledger

    create_ledger(ledger, dataset="d", epsilon=1000)
    refused = paid = 0
    for room in [*range(12), *range(12)]:
        fill(ballast)
        os.truncate(ballast, max(0, ballast.stat().st_size - room * PAGE))
        before = read_ledger(ledger)
        try:
            debit(ledger, epsilon=Fraction(1), delta=Fraction(0), unit=None, method="identity" * 40)
            paid += 1
            assert len(read_ledger(ledger).debits) == len(before.debits) + 1
        except LedgerError as error:
            assert "the disk is full" in str(error), error
            refused += 1
            assert read_ledger(ledger) == before
    tensor = Tensor.from_arrays((40, 40), [[0, 1], [3, 2]], [40, 30])
    ballast.unlink()
    view = ripost.publish(tensor, epsilon=1, method="identity", ledger=ledger)
    fill(ballast)
    os.truncate(ballast, ballast.stat().st_size - PAGE)
    try:
        view.save(folder / "v.parquet")
        raise AssertionError("there was no room for it")
    except ReleaseError as error:
        assert "the disk is full" in str(error), error
    assert sorted(path.name for path in folder.iterdir()) == ["ballast", "budget.sqlite"]
    ballast.unlink()
    view.save(folder / "v.parquet")
    assert ripost.open(folder / "v.parquet").debit == view.debit
    sys.stdout.write(json.dumps({"refused": refused, "paid": paid, "left": str(read_ledger(ledger).left[0])}))


def fill(path: Path) -> None:
    """Write until the disk takes no more."""
    with path.open("ab", buffering=0) as file:
        while True:
            try:
                file.write(b"\1" * PAGE)
            except OSError as error:
                assert error.errno == errno.ENOSPC
                return


if __name__ == "__main__":
    main()
