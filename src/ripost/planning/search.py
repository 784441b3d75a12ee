"""Search: the least epsilon whose forecast meets a wanted error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ripost.errors import InputError
from ripost.planning.forecast import Forecast, Line, floor, forecast
from ripost.planning.simulate import Simulation

LARGEST = 20.0  # an epsilon above this protects hardly anybody
SMALLEST = 1e-4
MOST_STEPS = 9
CLOSE = 1.15  # the search ends when the epsilons that fail and that do are as near as this


@dataclass(frozen=True)
class Found:
    """The answer, the forecast there, and every epsilon that was tried with its error."""

    forecast: Forecast
    tried: tuple[tuple[float, float], ...]  # (epsilon, typical error), by rising epsilon


def epsilon_for(simulation: Simulation, *, share: float, error: float) -> Found:
    """The least epsilon, to two digits, at which the typical error of questions of a size is not above what is wanted.

    More epsilon means less error, so an interval is narrowed down: by steps as if the error fell as 1 / epsilon where
    those stay inside, else by halves. Every epsilon meets the same stand-ins and seeds, so chance does not part them.
    """
    tried: dict[float, Forecast] = {}

    def fails(epsilon: float) -> bool:
        tried[epsilon] = forecast(simulation, Fraction(str(epsilon)))
        return _line(tried[epsilon], share).typical.middle > error

    low, high = SMALLEST, LARGEST
    least = floor(simulation.facts, Fraction(1)) / (share * simulation.facts.rows * error)
    guess = _tidy(min(max(6 * least, 2 * SMALLEST), LARGEST))
    for _ in range(MOST_STEPS):
        if fails(guess):
            low = guess
        else:
            high = guess
        if guess == LARGEST == low:
            reached = _line(tried[guess], share).typical.middle
            raise InputError(
                f"no epsilon up to {LARGEST:g} is expected to bring the error of such counts down to {100 * error:g}% "
                f"(it would be {100 * reached:.2g}%); ask for larger counts, or publish fewer attributes or wider bins"
            )
        if high / low <= CLOSE:
            break
        ahead = guess * _line(tried[guess], share).typical.middle / error
        guess = _between(ahead, low, high)
        if guess in tried:
            break
    if high not in tried:
        fails(high)
    errors = sorted((epsilon, _line(found, share).typical.middle) for epsilon, found in tried.items())
    return Found(tried[high], tuple(errors))


def _between(ahead: float, low: float, high: float) -> float:
    """The next epsilon to try: a step ahead if it lies well inside the interval, or its middle."""
    inside = low * 1.05 < ahead < high / 1.05
    middle = math.sqrt(low * high) if low > SMALLEST or high < LARGEST else ahead
    if low == SMALLEST:
        middle = max(middle, high / 8)
    if high == LARGEST:
        middle = min(middle, low * 8)
    return _tidy(min(max(ahead if inside else middle, low), high))


def _tidy(epsilon: float) -> float:
    """Two digits, rounded up."""
    digits = 1 - math.floor(math.log10(epsilon))
    return float(round(math.ceil(round(epsilon * 10.0**digits, 9)) / 10.0**digits, 12))


def _line(found: Forecast, share: float) -> Line:
    line = found.line(share)
    if line is None:
        raise InputError(f"no question of this schema holds about {share:.3g} of the rows; ask for another share")
    return line
