"""Plot: the errors on workloads that bound all dimensions, a panel an epsilon, as SVG and PNG."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.peers import Peers
from experiments.rows import ALL, Row
from experiments.styles import style_of

INK, RULE = "#222222", "#e4e4e4"
ACCENTS: dict[str, dict[str, Any]] = {
    "identity": {"s": 40, "zorder": 3},
    "ripost": {"facecolors": "white", "linewidths": 1.3, "zorder": 4},
    "ripost+": {"s": 42, "zorder": 6},
}
PEER = {"marker": "|", "s": 190, "color": INK, "linewidths": 1.6, "zorder": 5}


def draw(rows: Sequence[Row], methods: Sequence[str], peers: Peers, path: Path) -> str:
    """Write the plot to path with endings .svg and .png; a sentence that says so, or what is missing."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        return "no plot was written: it needs matplotlib, pip install ripost[explore]"
    matplotlib.use("agg")
    from matplotlib import pyplot

    shown = [row for row in rows if row.group == ALL]
    if not shown:
        return "no plot was written: no trial of a workload that bounds all dimensions"
    path.parent.mkdir(parents=True, exist_ok=True)
    with pyplot.rc_context({"svg.hashsalt": "ripost", "font.size": 9}):
        figure = _figure(pyplot, shown, methods, peers)
        for ending in ("svg", "png"):
            metadata = {"Date": None} if ending == "svg" else None
            figure.savefig(path.with_suffix(f".{ending}"), dpi=100, metadata=metadata)
        pyplot.close(figure)
    return f"plot: {path.with_suffix('.svg')} and {path.with_suffix('.png')}"


def _figure(pyplot: Any, rows: Sequence[Row], methods: Sequence[str], peers: Peers) -> Any:
    epsilons = sorted({row.epsilon for row in rows})
    cases = sorted({row.case for row in rows})
    columns = min(2, len(epsilons))
    lines = math.ceil(len(epsilons) / columns)
    height = lines * (0.24 * len(cases) + 0.9) + 0.6
    figure, panels = pyplot.subplots(
        lines, columns, figsize=(12, height), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    for panel, epsilon in zip(panels.flat, epsilons, strict=False):
        _panel(panel, [row for row in rows if row.epsilon == epsilon], methods, peers, cases)
        panel.set_title(f"epsilon {epsilon:g}", loc="left", fontsize=10, fontweight="bold")
    for panel in panels.flat[len(epsilons) :]:
        panel.set_visible(False)
    marks = {
        label: handle for panel in panels.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(marks.values(), marks.keys(), loc="outside lower center", ncols=min(6, len(marks)), frameon=False)
    return figure


def _panel(panel: Any, rows: Sequence[Row], methods: Sequence[str], peers: Peers, cases: Sequence[str]) -> None:
    """One row a case, a marker a method, a tick for the best peer with its name at the right."""
    from matplotlib.ticker import LogFormatter

    for method, mark in _marks(methods):
        points = [(mean, cases.index(row.case)) for row in rows if (mean := row.mean(method))]
        panel.scatter([mean for mean, _ in points], [at for _, at in points], label=method, **mark)
    best = [(*peers.best[row.key], cases.index(row.case)) for row in rows if row.key in peers.best]
    if best:
        panel.scatter([error for _, error, _ in best], [at for _, _, at in best], label="best public peer", **PEER)
    for name, _, at in best:
        panel.annotate(
            name, (1, at), xytext=(5, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
            va="center", fontsize=7, color=INK, annotation_clip=False,
        )  # fmt: skip
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:,.10g}")
    panel.xaxis.set_minor_formatter(LogFormatter())  # labels only where a panel spans less than a decade
    panel.set_yticks(range(len(cases)), cases)
    panel.set_ylim(len(cases) - 0.4, -0.6)
    panel.set_xlabel("RMSE of queries that bound all dimensions (left is better)")
    panel.grid(axis="both", color=RULE, linewidth=0.7)
    panel.set_axisbelow(True)
    panel.tick_params(which="both", length=0, labelbottom=True)
    panel.spines[:].set_visible(False)


def _marks(methods: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A method with its marker; the same method with other options is a hollow mark around the one before."""
    drawn: Counter[str] = Counter()
    for method in methods:
        name, style = method.partition("[")[0], style_of(method)
        look = {"marker": style.marker, "facecolors": style.colour, "edgecolors": style.colour}
        mark: dict[str, Any] = look | {"s": 34, "zorder": 5} | ACCENTS.get(name, {})
        if drawn[name]:
            mark |= {"s": mark["s"] * (1 + 1.5 * drawn[name]), "facecolors": "none", "linewidths": 1.3}
        drawn[name] += 1
        yield style.label, mark
