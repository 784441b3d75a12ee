"""What the audits of a series share: rows, the tensors that a release of them can read, and what two of these tell."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from ripost.methods import METHODS
from tests.privacy.distributions import Floats

from .enumeration import TOLERANCE, runs
from .family import Family

Row = tuple[str, dt.date | None, int]  # person, date, cell
Patch = pytest.MonkeyPatch
FAMILY = Family((2,))
MONTH = "month(date)"


@lru_cache(64)
def losses(method: str, epsilon: Fraction) -> Floats:
    """The largest log ratio of two tensors of the family over all outputs, for every two of them."""
    scripts = runs(METHODS[method](), FAMILY, epsilon, cutpoints=lambda _: (0,), grid=True)
    logs = np.array([script.log_probability for script, _, _ in scripts])
    assert np.exp(logs).sum(axis=0).max() <= 1 + TOLERANCE
    return (logs[:, :, None] - logs[:, None, :]).max(axis=0)
