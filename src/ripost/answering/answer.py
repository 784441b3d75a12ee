"""Answer: a number with its error; and Answers, many of them as arrays."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, field, replace
from fractions import Fraction
from statistics import NormalDist
from typing import Protocol

import numpy as np

from ripost.arrays import Floats, Ints, Mask
from ripost.errors import QueryError
from ripost.privacy.budget import LARGEST_EPSILON
from ripost.privacy.ledger import Privacy
from ripost.schema.attribute_base import shorten
from ripost.schema.measure import Measure
from ripost.space.region import Region

Z = 2.12
"""95 % two-sided quantile of a Laplace variable over its standard deviation: ln 20 / sqrt 2."""
LEVEL = 0.95  # of intervals, unless another is asked for
HIGHEST_LEVEL = 1 - 1e-15  # of one of many intervals that hold together
UNMEASURED = (
    "how these attributes depend on each other was not measured closely enough here: "
    "the answer mostly takes them as independent"
)


def min_interval_width(measure: Measure, privacy: Privacy, level: float = LEVEL) -> float:
    """The least width of an interval: tables whose answers differ by less cannot be distinguished at this epsilon.

    In what one unit can add over epsilon it is log(level / (1 - level)). Tables that differ by a few rows in a
    question look alike up to a factor of exp(epsilon) for each, so no interval that is always shorter holds the truth
    that often for every table (docs/explanation/intervals.md).
    """
    most = measure.bound * measure.step * privacy.unit.max_rows  # that one unit adds
    epsilon = max(Fraction(0), min(privacy.epsilon, Fraction(LARGEST_EPSILON)))  # a damaged file may state any number
    return max(0.0, math.log(level / (1 - level))) * most / max(float(epsilon), 5e-324)


class RegionAnswerer(Protocol):
    """The source of an answer: a view."""

    @property
    def content(self) -> object: ...

    def add_regions(self, one: Region, other: Region) -> Answer: ...

    def subtract_regions(self, one: Region, other: Region) -> Answer: ...

    def divide_regions(self, one: Region, other: Region) -> Answer: ...


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """An estimate with its standard error and a confidence interval, of level 95 % by default.

    The interval covers two errors. The first is the noise added for privacy, with standard deviation `stderr`. The
    second comes from blocks that lie only partly in the query, because the rows of a block may be anywhere inside it.
    Without an error model the interval allows for all of them being in one place; with one it allows for as much
    scatter as the tree showed (within_block_variance.py). With a mixture `stderr` covers both errors
    (error_model.py). A single Laplace draw stays within 2.12 standard deviations in 95 % of cases; sums of many draws
    stay closer. No interval is narrower than `min_interval_width`. Counts are not negative, so no interval starts
    below 0. A value that was not smoothed may be negative, because it is unbiased. `stderr`, `low` and `high` are NaN
    where a method says nothing about its error, as with synthetic rows, and infinite where nothing measured bears on
    the query.
    """

    value: float
    stderr: float
    low: float
    high: float
    note: str = ""  # a caution for readers
    level: float = LEVEL  # how often the range holds the truth
    source: tuple[RegionAnswerer, Region] | None = field(
        default=None, repr=False, compare=False
    )  # the region that was asked

    __array_ufunc__ = None  # so that NumPy's numbers leave arithmetic to the answer

    def __add__(self, other: Answer | float) -> Answer:
        """The sum of two answers of one view, with the covariance of their errors; or of an answer and a number."""
        if (number := _as_number(other)) is not None:
            return self._transform(1.0, number)
        view, one, two = self._check_comparable(other)
        return view.add_regions(one, two)

    def __sub__(self, other: Answer | float) -> Answer:
        """The difference of two answers of one view, with the covariance of their errors; or less a number."""
        if (number := _as_number(other)) is not None:
            return self._transform(1.0, -number)
        view, one, two = self._check_comparable(other)
        return view.subtract_regions(one, two)

    def __truediv__(self, other: Answer | float) -> Answer:
        """The ratio of two answers of one view, with the covariance of their errors; or the answer over a number."""
        if (number := _as_number(other)) is not None:
            if number == 0:
                raise QueryError("an answer cannot be divided by 0")
            return self._transform(1 / number, 0.0)
        view, one, two = self._check_comparable(other)
        return view.divide_regions(one, two)

    def __mul__(self, other: float) -> Answer:
        if (number := _as_number(other)) is None:
            raise QueryError(f"an answer can be multiplied by a number, got {_name(other)}")
        return self._transform(number, 0.0)

    def __radd__(self, other: float) -> Answer:
        return self + other

    def __rsub__(self, other: float) -> Answer:
        return -self + other

    def __rmul__(self, other: float) -> Answer:
        return self * other

    def __rtruediv__(self, other: float) -> Answer:
        raise QueryError(f"only an answer of the same view can be divided by an answer, got {_name(other)}")

    def __pow__(self, other: object) -> Answer:
        raise QueryError(f"an answer has no power, quotient or rest {_name(other)}; compute with float(answer)")

    __floordiv__ = __mod__ = __rpow__ = __rfloordiv__ = __rmod__ = __pow__

    def __neg__(self) -> Answer:
        return self._transform(-1.0, 0.0)

    def __abs__(self) -> float:
        return abs(self.value)

    def __float__(self) -> float:
        return self.value

    def __int__(self) -> int:
        return int(self._known_value())

    def __round__(self, digits: int | None = None) -> float:
        if digits is not None and (isinstance(digits, bool) or not isinstance(digits, int)):
            raise QueryError(f"round to a whole number of digits, got {_name(digits)}")
        return round(self._known_value(), digits)

    def __lt__(self, other: Answer | float) -> bool:
        """Compare the values without their errors; `view.compare` says whether they clearly differ."""
        return self.value < _comparable_value(other)

    def __le__(self, other: Answer | float) -> bool:
        return self.value <= _comparable_value(other)

    def __gt__(self, other: Answer | float) -> bool:
        return self.value > _comparable_value(other)

    def __ge__(self, other: Answer | float) -> bool:
        return self.value >= _comparable_value(other)

    def __format__(self, spec: str) -> str:
        """The value in a number format; all of the answer without one."""
        try:
            return format(self.value, spec) if spec else str(self)
        except ValueError:
            raise QueryError(f"cannot print an answer as {spec[:40]!r}; use a format of numbers such as ,.0f") from None

    def _known_value(self) -> float:
        if not math.isfinite(self.value):
            raise QueryError("the value of the answer is unknown, so there is no number to round")
        return self.value

    def _transform(self, factor: float, shift: float) -> Answer:
        """The answer times a number, plus a number: exact, so that the interval moves along."""
        if (factor, shift) == (1, 0):
            return self
        value, *ends = (factor * number + shift for number in (self.value, self.low, self.high))
        low, high = ends if factor > 0 else (shift, shift) if factor == 0 else reversed(ends)
        return replace(self, value=value, stderr=abs(factor) * self.stderr, low=low, high=high, source=None)

    def _check_comparable(self, other: object) -> tuple[RegionAnswerer, Region, Region]:
        if not isinstance(other, Answer):
            raise QueryError(f"an answer can be combined with an answer or a number, got {_name(other)}")
        if self.source is None or other.source is None or self.source[0].content is not other.source[0].content:
            raise QueryError("only two answers of the same view can be combined, each from count")
        if self.level != other.level:
            raise QueryError(
                f"the answers have levels of {100 * self.level:.6g} % and {100 * other.level:.6g} %; ask for one level"
            )
        return *self.source, other.source[1]

    @property
    def is_bounded(self) -> bool:
        """Whether the interval is finite."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def __str__(self) -> str:
        if math.isnan(self.value) and math.isnan(self.low):  # a mean of impossible cells
            return "none (no row can be there)"
        if math.isnan(self.value) and self.is_bounded:  # a ratio whose denominator may be 0
            return f"unknown ({100 * self.level:.6g} %: {self.low:,.4g} to {self.high:,.4g})"
        if self.high == math.inf and self.low > 0:  # a ratio whose denominator may be 0
            value = "unknown" if math.isnan(self.value) else f"{self.value:,.4g}"
            return f"{value} ({100 * self.level:.6g} %: {self.low:,.4g} or more)"
        if not self.is_bounded:
            return f"{self.value:,.0f} (error unknown)"
        value, low, high = map(self.format_number, (self.value, self.low, self.high))
        return f"{value} ({100 * self.level:.6g} %: {low} to {high})"

    def __repr__(self) -> str:
        return f"{self}\nNote: {self.note}" if self.note else str(self)

    def format_number(self, number: float) -> str:
        """A number in print, with as many decimals as the error of the answer leaves."""
        digits = self._digits
        return f"{round(number, digits) + 0.0:,.{digits}f}"

    @property
    def _digits(self) -> int:
        """Decimals worth showing: two digits of the error."""
        error = max(self.stderr, (self.high - self.low) / 2 / Z)
        if not math.isfinite(error):
            return 0
        if error == 0:
            return 0 if self.value == round(self.value) else 3
        return min(9, max(0, 1 - math.floor(math.log10(error))))

    def _repr_html_(self) -> str:
        from ripost.markup.notebook import line_html

        return line_html(str(self))


