"""Draws which package of ripost imports which, in the layers that `.importlinter` holds.

python -m docs.making.imports docs/images/imports.svg
"""

from __future__ import annotations

import argparse
import re
from configparser import ConfigParser
from pathlib import Path
from typing import Any

from docs.making.pictures import STYLE

ROOT = Path(__file__).parents[2]
PRIVATE = {"sources", "data", "check", "draft", "comparing"}
BOUNDARY = {"privacy", "statistics", "methods", "peers", "publishing", "budget_ledger", "planning", "cli"}
BASE = {"errors", "temporary", "markup", "__main__", "testing"}  # small helpers of all others, not drawn
COLORS = {"reads rows": "#d55e00", "spends the budget": "#0072b2", "public": "#4d7c5a"}
COLUMNS = {"reads rows": (0.0, 2.0), "spends the budget": (2.0, 4.0), "public": (4.0, 6.4)}  # left and right
WIDTH, ROW = 6.4, 0.62  # inches: text of 10 points is readable where a phone shows the picture at its own width

Edge = tuple[str, str]


def read_layers(names: set[str]) -> list[list[str]]:
    """The packages that exist, a list for each layer, highest first."""
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    lines = parser["importlinter:contract:layers"]["layers"].split("\n")
    layers = [re.findall(r"\w+", line) for line in lines]
    found = [[word for word in layer if word in names] for layer in layers]
    return [layer for layer in found if layer]


def find_imports() -> tuple[set[str], set[Edge]]:
    """The packages and modules directly below ripost, and who imports whom."""
    import grimp

    graph = grimp.build_graph("ripost", cache_dir=None)
    names = {module.split(".")[1] for module in graph.modules if "." in module}
    edges = set()
    for module in graph.modules - {"ripost"}:
        for imported in graph.find_modules_directly_imported_by(module) - {"ripost"}:
            edges.add((module.split(".")[1], imported.split(".")[1]))
    return names - BASE, {(a, b) for a, b in edges if a != b and not {a, b} & BASE}


def reduce_edges(edges: set[Edge]) -> set[Edge]:
    """The edges that no longer path implies: where a imports b and b imports c, a -> c is not drawn."""
    direct = {name: {b for a, b in edges if a == name} for edge in edges for name in edge}
    below: dict[str, set[str]] = {}

    def find_below(name: str) -> set[str]:
        if name not in below:
            below[name] = direct[name].union(*map(find_below, direct[name]))
        return below[name]

    return {(a, b) for a, b in edges if not any(b in find_below(other) for other in direct[a] - {b})}


def kind_of(name: str) -> str:
    return "reads rows" if name in PRIVATE else "spends the budget" if name in BOUNDARY else "public"


def place(layers: list[list[str]]) -> dict[str, tuple[float, float]]:
    """Where each package stands: a row for each layer, a column for each kind."""
    places = {}
    for row, layer in enumerate(layers):
        for kind, (left, right) in COLUMNS.items():
            names = [name for name in layer if kind_of(name) == kind]
            for order, name in enumerate(names):
                places[name] = (left + (right - left) * (order + 0.5) / len(names), -ROW * row)
    return places


def draw() -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch

    names, edges = find_imports()
    layers = read_layers(names)
    level = {name: row for row, layer in enumerate(layers) for name in layer}
    downward = {(a, b) for a, b in edges if level[a] < level[b] or (level[a] == level[b] and a > b)}
    places = place(layers)
    figure, axes = plt.subplots(figsize=(WIDTH, ROW * (len(layers) + 1)))
    for a, b in sorted(reduce_edges(downward)):
        arrow = {"arrowstyle": "-|>", "color": COLORS[kind_of(a)], "alpha": 0.55, "shrinkA": 11, "shrinkB": 11,
                 "lw": 1.1, "connectionstyle": "arc3,rad=0.12"}  # fmt: skip
        axes.annotate("", places[b], places[a], arrowprops=arrow)
    for name, (x, y) in places.items():
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": COLORS[kind_of(name)], "linewidth": 1.4}
        axes.text(x, y, name, ha="center", va="center", fontsize=11, color=COLORS[kind_of(name)], bbox=box)
    axes.set(xlim=(0, WIDTH), ylim=(-ROW * (len(layers) - 0.4), ROW * 0.5))
    axes.axis("off")
    handles = [Patch(edgecolor=color, facecolor="white", label=label) for label, color in COLORS.items()]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 1.05), ncols=3, fontsize=10)
    return figure


def main(path: str) -> None:
    import matplotlib

    matplotlib.use("agg")
    with matplotlib.rc_context(STYLE):
        figure = draw()
        figure.savefig(path, metadata={"Date": None, "Creator": None} if path.endswith(".svg") else None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", default="docs/images/imports.svg")
    main(parser.parse_args().path)
