"""Other readings of the paper: what its text may mean, beside HDPView and PrivTree on the same tensors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.paper.ask import EPSILON, READING
from experiments.paper.charts import RULE, legend
from experiments.paper.items import read_tensors
from experiments.paper.plan import CELL_TREE, PARTITIONING, TREE
from experiments.paper.readings.list import AS_PRINTED, READINGS, Listed
from experiments.paper.readings.workloads import AS_HDPVIEW, TITLES
from experiments.paper.sections.study import NOT_RUN, Found, Study
from experiments.paper.statistics import figure, geometric
from experiments.paper.subject import Subject
from experiments.pool import Outcome
from experiments.report.document import Figure, Part, Section, Table, Text
from experiments.styles import style_of

TITLE = "Other readings of the paper"
OPEN = (
    "What the paper leaves open may have been decided otherwise. Each line below is RIPOST with one such choice "
    "changed."
)
RIVALS = (*PARTITIONING, CELL_TREE)
NAMES = {"hdpview": "HDPView", TREE: "PrivTree", CELL_TREE: "PrivTree (cells)"}

REMARKS = Text(
    "Three remarks on the text. Algorithm 1 passes Sum to the cuts of phase 1, where the text has Min; Sum "
    "has no score in the paper, so two are tried. The paper prints no scale for the noise of leaves. With "
    "theta = 0 an empty block is cut with probability 1/2 whatever epsilon is, because its sum is 0 and the "
    "noise is symmetric."
)


@dataclass(frozen=True)
class Summary:
    """A method over all tensors."""

    ratios: dict[str, list[float]]  # of each rival the error over that of the method, a tensor each
    change: float  # error over that of RIPOST as implemented, geometric mean
    blocks: float  # geometric mean
    uneven: float  # mean share of the blocks
    spent: float  # the most that a path spent in any run, in epsilons

    def mean(self, rival: str) -> float:
        return float(np.mean(self.ratios[rival]))


def readings(study: Study) -> Found:
    subjects = [s for s in read_tensors() if study.results.of(s, AS_PRINTED.spec, kind=READING)]
    if not subjects:
        kept = tuple((listed.title, "yes" if listed.keeps_epsilon else "no") for listed in READINGS)
        table = Table(("reading", "keeps epsilon"), kept, left=frozenset({0, 1}))
        return Found(Section(TITLE, (Text(f"{OPEN} {NOT_RUN}"), table, REMARKS)))
    every = {listed: _summary(study, subjects, listed.spec) for listed in READINGS}
    with study.charts.draw("readings", size=(8.5, 8)) as panels:
        _dots(panels[0, 0], every)
    parts: tuple[Part, ...] = (
        Text(_method(study, subjects)),
        Text(_finding(every)),
        Figure(
            "readings",
            "Error of HDPView and PrivTree over that of each reading; above 1 the reading is ahead. Hollow: the "
            "reading spends more than epsilon.",
            "Dots on a log scale, a line for each reading: the error of HDPView and of PrivTree relative to it.",
        ),
        _table(every, {rival: _summary(study, subjects, rival) for rival in RIVALS}),
        REMARKS,
        Text(
            "Queries are *random* in the paper. The same runs of RIPOST, as implemented, on other workloads of the "
            "same tensors; mean R-RMSE of each rival, with the number of tensors on which it errs more than RIPOST:"
        ),
        _workloads(study, subjects),
    )
    return Found(Section(TITLE, parts))


def _method(study: Study, subjects: list[Subject]) -> str:
    return (
        f"{OPEN} They run at epsilon {EPSILON}, {study.plan.few_runs} runs. The {len(subjects)} tensors were fixed "
        "before any of these runs, to keep the whole within minutes: of Adult and Fire the middle one in the list of "
        "each number of dimensions, 2 to 6, and Gowalla. HDPView and PrivTree run on the same tensors with the same "
        "workload. Some readings spend more than epsilon; they exist in these experiments only, with seeded noise, "
        "and their account counts what they spend."
    )


def _finding(every: dict[Listed, Summary]) -> str:
    kept = {listed: found for listed, found in every.items() if listed.keeps_epsilon}
    others = {listed: found for listed, found in every.items() if not listed.keeps_epsilon}
    told = []
    for rival in PARTITIONING:
        best = max(kept, key=lambda listed: kept[listed].mean(rival))
        loosest = max(others, key=lambda listed: others[listed].mean(rival))
        ahead = sum(found.mean(rival) > 1 for found in kept.values())
        told.append(
            f"Of {len(kept)} readings that keep epsilon, {ahead} put {NAMES[rival]} behind RIPOST on average; the most "
            f"in favor of RIPOST is *{best.title}*, with {NAMES[rival]} at {figure(kept[best].mean(rival))} times its "
            f"error. Of the {len(others)} that do not, it is *{loosest.title}*, at "
            f"{figure(others[loosest].mean(rival))} times."
        )
    return f"{' '.join(told)} Means over tensors, as the paper takes them; the largest ratios decide them."


def _summary(study: Study, subjects: list[Subject], spec: str) -> Summary:
    outcomes = {s: study.results.of(s, spec, kind=READING) for s in subjects}
    errors = {s: _error(found) for s, found in outcomes.items()}
    base = {s: _error(study.results.of(s, AS_PRINTED.spec, kind=READING)) for s in subjects}
    runs = [run for found in outcomes.values() for run in found]
    return Summary(
        {m: [_error(study.results.of(s, m, kind=READING)) / errors[s] for s in subjects] for m in RIVALS},
        geometric(errors[s] / base[s] for s in subjects),
        geometric(run["blocks"] for run in runs),
        float(np.mean([run["uneven"] / run["blocks"] for run in runs])),
        max(run["spent"] for run in runs) / EPSILON,
    )


def _error(outcomes: list[Outcome], workload: str = AS_HDPVIEW) -> float:
    return float(np.mean([run["rmse"][workload] for run in outcomes]))


def _table(every: dict[Listed, Summary], rivals: dict[str, Summary]) -> Table:
    rows = [
        (
            listed.title,
            *(f"{figure(found.mean(rival))} ({sum(np.array(found.ratios[rival]) > 1)})" for rival in RIVALS),
            figure(found.change),
            figure(found.blocks),
            f"{found.uneven:.0%}",
            _describe_cost(listed, found),
        )
        for listed, found in every.items()
    ]
    rows += [
        (f"*{NAMES[rival]}*", "-", "-", "-", figure(f.change), figure(f.blocks), f"{f.uneven:.0%}", "yes")
        for rival, f in rivals.items()
    ]
    heads = ("reading", *(f"{NAMES[m]} / it" for m in RIVALS), "it / as implemented", "blocks", "uneven", "epsilon")
    return Table(heads, tuple(rows), left=frozenset({0, 7}))


def _describe_cost(listed: Listed, found: Summary) -> str:
    if listed.keeps_epsilon:
        return "kept"
    return "without noise" if "exact" in listed.options else f"{figure(found.spent)} times"


def _dots(panel: object, every: dict[Listed, Summary]) -> None:
    place = {listed: -number for number, listed in enumerate(every)}
    for rival in PARTITIONING:
        style = style_of(rival)
        for keeps in (True, False):
            some = [listed for listed in every if listed.keeps_epsilon == keeps]
            panel.scatter(  # type: ignore[attr-defined]
                [every[listed].mean(rival) for listed in some],
                [place[listed] for listed in some],
                color=style.colour if keeps else "white",
                edgecolors=style.colour,
                marker=style.marker,
                s=34,
                label=NAMES[rival] + ("" if keeps else ", epsilon not kept"),
                zorder=3,
            )
    _style_axes(panel, place)


def _style_axes(panel: object, place: dict[Listed, int]) -> None:
    panel.axvline(1, color="#444444", linestyle="--", linewidth=1.2)  # type: ignore[attr-defined]
    panel.set_xscale("log")  # type: ignore[attr-defined]
    panel.xaxis.set_major_formatter("{x:,.10g}")  # type: ignore[attr-defined]
    panel.set_yticks(list(place.values()), [listed.title for listed in place])  # type: ignore[attr-defined]
    panel.set_xlabel("error / error of the reading (above 1 the reading is ahead)")  # type: ignore[attr-defined]
    panel.grid(color=RULE, linewidth=0.7, axis="both")  # type: ignore[attr-defined]
    legend(panel, loc="lower center", bbox_to_anchor=(0.4, 1), ncols=2)


def _workloads(study: Study, subjects: list[Subject]) -> Table:
    rows = []
    for name, title in TITLES.items():
        cells = []
        for rival in RIVALS:
            ratios = [
                _error(found, name) / _error(study.results.of(s, AS_PRINTED.spec, kind=READING), name)
                for s in subjects
                if name in (found := study.results.of(s, rival, kind=READING))[0]["rmse"]
            ]
            cells.append(f"{figure(float(np.mean(ratios)))} ({sum(np.array(ratios) > 1)} of {len(ratios)})")
        rows.append((title, *cells))
    return Table(("queries", *(NAMES[rival] for rival in RIVALS)), tuple(rows))
