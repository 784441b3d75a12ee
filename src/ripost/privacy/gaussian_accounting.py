"""Gaussian accounting: epsilon of a sequence of Gaussian draws by Google's dp-accounting, an optional package.

If rows are sampled, orders are whole numbers: only for these are the moments of discrete Gaussian noise those of the
continuous noise that the accountant assumes (proofs/composed.md).
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
FAINT = Fraction(1, 10**8)  # below this rate^2 / multiplier^2, rounding dominates the accountant's floats
ROOM = 1 + 1e-5  # factor that exceeds the remaining rounding


@dataclass(frozen=True, slots=True)
class DpEvent:
    """Draws of one kind: Gaussian noise of the price rho on a statistic of all rows, or of a secret random sample."""

    purpose: str
    statistic: Statistic
    rho: Fraction
    rate: Fraction = Fraction(1)  # each row is in the sample with this probability, independently
    times: int = 1

    @property
    def multiplier(self) -> float:
        """Scale of the noise in sensitivities, rounded down."""
        return math.nextafter(math.sqrt(1 / (2 * self.rho)), 0)

    @property
    def is_faint(self) -> bool:
        """Whether the gain of sampling is beyond the precision of floats."""
        return self.rate < 1 and 2 * self.rho * self.rate**2 < FAINT


@lru_cache(maxsize=1024)
def compute_epsilon(events: tuple[DpEvent, ...], delta: Fraction) -> float:
    """An epsilon for which the events together are (epsilon, delta)-differentially private, rounded up.

    It is the smaller of two bounds: with the gain of sampling, and without it, which reaches any epsilon. If the noise
    is so large that the accountant would compute a negative divergence, and epsilon 0, only the second bound counts.
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
    """Import the package; InputError says what to install."""
    try:
        import dp_accounting
        import dp_accounting.rdp
    except ImportError:
        raise InputError("method p3gm needs dp-accounting; run pip install 'ripost[p3gm]'") from None
    return dp_accounting
