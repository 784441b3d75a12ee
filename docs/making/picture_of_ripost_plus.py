"""Pictures of the default method: from a pair table to the estimate, and how the privacy budget is spent."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import ripost

ROWS, SIDE, EPSILON, SEED = 60_000, 32, 0.5, 3  # a fixed seed, so that the picture can be drawn again: not private
SHAPE = {"x": SIDE, "y": SIDE, "a": 4, "b": 3, "c": 3, "d": 4}
BLUE, GREY = "#0072b2", "#8a97a6"
PARTS = {  # purposes of charges -> what the chart calls them
    "planning": "planning",
    "test of dependence": "test of dependence",
    "axis": "histograms",
    "pairs": "tables of pairs",
    "total": "total",
    "axes": "axes",
    "depth": "blocks",
}


@cache
def tensor() -> ripost.Tensor:
    """Synthetic rows of six attributes: y rises with x for most rows and falls for the others."""
    random = np.random.default_rng(SEED)
    hidden, falls = random.uniform(size=ROWS), random.uniform(size=ROWS) < 0.35
    x = random.normal(8 + 16 * hidden, 2.2).clip(0, SIDE - 1)
    y = random.normal(np.where(falls, 26 - 18 * hidden, 6 + 14 * hidden), 2.5).clip(0, SIDE - 1)
    others = 4 * hidden, random.integers(0, 3, ROWS), falls + random.integers(0, 2, ROWS), random.integers(0, 4, ROWS)
    codes = np.column_stack([x, y, *others]).astype(np.int64)
    cells, counts = np.unique(codes, axis=0, return_counts=True)
    return ripost.Tensor.from_arrays(SHAPE, cells, counts)


@cache
def view() -> ripost.View:
    return ripost.publish(tensor(), epsilon=EPSILON, seed=SEED)


@cache
def manifest() -> dict[str, Any]:
    """The manifest of the view, as any reader of the file sees it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "view.parquet"
        view().save(path)
        found: dict[str, Any] = json.loads(pq.read_metadata(path).metadata[b"ripost"])
    return found


def mixture() -> Any:
    """A private table of two attributes, its noisy measurement, the fitted mixture, and the estimate."""
    import matplotlib.pyplot as plt

    panels = {
        "The private table": tensor().answer(*boxes()).reshape(SIDE, SIDE),
        "1. Measure pairs, with noise": noisy_pair(),
        "2. Fit a mixture to all pairs": mixture_cells(),
        "3. Correct it by blocks": view().answer(*boxes()).reshape(SIDE, SIDE),
    }
    figure, axes = plt.subplots(1, len(panels), figsize=(11.2, 3.2))
    highest = float(panels["The private table"].max())
    for axis, (title, cells) in zip(axes, panels.items(), strict=True):
        axis.imshow(cells.T, origin="lower", cmap="Blues", vmin=0, vmax=highest, interpolation="nearest")
        axis.set(title=title, xticks=[], yticks=[], xlabel="x", ylabel="y")
        axis.spines[["right", "top"]].set_visible(True)
    figure.tight_layout()
    return figure


def budget() -> Any:
    """The privacy loss along the path that spends most, by what it was spent on."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8.4, 2.9))
    shares = spent_shares()
    names = list(shares)[::-1]
    axis.barh(names, [100 * shares[name] for name in names], color=BLUE, height=0.62)
    for place, name in enumerate(names):
        axis.text(100 * shares[name] + 0.8, place, f"{100 * shares[name]:.2g} %", va="center", color="#333333")
    axis.set(xlabel="share of epsilon, %", xlim=(0, 65), title="How the privacy budget is spent")
    figure.tight_layout()
    return figure


def boxes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One box per cell of x and y, over all codes of the other attributes."""
    x, y = (axis.ravel() for axis in np.indices((SIDE, SIDE)))
    zeros, ends = np.zeros_like(x), list(SHAPE.values())[2:]
    lower = np.column_stack([x, y, *(zeros for _ in ends)])
    upper = np.column_stack([x + 1, y + 1, *(zeros + end for end in ends)])
    return lower, upper


def noisy_pair() -> NDArray[np.float64]:
    """The table of x and y in the mixture's bins, with noise of the variance that the file states."""
    (pair,) = (pair for pair in manifest()["error_model"]["pairs"] if pair["axes"] == [0, 1])
    cells = tensor().answer(*boxes()).reshape(SIDE, SIDE)
    for axis in (0, 1):
        cells = np.add.reduceat(cells, edges(axis)[:-1], axis=axis)
    noisy = cells + np.random.default_rng(SEED).laplace(0, np.sqrt(pair["variance"] / 2), cells.shape)
    widths = [np.diff(edges(axis)) for axis in (0, 1)]
    density = noisy / np.multiply.outer(*widths)
    return density.repeat(widths[0], axis=0).repeat(widths[1], axis=1)


def mixture_cells() -> NDArray[np.float64]:
    """The mixture's count of each cell of x and y (docs/format.md)."""
    found = manifest()["mixture"]
    one, other = (component_shares(axis) for axis in (0, 1))
    return float(found["total"]) * np.einsum("k,kx,ky->xy", np.array(found["weights"]), one, other)


def component_shares(axis: int) -> NDArray[np.float64]:
    """The share of each code in each component, components as rows."""
    from base64 import b64decode

    levels = np.frombuffer(b64decode(manifest()["mixture"]["attributes"][axis]["levels"]), np.uint8).astype(float)
    bins = levels.reshape(-1, len(edges(axis)) - 1) ** 2
    bins /= bins.sum(axis=1, keepdims=True)
    marginal = np.array(manifest()["marginals"][axis])
    inside = marginal / np.add.reduceat(marginal, edges(axis)[:-1]).repeat(np.diff(edges(axis)))
    return bins.repeat(np.diff(edges(axis)), axis=1) * inside


def edges(axis: int) -> NDArray[np.int64]:
    return np.array(manifest()["mixture"]["attributes"][axis]["edges"])


def spent_shares() -> dict[str, float]:
    """Shares of epsilon along the path that spends most, by kind."""
    ledger = manifest()["privacy"]["ledger"]
    price = [Fraction(entry["epsilon"]) for entry in ledger["entries"]]
    paths: list[tuple[int, ...]] = []
    for before, entry, _ in ledger["steps"]:
        paths.append(() if entry is None else (*paths[before], entry))
    most = max(paths, key=lambda path: sum(price[entry] for entry in path))
    shares: dict[str, float] = defaultdict(float)
    for entry in most:
        purpose = ledger["entries"][entry]["purpose"]
        kind = next(name for start, name in PARTS.items() if purpose.startswith(start))
        shares[kind] += float(price[entry] / Fraction(manifest()["privacy"]["epsilon"]))
    return {name: shares[name] for name in PARTS.values() if name in shares}
