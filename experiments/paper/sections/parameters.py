"""The figure of hyperparameters: error and blocks of RIPOST as one of them is varied."""

from __future__ import annotations

from typing import Any

from experiments.paper.charts import RULE
from experiments.paper.claims import Claim, plain, tendency
from experiments.paper.items import SWEEPS, sweep
from experiments.paper.plan import PLANE
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure, rank_correlation
from experiments.report.document import Figure, Part, Section, Table, Text
from experiments.styles import style_of

Points = dict[float, Mean]
USUAL = {"epsilon": 0.1, "alpha": 0.3, "gamma": 0.9, "beta": 0.4}


def parameters(study: Study) -> Found:
    errors, blocks = {}, {}
    for name in SWEEPS:
        outcomes = {value: study.results.of(PLANE, *asked) for value, asked in sweep(name).items()}
        errors[name] = {value: Mean.of([o["rmse"]["2"] for o in found]) for value, found in outcomes.items()}
        blocks[name] = {value: Mean.of([o["blocks"] for o in found]) for value, found in outcomes.items()}
    with study.charts.draw("parameters", rows=2, columns=len(SWEEPS), size=(12, 5)) as panels:
        for column, name in enumerate(SWEEPS):
            for panel, points, word in ((panels[0, column], errors, "RMSE"), (panels[1, column], blocks, "blocks")):
                _curve(panel, points[name], name, word)
    parts: tuple[Part, ...] = (
        Text(
            f"Adult's {' and '.join(PLANE.attributes)}; one parameter varied, the others as in the paper (dotted "
            f"lines): epsilon 0.1, alpha 0.3, gamma 0.9, beta 0.4. {study.plan.many_runs} runs; intervals are over "
            "runs."
        ),
        Figure(
            "parameters",
            "Error (above) and number of blocks (below) of RIPOST as one hyperparameter is varied.",
            "Eight small panels: RMSE and number of blocks against epsilon, alpha, gamma and beta.",
        ),
        *(_table(name, errors[name], blocks[name]) for name in SWEEPS),
        Text(
            "Single runs differ by several times, as the intervals show; the authors' repository says that they "
            "averaged 10. Our interpretation: with more budget for tests (beta) and for the decomposition (alpha), a "
            "branch continues to smaller sums before noise stops it, until too little is left for the leaves."
        ),
    )
    return Found(Section("Hyperparameters", parts), tuple(_claims(errors, blocks)))


def _curve(panel: Any, points: Points, name: str, word: str) -> None:
    style = style_of("ripost")
    values = [mean.value for mean in points.values()]
    reach = [
        [mean.value - mean.low for mean in points.values()],
        [mean.high - mean.value for mean in points.values()],
    ]
    options = {"color": style.colour, "marker": style.marker, "markersize": 4, "linewidth": 1.3, "capsize": 2}
    panel.errorbar(list(points), values, yerr=reach, **options)
    panel.axvline(USUAL[name], color="#999999", linestyle=":", linewidth=1)
    panel.set_title(f"{word} by {name}")
    panel.set_xlabel(name)
    panel.set_ylabel(word)
    panel.grid(color=RULE, linewidth=0.7)
    if name == "epsilon":
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_major_formatter("{x:,.10g}")


def _table(name: str, errors: Points, blocks: Points) -> Table:
    heads = (name, *(f"{value:g}" for value in errors))
    return Table(
        heads,
        (
            ("RMSE", *(figure(mean.value) for mean in errors.values())),
            ("blocks", *(figure(mean.value) for mean in blocks.values())),
        ),
    )


def _claims(errors: dict[str, Points], blocks: dict[str, Points]) -> list[Claim]:
    def rank(points: Points) -> float:
        return rank_correlation(list(points), [mean.value for mean in points.values()])

    def ends(points: Points) -> str:
        first, last = min(points), max(points)
        return f"{figure(points[first].value)} at {first:g}, {figure(points[last].value)} at {last:g}"

    best = min(errors["alpha"], key=lambda value: errors["alpha"][value].value)
    said = [
        ("epsilon", "error", -1, "The error falls as epsilon rises"),
        ("epsilon", "blocks", 1, "More blocks are made as epsilon rises"),
        ("alpha", "blocks", 1, "More blocks are made as alpha rises"),
        ("alpha", "error", 1, "The error rises as alpha rises"),
        ("gamma", "blocks", 1, "More blocks are made as gamma rises"),
        ("gamma", "error", -1, "The error falls as gamma rises"),
        ("beta", "error", 0, "The error follows no clear trend in beta"),
        ("beta", "blocks", 0, "The number of blocks follows no clear trend in beta"),
    ]
    found = []
    for name, what, direction, text in said:
        points = errors[name] if what == "error" else blocks[name]
        found.append(tendency("Hyperparameters", text, rank(points), direction, ends(points)))
    low, high = errors["alpha"][best].low, errors["alpha"][best].high
    found.append(
        plain(
            "Hyperparameters",
            "The best alpha lies between 0.2 and 0.4",
            f"the least error, {figure(errors['alpha'][best].value)} [{figure(low)}, {figure(high)}], is at {best:g}",
            holds=0.2 <= best <= 0.4,
        )
    )
    return found
