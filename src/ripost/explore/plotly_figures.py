"""Charts drawn by Plotly, to hover over and zoom."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ripost.explore.chart_axis import ChartAxis
from ripost.explore.charts import DependenceChart, MapChart, MarginalChart
from ripost.explore.palette import Palette, shorten_label

MOST_CAPS = 30  # bars whose error bars have caps


def finish(figure: go.Figure, look: Palette, warning: str | None) -> go.Figure:
    """The figure in its colours; in a notebook it shows itself."""
    figure.update_layout(
        paper_bgcolor=look.paper, plot_bgcolor=look.paper, font_color=look.ink, showlegend=False, margin_t=60
    )
    figure.update_xaxes(gridcolor=look.rule, zerolinecolor=look.rule)
    figure.update_yaxes(gridcolor=look.rule, zerolinecolor=look.rule)
    if warning:
        figure.update_layout(title={"text": escape(warning), "font": {"color": look.alarm, "size": 14}})
    return figure


def marginals(charts: tuple[MarginalChart, ...], look: Palette) -> go.Figure:
    columns = min(3, len(charts))
    lines = math.ceil(len(charts) / columns)
    titles = [escape(chart.axis.title) for chart in charts]
    figure = make_subplots(lines, columns, subplot_titles=titles)
    for number, chart in enumerate(charts):
        place = {"row": number // columns + 1, "col": number % columns + 1}
        figure.add_trace(_bars(chart, look), **place)
        measure = escape(chart.measure)
        if chart.axis.is_ordered:
            ends = [chart.axis.edges[0], chart.axis.edges[-1]]
            figure.update_xaxes(**_ticks(chart.axis, room=120 // columns), tickangle=0, range=ends, **place)
            figure.update_yaxes(title_text=measure, **place)
        else:
            figure.update_yaxes(**_ticks(chart.axis), autorange="reversed", **place)
            figure.update_xaxes(title_text=measure, nticks=5, **place)
    figure.update_layout(height=320 * lines)
    return figure


def _bars(chart: MarginalChart, look: Palette) -> go.Bar:
    """Bars from left to right, or of names from the largest at the top down, with their intervals."""
    known = np.isfinite(chart.low)
    rows = zip(chart.axis.labels, chart.values, chart.low, chart.high, known, strict=True)
    told = [
        f"{escape(label)}<br>{value:,.0f}" + (f"<br>95 %: {low:,.0f} to {high:,.0f}" if is_known else "")
        for label, value, low, high, is_known in rows
    ]
    centre, width = (chart.axis.edges[:-1] + chart.axis.edges[1:]) / 2, np.diff(chart.axis.edges) * 0.9
    errors = {
        "type": "data",
        "symmetric": False,
        "array": np.where(known, np.maximum(chart.high - chart.values, 0), 0),
        "arrayminus": np.where(known, np.maximum(chart.values - chart.low, 0), 0),
        "color": look.ink,
        "thickness": 0.8,
        "width": 3 if len(chart.axis) <= MOST_CAPS else 0,
        "visible": bool(known.any()),
    }
    is_ordered = chart.axis.is_ordered
    places = {"x": centre, "y": chart.values} if is_ordered else {"x": chart.values, "y": centre}
    return go.Bar(
        **places,
        **{"error_y" if is_ordered else "error_x": errors},
        orientation="v" if is_ordered else "h",
        width=width,
        marker={"color": look.main, "opacity": 0.75, "line_width": 0},
        hovertext=told,
        hoverinfo="text",
    )


def of_map(chart: MapChart, look: Palette) -> go.Figure:
    figure = go.Figure()
    if chart.values is not None:
        shown = np.maximum(np.nan_to_num(chart.values, posinf=0), 0)
        figure.add_trace(
            go.Heatmap(
                x=chart.x.edges,
                y=chart.y.edges,
                z=np.log10(1 + shown),
                customdata=np.round(chart.values, 2),
                hovertemplate=f"{escape(chart.title)} %{{customdata:,}}<extra></extra>",
                colorscale=look.scale,
                colorbar={"title": f"{escape(chart.title)}, log10(1 + n)"},
            )
        )
    if chart.boxes is not None:
        (a, b), (c, d) = chart.boxes[:, 0].T, chart.boxes[:, 1].T
        gap = np.full_like(a, np.nan)
        x, y = (np.stack(ends, axis=1).ravel() for ends in ((a, b, b, a, a, gap), (c, c, d, d, c, gap)))
        line = {"color": look.ink if chart.values is None else look.outline, "width": 0.6}
        figure.add_trace(go.Scattergl(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    figure.update_xaxes(title_text=escape(chart.x.title), **_ticks(chart.x))
    figure.update_yaxes(title_text=escape(chart.y.title), **_ticks(chart.y))
    figure.update_layout(height=560)
    return figure


def dependence(chart: DependenceChart, look: Palette) -> go.Figure:
    names = [escape(name) for name in chart.names]
    figure = go.Figure(
        go.Heatmap(
            x=names,
            y=names,
            z=chart.strength,
            zmin=0,
            zmax=1,
            colorscale=look.scale,
            texttemplate="%{z:.2f}",
            colorbar={"title": "Cramer's V"},
        )
    )
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(height=120 + 40 * len(names))
    return figure


def _ticks(axis: ChartAxis, *, room: int = 60) -> dict[str, Any]:
    chosen = axis.ticks(room)
    middle = (axis.edges[chosen] + axis.edges[chosen + 1]) / 2
    places = np.where(axis.is_ordered & (chosen < axis.regular), axis.edges[chosen], middle)
    return {"tickvals": places.tolist(), "ticktext": [escape(shorten_label(axis.marks[i])) for i in chosen]}
