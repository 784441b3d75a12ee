"""PrivTree and HDPView, whose tests at every depth are paid for once: exact, and with faults that must be seen."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.errors import BudgetExceeded
from ripost.methods import METHODS
from ripost.methods import hdpview as views
from ripost.privacy import mechanisms
from ripost.privacy.account import Account, Descent, Frontier
from ripost.privacy.mechanisms import BiasedTest
from ripost.privacy.noise import Ints
from ripost.tensor import cells

from .enumeration import TOLERANCE, Audit, audit
from .family import Family
from .test_faults import an_account_without_limit

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]


def run(name: str, family: Family, epsilon: str = "1", **options: Any) -> Audit:
    result = audit(METHODS[name](**options), family, Fraction(epsilon))
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


if __name__ == "__main__":
    pass
