"""The figure of the decay of S^k: the weights that spread a share of epsilon over depth."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from experiments.paper.charts import RULE, legend
from experiments.paper.claims import plain
from experiments.paper.sections.study import Found, Study
from experiments.report.document import Figure, Section, Table, Text
from ripost.privacy.budget import weight

SERIES = (1, 2, 3, 5, 10, 20)
DEPTHS = range(1, 31)
SHADES = ("#a6cee3", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b")
MARKS = "os^vDP"


def decay(study: Study) -> Found:
    with study.charts.draw("decay", size=(7, 3.6)) as panels:
        panel = panels[0, 0]
        for k, shade, mark in zip(SERIES, SHADES, MARKS, strict=True):
            weights = [float(weight(depth, k=k)) for depth in DEPTHS]
            panel.plot(DEPTHS, weights, color=shade, marker=mark, markersize=3.5, linewidth=1.4, label=f"k = {k}")
        panel.set_yscale("log")
        panel.set_title("Weight of each depth, series S^k")
        panel.set_xlabel("depth")
        panel.set_ylabel("share of the budget")
        panel.grid(color=RULE, linewidth=0.7)
        legend(panel, ncols=2)
    rows = tuple(
        (
            str(k),
            *(f"{float(sum(weight(i, k=k) for i in range(1, depth + 1))):.3f}" for depth in (1, 5, 10, 20, 50)),
            f"{float(tail(k, k + 1)):.3f}",
        )
        for k in SERIES
    )
    most = max(float(sum(weight(i, k=k) for i in range(1, 2001))) for k in SERIES)
    slower = all(weight(20, k=a) < weight(20, k=b) for a, b in pairwise(SERIES))
    parts = (
        Text(
            "omega_i = k / ((i + k - 1)(i + k)), with the depth i from 1. No trial is needed, because the weights are "
            "public. The paper counts its offset in two ways. Its derivation names the first term of S^k that is used, "
            "and requires at least k. Its example names the number of terms that are left out, k - 1. Both begin with "
            "the same term, and the weights of all depths add up to exactly 1. With k terms left out they would add "
            "up to k / (k + 1), the last column. RIPOST here uses k = 5, whose first term is the fifth."
        ),
        Figure(
            "decay",
            "Share of the budget that a depth gets, for several k.",
            "Lines on a log scale that fall with depth, the flatter the larger k.",
        ),
        Table(("k", *(f"to depth {depth}" for depth in (1, 5, 10, 20, 50)), "all, with k terms left out"), rows),
    )
    claims = (
        plain(
            "Section 4.2",
            "The weights add up to at most 1, whatever the depth",
            f"at most {most:.4f} to depth 2,000 for k up to {max(SERIES)}; exactly 1 in the limit (proved)",
            holds=most <= 1,
        ),
        plain(
            "Section 4.2", "S^k decays more slowly for larger k", "at depth 20 the weight rises with k", holds=slower
        ),
        plain(
            "Section 4.2",
            "The offset must be at least k",
            "counted as in its derivation, by the first term used: from term k on the weights add up to 1, from "
            "term k - 1 on to more",
            holds=all(tail(k, k) == 1 < tail(k, k - 1) for k in SERIES if k > 1),
        ),
    )
    return Found(Section("Decay of the series", parts), claims)


def tail(k: int, first: int) -> Fraction:
    """The sum of the terms k / (j (j + 1)) of S^k from j = first on."""
    return Fraction(k, first)
