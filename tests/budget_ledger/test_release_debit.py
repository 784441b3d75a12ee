"""Publishing with a ledger: when it is debited, what stays debited, and what costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import ripost
from ripost.budget_ledger import release_debit as module
from ripost.budget_ledger.audit import audit_release
from ripost.budget_ledger.operations import read_ledger
from ripost.budget_ledger.release_debit import ReleaseDebit
from ripost.data.tensor import Tensor
from ripost.errors import InputError, LedgerError, LedgerWarning, ReleaseError, SourceError
from ripost.privacy.noise import SystemNoise
from tests.budget_ledger.making import open_ledger, read_claim

TENSOR = Tensor.from_arrays((6, 4), [[0, 1], [3, 2], [5, 3]], [40, 30, 20])
SCHEMA = ripost.Schema.from_dict({"attributes": {"x": {"type": "integer", "min": 0, "max": 9}}})
PEOPLE = ripost.Schema.from_dict({**SCHEMA.model_dump(exclude_none=True), "unit": "who", "max_rows": 2})
TABLE = pa.table({"x": list(range(10)) * 20, "who": [i % 40 for i in range(200)]})


def states(path: Path) -> list[str]:
    return [paid.state for paid in read_ledger(path).debits.values()]


def test_a_view_points_to_its_debit_and_the_debit_to_the_view(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    view = ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path)
    assert view.debit == read_ledger(path).pointer(1) and states(path) == ["released"]
    view.save(tmp_path / "later.parquet")
    assert ripost.open(tmp_path / "later.parquet").debit == view.debit
    assert all(check.ok for check in audit_release(path, read_claim(tmp_path / "later.parquet")))
    assert ripost.publish(TENSOR, epsilon=1, method="identity", seed=1).debit is None


def test_people_with_more_or_fewer_rows_are_one_currency(tmp_path: Path) -> None:
    """Epsilon is for all rows of one of them, however many are kept."""
    path = open_ledger(tmp_path, unit="who")
    for rows in (1, 3):
        ripost.publish(TABLE, PEOPLE.model_copy(update={"max_rows": rows}), epsilon=1, ledger=path)
    with pytest.raises(LedgerError, match="this release protects one row"):
        ripost.publish(TABLE, SCHEMA, epsilon=1, ledger=path)
    assert read_ledger(path).left[0] == 1


def test_a_delta_is_debited(tmp_path: Path) -> None:
    path = open_ledger(tmp_path, delta="1e-6")
    ripost.publish(TENSOR, epsilon=1, method="privsyn", delta=1e-9, ledger=path)
    assert read_ledger(path).spent == (1, Fraction("1e-9"))


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda **k: ripost.publish(TENSOR, epsilon=-1, **k), "epsilon must be positive"),
        (lambda **k: ripost.publish(TENSOR, epsilon=1, method="ripos", **k), "there is no method"),
        (lambda **k: ripost.publish(TENSOR, epsilon=1, method="dawa", order=7, **k), "order must be"),
        (lambda **k: ripost.publish(TENSOR, epsilon=1, seed=3, **k), "a seeded view is not private"),
        (lambda **k: ripost.publish(TENSOR, epsilon=1, workload=([[0]], [[9]]), **k), "."),
        (lambda **k: ripost.publish(TABLE.rename_columns(["y", "z"]), SCHEMA, epsilon=1, **k), "no column 'x'"),
        (lambda **k: ripost.publish("none.csv", SCHEMA, epsilon=1, **k), "no such file"),
        (lambda **k: ripost.publish(TABLE, epsilon=1, **k), "needs its schema"),
        (lambda **k: ripost.publish(TABLE, SCHEMA, epsilon=1, output="none/v", **k), "folder does not exist"),
        (
            lambda **k: ripost.publish(TABLE, PEOPLE, epsilon=1, method="p3gm", **k),
            "protects single rows|protects one who",
        ),
        (lambda **k: ripost.publish(huge(), epsilon=1, method="identity", **k), "choose another method"),
        (lambda **k: ripost.publish(huge(), epsilon=1, method="dawa", **k), "choose another method"),
        (lambda **k: ripost.publish(huge(), epsilon=1, method="hdmm", p=(1, 1, 1), **k), "."),
        (lambda **k: ripost.publish(TENSOR, epsilon=5, **k), "has epsilon 3 left"),
    ],
)
def test_what_anybody_could_have_seen_costs_nothing(tmp_path: Path, attempt: Callable[..., Any], sentence: str) -> None:
    path = open_ledger(tmp_path)
    with pytest.raises(InputError, match=sentence) as caught:
        attempt(ledger=path)
    assert states(path) == [] and not hasattr(caught.value, "__notes__")


def huge() -> Tensor:
    return Tensor.from_arrays((2**12, 2**12), [[0, 0]], [1])


def test_every_method_pays_before_it_sees_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No statistic is computed, no noise drawn, before the debit is in the file."""
    path = open_ledger(tmp_path, epsilon="100", delta="1e-3")
    from ripost.data.memory import MemoryBlockData

    whole, seen = MemoryBlockData.of, []

    def watch_read(tensor: Tensor) -> MemoryBlockData:
        seen.append(len(read_ledger(path).debits))
        return whole(tensor)

    def undrawn(*_: Any) -> Any:
        assert seen, "noise was drawn before the table was read"
        return laplace(*_)

    laplace = SystemNoise.laplace
    monkeypatch.setattr(MemoryBlockData, "of", staticmethod(watch_read))
    monkeypatch.setattr(SystemNoise, "laplace", undrawn)
    quick = ("ripost+", "ripost", "privtree", "hdpview", "identity", "uniform-grid", "quadtree", "hierarchy", "ahp")
    for number, name in enumerate(quick, 1):
        ripost.publish(TENSOR, epsilon=1, method=name, ledger=path)
        assert seen == list(range(1, number + 1))


