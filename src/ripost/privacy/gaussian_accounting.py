"""What a sequence of Gaussian draws promises, as Google's dp-accounting works it out; an optional package.

Orders are whole numbers where rows are sampled: only there the moments of discrete Gaussian noise are those of the
continuous noise that the accountant knows (proofs/composed.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ripost.errors import InputError
from ripost.statistics.statistic import Statistic

WHOLE_ORDERS = (
    *range(2, 17),
    18,
    20,
    22,
    24,
    27,
    30,
    34,
    38,
    43,
    48,
    56,
    64,
    76,
    90,
    110,
    140,
    180,
    250,
    350,
    500,
    800,
)
ANY_ORDERS = tuple(1 + 2.0 ** (power / 8) for power in range(-48, 400))
FAINT = Fraction(1, 10**8)  # below this rate^2 / multiplier^2 the accountant's floats drown in their rounding
ROOM = 1 + 1e-5  # above what is left of it


@dataclass(frozen=True, slots=True)
class DpEvent:
    """Draws of one kind: Gaussian noise of the price rho on a statistic of all rows, or of a secret random part."""

    purpose: str
    statistic: Statistic
    rho: Fraction
    rate: Fraction = Fraction(1)  # each row is in the part with this probability, by itself
    times: int = 1

    @property
    def multiplier(self) -> float:
        """Scale of the noise in sensitivities, rounded down."""
        return math.nextafter(math.sqrt(1 / (2 * self.rho)), 0)

    @property
    def is_faint(self) -> bool:
        """Whether sampling gains more than floats can tell."""
        return self.rate < 1 and 2 * self.rho * self.rate**2 < FAINT


@lru_cache(maxsize=1024)
def compute_epsilon(events: tuple[DpEvent, ...], delta: Fraction) -> float:
    """An epsilon for which the events together are (epsilon, delta)-differentially private, rounded up.

    The smaller of two: with what sampling gains, and without, which reaches down to any epsilon. Where noise is so
    large that the accountant would call a divergence negative, and epsilon 0, only the second is asked.
    """
    package = import_dp_accounting()
    chance = math.nextafter(float(delta), 0)
    found = []
    for orders, sampled in ((WHOLE_ORDERS, True), (ANY_ORDERS, False)):
        if sampled and any(event.is_faint for event in events):
            continue
        accountant = package.rdp.RdpAccountant(orders)
        for event in events:
            noise = package.GaussianDpEvent(event.multiplier)
            if sampled and event.rate < 1:
                noise = package.PoissonSampledDpEvent(float(event.rate), noise)
            accountant.compose(noise, event.times)
        found.append(float(accountant.get_epsilon(chance)))
    return min(found) * ROOM


def import_dp_accounting() -> Any:
    """The package, or what to install."""
    try:
        import dp_accounting
        import dp_accounting.rdp
    except ImportError:
        raise InputError("method p3gm needs dp-accounting; run pip install 'ripost[p3gm]'") from None
    return dp_accounting
