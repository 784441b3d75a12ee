"""The figures of Small-Adult and Jm: methods that know the workload, on small domains."""

from __future__ import annotations

import math

from experiments.datasets.attributes import ATTRIBUTES
from experiments.paper.charts import legend, lines
from experiments.paper.claims import Claim, plain, tendency
from experiments.paper.items import small_tensors
from experiments.paper.plan import BASE, DIMENSIONS, JM, KNOWING, OURS
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, rank_correlation
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Part, Section, Table, Text

SHOWN = (*KNOWING, OURS)

NINE = (
    "The paper's Table 2 counts 456 workloads of Jm1. That is the number of ways to choose 2 to 6 of nine attributes, "
    "36 + 84 + 126 + 126 + 84. It does not name the nine."
)

Series = dict[str, dict[float, Mean]]


def knowing(study: Study) -> Found:
    groups = small_tensors()
    series = {
        name: {m: {float(s.dimensions): _ratio(study, s, m) for s in some} for m in SHOWN}
        for name, some in groups.items()
    }
    with study.charts.draw("small", columns=2, size=(10, 4)) as panels:
        for panel, name in zip(panels.flat, groups, strict=True):
            y = "error / error of RIPOST (below 1 is better)"
            lines(panel, series[name], title=name, x="dimensions of the tensor", y=y, base=BASE)
        legend(panels[0, 1], loc="center left", bbox_to_anchor=(1, 0.5))
    parts = (
        Text(
            "Small-Adult: age, work class, race and capital gain, which are all four attributes of that data set in "
            "HDPView's program, one after the other; Jm: the first attributes of jm1 in ten bins each. HDMM and DAWA "
            f"know the 3,000 queries. {study.plan.runs} runs; intervals are over runs."
        ),
        Figure(
            "small",
            "R-RMSE on small domains of a growing number of dimensions.",
            "Two panels of lines on a log scale: error relative to RIPOST on Small-Adult and Jm.",
        ),
        _chain(study, groups),
        *_subsets(study),
    )
    return Found(Section("Methods that know the workload", parts), tuple(_claims(series)))


def _subsets(study: Study) -> tuple[Part, ...]:
    """Every choice of nine attributes of jm1, if they were run."""
    subsets = {d: study.plan.choices_of("jm1", JM, d) for d in DIMENSIONS}
    if not all(len(study.results.errors(s, "identity")) for some in subsets.values() for s in some):
        return (Text(f"{NINE} They were not run here."),)
    rows = []
    for d, some in subsets.items():
        zero = Mean.of([study.results.zero(s) / study.results.error(s, BASE) for s in some])
        ratios = (Mean.of(study.results.ratios(some, m, BASE)) for m in SHOWN)
        known = (str(ratio) if ratio.number == len(some) else "-" for ratio in ratios)
        rows.append((str(d), str(len(some)), *known, str(zero)))
    words = (
        f"{NINE} Here they are the first nine of jm1: {', '.join(JM)}. One run of each method on each tensor, means "
        "over tensors with intervals over tensors; DAWA up to five dimensions, because it takes five seconds on a "
        "tensor with six."
    )
    return Text(words), Table(("dimensions", "tensors", *SHOWN, "answer zero"), tuple(rows))


def _chain(study: Study, groups: dict[str, list[Subject]]) -> Table:
    rows = tuple(
        (
            name,
            str(s.dimensions),
            f"{_cells(s):,}",
            figure(study.results.error(s, BASE)),
            *(_format_ratio(study, s, method) for method in SHOWN),
            figure(study.results.zero(s) / study.results.error(s, BASE)),
        )
        for name, some in groups.items()
        for s in some
    )
    return Table(("data", "dimensions", "cells", "RIPOST, RMSE", *SHOWN, "answer zero"), rows)


def _cells(subject: Subject) -> int:
    sizes = {attribute.name: attribute.coding.size for attribute in ATTRIBUTES[subject.data]}
    return math.prod(sizes[name] for name in subject.attributes)


def _ratio(study: Study, subject: Subject, method: str) -> Mean:
    return Mean.of(study.results.errors(subject, method) / study.results.error(subject, BASE))


def _format_ratio(study: Study, subject: Subject, method: str) -> str:
    ratio = _ratio(study, subject, method)
    return str(ratio) if ratio.number else "refused" if study.results.refusal(subject, method) else "-"


def _claims(series: dict[str, Series]) -> list[Claim]:
    found = []
    for method, said in (("dawa", "DAWA suffers"), ("hdmm", "HDMM suffers"), ("identity", "Identity's noise grows")):
        ranks = []
        for name in series:
            known = {d: mean.value for d, mean in series[name][method].items() if mean.number}
            ranks.append(rank_correlation(list(known), list(known.values())))
        detail = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(series, ranks, strict=True))
        text = f"{said} as dimensions grow: its R-RMSE rises"
        found.append(tendency("Small-Adult, Jm", text, sum(ranks) / len(ranks), 1, detail))
    pairs = [mean for name in series for method in KNOWING for mean in series[name][method].values() if mean.number]
    ahead = sum(mean.value > 1 for mean in pairs)
    told, most = f"{ahead} of {len(pairs)} means are above 1", 2 * ahead > len(pairs)
    found.append(plain("Small-Adult, Jm", "RIPOST is better than all of them in most tests", told, holds=most))
    return found
