"""Each mechanism on each statistic of one block: what it really loses, and how near that comes to its price."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ripost.privacy.mechanisms import Choice, Exponential, Laplace, PermuteAndFlip
from ripost.space.blocks import Blocks
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL

from .enumeration import TOLERANCE, Script
from .family import Family

FAMILIES = [Family((6,)), Family((2, 3)), Family((4,), most=4), Family((3,), most=6, bound=3)]


def loss(family: Family, mechanism: Laplace | Choice) -> float:
    """The largest log ratio between neighbors over all outcomes of one draw, in parts of its price."""
    whole, largest, told = Blocks.whole(family.shape), 0.0, [0]
    values = family.statistic(mechanism.statistic, whole.lower[0], whole.upper[0])
    while told is not None:
        script = Script(family, told, lambda _: (), asked=[np.ones(len(family.cells), bool)])
        if isinstance(mechanism, Laplace):
            script.laplace(values, mechanism, family.bound)
        else:
            script.choose(values, np.array([0, len(values)]), mechanism, family.bound)
        largest = max(largest, float(script.loss.max()))
        told = script.following()
    return largest / float(mechanism.cost)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("statistic", [TOTAL, DEVIATION], ids=lambda s: s.name)
def test_noisy_values(family: Family, statistic: Statistic) -> None:
    for epsilon in ("0.01", "1", "30"):
        found = loss(family, Laplace(statistic, Fraction(epsilon)))
        assert 0.6 < found <= 1 + TOLERANCE
        assert statistic is DEVIATION or found > 1 - TOLERANCE


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("statistic", [MIXTURE_OF_CUT, DEVIATION_OF_CUT], ids=lambda s: s.name)
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda k: k.title)
def test_choices(family: Family, statistic: Statistic, kind: type[Choice]) -> None:
    for epsilon in ("0.01", "1", "30"):
        found = loss(family, kind(statistic, Fraction(epsilon)))
        halved = loss(family, kind(statistic, Fraction(epsilon), halved=True))
        assert found <= 1 + TOLERANCE
        assert halved <= 0.5 + TOLERANCE  # the paper's 4 Delta pays twice


@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda k: k.title)
def test_a_choice_can_lose_nearly_its_price(kind: type[Choice]) -> None:
    """The factor 2 is needed: one row raises one score and lowers the best one."""
    assert loss(Family((2, 4), most=1), kind(MIXTURE_OF_CUT, Fraction(50))) > 0.95
