"""The exact audit of measures, from the raw row: counts and all sums together, on every small table.

Publishing runs as it does, with a noise that writes down what each draw adds noise to, and at which scale. A second run
on a neighboring table gets the same noisy values, so both take the same way. The log ratio of the probabilities of an
outcome is then the sum of the changes over the scales, reached where every noisy value lies beyond both exact ones. It
must be within what the ledger says was spent, and reach it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ripost.arrays import Ints
from ripost.data import read
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.publishing.prepare import prepare
from ripost.publishing.publication import Publication
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.schema import Schema

Patch = pytest.MonkeyPatch
Row = tuple[str, int, float | None, float | None]  # person, cell, values
EPSILON = Fraction(2)
TOLERANCE = 1e-9
VALUES = [(-7.0, 99.0), (3.0, 0.0), (None, 2.0), (0.0, None)]
ROWS: list[Row] = [(who, x, *values) for who in "ab" for x in (0, 2) for values in VALUES]
SCHEMA: dict[str, Any] = {
    "attributes": {"x": {"type": "integer", "min": 0, "max": 3, "missing": "drop"}},
    "measures": {
        "v": {"min": -2.0, "max": 3.0},
        "w": {"min": 0.0, "max": 4.0, "step": 0.5, "weight": 2.0, "missing": "drop"},
    },
}
PEOPLE = {"unit": "who", "max_rows": 2}


class Recorder(SeededNoise):
    """Noise that writes down its draws, and returns values that it is given."""

    def __init__(self, told: Sequence[Ints] = ()) -> None:
        super().__init__(1)
        self.told = list(told)
        self.drawn: list[tuple[Ints, Ints, float]] = []  # exact and noisy values, and the scale

    def laplace(self, exact: Ints, mechanism: Laplace, bound: int) -> Ints:
        noisy = self.told[len(self.drawn)] if self.told else super().laplace(exact, mechanism, bound)
        self.drawn.append((exact.copy(), noisy, mechanism.scale(bound)))
        return noisy


def publish(rows: Sequence[Row], schema: Schema, noise: Recorder) -> Fraction:
    """Run a release; what its ledger says that it spent."""
    who, x, v, w = zip(*rows, strict=True) if rows else ((), (), (), ())
    types = (pa.string(), pa.int64(), pa.float64(), pa.float64())
    table = pa.table(
        [pa.array(part, kind) for part, kind in zip((who, x, v, w), types, strict=True)], ["who", "x", "v", "w"]
    )
    with prepare(table, schema, epsilon=EPSILON, seed=1) as prepared:
        publication = replace(prepared, noise=noise)
        data = publication.read()
        estimate, account, _ = publication.run(data)
        measures = publication.run_measures(data, estimate)
        ledgers = [account.ledger, *(spent.ledger for _, spent in measures.values())]
    return sum((ledger.spent for ledger in ledgers), Fraction(0)) * publication.dataset.unit.max_rows


def find_loss(one: Sequence[Row], other: Sequence[Row], schema: Schema) -> tuple[float, Fraction]:
    """The largest log ratio of two tables over the outcomes along one way, and what the ledger says of it."""
    first = Recorder()
    spent = publish(one, schema, first)
    second = Recorder([noisy for _, noisy, _ in first.drawn])
    publish(other, schema, second)
    assert [scale for *_, scale in first.drawn] == [scale for *_, scale in second.drawn]
    changes = zip(first.drawn, second.drawn, strict=True)
    return sum(float(np.abs(a - b).sum()) / scale for (a, _, scale), (b, _, _) in changes), spent


def neighbors(*, unit: bool, few: bool) -> list[tuple[list[Row], list[Row]]]:
    """Tables of up to one row, and the same with one row more; for people, with up to three rows of one."""
    mine, others = ([row for row in ROWS if row[0] == who] for who in "ab")
    tables: list[list[Row]] = [[], *([row] for row in others[: 1 if few else None])]
    more = [[row] for row in (mine[:4] if few else mine)]
    if unit:
        usable = [row for row in mine if None not in row][: 2 if few else None]
        more = [list(some) for size in (2, 3) for some in itertools.combinations_with_replacement(usable, size)]
    return [(table, [*table, *added]) for table in tables for added in more]


def worst(*, unit: bool = False, few: bool = True) -> tuple[float, Fraction]:
    """The largest loss of all neighbors, and the most that a ledger says was spent."""
    schema = Schema.from_dict({**SCHEMA, **(PEOPLE if unit else {})})
    found = [find_loss(one, other, schema) for one, other in neighbors(unit=unit, few=few)]
    return max(loss for loss, _ in found), max(spent for _, spent in found)


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", [False, True])
def test_the_loss_is_what_the_ledger_says(unit: bool, few: bool) -> None:
    loss, spent = worst(unit=unit, few=few)
    assert spent == EPSILON
    assert loss <= EPSILON + TOLERANCE
    assert loss >= 0.999 * EPSILON  # scales are rounded up a little


def add_twice(patch: Patch) -> None:
    """A row adds twice to each measure."""
    encode = read.encode_rows

    def twice(*given: Any, **named: Any) -> Any:
        cells = encode(*given, **named)
        return cells.mutate(s0=cells.s0 * 2, s1=cells.s1 * 2)

    patch.setattr(read, "encode_rows", twice)


def clamp_too_late(patch: Patch) -> None:
    """Values are not clamped."""
    patch.setattr("ripost.sources.encoding.encode.clamp", lambda x, low, high: x)
    patch.setattr("ripost.sources.encoding.encode.ibis.least", lambda x, _: x)
    patch.setattr("ripost.sources.encoding.encode.ibis.greatest", lambda x, _: x)


def state_half_the_bound(patch: Patch) -> None:
    """The account is told a bound that is too small."""
    bound = MeasuredColumn.bound.fget
    assert bound is not None
    of_measures = Publication.run_measures

    def run(self: Publication, data: Any, estimate: Any) -> Any:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(MeasuredColumn, "bound", property(lambda one: bound(one) // 2))
            return of_measures(self, data, estimate)

    patch.setattr(Publication, "run_measures", run)


def halve_the_noise(patch: Patch) -> None:
    """Noise has half its scale."""
    scale = Laplace.scale
    patch.setattr(Laplace, "scale", lambda self, bound: scale(self, bound) / 2)


def give_all_to_each(patch: Patch) -> None:
    """Each measure gets the whole budget, and the ledger of one is left out of what was spent."""
    patch.setattr(
        Publication, "budget_of", lambda self, *_: self.method.budget(self.epsilon, self.dataset.unit.max_rows)
    )


FAULTS: list[Callable[[Patch], None]] = [
    add_twice,
    clamp_too_late,
    state_half_the_bound,
    halve_the_noise,
    give_all_to_each,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    loss, _ = worst()
    assert loss > 1.2 * EPSILON
