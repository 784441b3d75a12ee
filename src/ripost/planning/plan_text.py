"""A plan as text: the expected errors in sentences, and a small chart for a terminal."""

from __future__ import annotations

import math
from fractions import Fraction

from ripost.planning.compare_delta import DeltaComparison
from ripost.planning.compare_protection import ProtectionComparison
from ripost.planning.forecast import ErrorRange, Forecast, ForecastLine
from ripost.planning.group_forecast import GroupForecast
from ripost.planning.public_facts import PublicFacts
from ripost.release.upward import factor as round_factor_up
from ripost.release.upward import number as round_number_up

WIDTH = 56  # columns of the chart
READ_NOTHING = "No data was read: the schema, the number of rows you expect and simulation are all that this rests on."


def format_percent(share: float) -> str:
    """A share as a percentage, with two digits."""
    return f"{two_digits(100 * share)} %"


def format_range(figures: ErrorRange) -> str:
    """The range of a figure over the stand-ins: 0.9 to 2.1 %."""
    return f"{two_digits(100 * figures.least)} to {format_percent(figures.most)}"


def describe_size(line: ForecastLine) -> str:
    """Which questions a line is about."""
    return "everything" if line.share == 1 else f"about {format_percent(line.share)}"


def describe_line(line: ForecastLine, facts: PublicFacts) -> str:
    """The expected errors of questions of one size, as a sentence."""
    noun = "count" if facts.measure.column is None else "sum"
    over = "all" if line.share == 1 else "about"
    most = f"; nine in ten by less than {format_percent(line.nine_in_ten.middle)}" if line.nine_in_ten else ""
    return (
        f"A {noun} of {over} {line.rows:,.0f} rows will be off by about {format_percent(line.typical.middle)} "
        f"({format_range(line.typical)} over the stand-in tables){most}."
    )


def describe_promise(epsilon: Fraction, delta: Fraction) -> str:
    """A promise by its parameters: epsilon 1, delta 1e-9."""
    return f"epsilon {float(epsilon):g}" + (f", delta {round_number_up(delta)}" if delta else "")


def describe_delta(promises: DeltaComparison, facts: PublicFacts) -> list[str]:
    """How the two promises differ: in forecast errors, in noise by the rule, and in meaning."""
    rule, one = promises.rule, facts.unit.column or "row"
    factor, delta, ratio = round_factor_up(promises.epsilon), round_number_up(promises.delta), promises.ratio
    errors = "" if ratio is None else f"Errors with delta are forecast at {two_digits(ratio)} times the pure ones. "
    return [
        f"{errors}The rule (docs/how-to/choose-epsilon.md): at pure epsilon {rule.measured} has "
        f"{two_digits(rule.ratio)} times the noise that it has with delta, so {rule.verdict}.",
        f"Delta weakens the promise: a test that wrongly says with probability p that a {one} is in the table rightly "
        f"says so with probability at most {factor} p, and with delta at most {factor} p + {delta}. "
        "Delta is not the probability that the promise fails.",
    ]


def describe_protection(protection: ProtectionComparison) -> list[str]:
    """How protection changes the errors of protected pairs and of the other pairs."""
    inside = [line.ratio for line in protection.lines if line.attributes is not None]
    others = [line.ratio for line in protection.lines if line.attributes is None]
    told = []
    if inside:
        mean = math.exp(sum(map(math.log, inside)) / len(inside))
        told.append(f"errors of protected pairs are forecast at {two_digits(mean)} times those without --protect")
    if others:
        told.append(f"those of other pairs at {two_digits(others[0])} times")
    if not told:
        return ["The stand-in tables have too few questions of that size about pairs; give another --share."]
    text = ", ".join(told) + "."
    return [text[0].upper() + text[1:]]


def describe_groups(groups: GroupForecast, *, protects: bool) -> list[str]:
    """The group-bys in sentences: attributes lost in noise, the most costly attribute, and how to protect a pair."""
    told = [
        f"Counts by {line.attributes[0]} will hardly be told from noise: widen its bins, group its values, or leave it "
        "out."
        for line in groups.lost
    ]
    priced = [line for line in groups.single if line.cost is not None]
    if priced:
        told.append(
            "Cost: how many times larger the errors of questions about the other attributes are than in a release "
            "without it."
        )
    if groups.pairs and not protects:
        worst = max(groups.pairs, key=lambda line: line.typical)
        told.append(f'To see what protecting a pair would change, add --protect "{",".join(worst.attributes)}".')
    return told


def draw_chart(forecast: Forecast) -> list[str]:
    """Typical errors on a scale of powers of ten: a dot, and a bar from the least to the most over the stand-ins."""
    figures = [f for line in forecast.lines for f in (line.typical.least, line.typical.most) if f > 0]
    if not figures:
        return []
    low, high = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
    high = max(high, low + 1)

    def column(figure: float) -> int:
        place = (math.log10(max(figure, 10.0**low)) - low) / (high - low)
        return round(place * (WIDTH - 1))

    names = [describe_size(line) for line in forecast.lines]
    margin = max(len(name) for name in [*names, "off by"])
    scale = [" "] * (WIDTH + 8)
    for power in range(low, high + 1):
        label = format_percent(10.0**power)
        scale[column(10.0**power) : column(10.0**power) + len(label)] = label
    lines = [f"{'off by':<{margin}}  {''.join(scale).rstrip()}"]
    for name, line in zip(names, forecast.lines, strict=True):
        bar = [" "] * WIDTH
        first, last = column(line.typical.least), column(line.typical.most)
        bar[first : last + 1] = "─" * (last + 1 - first)
        bar[column(line.typical.middle)] = "●"
        lines.append(f"{name:<{margin}}  {''.join(bar).rstrip()}")
    return lines


def two_digits(number: float) -> str:
    """A number with two significant digits."""
    if number == 0:
        return "0"
    digits = 1 - math.floor(math.log10(abs(number)))
    rounded = round(number, digits)
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:.{max(0, digits)}f}".rstrip("0").rstrip(".")
