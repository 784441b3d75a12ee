"""Search: the least epsilon whose forecast meets a wanted error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ripost.errors import InputError
from ripost.planning.forecast import Forecast, error_floor, forecast
from ripost.planning.simulation import Simulation

LARGEST = 20.0  # an epsilon above this protects hardly anybody
SMALLEST = 1e-4
FIRST = 6.0  # the first epsilon tried, as a multiple of what one count alone would need
STRIDE = 8.0  # the largest ratio of two epsilons tried one after another
CLOSE = 1.15  # the search ends when the ratio of an epsilon that suffices to one that does not is at most this
MOST_STEPS = 10


@dataclass(frozen=True)
class EpsilonSearch:
    """The forecast at the epsilon found, and every epsilon tried with its error."""

    forecast: Forecast
    tried: tuple[tuple[float, float], ...]  # (epsilon, typical error), by rising epsilon


def find_epsilon(simulation: Simulation, *, share: float, error: float) -> EpsilonSearch:
    """Find the least epsilon, to two digits, at which the typical error of questions of a size is at most `error`.

    A larger epsilon means a smaller error, so the search narrows an interval between an epsilon that fails and one that
    suffices. All trials use the same stand-ins and seeds, so that they differ by epsilon alone.
    """
    alone = error_floor(simulation.facts, Fraction(1)) / (share * simulation.facts.rows * error)
    epsilon = _tidy(FIRST * alone)
    tried: dict[float, Forecast] = {}
    errors: dict[float, float] = {}
    for _ in range(MOST_STEPS):
        tried[epsilon] = forecast(simulation, Fraction(str(epsilon)))
        errors[epsilon] = _typical(tried[epsilon], share)
        step = _next(errors, error)
        if step is None or step in errors:
            break
        epsilon = step
    enough = [epsilon for epsilon, reached in errors.items() if reached <= error]
    if not enough:
        least = min(errors.values())
        raise InputError(
            f"no epsilon up to {LARGEST:g} is expected to bring the error of such counts down to {100 * error:g}% (it "
            f"would be {100 * least:.2g}%); ask for larger counts, or publish fewer attributes or wider bins"
        )
    return EpsilonSearch(tried[min(enough)], tuple(sorted(errors.items())))


def _next(errors: dict[float, float], error: float) -> float | None:
    """The epsilon to try next, or None if the search is over."""
    low = max((epsilon for epsilon, reached in errors.items() if reached > error), default=None)
    high = min((epsilon for epsilon, reached in errors.items() if reached <= error), default=None)
    if high is None:
        assert low is not None
        stride = min(max(errors[low] / error, 1.3), STRIDE)
        return None if low >= LARGEST else _tidy(low * stride)
    if low is None or low > high:  # a larger epsilon failed by chance: keep the least that suffices
        stride = min(max(error / max(errors[high], 1e-12), 1.3), STRIDE)
        return None if high <= SMALLEST or low is not None else _tidy(high / stride)
    if high / low <= CLOSE:
        return None
    slope = math.log(errors[low] / max(errors[high], 1e-12)) / math.log(high / low)
    ahead = low * (errors[low] / error) ** (1 / slope)
    within = min(max(ahead, low * (high / low) ** 0.25), low * (high / low) ** 0.75)
    return _tidy(within)


def _tidy(epsilon: float) -> float:
    """An epsilon rounded up to two digits, between SMALLEST and LARGEST."""
    bounded = min(max(epsilon, SMALLEST), LARGEST)
    digits = 1 - math.floor(math.log10(bounded))
    return float(round(math.ceil(round(bounded * 10.0**digits, 9)) / 10.0**digits, 12))


def _typical(found: Forecast, share: float) -> float:
    line = found.line(share)
    if line is None:
        raise InputError(f"no question of this schema holds about {100 * share:g}% of the rows; ask for another share")
    return line.typical.middle
