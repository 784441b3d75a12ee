"""Check a ledger against the mechanisms that ripost has: each entry must be one that the account would have written.

A release file does not contain the noise that was drawn. But statistic, price and terms determine the sensitivity and
the scale of every mechanism, so an entry with other figures contradicts itself, and so do variances that its noise
cannot have. Scales may differ by the rounding of floats only.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from ripost.errors import PrivacyError, ReleaseError
from ripost.privacy.budget import exact_root
from ripost.privacy.gaussian_accounting import DpEvent
from ripost.privacy.ledger import Charge, Currency, Ledger, Privacy
from ripost.privacy.mechanisms import (
    BiasedThresholdTest,
    ComposedMechanism,
    Exponential,
    Gaussian,
    Laplace,
    LeastPartition,
    Mechanism,
    PermuteAndFlip,
    SampleChoices,
    gaussian_variance,
    laplace_variance,
)
from ripost.privacy.recount import recompute_epsilon
from ripost.statistics.registry import find_statistic
from ripost.statistics.statistic import LARGEST, LENGTH, RUN, Statistic
from ripost.statistics.totals import TOTAL_OF_PART

ROUNDING = 1e-12  # relative: thousands of units in the last place, of which scale_for adds four
KINDS: dict[str, type[Mechanism]] = {
    kind.title: kind
    for kind in (
        Laplace,
        Gaussian,
        BiasedThresholdTest,
        Exponential,
        PermuteAndFlip,
        SampleChoices,
        LeastPartition,
        ComposedMechanism,
    )
}
MEASURING = (Laplace.title, Gaussian.title)  # mechanisms whose noisy values a method may be given
BY_HAND = "laplace"  # the mechanism of the oldest golden file, which was written by hand, from a seed
EARLIER_NAMES = {"total of slab": TOTAL_OF_PART.name}
TERMS = {  # how Mechanism.terms spells them
    BiasedThresholdTest: r"decay (?P<decay>\d{1,400}(/\d{1,400})?)",
    Exponential: r"(?P<reach>[24]) sensitivities",
    PermuteAndFlip: r"(?P<reach>[24]) sensitivities",
    SampleChoices: r"(?P<times>\d{1,9}) choices, rate (?P<rate>\d{1,9}(/\d{1,9})?)",
}
LEAST: dict[type[Mechanism], dict[str, str]] = {  # terms of the least noise, for files older than terms
    BiasedThresholdTest: {"decay": str(10**9)},
    Exponential: {"reach": "2"},
    PermuteAndFlip: {"reach": "2"},
    SampleChoices: {"times": "1", "rate": f"1/{10**9}"},
}
MOST_EVENTS = 16  # of a sequence; p3gm has four
EVENT = r"\w+ (?P<times>\d{1,9}) x rho (?P<rho>[0-9.]{1,20}(e[+-]\d{1,3})?)( of a part of (?P<rate>\d{1,9}/\d{1,9}))?"


def check_entries(privacy: Privacy, *, bound: int, ledger: Ledger | None = None) -> None:
    """ReleaseError unless every entry is what the account writes for rows of at most `bound` steps.

    The entries are those of the counts, or of the ledger of a measure.
    """
    for entry in (ledger or privacy.ledger).entries:
        mechanism = _mechanism(entry, privacy)
        if entry.sensitivity != mechanism.statistic.sensitivity(bound):
            raise ReleaseError(f"the ledger contradicts itself: {entry.sensitivity} is not the sensitivity of its draw")
        scale = mechanism.scale(bound)
        above = entry.scale >= scale and type(mechanism) in LEAST and not entry.terms
        if not (abs(entry.scale - scale) <= ROUNDING * scale or above):
            raise ReleaseError(
                f"the ledger contradicts itself: a draw of scale {entry.scale:g} does not cost {float(entry.epsilon):g}"
            )


def variance_range(privacy: Privacy) -> tuple[float, float]:
    """The least and the largest variance, in steps, that measurements with the ledger's noise can have.

    The least is that of all measurements on a path together, the largest that of the noisiest one alone.
    """
    if any(entry.mechanism == BY_HAND for entry in privacy.ledger.entries):
        return 0.0, math.inf
    alone = [_variance(entry) for entry in privacy.ledger.entries]
    precision = [0.0]  # of each step's path
    for step in privacy.ledger.steps[1:]:
        assert step.after is not None and step.entry is not None  # Ledger.spent_by has checked it
        precision.append(precision[step.after] + (1 / alone[step.entry] if alone[step.entry] else math.inf))
    finite = [variance for variance in alone if variance < math.inf]
    return 1 / max(precision) if max(precision) else math.inf, max(finite, default=0.0)


def part_variances(privacy: Privacy) -> list[float]:
    """The variance, in steps, of each draw that measures parts of blocks, such as the cells of a table."""
    return [_variance(entry) for entry in privacy.ledger.entries if _find_statistic(entry) is TOTAL_OF_PART]


def _variance(entry: Charge) -> float:
    """The variance of the noise of one measurement; infinite if views state no variance for the entry."""
    if entry.mechanism not in MEASURING or not _find_statistic(entry).is_measurement:
        return math.inf
    return noise_variance(entry)


def noise_variance(entry: Charge) -> float:
    """Variance, in steps, of the noise in each value of a draw that releases noisy values."""
    return gaussian_variance(entry.scale) if entry.mechanism == Gaussian.title else laplace_variance(entry.scale)


def _mechanism(entry: Charge, privacy: Privacy) -> Mechanism:
    """The mechanism of an entry, checked to have the cost that the entry states."""
    known = BY_HAND if entry.mechanism == BY_HAND and not privacy.is_private else None
    kind, statistic = Laplace if known else KINDS.get(entry.mechanism), _find_statistic(entry)
    if kind is None:
        raise ReleaseError("the ledger names a mechanism that ripost does not have")
    if (
        (statistic.norm == LENGTH and kind not in (Gaussian, ComposedMechanism))
        or (kind is LeastPartition) != (statistic.norm == RUN)
        or (kind in (Exponential, PermuteAndFlip, SampleChoices) and statistic.norm != LARGEST)
    ):
        raise ReleaseError(f"the ledger contradicts itself: {kind.title} is not for the {statistic.name}")
    try:
        if kind is ComposedMechanism:
            return _parse_sequence(entry, statistic, privacy)
        mechanism = _one(kind, entry, statistic, privacy)
        price = mechanism.price(privacy.currency)
    except (PrivacyError, ArithmeticError, ValueError) as error:
        raise ReleaseError(f"the ledger contradicts itself: {error}") from None
    if price != entry.epsilon:
        raise ReleaseError(f"the ledger contradicts itself: {kind.title} cannot cost {float(entry.epsilon):g}")
    return mechanism


def _one(kind: type[Mechanism], entry: Charge, statistic: Statistic, privacy: Privacy) -> Mechanism:
    cost = entry.epsilon
    facts = LEAST[kind] if kind in LEAST and not entry.terms else _parse(TERMS.get(kind, ""), entry.terms)
    if privacy.currency is Currency.RHO and kind is not Gaussian:
        cost = exact_root((8 if kind is Exponential else 2) * cost)
    if kind is BiasedThresholdTest:
        return BiasedThresholdTest(statistic, cost, decay=Fraction(facts["decay"]))
    if kind is SampleChoices:
        return SampleChoices(statistic, cost, Fraction(facts["rate"]), int(facts["times"]))
    if kind is Exponential or kind is PermuteAndFlip:
        return kind(statistic, cost, facts["reach"] == "4")
    return kind(statistic, cost)


def _parse_sequence(entry: Charge, statistic: Statistic, privacy: Privacy) -> ComposedMechanism:
    """The sequence of draws that the terms list; it spends the whole epsilon at the delta of the promise."""
    terms = entry.terms or entry.purpose.partition(", ")[2]  # where earlier files have them
    *listed, delta = terms.split(", ", MOST_EVENTS)
    if (delta, entry.epsilon) != (f"delta {float(privacy.method_delta):g}", privacy.method_epsilon) or not listed:
        raise PrivacyError("its sequence of draws is not at the epsilon and delta of the promise")
    events = tuple(_event(facts, statistic) for facts in (_parse(EVENT, event) for event in listed))
    if (
        privacy.currency is not Currency.ACCOUNTED
        or not recompute_epsilon(events, privacy.method_delta) <= entry.epsilon
    ):
        raise PrivacyError("its sequence of draws costs more than epsilon at delta")
    return ComposedMechanism.of(events, entry.epsilon, privacy.method_delta)


def _event(facts: dict[str, str], statistic: Statistic) -> DpEvent:
    event = DpEvent("", statistic, Fraction(facts["rho"]), Fraction(facts["rate"] or 1), int(facts["times"]))
    if not (event.rho > 0 and 0 < event.rate <= 1 and event.times > 0):
        raise PrivacyError("a draw of its sequence costs nothing")
    return event


def _parse(pattern: str, terms: str) -> dict[str, str]:
    found = re.fullmatch(pattern, terms, re.ASCII)
    if found is None:
        raise ReleaseError("the ledger does not state the terms of a draw as ripost states them")
    return found.groupdict()


def _find_statistic(entry: Charge) -> Statistic:
    found = find_statistic(EARLIER_NAMES.get(entry.statistic, entry.statistic))
    if found is None:
        raise ReleaseError(
            "the ledger names a statistic that no installed method has; install the package of the method that made it"
        )
    return found
