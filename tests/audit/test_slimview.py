"""SLIM-View: exact probabilities, and what keeping cells as they are would tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.methods import METHODS
from ripost.peers.slimview.method import SlimView
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Laplace
from ripost.statistics.totals import TOTAL_OF_PART
from tests.audit.faults import (
    Fault,
    Patch,
    _fresh,
    bound_forgotten,
    counted_twice,
    half_the_noise,
    leaves_drawn_twice,
    omit_charges,
)

from .enumeration import TOLERANCE, Audit, audit
from .family import Family


def run(family: Family, epsilon: str = "1", **options: Any) -> Audit:
    method = METHODS["slimview"](**options)
    assert isinstance(method, SlimView)
    choosing = Laplace(TOTAL_OF_PART, Fraction(epsilon) * share(method.sampling, name="sampling"))
    threshold = method.threshold(math.prod(family.shape), choosing.scale(family.bound))

    def cutpoints(purpose: str) -> Sequence[int]:
        return [threshold] if "choice" in purpose else []

    result = audit(method, family, Fraction(epsilon), cutpoints=cutpoints)
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("family", [Family((2,)), Family((3,)), Family((2, 2)), Family((2,), most=3, bound=2)], ids=str)
def test_slimview_spends_all_and_no_more(family: Family, epsilon: str) -> None:
    for options in ({"regions": 1}, {"regions": 2, "sampling": 0.5}):
        result = run(family, epsilon, **options)
        assert result.sound
        assert result.spent == Fraction(epsilon)
        assert result.scripts == 2 ** math.prod(family.shape)
        assert result.loss > 0.99 * float(Fraction(epsilon))


@pytest.mark.parametrize(
    ("fault", "family"),
    [
        (half_the_noise, Family((2,))),
        (omit_charges("choice"), Family((2,))),
        (omit_charges("regions"), Family((2,))),
        (counted_twice("total of part"), Family((2,))),
        (bound_forgotten, Family((2,), most=3, bound=2)),
        (leaves_drawn_twice, Family((2,))),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_fault_is_seen(fault: Fault, family: Family, monkeypatch: Patch) -> None:
    assert run(_fresh(family)).sound
    fault(monkeypatch)
    assert not run(_fresh(family)).sound
