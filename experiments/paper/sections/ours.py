"""What we add: ripost+ against epsilon, the size of a question, the number of records; and what its ideas are worth."""

from __future__ import annotations

import math

import numpy as np

from experiments.ablation import WITHOUT
from experiments.paper.ask import EPSILON
from experiments.paper.charts import legend, lines
from experiments.paper.plan import BASE, DIMENSIONS, EPSILONS, FOUR, OURS, QUICK_TO_RUN, RECORDS, RIVALS, SEVEN, TRIED
from experiments.paper.sections.comparison import TITLES, subjects
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, geometric
from experiments.paper.subject import Subject
from experiments.paper.trial import SIZES
from experiments.report.document import Figure, Section, Table, Text

SHARES = ("none", "to 0.01 %", "to 0.1 %", "to 1 %", "to 10 %", "more")
ROWS = {"adult": 48_842, "fire": 175_296}


def against_all(study: Study) -> Found:
    """ripost+ beside the paper's method and every rival, by dimensions."""
    rows = []
    for data in SEVEN:
        for d in DIMENSIONS:
            some = study.plan.tensors_of(data, d)
            best = [min(study.results.error(s, m) for m in RIVALS) / study.results.error(s, OURS) for s in some]
            two = [
                min(study.results.error(s, m, bounded=2) for m in RIVALS) / study.results.error(s, OURS, bounded=2)
                for s in some
            ]
            rows.append(
                (
                    TITLES[data],
                    str(d),
                    figure(geometric(1 / study.results.ratios(some, OURS, BASE))),
                    figure(geometric(1 / study.results.ratios(some, OURS, BASE, bounded=2))),
                    figure(geometric(best)),
                    figure(geometric(two)),
                    f"{sum(ratio > 1 for ratio in best)} of {len(best)}",
                )
            )
    heads = (
        "data",
        "dimensions",
        "RIPOST / ripost+, all",
        "RIPOST / ripost+, two",
        "best rival / ripost+, all",
        "best rival / ripost+, two",
        "ripost+ errs least on",
    )
    parts = (
        Text(
            "`ripost+`, the default method here, on the same tensors: the ratios of the errors of RIPOST, and of the"
            " best of HDPView, PrivTree, PrivBayes and P3GM, to its error. The best is chosen for each tensor in "
            "hindsight. Geometric "
            "means; *all*: every dimension bounded, *two*: two of them."
        ),
        Table(heads, tuple(rows), left=frozenset({0})),
        Text(_rivals(study)),
    )
    return Found(Section("ripost+ on the same tensors", parts))


def _rivals(study: Study) -> str:
    every = [s for data in SEVEN for s in subjects(study.plan, data)]
    told = []
    for method in RIVALS:
        whole = 1 / study.results.ratios(every, OURS, method)
        two = 1 / study.results.ratios(every, OURS, method, bounded=2)
        told.append(f"{method} {figure(geometric(whole))} and {figure(geometric(two))}")
    return f"Over all tensors, each rival's error over that of ripost+ (all, two): {', '.join(told)}."


def against_epsilon(study: Study) -> Found:
    with study.charts.draw("epsilon", columns=len(TRIED), size=(12, 3.9)) as panels:
        for panel, subject in zip(panels.flat, TRIED, strict=True):
            series = {
                method: {e: Mean.of(study.results.errors(subject, method, e)) for e in EPSILONS}
                for method in QUICK_TO_RUN
            }
            lines(panel, series, title=_title(subject), x="epsilon", y="RMSE", log_x=True)
        legend(panels[0, 0])
    rows = [
        (_title(subject), method, *(figure(study.results.error(subject, method, e)) for e in EPSILONS))
        for subject in TRIED
        for method in QUICK_TO_RUN
    ]
    parts = (
        Text(f"Queries that bound every dimension, {study.plan.runs} runs; both axes are logarithmic."),
        Figure(
            "epsilon", "Error against epsilon.", "Three panels of falling lines on log scales, one line per method."
        ),
        Table(("data", "method", *(f"{e:g}" for e in EPSILONS)), tuple(rows), left=frozenset({0, 1})),
    )
    return Found(Section("Error against epsilon", parts))


