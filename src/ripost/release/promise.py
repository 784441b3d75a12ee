"""The promise of a view in words, and what was spent on what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ripost.release import upward
from ripost.schema.measure import HISTORY_STAYS

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy
    from ripost.release.release import Release
    from ripost.schema.measure import Unit

WEAK = 5  # from this epsilon on, a prior probability of one half can become more than 99 %


def promise(privacy: Privacy) -> str:
    """The guarantee in one sentence, the same wherever it is shown, and what it rests on if that is not always so."""
    if not privacy.is_private:
        return f"{privacy.warning}: this view protects nobody."
    epsilon, most = upward.number(privacy.epsilon), upward.factor(privacy.epsilon)
    more = " This is weak protection." if privacy.epsilon >= WEAK else ""
    more += f" {privacy.precondition}" if privacy.precondition else ""
    if privacy.delta:
        delta, added = upward.number(privacy.delta), upward.spell_out(privacy.delta)
        return (
            f"Adding or removing {_neighbor(privacy)} multiplies the probability of any set of published results "
            f"by at most {most} and adds at most {added} to it (epsilon {epsilon} and delta {delta}, "
            f"(epsilon, delta)-differential privacy).{more}"
        )
    return (
        f"Adding or removing {_neighbor(privacy)} changes the probability of any published result by a factor of "
        f"at most {most} (epsilon {epsilon}, pure differential privacy).{more}"
    )


def plain_words(privacy: Privacy) -> tuple[str, ...]:
    """What follows from the promise, for people; nothing for a view that protects nobody."""
    if not privacy.is_private:
        return ()
    kept = describe_kept_rows(privacy)
    return (
        "This holds for every reader, whatever else they know and however much they compute, and for everything that "
        "anyone computes from the release.",
        *(_tests(privacy) if privacy.delta else _belief(privacy)),
        *((f"{kept[0].upper()}{kept[1:]}.",) if kept else ()),
        *describe_discovery(privacy),
        *describe_first_periods(privacy),
    )


def describe_discovery(privacy: Privacy) -> tuple[str, ...]:
    """What was discovered from the data and what that cost, in one sentence; nothing if the schema stated all."""
    found = privacy.discovery
    if found is None:
        return ()
    parts = ", ".join(f"{entry.purpose} ({upward.number(entry.epsilon)})" for entry in found.entries)
    delta = f" and delta {upward.number(found.delta)}" if found.delta else ""
    return (
        f"Discovered from the data, within the promise, for epsilon {upward.number(found.epsilon)}{delta}: {parts}.",
    )


def describe_first_periods(privacy: Privacy) -> tuple[str, ...]:
    """How `max_periods` bounds what a series tells, and what that rests on, where the promise does not say it."""
    unit = privacy.unit
    if not unit.first_periods or privacy.precondition:
        return ()
    return (f"Releases of its series count a {unit.column} in its {unit.first_periods} alone. {HISTORY_STAYS}",)


def describe_kept_rows(privacy: Privacy) -> str:
    """Why totals can be lower than in the table, without a full stop; empty where every row counts."""
    unit = privacy.unit
    if unit.column is None:
        return ""
    later = f", none after its {unit.first_periods}" if unit.first_periods and not privacy.in_each else ""
    return (
        f"only kept rows count, at most {unit.max_rows:,} of each {unit.column}{privacy.in_each}{later} and none where "
        f"{unit.column} is missing, so totals can be lower than in the table"
    )


def _neighbor(privacy: Privacy) -> str:
    """What one of two neighboring tables has more than the other."""
    unit = privacy.unit
    if unit.column is None:
        return "any one row of the table"
    used = "is" if unit.max_rows == 1 else "are"
    return f"all rows of any one {unit.column} (of which at most {unit.max_rows:,} {used} used{privacy.in_each})"


def _belief(privacy: Privacy) -> tuple[str, ...]:
    """How far a prior probability of one half can move: odds change by a factor of e^epsilon at most."""
    one, known = _one(privacy.unit), upward.belief(privacy.epsilon)
    if known is None:
        return (f"At this epsilon a reader may become certain whether {one} is in the table.",)
    least, most = known
    return (
        f"Example: a reader who, before seeing the release, gives a probability of 50 % to {one} being in the table "
        f"gives it at least {least} % and at most {most} % afterwards.",
    )


def _tests(privacy: Privacy) -> tuple[str, ...]:
    """What (epsilon, delta) says of any test, and what delta is not."""
    most, delta = upward.factor(privacy.epsilon), upward.spell_out(privacy.delta)
    one = privacy.unit.column or "row"
    return (
        f"It limits every test that guesses from the release whether {_one(privacy.unit)} is in the table: if the test "
        f"says yes with probability p when the {one} is not there, it says yes with probability at most {most} times p "
        f"plus {delta} when the {one} is there.",
        "Delta is not the probability that more is learned than epsilon allows: that probability can be larger.",
    )


def _one(unit: Unit) -> str:
    return "any one row" if unit.column is None else f"any one {unit.column}"


def list_charges(release: Release) -> list[tuple[str, str, Fraction]]:
    """The path of largest privacy loss, for print: (purpose, mechanism, price), equal ones added up."""
    from ripost.privacy.ledger import group

    privacy = release.privacy
    entries = group(privacy.ledger.largest_loss_path)
    for name, ledger in privacy.measures.items():
        found = group(ledger.largest_loss_path)
        entries += [(f"sums of {name}, {purpose}", mechanism, price) for purpose, mechanism, price in found]
    return [(_name_attribute(purpose, release.domain.names), mechanism, price) for purpose, mechanism, price in entries]


def _name_attribute(purpose: str, names: Sequence[str]) -> str:
    """The purpose of a draw, with an attribute's name in place of its number."""
    found = re.fullmatch(r"(sums of .*, )?axis (\d{1,6})", purpose)
    known = found is not None and 1 <= int(found[2]) <= len(names)
    return f"{found[1] or ''}histogram of {names[int(found[2]) - 1]}" if found and known else purpose
