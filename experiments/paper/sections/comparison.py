"""Table 1 and the figures of R-RMSE on Adult and Fire, 2 to 6 dimensions."""

from __future__ import annotations

import numpy as np

from experiments.paper.ask import EPSILON
from experiments.paper.charts import legend, lines
from experiments.paper.claims import Claim, every, factor, tendency
from experiments.paper.items import BASE, DIMENSIONS, GENERATIVE, OURS, PARTITIONING, RIVALS, SEVEN, Plan
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, geometric, rank_correlation
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Part, Section, Table, Text

SHOWN = (*RIVALS, OURS)
TITLES = {"adult": "Adult", "fire": "Fire"}
TABLE_1 = {"hdpview": 1.47, "privtree": 13.0, "p3gm": 22.0, "privbayes": 62.0}
NAMES = {"hdpview": "HDPView", "privtree": "PrivTree", "p3gm": "P3GM", "privbayes": "PrivBayes"}

Series = dict[str, dict[float, Mean]]


def comparison(study: Study) -> Found:
    series = {data: _series(study, data) for data in SEVEN}
    with study.charts.draw("comparison", columns=2, size=(10, 4.2)) as panels:
        for panel, data in zip(panels.flat, SEVEN, strict=True):
            lines(
                panel,
                series[data],
                title=f"{TITLES[data]}, epsilon {EPSILON}",
                x="dimensions of the tensor",
                y="error / error of RIPOST (below 1 is better)",
                base=BASE,
            )
        legend(panels[0, 1], loc="center left", bbox_to_anchor=(1, 0.5))
    runs = f"{study.plan.runs} runs ({study.plan.slow_runs} of P3GM)"
    number = sum(len(study.plan.tensors_of("adult", d)) for d in DIMENSIONS)
    parts: list[Part] = [
        Text(
            f"{number} tensors of each data set: every choice of 2 to 6 of seven attributes, as the counts in the "
            f"paper's "
            "Table 3 (21, 35, 35, 21, 7) suggest"
            + ("." if study.plan.tensors is None else f"; {study.plan.tensors} of each number of dimensions here.")
            + f" 3,000 random range queries each that bound every dimension, {runs}. R-RMSE is a method's mean error "
            f"over "
            "that of RIPOST on the same tensor; the figure and the first tables average it over tensors, as the "
            "paper does, "
            "with a 95 % interval over tensors. A mean of ratios follows its largest; the last table has geometric "
            "means."
        ),
        Figure(
            "comparison",
            "R-RMSE of each method by the number of dimensions; the dashed line is RIPOST.",
            "Two panels of lines on a log scale: error relative to RIPOST on Adult and Fire, 2 to 6 dimensions.",
        ),
    ]
    for data in SEVEN:
        parts += [Text(f"**{TITLES[data]}**, mean R-RMSE over tensors:"), _table(study, data)]
    parts += [
        Text(
            "Geometric means over all tensors, for queries that bound every dimension (*all*) and for 1,000 that "
            "bound two "
            "(*two*, as people filter); and on how many tensors a method errs less than RIPOST."
        ),
        _summary(study),
    ]
    return Found(Section("Adult and Fire, 2 to 6 dimensions", tuple(parts)), tuple(_claims(study, series)))


def subjects(plan: Plan, data: str) -> list[Subject]:
    return [subject for d in DIMENSIONS for subject in plan.tensors_of(data, d)]


def _series(study: Study, data: str) -> Series:
    return {
        method: {d: Mean.of(study.results.ratios(study.plan.tensors_of(data, d), method, BASE)) for d in DIMENSIONS}
        for method in SHOWN
    }


def _table(study: Study, data: str) -> Table:
    rows = []
    for title, some in [
        *((str(d), study.plan.tensors_of(data, d)) for d in DIMENSIONS),
        ("all", subjects(study.plan, data)),
    ]:
        zero = [study.results.zero(s) / study.results.error(s, BASE) for s in some]
        means = [str(Mean.of(study.results.ratios(some, method, BASE))) for method in SHOWN]
        rows.append((title, str(len(some)), *means, str(Mean.of(zero))))
    return Table(("dimensions", "tensors", *SHOWN, "answer zero"), tuple(rows))


