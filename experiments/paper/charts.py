"""Charts: drawings of the report as SVG; a method has the same colour and marker in all of them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.paper.statistics import Mean
from experiments.styles import style_of
from ripost.errors import InputError

RULE, INK = "#e2e2e2", "#222222"
EVEN, UNEVEN = "#4477aa", "#cc3311"  # blocks with and without an aggregation error of zero
SETTINGS = {
    "svg.hashsalt": "ripost",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": "#999999",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Charts:
    """Where drawings go; nowhere if there is no folder, for the numbers alone."""

    folder: Path | None = None

    @contextmanager
    def draw(self, name: str, *, rows: int = 1, columns: int = 1, size: tuple[float, float]) -> Iterator[Any]:
        """Panels to draw in, (rows, columns), saved when the block ends."""
        matplotlib = _matplotlib()
        from matplotlib import pyplot

        with matplotlib.rc_context(SETTINGS):
            drawing, panels = pyplot.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
            yield panels
            if self.folder is not None:
                self.folder.mkdir(parents=True, exist_ok=True)
                _save(drawing, self.folder / f"{name}.svg")
            pyplot.close(drawing)


def _save(drawing: Any, path: Path) -> None:
    """Without a date, so that the same trials make the same file; coordinates to a tenth of a point."""
    text = io.StringIO()
    drawing.savefig(text, format="svg", metadata={"Date": None})
    short = re.sub(r' d="[^"]*"', lambda found: re.sub(r"(\.\d)\d+", r"\1", found[0]), text.getvalue())
    path.write_text("\n".join(line.rstrip() for line in short.splitlines()) + "\n", "utf-8")


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise InputError("figures need matplotlib; run: pip install 'ripost[explore]'") from None
    matplotlib.use("agg")
    return matplotlib


def lines(
    panel: Any,
    series: Mapping[str, Mapping[float, Mean]],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    base: str | None = None,
) -> None:
    """A line a method with its intervals, both ends on a log scale; `base` names what the line at 1 stands for."""
    for method, points in series.items():
        known = {at: mean for at, mean in points.items() if mean.number}
        if not known:
            continue
        style = style_of(method)
        values = np.array([mean.value for mean in known.values()])
        down = values - [mean.low for mean in known.values()]
        up = np.array([mean.high for mean in known.values()]) - values
        hollow = {"linestyle": ":", "markerfacecolor": "white"}
        other = "[" in method or method.endswith("(cells)")
        look: dict[str, str] = hollow if other else {"linestyle": style.line}
        panel.errorbar(
            list(known),
            values,
            yerr=np.maximum([down, up], 0),
            label=method_label(method),
            color=style.colour,
            marker=style.marker,
            **look,
            markersize=5.5,
            linewidth=1.5,
            elinewidth=0.9,
            capsize=2,
            zorder=5 if method.startswith("ripost") else 4,
        )
    if base:
        panel.axhline(1, color=style_of(base).colour, linestyle=style_of(base).line, linewidth=1.2, label=f"{base} = 1")
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter("{x:,.10g}")
    panel.yaxis.set_minor_formatter(between())
    if log_x:
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:,.10g}")
    else:
        panel.set_xticks(sorted({at for points in series.values() for at in points}))
    panel.set_title(title)
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.grid(color=RULE, linewidth=0.7, which="major")


def between() -> Any:
    """Labels between powers of ten, only where a panel spans less than one."""
    from matplotlib.ticker import LogFormatter

    class Between(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return f"{x:,.10g}" if super().__call__(x, pos) else ""

    return Between(minor_thresholds=(1, 0.4))


def method_label(method: str) -> str:
    """A method as it is called in figures and tables."""
    return method.replace('[reads="cells"]', " (cells)")


def legend(panel: Any, **options: Any) -> None:
    panel.legend(fontsize=8, **options)


def draw_stacked(panel: Any, even: Sequence[float], uneven: Sequence[float], *, title: str) -> None:
    """Blocks by depth: those even inside below, the others above."""
    depth = np.arange(len(even))
    panel.bar(depth, even, color=EVEN, label="even inside (AE = 0)", width=0.8)
    panel.bar(depth, uneven, bottom=even, color=UNEVEN, label="uneven (AE > 0)", width=0.8)
    panel.set_title(title)
    panel.set_xlabel("depth at which a block converged")
    panel.set_ylabel("blocks, mean of runs")
    panel.grid(axis="y", color=RULE, linewidth=0.7)