def against_size(study: Study) -> Found:
    """Questions of the four-dimensional tensors, by the share of the records that they count."""
    found = {data: {m: _by_size(study, study.plan.tensors_of(data, 4), m) for m in QUICK_TO_RUN} for data in SEVEN}
    with study.charts.draw("size", columns=len(SEVEN), size=(10, 3.9)) as panels:
        for panel, data in zip(panels.flat, SEVEN, strict=True):
            series = {
                m: {float(k): Mean.of([value]) for k, value in enumerate(values) if math.isfinite(value)}
                for m, values in found[data].items()
            }
            lines(
                panel,
                series,
                title=f"{TITLES[data]}, 4 dimensions",
                x="share of the records that a query counts",
                y="RMSE",
            )
            panel.set_xticks(range(len(SIZES)), SHARES)
        legend(panels[0, 0])
    rows = [(TITLES[data], method, *map(figure, found[data][method])) for data in SEVEN for method in QUICK_TO_RUN]
    parts = (
        Text(
            "All queries of the four-dimensional tensors above, by the share of the records that they truly count: "
            f"root mean square error within each class, epsilon {EPSILON}."
        ),
        Figure(
            "size",
            "Error against the size of a query.",
            "Two panels of rising lines on a log scale, one line per method.",
        ),
        Table(("data", "method", *SHARES), tuple(rows), left=frozenset({0, 1})),
    )
    return Found(Section("Error against the size of a query", parts))


def _by_size(study: Study, tensors: list[Subject], method: str) -> list[float]:
    pairs = [outcome["sizes"] for subject in tensors for outcome in study.results.of(subject, method)]
    sums = np.sum(np.array(pairs, np.float64), axis=0)
    return [math.sqrt(missed / number) if number else math.nan for number, missed in sums.tolist()]


def against_records(study: Study) -> Found:
    """The error of a query in percent of the records, as a table grows."""
    found = {
        data: {
            method: {
                float(rows or ROWS[data]): Mean.of(
                    100 * study.results.errors(Subject(data, subject.attributes, rows), method) / (rows or ROWS[data])
                )
                for rows in (*RECORDS[data], None)
            }
            for method in QUICK_TO_RUN
        }
        for data, subject in FOUR.items()
    }
    with study.charts.draw("records", columns=len(FOUR), size=(10, 3.9)) as panels:
        for panel, data in zip(panels.flat, FOUR, strict=True):
            lines(panel, found[data], title=_title(FOUR[data]), x="records", y="RMSE, % of the records", log_x=True)
        legend(panels[0, 0])
    rows = [
        (TITLES[data], method, f"{records:,.0f}", str(mean))
        for data in FOUR
        for method in QUICK_TO_RUN
        for records, mean in found[data][method].items()
    ]
    parts = (
        Text(
            f"A random part of the records, epsilon {EPSILON}, {study.plan.runs} runs. The error is in percent of "
            "the records, so a falling line means that the view improves as the table grows."
        ),
        Figure(
            "records",
            "Error against the number of records.",
            "Two panels of falling lines on log scales, one line per method.",
        ),
        Table(("data", "method", "records", "RMSE, % of the records"), tuple(rows), frozenset({0, 1}), file="records"),
    )
    return Found(Section("Error against the number of records", parts))


def ablations(study: Study) -> Found:
    rows = []
    for title, spec in WITHOUT.items():
        worse = [study.results.error(s, spec) / study.results.error(s, OURS) for s in TRIED]
        rows.append((title, f"`{spec}`", *map(figure, worse), figure(geometric(worse))))
    parts = (
        Text(
            "The error of ripost+ without one of its ideas over that with all of them, queries that bound every "
            f"dimension, epsilon {EPSILON}, {study.plan.runs} runs. Above 1 the idea helps. On these three tensors "
            f"some ideas gain nothing or lose: [the method's page](../methods/ripost-plus.md) has the same table "
            f"over 22 "
            "cases, on which they were chosen."
        ),
        Table(("without", "here", *map(_title, TRIED), "geometric mean"), tuple(rows), left=frozenset({0, 1})),
    )
    return Found(Section("Ablation of ripost+", parts))


def _title(subject: Subject) -> str:
    return f"{TITLES[subject.data]}, {subject.dimensions} dimensions"
