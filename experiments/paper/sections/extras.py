"""What the authors' repository compares with besides: PrivSyn and SLIM-View on Adult."""

from __future__ import annotations

from experiments.paper.charts import legend, lines, method_label
from experiments.paper.plan import BASE, DIMENSIONS, EXTRAS, OURS, SYNTH, TREES
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Part, Section, Table, Text

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
            "accepts. The repository says that each of its own tensors had 100 queries for PrivSyn; here it has 3,000."
        ),
        Figure(
            "extras",
            "R-RMSE of PrivSyn and SLIM-View on Adult.",
            "Lines on a log scale: error relative to RIPOST by number of dimensions.",
        ),
        Table(("dimensions", *SHOWN), rows),
        *_synthetic(study),
    )
    return Found(Section("PrivSyn and SLIM-View", parts))


def _synthetic(study: Study) -> tuple[Part, ...]:
    """Synth-6, if it was run."""
    if not all(len(study.results.errors(subject, BASE)) for subject in SYNTH):
        return ()
    return (
        Text(
            "Synth-6 is the repository's check that RIPOST is ahead of SLIM-View where counts are large: *one 6D "
            "tensor* to whose non-empty cells values from 0 to 200 were added at random, 3,000 queries. It does not "
            "name the tensor. Two were built so: of the first six of HDPView's attributes, and of six with few codes, "
            f"because SLIM-View refuses the former here. Error over that of RIPOST, {study.plan.few_runs} runs:"
        ),
        _table(study),
    )


def _table(study: Study) -> Table:
    methods = [method for method in (*TREES, *EXTRAS) if method != BASE]
    rows = []
    for subject in SYNTH:
        base = study.results.error(subject, BASE)
        told = (_format_ratio(study, subject, method, base) for method in methods)
        rows.append((", ".join(subject.attributes), figure(base), *told, figure(study.results.zero(subject) / base)))
    return Table(("attributes", "RIPOST, RMSE", *map(method_label, methods), "answer zero"), tuple(rows))


def _format_ratio(study: Study, subject: Subject, method: str, base: float) -> str:
    ratio = Mean.of(study.results.errors(subject, method) / base)
    return str(ratio) if ratio.number else "refused" if study.results.refusal(subject, method) else "-"