@dataclass(frozen=True, slots=True)
class Answers:
    """Many answers, (n,) each."""

    value: Floats
    stderr: Floats
    low: Floats
    high: Floats
    reach: Floats  # half-width of the interval, before it is cut at 0
    unmeasured: Mask  # whether the answer mostly takes attributes as independent, for want of measurements
    level: float = LEVEL

    @classmethod
    def of(
        cls, value: Floats, *, noise: Floats, model: Floats, z: float = Z, unmeasured: Mask | None = None
    ) -> Answers:
        """The answers from values and the variances of their noise and of what is unknown inside blocks."""
        if unmeasured is None:
            unmeasured = np.zeros(len(value), bool)
        return cls.of_reach(value, np.sqrt(noise), z * np.sqrt(noise + model), unmeasured)

    @classmethod
    def unknown(cls, value: Floats) -> Answers:
        """Answers whose error is unknown."""
        unknown = np.full(len(value), np.nan)
        return cls.of_reach(value, unknown, unknown, np.zeros(len(value), bool))

    @classmethod
    def of_reach(cls, value: Floats, stderr: Floats, reach: Floats, unmeasured: Mask) -> Answers:
        """With intervals that do not start below 0; a value below 0 counts as 0, so that none collapses."""
        low, high = np.maximum(0.0, value - reach), np.maximum(0.0, value) + reach
        return cls(value, stderr, low, high, reach, unmeasured)

    def at(self, level: float) -> Answers:
        """Return the answers with intervals of this level."""
        reach = self.reach * (reach_factor(level) / reach_factor(self.level))
        return replace(self.of_reach(self.value, self.stderr, reach, self.unmeasured), level=level)

    def no_shorter(self, width: float) -> Answers:
        """The same with intervals of at least this width, wherever there is noise at all; none starts below 0."""
        lacking = np.where(self.stderr > 0, np.maximum(width - (self.high - self.low), 0.0), 0.0)
        low = np.maximum(self.low - lacking / 2, 0.0)
        high = np.where(lacking > 0, np.maximum(self.high + lacking / 2, low + width), self.high)
        return replace(self, low=low, high=high)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, number: int) -> Answer:
        value, stderr, low, high = (float(each[number]) for each in (self.value, self.stderr, self.low, self.high))
        return Answer(value, stderr, low, high, UNMEASURED if self.unmeasured[number] else "", self.level)

    def put(self, numbers: Ints, others: Answers) -> None:
        """Write others over those of these numbers."""
        for name in ("value", "stderr", "low", "high", "reach", "unmeasured"):
            getattr(self, name)[numbers] = getattr(others, name)


