"""Charts drawn by matplotlib."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import PolyCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ripost.arrays import Floats, Ints
from ripost.explore.chart_axis import ChartAxis
from ripost.explore.charts import DependenceChart, MapChart, MarginalChart
from ripost.explore.palette import Palette, shorten_label

MOST_ERROR_BARS = 40  # bars beyond which intervals are a band


class Picture(Figure):
    """A figure that belongs to no window and that a notebook shows, whether or not pyplot was imported."""

    def _repr_png_(self) -> bytes:
        stream = io.BytesIO()
        self.savefig(stream, format="png")
        return stream.getvalue()


def finish(figure: Figure, look: Palette, warning: str | None) -> Figure:
    """The figure, with a warning on it if there is one."""
    if warning:
        figure.suptitle(warning, color=look.alarm, fontweight="bold", fontsize=10)
    return figure


def _figure(look: Palette, width: float, height: float) -> Figure:
    return Picture(figsize=(width, height), layout="constrained", facecolor=look.paper)


def marginals(charts: tuple[MarginalChart, ...], look: Palette) -> Figure:
    columns = min(3, len(charts))
    lines = math.ceil(len(charts) / columns)
    width, height = (4.2 * columns, 2.9 * lines) if columns > 1 else (7.0, 3.6)
    if columns == 1 and not charts[0].axis.is_ordered:
        height = 1.2 + 0.24 * len(charts[0].axis)
    figure = _figure(look, width, height)
    for number, chart in enumerate(charts, 1):
        panel = _panel(figure.add_subplot(lines, columns, number), look)
        if chart.axis.is_ordered:
            _columns(panel, chart, look, room=int(11 * width / columns))
        else:
            _named_bars(panel, chart, look)
        panel.set_title(chart.axis.title, loc="left", color=look.ink, fontsize=10, fontweight="bold", parse_math=False)
    if any(np.isfinite(chart.low).any() for chart in charts):
        figure.supxlabel("Bars are estimates; lines and bands are 95 % intervals.", color=look.ink, fontsize=8)
    return figure


def _columns(panel: Any, chart: MarginalChart, look: Palette, *, room: int) -> None:
    """Numbers or dates from left to right; many bars have a band of intervals, so that it does not hide them."""
    edges, values = chart.axis.edges, chart.values
    if len(chart.axis) > MOST_ERROR_BARS:
        _bars(panel, edges, values, look, share=1.0, alpha=0.4)
        low, high = (np.append(end, end[-1]) for end in (chart.low, chart.high))
        panel.fill_between(edges, low, high, step="post", color=look.ink, alpha=0.25, linewidth=0)
        panel.stairs(values, edges, color=look.main, linewidth=1.0, baseline=None)
    else:
        _bars(panel, edges, values, look, share=0.9, alpha=0.75)
        known = np.isfinite(chart.low)
        centre = (edges[:-1] + edges[1:]) / 2
        panel.errorbar(centre[known], values[known], _reach(chart)[:, known], fmt="none", capsize=2, **_line(look))
    panel.set_ylabel(chart.measure, color=look.ink, fontsize=8)
    _ticks(panel.xaxis, chart.axis, room=room)
    panel.yaxis.set_major_formatter("{x:,.6g}")
    panel.set_ylim(bottom=min(0.0, float(values.min(initial=0))))


def _named_bars(panel: Any, chart: MarginalChart, look: Palette) -> None:
    """Names from the largest at the top down."""
    places, known = np.arange(len(chart.axis)), np.isfinite(chart.low)
    panel.barh(places, chart.values, height=0.8, color=look.main, alpha=0.75)
    panel.errorbar(
        chart.values[known], places[known], xerr=_reach(chart)[:, known], fmt="none", capsize=2, **_line(look)
    )
    panel.set_yticks(places, [shorten_label(label) for label in chart.axis.labels], parse_math=False)
    panel.set_ylim(len(places) - 0.4, -0.6)
    panel.set_xlabel(chart.measure, color=look.ink, fontsize=8)
    panel.xaxis.set_major_locator(MaxNLocator(4))
    panel.xaxis.set_major_formatter("{x:,.6g}")
    panel.grid(visible=False, axis="y")
    panel.grid(color=look.rule, linewidth=0.6, axis="x")


def _line(look: Palette) -> dict[str, Any]:
    return {"ecolor": look.ink, "elinewidth": 0.8, "capthick": 0.8}


def _reach(chart: MarginalChart) -> Floats:
    """How far intervals reach down and up."""
    return np.maximum(np.stack([chart.values - chart.low, chart.high - chart.values]), 0)


def _bars(panel: Any, edges: Ints, values: Floats, look: Palette, *, share: float, alpha: float) -> None:
    """Draw all bars as one collection, which is faster than artists of their own."""
    centre, width, base = (edges[:-1] + edges[1:]) / 2, share * np.diff(edges), np.zeros_like(values)
    left, right = centre - width / 2, centre + width / 2
    corners = ((left, base), (left, values), (right, values), (right, base))
    outlines = np.stack([np.stack(corner, axis=1) for corner in corners], axis=1)  # (bars, corners, 2)
    panel.add_collection(PolyCollection(list(outlines), facecolors=look.main, alpha=alpha, linewidths=0))
    panel.autoscale_view()


def of_map(chart: MapChart, look: Palette) -> Figure:
    figure = _figure(look, 7.4, 5.4)
    panel = _panel(figure.add_subplot(), look)
    if chart.values is not None:
        _mesh(figure, panel, chart, chart.values, look)
    panel.set_xlim(0, chart.x.edges[-1])
    panel.set_ylim(0, chart.y.edges[-1])
    if chart.boxes is not None:
        (a, b), (c, d) = chart.boxes[:, 0].T, chart.boxes[:, 1].T
        corners = np.stack([np.stack(pair, 1) for pair in ((a, c), (b, c), (b, d), (a, d))], axis=1)
        ink = look.ink if chart.values is None else look.outline
        width = float(np.clip(20 / math.sqrt(len(corners)), 0.15, 0.8))
        panel.add_collection(PolyCollection(list(corners), facecolors="none", edgecolors=ink, linewidths=width))
    for axis, ruler in ((chart.x, panel.xaxis), (chart.y, panel.yaxis)):
        _ticks(ruler, axis, turned=axis is chart.x and not axis.is_ordered)
        ruler.set_label_text(axis.title, color=look.ink)
    panel.grid(visible=False)
    return figure


def _mesh(figure: Figure, panel: Any, chart: MapChart, values: Floats, look: Palette) -> None:
    shown = np.maximum(np.nan_to_num(values, posinf=0), 0)
    top = float(shown.max(initial=0))
    norm = LogNorm(max(top / 1e4, 0.5), top) if top > 1 else Normalize(0, max(top, 1e-9))
    scale = colormaps[look.scale].with_extremes(under=colormaps[look.scale](0.0), bad=look.paper)
    mesh = panel.pcolormesh(chart.x.edges, chart.y.edges, shown, cmap=scale, norm=norm, rasterized=True)
    bar = figure.colorbar(mesh, ax=panel)
    bar.set_label(chart.title, color=look.ink)
    bar.ax.tick_params(which="both", colors=look.ink, labelsize=8)


def dependence(chart: DependenceChart, look: Palette) -> Figure:
    side = max(4.0, 0.5 * len(chart.names) + 2)
    figure = _figure(look, side + 1, side)
    panel = _panel(figure.add_subplot(), look)
    mesh = panel.imshow(chart.strength, cmap=look.scale, vmin=0, vmax=1)
    panel.set_xticks(range(len(chart.names)), chart.names, rotation=60, ha="right", fontsize=8)
    panel.set_yticks(range(len(chart.names)), chart.names, fontsize=8)
    panel.grid(visible=False)
    for (row, column), strength in np.ndenumerate(chart.strength):
        if row != column:
            ink = look.strong if strength > 0.5 else look.weak
            panel.text(column, row, f"{strength:.2f}", ha="center", va="center", fontsize=7, color=ink)
    bar = figure.colorbar(mesh, ax=panel)
    bar.set_label("dependence (Cramer's V)", color=look.ink)
    bar.ax.tick_params(colors=look.ink, labelsize=8)
    return figure


def _panel(panel: Any, look: Palette) -> Any:
    panel.set_facecolor(look.paper)
    panel.tick_params(colors=look.ink, labelsize=8)
    panel.grid(color=look.rule, linewidth=0.6, axis="y")
    panel.set_axisbelow(True)
    for side, spine in panel.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(look.rule)
    return panel


def _ticks(ruler: Any, axis: ChartAxis, *, room: int = 60, turned: bool = False) -> None:
    """Labels of some bins: at the start of a bin of numbers, in the middle of a category."""
    chosen = axis.ticks(room)
    middle = (axis.edges[chosen] + axis.edges[chosen + 1]) / 2
    places = np.where(axis.is_ordered & (chosen < axis.regular), axis.edges[chosen], middle)
    turn = {"rotation": 45, "ha": "right"} if turned else {}
    ruler.set_ticks(places, [shorten_label(axis.marks[i]) for i in chosen], **turn)
    for label in ruler.get_ticklabels():
        label.set_parse_math(False)  # a category may hold a dollar sign
