"""PrivBayes: no output is likelier for a neighbor than the ledger says, by exact probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.methods import METHODS
from ripost.privacy.mechanisms import Exponential, PermuteAndFlip
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Couples, Grid
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART
from tests.audit.faults import (
    Fault,
    Patch,
    _fresh,
    bound_forgotten,
    counted_twice,
    leaves_drawn_twice,
    less_noise,
    omit_charges,
)
from tests.statistics_by_name import STATISTICS

from .enumeration import TOLERANCE, Audit, Script, audit
from .family import Family

THETA = 0.05  # so that the few records of a tiny tensor lead to parents


def run(family: Family, epsilon: str = "1", **options: Any) -> Audit:
    """The audit; the number of rows decides between parents and none, at each number of cells of a table."""
    method = METHODS["privbayes"](theta=THETA, **options)
    axes = len(family.shape)
    per_record = float(Fraction(epsilon) * Fraction(95, 100) * Fraction(7, 10)) / (axes * THETA * family.bound)
    cells = sorted(
        {math.prod(part) for part in [family.shape[i:j] for i in range(axes) for j in range(i + 2, axes + 1)]}
    )

    def cutpoints(purpose: str) -> Sequence[int]:
        return sorted({math.ceil(n / per_record) - 1 for n in cells}) if "number" in purpose else []

    result = audit(method, family, Fraction(epsilon), cutpoints=cutpoints)
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


FAMILIES = [Family((2,)), Family((3,)), Family((2, 2)), Family((2, 3), most=1), Family((2, 2, 2), most=1)]


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.shape))
def test_privbayes_spends_all_and_no_more(family: Family, epsilon: str) -> None:
    result = run(family, epsilon)
    assert result.sound
    assert result.spent == Fraction(epsilon)
    assert result.loss > 0.7 * float(Fraction(epsilon))  # choices lose less than their price on so few records


@pytest.mark.parametrize("options", [{"blocks": 2}, {"generalise": False, "project": False}], ids=str)
def test_options_keep_the_promise(options: dict[str, Any]) -> None:
    for family in (Family((3, 2), most=1), Family((2, 2))):
        assert run(family, **options).sound


def test_sums_keep_the_promise() -> None:
    assert run(Family((2, 2), most=3, bound=2)).sound


FAULTS: list[tuple[Fault, Family]] = [
    *((omit_charges(word), Family((2, 2, 2), most=1)) for word in ("number", "parents", "conditionals")),
    (less_noise(TOTAL, 2), Family((2,))),
    (less_noise(TOTAL_OF_PART, 2), Family((2,))),
    (counted_twice("total of part"), Family((2,))),
    (bound_forgotten, Family((2,), most=3, bound=2)),
    (leaves_drawn_twice, Family((2,))),
]


@pytest.mark.parametrize(("fault", "family"), FAULTS, ids=lambda part: getattr(part, "__name__", ""))
def test_a_fault_is_seen(fault: Fault, family: Family, monkeypatch: Patch) -> None:
    assert run(_fresh(family)).sound
    fault(monkeypatch)
    assert not run(_fresh(family)).sound


def loss_of_a_choice(family: Family, mechanism: Exponential | PermuteAndFlip) -> float:
    """The largest log ratio between neighbors when one of three couples is chosen, in parts of the price."""
    whole, largest, told = Blocks.whole(family.shape), 0.0, [0]
    axes = [Grid((axis,), (size,), (size,)) for axis, size in enumerate(family.shape)]
    couples = Couples(((axes[0], axes[1]), (axes[0], Grid((), (), ())), (axes[1], Grid((0,), family.shape[:1], (1,)))))
    scores = family.statistic(STATISTICS["dependence"], whole.lower[0], whole.upper[0], couples)
    while told is not None:
        script = Script(family, told, lambda _: (), asked=[np.ones(len(family.cells), bool)])
        script.choose(scores, np.array([0, len(scores)]), mechanism, family.bound)
        largest = max(largest, float(script.loss.max()))
        told = script.following()
    return largest / float(mechanism.cost)


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda kind: kind.title)
@pytest.mark.parametrize("family", [Family((2, 2), most=4), Family((2, 3)), Family((2, 2), most=6, bound=3)], ids=str)
def test_choices_of_couples(family: Family, kind: type[Exponential]) -> None:
    for epsilon in ("0.1", "1", "30"):
        assert 0.05 < loss_of_a_choice(family, kind(DEPENDENCE, Fraction(epsilon))) <= 1 + TOLERANCE


def test_a_choice_with_too_little_noise_is_seen(monkeypatch: Patch) -> None:
    """A fifth of it: so few rows move a score by 1, not 2, and the scores of the others not at all."""
    family, fair = Family((2, 3)), Exponential(DEPENDENCE, Fraction(30))
    assert loss_of_a_choice(family, fair) <= 1
    less_noise(DEPENDENCE, 5)(monkeypatch)
    assert loss_of_a_choice(family, fair) > 1