def _as_number(value: object) -> float | None:
    """A finite number that an answer can be combined with; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise QueryError(f"an answer can be combined with finite numbers only, got {shorten(value)}")
    return number


def _comparable_value(other: Answer | float) -> float:
    if isinstance(other, Answer):
        return other.value
    if (number := _as_number(other)) is None:
        raise QueryError(f"an answer can be compared with an answer or a number, got {_name(other)}")
    return number


def _name(value: object) -> str:
    return f"{type(value).__name__} {shorten(value)}"


def check_level(level: float) -> float:
    """Return the level; QueryError unless it is between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, numbers.Real) or not 0 < level <= HIGHEST_LEVEL:
        raise QueryError(f"level must be a number between 0 and 1, such as 0.95, got {shorten(level)}")
    return float(level)


def standard_error(half_width: float, level: float) -> float:
    """The standard error whose interval of this level has this half-width."""
    return max(0.0, half_width) / (Z * reach_factor(level))


def reach_factor(level: float) -> float:
    """The half-width of an interval of this level, over that of a 95 % interval.

    It is the larger of two ratios of quantiles: a sum of many draws is nearly normal, and a single draw of Laplace
    noise has longer tails, which decide above 95 %.
    """
    batch, usual = (NormalDist().inv_cdf((1 + one) / 2) for one in (level, LEVEL))
    return max(batch / usual, math.log1p(-level) / math.log1p(-LEVEL))
