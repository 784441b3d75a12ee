"""The figure of higher dimensions: Adult with 7 to 14 attributes."""

from __future__ import annotations

from experiments.paper.charts import legend, lines, named
from experiments.paper.claims import Claim, every, tendency
from experiments.paper.items import high
from experiments.paper.plan import BASE, BLIND, OURS, PUBLISHED, RIVALS
from experiments.paper.sections.comparison import NAMES
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, rank_correlation
from experiments.report.document import Figure, Section, Table, Text

RANGE = range(7, 15)
SHOWN = (*RIVALS, *BLIND.values(), OURS)


def higher(study: Study) -> Found:
    series = {method: {float(d): _ratio(study, method, d) for d in RANGE} for method in SHOWN}
    two = {method: {float(d): _ratio(study, method, d, 2) for d in RANGE} for method in SHOWN}
    with study.charts.draw("higher", columns=2, size=(10.5, 4)) as panels:
        for panel, found, title in zip(
            panels.flat, (series, two), ("every dimension bounded", "two bounded"), strict=True
        ):
            y = "error / error of RIPOST (below 1 is better)"
            lines(panel, found, title=f"Adult, {title}", x="dimensions of the tensor", y=y, base=BASE)
        legend(panels[0, 1], loc="center left", bbox_to_anchor=(1, 0.5))
    zero = {d: study.results.zero(high(d)) / study.results.error(high(d), BASE) for d in RANGE}
    rows = tuple(
        (
            str(d),
            figure(study.results.error(high(d), BASE)),
            *(str(series[method][d]) for method in SHOWN),
            figure(zero[d]),
        )
        for d in RANGE
    )
    parts = (
        Text(
            "The seven attributes of Adult, then marital status, relationship, race, sex, country, income and "
            f"weight, one after the other. Intervals are over the {study.plan.said}."
        ),
        Figure(
            "higher",
            "R-RMSE on Adult with 7 to 14 attributes, for queries that bound all of them, and two.",
            "Two panels of lines on a log scale: error relative to RIPOST by number of dimensions.",
        ),
        Table(("dimensions", "RIPOST, RMSE", *map(named, SHOWN), "answer zero"), rows),
        Text(
            "With ten or more dimensions bounded nearly every true answer is close to 0, so *answering zero* to "
            "every query has a small error. A method that cannot beat it is of no use there. The right panel, where "
            "queries bound two dimensions, is more informative. PrivTree splits a block into 2^d parts and refuses "
            "13 and more dimensions. RIPOST treats its blocks as uniform. In this many dimensions a block with any "
            "records is almost empty, so its answers place records where there are none."
        ),
    )
    return Found(Section("Higher dimensions", parts), tuple(_claims(series, zero)))


def _ratio(study: Study, method: str, dimensions: int, bounded: int | None = None) -> Mean:
    """Each run's error over the mean error of RIPOST."""
    subject = high(dimensions)
    return Mean.of(
        study.results.errors(subject, method, bounded=bounded) / study.results.error(subject, BASE, bounded=bounded)
    )


def _claims(series: dict[str, dict[float, Mean]], zero: dict[int, float]) -> list[Claim]:
    pairs = [(d, method) for d in RANGE for method in PUBLISHED if series[method][d].number]
    ahead = [(d, method) for d, method in pairs if series[method][d].value > 1]
    lost = sorted({named(method) for _, method in set(pairs) - set(ahead)})
    found = [
        every(
            "Higher dimensions",
            "RIPOST scales better than every other method from 7 to 14 dimensions",
            len(ahead),
            len(pairs),
            f"means above 1 (below 1 somewhere: {', '.join(lost) or 'none'})",
        ),
        every(
            "Higher dimensions",
            "Its views are of use there (implied): RIPOST errs less than answering zero",
            sum(value > 1 for value in zero.values()),
            len(zero),
            "numbers of dimensions",
        ),
    ]
    closest = [
        min((m for m in PUBLISHED if series[m][d].number), key=lambda method, at=d: series[method][at].value)  # type: ignore[misc]
        for d in RANGE
    ]
    found.append(
        every(
            "Higher dimensions",
            "HDPView remains a close competitor, the closest",
            closest.count("hdpview"),
            len(closest),
            f"best rival by dimension: {', '.join(map(named, closest))}",
        )
    )
    for method in BLIND.values():
        known = {d: mean.value for d, mean in series[method].items() if mean.number}
        if len(known) > 2:
            rank = rank_correlation(list(known), list(known.values()))
            said = f"{NAMES[method]} goes on improving from 7 to 14 dimensions: its R-RMSE falls"
            values = [figure(value) for value in known.values()]
            found.append(
                tendency("Higher dimensions", said, rank, -1, f"{values[0]} at 7, {values[-1]} at {max(known):g}")
            )
    return found
