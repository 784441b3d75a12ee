"""R-RMSE on Adult with the seven attributes of HDPView's program, beside ours."""

from __future__ import annotations

from experiments.paper.charts import legend, lines, method_label
from experiments.paper.plan import BASE, BLIND, CELL_TREE, DIMENSIONS, NUMERIC, OURS, PARTITIONING
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, geometric
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Section, Table, Text

SHOWN = (*PARTITIONING, CELL_TREE, BLIND["privbayes"], OURS)


def numeric(study: Study) -> Found | None:
    theirs = {d: study.plan.choices_of("adult", NUMERIC, d) for d in DIMENSIONS}
    if not all(len(study.results.errors(s, CELL_TREE)) for some in theirs.values() for s in some):
        return None
    here = {d: study.plan.tensors_of("adult", d) for d in DIMENSIONS}
    series = {m: {float(d): Mean.of(study.results.ratios(theirs[d], m, BASE)) for d in DIMENSIONS} for m in SHOWN}
    with study.charts.draw("numeric", size=(7, 3.8)) as panels:
        y = "error / error of RIPOST (below 1 is better)"
        lines(panels[0, 0], series, title="Adult, HDPView's attributes", x="dimensions of the tensor", y=y, base=BASE)
        legend(panels[0, 0], loc="center left", bbox_to_anchor=(1, 0.5))
    rows = [(title, *row) for title, some in (("HDPView's", theirs), ("ours", here)) for row in _rows(study, some)]
    heads = ("attributes", "dimensions", "tensors", *map(method_label, SHOWN))
    parts = (
        Text(
            "The paper does not name its seven attributes. HDPView's program has a data set of Adult with exactly "
            f"seven, all numbers and the income: {', '.join(NUMERIC)}. SLIM-View's program, by the authors of RIPOST, "
            "has it too, and draws its queries for every choice of 2 to 6 of them, which gives the 21, 35, 35, 21 and "
            f"7 tensors of the paper's Table 3. {study.plan.few_runs} runs here; P3GM was left out for its time."
        ),
        Figure(
            "numeric",
            "R-RMSE on Adult with HDPView's seven attributes.",
            "Lines on a log scale: error relative to RIPOST by number of dimensions.",
        ),
        Table(heads, tuple(rows), left=frozenset({0, 1})),
    )
    return Found(Section("Adult with HDPView's attributes", parts))


def _rows(study: Study, tensors: dict[int, list[Subject]]) -> list[tuple[str, ...]]:
    every = [subject for some in tensors.values() for subject in some]
    rows = [
        (str(d), str(len(some)), *(str(Mean.of(study.results.ratios(some, m, BASE))) for m in SHOWN))
        for d, some in tensors.items()
    ]
    means = (figure(geometric(study.results.ratios(every, m, BASE))) for m in SHOWN)
    return [*rows, ("all, geometric mean", str(len(every)), *means)]
