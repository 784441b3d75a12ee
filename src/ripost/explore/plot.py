"""view.plot(): which chart the arguments ask for, drawn by matplotlib for files or by Plotly for interaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ripost.errors import InputError, suggest_nearest
from ripost.explore.chart_axis import MOST_NAMES
from ripost.explore.charts import FEW_NAMES, MOST_PANELS, DependenceChart, MapChart, MarginalChart
from ripost.explore.palette import PALETTES

if TYPE_CHECKING:
    from ripost.view import View

KINDS = ("marginal", "map", "partition", "error", "dependence")
ENGINES = ("matplotlib", "plotly")

Chart = tuple[MarginalChart, ...] | MapChart | DependenceChart


def plot(view: View, *dimensions: str, kind: str | None, engine: str, dark: bool) -> Any:
    """A figure of matplotlib or Plotly."""
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; {suggest_nearest(engine, ENGINES)}")
    try:
        if engine == "plotly":
            from ripost.explore import plotly_figures as figures
        else:
            from ripost.explore import matplotlib_figures as figures  # type: ignore[no-redef]
        chart, look = chart_of(view, dimensions, kind), PALETTES[dark]
        if isinstance(chart, tuple):
            figure = figures.marginals(chart, look)
        elif isinstance(chart, MapChart):
            figure = figures.of_map(chart, look)
        else:
            figure = figures.dependence(chart, look)
        return figures.finish(figure, look, view.privacy.warning)
    except ModuleNotFoundError as missing:
        raise InputError(f"plotting needs {missing.name}; run: pip install 'ripost[explore]'") from None


def chart_of(view: View, dimensions: tuple[str, ...], kind: str | None) -> Chart:
    """What to show: all dimensions, one, or two; or the kind that was asked for."""
    if kind is not None and kind not in KINDS:
        raise InputError(f"there is no kind of picture {kind!r}; {suggest_nearest(kind, KINDS)}")
    if kind == "dependence":
        return DependenceChart.of(view)
    if kind == "marginal" or (kind is None and len(dimensions) <= 1):
        shown = dimensions or view.domain.names[:MOST_PANELS]
        return tuple(MarginalChart.of(view, name, names=MOST_NAMES if len(shown) == 1 else FEW_NAMES) for name in shown)
    if len(dimensions) != 2:
        raise InputError(f"a picture of kind {kind or 'map'} needs two dimensions, got {len(dimensions)}")
    return MapChart.of(view, *dimensions, kind or "map")