def test_a_table_that_cannot_be_read_stays_debited(tmp_path: Path) -> None:
    path, bad = open_ledger(tmp_path), tmp_path / "bad.csv"
    bad.write_text('x\n1\n"2\n', "utf-8")
    with pytest.raises(SourceError, match="not well-formed") as caught:
        ripost.publish(bad, SCHEMA, epsilon=1, ledger=path)
    assert caught.value.__notes__ == [f"debit 1 of epsilon 1 stays in {path}"]
    assert states(path) == ["failed"] and read_ledger(path).left[0] == 2
    assert "the table could not be read" in str(read_ledger(path).debits[1].outcome)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyboardInterrupt(), "it was stopped"),
        (MemoryError(), "memory ran out"),
        (ZeroDivisionError("17 rows"), "a fault of ripost"),
        (InputError("no"), "the input could not be used"),
    ],
)
def test_what_happens_after_the_debit_is_noted_as_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, reason: str
) -> None:
    path = open_ledger(tmp_path)

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(SystemNoise, "laplace", fail)
    with pytest.raises(type(error)):
        ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path)
    outcome = read_ledger(path).debits[1].outcome
    assert outcome is not None and outcome.model_dump()["reason"] == reason


def test_a_view_that_cannot_be_written_stays_debited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = open_ledger(tmp_path)
    from ripost.release import file

    def fail(*_: Any, **__: Any) -> None:
        raise ReleaseError("cannot write v: the disk is full")

    monkeypatch.setattr(file, "write_whole", fail)
    with pytest.raises(ReleaseError, match="disk is full"):
        ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path, output=tmp_path / "v")
    assert "the view could not be written" in str(read_ledger(path).debits[1].outcome)


def test_a_ledger_spent_meanwhile_is_seen_before_noise_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = open_ledger(tmp_path, epsilon="1")
    pay = ReleaseDebit.pay

    def late(self: ReleaseDebit) -> None:
        monkeypatch.setattr(ReleaseDebit, "pay", pay)
        ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path)  # somebody else, in between
        monkeypatch.setattr(SystemNoise, "laplace", None)
        pay(self)

    monkeypatch.setattr(ReleaseDebit, "pay", late)
    with pytest.raises(LedgerError, match="has epsilon 0 left of 1"):
        ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path)
    assert states(path) == ["released"]


def test_a_view_is_not_lost_if_its_debit_cannot_be_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = open_ledger(tmp_path)

    def fail(*_: Any, **__: Any) -> None:
        raise LedgerError("the disk is full")

    monkeypatch.setattr(module, "close", fail)
    with pytest.warns(LedgerWarning, match="sound and paid for, but its digest was not noted: the disk is full"):
        view = ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path, output=tmp_path / "v")
    assert view.debit is not None and states(path) == ["running"]
    assert all(check.ok for check in audit_release(path, read_claim(tmp_path / "v")))
    monkeypatch.setattr(SystemNoise, "laplace", fail)
    with pytest.raises(LedgerError) as caught:
        ripost.publish(TENSOR, epsilon=1, method="identity", ledger=path)
    assert caught.value.__notes__[-1] == "and why it failed could not be noted there"


def test_a_release_that_was_not_paid_for_cannot_be_closed(tmp_path: Path) -> None:
    path = open_ledger(tmp_path)
    unpaid = ReleaseDebit(path, epsilon=Fraction(1), delta=Fraction(0), unit=None, method="identity")
    with pytest.raises(LedgerError, match="not paid for"):
        unpaid.close("ab" * 32)
    unpaid.pay()
    unpaid.pay()
    assert len(states(path)) == 1, "a release is debited once"
