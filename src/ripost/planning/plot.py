"""A plan as a picture: error by the size of a question, drawn by matplotlib."""

from __future__ import annotations

import io
from pathlib import Path

from ripost.errors import InputError
from ripost.explore.palette import PALETTES
from ripost.planning.forecast import Forecast

FORMATS = ("svg", "png", "pdf")


def format_of(path: Path) -> str:
    """The format that a file's name asks for."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise InputError(f"a picture ends in .svg, .png or .pdf, got {path.name!r}")
    return ending


def draw(forecast: Forecast, *, title: str, ending: str) -> bytes:
    """The picture in a format."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        raise InputError(f"a picture needs {missing.name}; run: pip install 'ripost[explore]'") from None
    look = PALETTES[False]
    with rc_context({"svg.hashsalt": "ripost"}):
        figure = Figure(figsize=(7.2, 4.4), layout="constrained", facecolor=look.paper)
        panel = figure.add_subplot()
        lines = forecast.lines
        rows, typical = [line.rows for line in lines], [100 * line.typical.middle for line in lines]
        least, most = ([100 * getattr(line.typical, name) for line in lines] for name in ("least", "most"))
        panel.fill_between(
            rows, least, most, color=look.main, alpha=0.18, linewidth=0, label="over the stand-in tables"
        )
        panel.plot(rows, typical, color=look.main, marker="o", label="typical: half of the questions are off by less")
        most = [(line.rows, 100 * line.nine_in_ten.middle) for line in lines if line.nine_in_ten]
        panel.plot(*zip(*most, strict=True), color=look.main, linestyle="--", label="nine in ten are off by less")
        if all(line.floor is not None for line in lines):
            floor = [100 * (line.floor or 0) for line in lines]
            panel.plot(
                rows, floor, color=look.outline, linestyle=":", label="one count with the whole budget to itself"
            )
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.yaxis.set_major_formatter("{x:,.10g} %")
        panel.set_xlabel("rows that a question holds")
        panel.set_ylabel("error, in % of the true answer")
        panel.set_title(title, loc="left", fontsize=10, parse_math=False)
        panel.grid(color=look.rule, linewidth=0.6)
        panel.legend(fontsize=8, frameon=False)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
        held = io.BytesIO()
        figure.savefig(held, format=ending, dpi=150, metadata={"Date": None} if ending == "svg" else None)
    return held.getvalue()
