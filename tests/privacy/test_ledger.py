"""The ledger: public facts that anyone can add up again, and that do not survive being edited."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from ripost.errors import InputError, ReleaseError
from ripost.privacy.ledger import Charge, Debit, Ledger, Privacy, Step, group
from ripost.release.promise import describe_first_periods, describe_kept_rows, promise
from ripost.schema.measure import ROW, Unit


def entry(purpose: str, epsilon: str, mechanism: str = "discrete Laplace", blocks: int = 1) -> Charge:
    return Charge(purpose, mechanism, "total", 1, Fraction(epsilon), 4.0, blocks)


LEDGER = Ledger(
    (entry("test, depth 1", "1/10"), entry("test, depth 2", "1/5"), entry("leaves", "1/2"), entry("leaves", "7/10")),
    (Step(None, None, 0), Step(0, 0, 0), Step(1, 1, 0), Step(2, 2, 3), Step(1, 3, 1)),
)
PRIVACY = Privacy(Fraction(1), ROW, "operating system", LEDGER)


def test_spent_is_that_of_the_costliest_path() -> None:
    assert LEDGER.spent_by() == [0, Fraction(1, 10), Fraction(3, 10), Fraction(4, 5), Fraction(4, 5)]
    assert LEDGER.spent == Fraction(4, 5)
    assert LEDGER.blocks == 4
    assert [paid.purpose for paid in LEDGER.largest_loss_path] == ["test, depth 1", "test, depth 2", "leaves"]


def test_nothing_spent() -> None:
    nothing = Ledger((), (Step(None, None, 1),))
    assert (nothing.spent, nothing.blocks, nothing.largest_loss_path) == (0, 1, ())
    assert Ledger((), ()).spent == 0


def test_group_adds_up_by_purpose() -> None:
    assert group(LEDGER.largest_loss_path) == [
        ("test", "discrete Laplace", Fraction(3, 10)),
        ("leaves", "discrete Laplace", Fraction(1, 2)),
    ]


def test_a_mechanism_in_full_names_its_terms() -> None:
    paid = entry("leaves", "1/2")
    assert paid.mechanism_in_full == "discrete Laplace"
    assert replace(paid, terms="rate 1/2").mechanism_in_full == "discrete Laplace, rate 1/2"


def test_json_round_trip() -> None:
    text = json.dumps(PRIVACY.to_json())
    assert Privacy.from_json(json.loads(text)) == PRIVACY
    assert json.loads(text)["spent"] == "4/5"
    person = Privacy(Fraction(1), Unit("person", 3), "seed 7", LEDGER)
    assert Privacy.from_json(json.loads(json.dumps(person.to_json()))) == person


@pytest.mark.parametrize(
    "steps",
    [
        (Step(0, 0, 1),),
        (Step(None, None, 0), Step(None, None, 1)),
        (Step(None, 0, 1),),
        (Step(0, None, 1),),
        (Step(None, None, 0), Step(1, 0, 1)),
        (Step(None, None, 0), Step(2, 0, 1), Step(0, 0, 1)),
        (Step(None, None, 0), Step(-1, 0, 1)),
        (Step(None, None, 0), Step(0, 4, 1)),
        (Step(None, None, 0), Step(0, -1, 1)),
    ],
)
def test_damaged_paths(steps: tuple[Step, ...]) -> None:
    with pytest.raises(ReleaseError, match="the ledger is damaged"):
        replace(LEDGER, steps=steps).spent_by()


def test_the_promise_is_checked() -> None:
    PRIVACY.check(blocks=4)
    with pytest.raises(ReleaseError, match=r"the ledger spends 0\.8, more than epsilon 0\.5"):
        replace(PRIVACY, epsilon=Fraction(1, 2)).check(blocks=4)
    with pytest.raises(ReleaseError, match="does not account for every block"):
        PRIVACY.check(blocks=5)
    free = replace(LEDGER, entries=(replace(LEDGER.entries[0], epsilon=Fraction(0)), *LEDGER.entries[1:]))
    with pytest.raises(ReleaseError, match="an entry costs nothing"):
        replace(PRIVACY, ledger=free).check(blocks=4)


def test_a_person_pays_for_each_row() -> None:
    person = replace(PRIVACY, unit=Unit("person", 3))
    assert person.spent == Fraction(12, 5)
    with pytest.raises(ReleaseError, match=r"the ledger spends 2\.4"):
        person.check(blocks=4)
    replace(person, epsilon=Fraction(12, 5)).check(blocks=4)


def test_a_debit_says_where_it_is() -> None:
    assert Debit("0f", 7, "ab").to_json() == {"ledger": "0f", "number": 7, "chain": "ab"}


def test_repeatable_noise_is_shouted() -> None:
    assert PRIVACY.is_private
    assert PRIVACY.warning is None
    seeded = replace(PRIVACY, entropy="seed 7")
    assert not seeded.is_private
    assert seeded.warning == "NOT PRIVATE: the noise comes from seed 7"


@pytest.mark.parametrize("arguments", [("person", 0), ("person", -1), ("person", 1.5), (None, 2)])
def test_units_that_cannot_be(arguments: tuple[str | None, int]) -> None:
    with pytest.raises(InputError):
        Unit(*arguments)


def test_the_rows_of_a_unit_are_bounded_in_the_whole_release() -> None:
    people = replace(PRIVACY, unit=Unit("person", 2))
    assert describe_kept_rows(PRIVACY) == ""
    assert "at most 2 of each person and none where person is missing" in describe_kept_rows(people)


def test_the_promise_of_one_release_of_first_periods_rests_on_nothing_else() -> None:
    people = replace(PRIVACY, unit=Unit("person", 2, 3))
    assert promise(people) == promise(replace(people, unit=Unit("person", 2)))
    (said,) = describe_first_periods(people)
    assert said.startswith("Releases of its series count a person in its first 3 periods alone.")
