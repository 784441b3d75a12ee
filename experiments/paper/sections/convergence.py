"""Figure 3: at which depth blocks converge, and how many of them are uneven inside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from experiments.paper.ask import EPSILON, SHAPE
from experiments.paper.charts import draw_stacked, legend
from experiments.paper.claims import Claim, plain, share
from experiments.paper.plan import BASE, CELL_TREE, PLANE, TREE, TREES
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure
from experiments.paper.subject import Subject
from experiments.report.document import Figure, Section, Table, Text

SAID = {TREE: 0.92, "hdpview": 0.63, BASE: 0.29}
NAMES = {TREE: "PrivTree", "hdpview": "HDPView", BASE: "RIPOST"}
CUTS_A_LEVEL = {TREE: 2, CELL_TREE: 2}  # it cuts both axes at once, which a tree of single cuts counts as two


def convergence(study: Study) -> Found:
    trees = study.with_trials(TREES, SHAPE)
    with study.charts.draw("convergence", columns=len(trees), size=(3 * len(trees), 3.2)) as panels:
        for panel, method in zip(panels.flat, trees, strict=True):
            even, uneven = _by_depth(study, method)
            draw_stacked(
                panel,
                even.tolist(),
                uneven.tolist(),
                title=f"{method}: {_share(study, PLANE, method).value:.0%} uneven",
            )
        legend(panels[0, -1], loc="upper left")
    planes = study.plan.tensors_of("adult", 2)
    rows = []
    for method in trees:
        found = [_share(study, plane, method).value for plane in planes]
        rows.append(
            (
                method,
                f"{_share(study, PLANE, method).value:.0%}",
                figure(_blocks(study, method)),
                f"{min(found):.0%} to {max(found):.0%}",
                f"{np.mean(found):.0%}",
                f"{SAID[method]:.0%}" if method in SAID else "92%?" if method == CELL_TREE else "-",
            )
        )
    table = Table(
        (
            "method",
            f"uneven on {' x '.join(PLANE.attributes)}",
            "blocks there",
            "uneven on other pairs",
            "their mean",
            "paper",
        ),
        tuple(rows),
    )
    parts = (
        Text(
            f"Blocks by the depth at which they converged, on Adult's {' and '.join(PLANE.attributes)} at epsilon "
            f"{EPSILON}, mean of {study.plan.runs} runs. A block is uneven (AE > 0) if its cells do not all have the"
            f" same count: it could be split further. The paper does not name its pair of attributes, so the table "
            f"adds {len(planes)} pairs of the seven."
        ),
        Figure(
            "convergence",
            "Blocks by depth: blue even inside, red uneven.",
            "Panels of stacked bars: number of converged blocks by depth for each method.",
        ),
        table,
        Text(
            "A share of uneven blocks is not an error: a method that splits empty space into tiny blocks has a small"
            " share and no better answers. How many of RIPOST's blocks are empty is in the table of Gowalla below."
        ),
    )
    claims = (tuple(_claims(study, planes, tree)) for tree in study.trees)
    return Found(Section("Convergence", parts), *claims)


def _by_depth(study: Study, method: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Even and uneven blocks at each depth, mean over runs."""
    outcomes = study.results.of(PLANE, method, kind=SHAPE)
    step = CUTS_A_LEVEL.get(method, 1)
    sums = np.zeros((max(len(outcome["depths"]) for outcome in outcomes) // step + 2, 2))
    for outcome in outcomes:
        for depth, pair in enumerate(outcome["depths"]):
            sums[-(-depth // step)] += pair
    last = int(np.flatnonzero(sums.any(axis=1)).max()) + 1
    sums = sums[:last] / len(outcomes)
    return sums[:, 0], sums[:, 1]


def _share(study: Study, plane: Subject, method: str) -> Mean:
    """The share of blocks that are uneven."""
    pairs = [np.sum(outcome["depths"], axis=0) for outcome in study.results.of(plane, method, kind=SHAPE)]
    return Mean.of([pair[1] / pair.sum() for pair in pairs])


def _blocks(study: Study, method: str) -> float:
    return float(np.mean([np.sum(outcome["depths"]) for outcome in study.results.of(PLANE, method, kind=SHAPE)]))


def _claims(study: Study, planes: list[Subject], tree: str) -> list[Claim]:
    """Of this PrivTree."""
    found = []
    methods = {tree if method == TREE else method: method for method in SAID}
    for method, known in methods.items():
        said = SAID[known]
        shares = [_share(study, plane, method).value for plane in planes]
        text = f"{NAMES[known]}: {said:.0%} of the blocks have AE > 0"
        found.append(share("Figure 3", text, said, _share(study, PLANE, method), min(shares), max(shares)))
    blocks = {method: _blocks(study, method) for method in methods}
    found.append(
        plain(
            "Figure 3",
            "HDPView makes more blocks than PrivTree",
            f"{figure(blocks['hdpview'])} against {figure(blocks[tree])}",
            holds=blocks["hdpview"] > blocks[tree],
        )
    )
    means = {method: np.mean([_share(study, plane, method).value for plane in planes]) for method in methods}
    found.append(
        plain(
            "Figure 3",
            "RIPOST leaves the smallest share of uneven blocks, then HDPView, then PrivTree",
            ", ".join(f"{NAMES[known]} {means[m]:.0%}" for m, known in methods.items()) + ", mean over pairs",
            holds=means[BASE] < means["hdpview"] < means[tree],
        )
    )
    return found
