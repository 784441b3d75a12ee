"""The exact audit of measures, from the raw row: counts and all sums together, on every small table.

Publishing runs as it does, with a noise that writes down what each draw adds noise to, and at which scale. A second run
on a neighboring table gets the same noisy values, so both take the same way. The log ratio of the probabilities of an
outcome is then the sum of the changes over the scales, reached where every noisy value lies beyond both exact ones. It
must be within what the ledger says was spent, and reach it. The votes of discovery are draws like the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import ibis
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
from tests.marks import slow

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
IMPOSSIBLE = {"impossible": ["x = 1"]}
DISCOVERED = {"attributes": {"x": {"type": "integer", "min": 0, "max": "discover", "max_bins": 4, "missing": "drop"}}}
KINDS: dict[str, dict[str, Any]] = {
    "plain": {}, "people": PEOPLE, "impossible": IMPOSSIBLE, "discovered": DISCOVERED,
    "discovered people": {**PEOPLE, **DISCOVERED},
}  # fmt: skip


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
        data, facts = publication.find_domain(publication.read())
        estimate, account = publication.run(data, facts)
        measures = publication.run_measures(data, facts, estimate)
        ledgers = [account.ledger, *(spent.ledger for _, spent in measures.values())]
    before = Fraction(0) if facts.discovery is None else facts.discovery.epsilon
    return sum((ledger.spent for ledger in ledgers), Fraction(0)) * facts.unit.max_rows + before


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


def worst(kind: str = "plain", *, few: bool = True) -> tuple[float, Fraction]:
    """The largest loss of all neighbors, and the most that a ledger says was spent."""
    schema = Schema.from_dict({**SCHEMA, **KINDS[kind]})
    found = [find_loss(one, other, schema) for one, other in neighbors(unit=schema.unit is not None, few=few)]
    return max(loss for loss, _ in found), max(spent for _, spent in found)


@pytest.mark.parametrize("few", [True, slow(False)])
@pytest.mark.parametrize("kind", [slow(kind) if kind == "discovered people" else kind for kind in KINDS])
def test_the_loss_is_what_the_ledger_says(kind: str, few: bool) -> None:
    loss, spent = worst(kind, few=few)
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

    def run(self: Publication, *given: Any) -> Any:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(MeasuredColumn, "bound", property(lambda one: bound(one) // 2))
            return of_measures(self, *given)

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


def find_loss_of_the_impossible() -> float:
    """The largest loss of a row that lies in an impossible cell, beside up to one row elsewhere."""
    schema = Schema.from_dict({**SCHEMA, **IMPOSSIBLE})
    tables: list[list[Row]] = [[], [ROWS[0]]]
    return max(find_loss(one, [*one, ("a", 1, *values)], schema)[0] for one in tables for values in VALUES)


def test_a_row_in_an_impossible_cell_changes_no_draw() -> None:
    assert find_loss_of_the_impossible() == 0


def forget_the_impossible(patch: Patch) -> None:
    """Rows in impossible cells are kept."""
    patch.setattr("ripost.sources.encoding.encode.lies_in", lambda coded, region: ibis.literal(False))


def test_a_row_in_an_impossible_cell_that_is_kept_is_seen(monkeypatch: Patch) -> None:
    forget_the_impossible(monkeypatch)
    assert find_loss_of_the_impossible() > 0


def split_before_discovery(patch: Patch) -> None:
    """Counts and measures share the whole budget, as if discovery had cost nothing."""
    sound = Publication.budget_of
    patch.setattr(Publication, "budget_of", lambda self, *given: sound(replace(self, discovery=None), *given))


def discover_for_each(patch: Patch) -> None:
    """Discovery is drawn once more for each measure."""
    sound = Publication.run_measures
    found: dict[str, Any] = {}
    seen = Publication.find_domain

    def keep(self: Publication, data: Any) -> Any:
        found["table"] = data
        return seen(self, data)

    def again(self: Publication, *given: Any) -> Any:
        for _ in self.dataset.measures:
            self.discover(found["table"])
        return sound(self, *given)

    patch.setattr(Publication, "find_domain", keep)
    patch.setattr(Publication, "run_measures", again)


@pytest.mark.parametrize("fault", [split_before_discovery, discover_for_each], ids=lambda fault: fault.__name__)
def test_a_planted_fault_beside_discovery_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    loss, _ = worst("discovered")
    assert loss > 1.02 * EPSILON
