"""What the authors' repository compares with besides: PrivSyn and SLIM-View on Adult."""

from __future__ import annotations

from experiments.paper.charts import legend, lines
from experiments.paper.plan import BASE, DIMENSIONS, EXTRAS, OURS
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean
from experiments.report.document import Figure, Section, Table, Text

SHOWN = (*EXTRAS, OURS)


def extras(study: Study) -> Found:
    tensors = {d: study.plan.tensors_of("adult", d) for d in DIMENSIONS}
    series = {m: {float(d): Mean.of(study.results.ratios(tensors[d], m, BASE)) for d in DIMENSIONS} for m in SHOWN}
    with study.charts.draw("extras", size=(7, 3.8)) as panels:
        y = "error / error of RIPOST (below 1 is better)"
        lines(panels[0, 0], series, title="Adult", x="dimensions of the tensor", y=y, base=BASE)
        legend(panels[0, 0], loc="center left", bbox_to_anchor=(1, 0.5))
    rows = tuple(
        (str(d), *(f"{series[m][d]} ({series[m][d].number} tensors)" if series[m][d].number else "-" for m in SHOWN))
        for d in DIMENSIONS
    )
    parts = (
        Text(
            "The repository of the paper's authors also has PrivSyn and SLIM-View on Adult; its figures are not in "
            f"the paper. The same tensors as above, {study.plan.few_runs} runs each. SLIM-View stores a value for "
            f"every cell and refuses tensors of more than 4 million cells. Means are over the tensors that it "
            f"accepts."
        ),
        Figure(
            "extras",
            "R-RMSE of PrivSyn and SLIM-View on Adult.",
            "Lines on a log scale: error relative to RIPOST by number of dimensions.",
        ),
        Table(("dimensions", *SHOWN), rows),
    )
    return Found(Section("PrivSyn and SLIM-View", parts))
