"""The figure of higher dimensions: Adult, and Fire, with 7 to 14 attributes."""

from __future__ import annotations

from experiments.paper.charts import legend, lines, method_label
from experiments.paper.claims import Claim, every, tendency
from experiments.paper.items import high
from experiments.paper.plan import BASE, BLIND, HIGHER, published_methods
from experiments.paper.sections.comparison import NAMES, SHOWN, TITLES
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, rank_correlation
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Section, Table, Text

Series = dict[str, dict[float, Mean]]


def higher(study: Study) -> Found:
    there = [data for data in TITLES if len(study.results.errors(high(HIGHER[0], data), BASE))]
    series = {data: _series(study, data) for data in there}
    with study.charts.draw("higher", rows=len(there), columns=2, size=(10.5, 3.8 * len(there))) as panels:
        for row, data in enumerate(there):
            for panel, found, title in (
                (panels[row, 0], series[data], "every dimension bounded"),
                (panels[row, 1], _series(study, data, 2), "two bounded"),
            ):
                y = "error / error of RIPOST (below 1 is better)"
                lines(panel, found, title=f"{TITLES[data]}, {title}", x="dimensions of the tensor", y=y, base=BASE)
        legend(panels[0, 1], loc="center left", bbox_to_anchor=(1, 0.5))
    zero = {d: study.results.zero(high(d)) / study.results.error(high(d), BASE) for d in HIGHER}
    parts = (
        Text(
            "The seven attributes of each data set, then more of them, one after the other. The paper draws Adult, "
            f"and lists eight such workloads of Fire in its Table 2. Adult: intervals are over the {study.plan.said}. "
            f"Fire: {_of_fire(study) if 'fire' in there else 'not run here.'}"
        ),
        Figure(
            "higher",
            "R-RMSE with 7 to 14 attributes, for queries that bound all of them, and two.",
            "Panels of lines on a log scale: error relative to RIPOST by number of dimensions.",
        ),
        *(part for data in there for part in (Text(f"**{TITLES[data]}**:"), _table(study, data, series[data]))),
        Text(
            "With ten or more dimensions bounded nearly every true answer is close to 0, so *answering zero* to "
            "every query has a small error. A method that cannot beat it is of no use there. The right panels, where "
            "queries bound two dimensions, are more informative. PrivTree splits a block into 2^d parts and refuses "
            "13 and more dimensions. RIPOST treats its blocks as uniform. In this many dimensions a block with any "
            "records is almost empty, so its answers place records where there are none."
        ),
    )
    claims = (tuple(_claims(series["adult"], zero, tree)) for tree in study.trees)
    return Found(Section("Higher dimensions", parts), *claims)


def _of_fire(study: Study) -> str:
    return f"{study.plan.few_runs} runs, one of P3GM on non-empty cells, and none of it on the records, for its time."


def _series(study: Study, data: str, bounded: int | None = None) -> Series:
    return {m: {float(d): _ratio(study, high(d, data), m, bounded) for d in HIGHER} for m in study.with_trials(SHOWN)}


def _table(study: Study, data: str, series: Series) -> Table:
    shown = [method for method in series if any(mean.number for mean in series[method].values())]
    rows = []
    for d in HIGHER:
        base = study.results.error(high(d, data), BASE)
        zero = figure(study.results.zero(high(d, data)) / base)
        rows.append((str(d), figure(base), *(str(series[method][d]) for method in shown), zero))
    return Table(("dimensions", "RIPOST, RMSE", *map(method_label, shown), "answer zero"), tuple(rows))


def _ratio(study: Study, subject: Subject, method: str, bounded: int | None) -> Mean:
    """Each run's error over the mean error of RIPOST."""
    errors = study.results.errors(subject, method, bounded=bounded)
    return Mean.of(errors / study.results.error(subject, BASE, bounded=bounded))


def _claims(series: Series, zero: dict[int, float], tree: str) -> list[Claim]:
    """Of Adult, with this PrivTree."""
    pairs = [(d, method) for d in HIGHER for method in published_methods(tree) if series[method][d].number]
    ahead = [(d, method) for d, method in pairs if series[method][d].value > 1]
    lost = sorted({method_label(method) for _, method in set(pairs) - set(ahead)})
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
    rivals = published_methods(tree)
    closest = [
        min((m for m in rivals if series[m][d].number), key=lambda method, at=d: series[method][at].value)  # type: ignore[misc]
        for d in HIGHER
    ]
    found.append(
        every(
            "Higher dimensions",
            "HDPView remains a close competitor, the closest",
            closest.count("hdpview"),
            len(closest),
            f"best rival by dimension: {', '.join(map(method_label, closest))}",
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