def _summary(study: Study) -> Table:
    rows = []
    for data in SEVEN:
        some = subjects(study.plan, data)
        for method in SHOWN:
            whole = study.results.ratios(some, method, BASE)
            two = study.results.ratios(some, method, BASE, bounded=2)
            better = f"{int((whole < 1).sum())} of {len(whole)}"
            rows.append((TITLES[data], method, figure(geometric(whole)), figure(geometric(two)), better))
    return Table(("data", "method", "all", "two", "errs less than RIPOST on"), tuple(rows), left=frozenset({0, 1}))


def _claims(study: Study, series: dict[str, Series]) -> list[Claim]:
    fire = subjects(study.plan, "fire")
    found = [
        factor(
            "Table 1",
            f"{NAMES[m]} on Fire: {said:g} times the error of RIPOST",
            said,
            Mean.of(study.results.ratios(fire, m, BASE)),
        )
        for m, said in TABLE_1.items()
    ]
    for data in SEVEN:
        pairs = [(d, m) for d in DIMENSIONS for m in RIVALS if series[data][m][d].number]
        ahead = [(d, m) for d, m in pairs if series[data][m][d].value > 1]
        lost = sorted({m for d, m in set(pairs) - set(ahead)})
        found.append(
            every(
                f"R-RMSE {TITLES[data]}",
                f"RIPOST keeps a smaller error than every other method on {TITLES[data]}, at every number of "
                f"dimensions",
                len(ahead),
                len(pairs),
                f"means above 1 (below 1 somewhere: {', '.join(lost) or 'none'})",
            )
        )
    adult = series["adult"]
    closest = [min(RIVALS, key=lambda m: adult[m][d].value if adult[m][d].number else np.inf) for d in DIMENSIONS]
    found.append(
        every(
            "R-RMSE Adult",
            "HDPView is the closest competitor on Adult",
            closest.count("hdpview"),
            len(closest),
            f"the best rival by dimension is {', '.join(closest)}",
        )
    )
    grows = [adult["hdpview"][d].value for d in DIMENSIONS]
    found.append(
        tendency(
            "R-RMSE Adult",
            "HDPView pales as dimensions grow: its R-RMSE rises",
            rank_correlation(list(DIMENSIONS), grows),
            1,
            f"R-RMSE {', '.join(map(figure, grows))} from 2 to 6",
        )
    )
    worse = [
        (data, d)
        for data in SEVEN
        for d in DIMENSIONS
        if series[data]["privtree"][d].value > max(1, series[data]["hdpview"][d].value)
    ]
    found.append(
        every(
            "R-RMSE Adult, Fire",
            "PrivTree is worse than RIPOST and HDPView",
            len(worse),
            2 * len(DIMENSIONS),
            "numbers of dimensions where its mean is above both",
        )
    )
    for method in GENERATIVE:
        ranks = [
            rank_correlation(list(DIMENSIONS), [series[data][method][d].value for d in DIMENSIONS]) for data in SEVEN
        ]
        found.append(
            tendency(
                "R-RMSE Adult, Fire",
                f"{NAMES[method]} improves with more dimensions: its R-RMSE falls",
                float(np.mean(ranks)),
                -1,
                f"Adult {ranks[0]:.2f}, Fire {ranks[1]:.2f}",
            )
        )
    behind = [
        (data, d, method)
        for data in SEVEN
        for d in DIMENSIONS
        for method in GENERATIVE
        if series[data][method][d].value > min(1, *(series[data][m][d].value for m in PARTITIONING))
    ]
    found.append(
        every(
            "R-RMSE Adult, Fire",
            "Generative methods never outperform the partitioning ones",
            len(behind),
            2 * len(DIMENSIONS) * len(GENERATIVE),
            "means above that of the best of RIPOST, HDPView, PrivTree",
        )
    )
    return found
