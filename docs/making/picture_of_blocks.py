"""Pictures of a partition: from dots to blocks, and a query over it. The dots are synthetic."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ripost

SIDE, DOTS, EPSILON, SEED = 128, 6_000, 0.2, 3  # a fixed seed, so that the picture can be drawn again: not private
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8a97a6"
ASKED = (26, 22, 70, 62)  # left, bottom, right, top


@cache
def dots() -> NDArray[np.float64]:
    """Made-up places: two towns, a road between them, and a few farms."""
    random = np.random.default_rng(SEED)
    along = random.uniform(size=(DOTS // 4, 1))
    towns = np.array([[36.0, 36.0], [92.0, 88.0]])
    return np.concatenate(
        [
            random.normal(towns[0], 6.5, (DOTS // 3, 2)),
            random.normal(towns[1], (10.5, 5.5), (DOTS // 3, 2)),
            towns[0] + along * (towns[1] - towns[0]) + random.normal(0, 2, (len(along), 2)),
            random.uniform(0, SIDE, (DOTS // 12, 2)),
        ]
    ).clip(0, SIDE - 1e-9)


@cache
def tensor() -> ripost.Tensor:
    cells, counts = np.unique(dots().astype(int), axis=0, return_counts=True)
    return ripost.Tensor.from_arrays({"x": SIDE, "y": SIDE}, cells, counts)


@cache
def view(method: str = "ripost+") -> ripost.View:
    return ripost.publish(tensor(), epsilon=EPSILON, method=method, seed=SEED)


def blocks() -> Any:
    """Private dots, the noise that every cell would get, and blocks instead."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(9.6, 3.5))
    panels[0].scatter(*dots().T, s=2, color=BLUE, linewidths=0, rasterized=True)
    panels[0].set_title("The private table")
    panels[0].set_xlabel(f"{len(dots()):,} rows, {SIDE * SIDE:,} cells")
    for panel, method, title in ((panels[1], "identity", "Noise on every cell"), (panels[2], "ripost+", "Blocks")):
        made = view(method)
        panel.imshow(cells(made).T, origin="lower", extent=(0, SIDE, 0, SIDE), cmap="Blues", vmin=0, vmax=12)
        panel.set_title(title)
        panel.set_xlabel(f"{len(made.blocks):,} numbers; error of a range {typical(made):.0f}")
    outline(panels[2], view())
    for panel in panels:
        frame(panel)
    figure.tight_layout()
    return figure


def question() -> Any:
    """Blocks inside a query, and blocks on its border."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch, Rectangle

    figure, panel = plt.subplots(figsize=(7.2, 4.2))
    left, bottom, right, top = ASKED
    for (x, y), (end_x, end_y) in zip(view().blocks.lower, view().blocks.upper, strict=True):
        whole = left <= x and bottom <= y and end_x <= right and end_y <= top
        cut = not whole and x < right and y < top and end_x > left and end_y > bottom
        colour = "#a6cee3" if whole else "#fdbf6f" if cut else "#ffffff"
        hatch = "///" if cut else None
        panel.add_patch(Rectangle((x, y), end_x - x, end_y - y, facecolor=colour, edgecolor=GREY, lw=0.5, hatch=hatch))
    panel.add_patch(Rectangle((left, bottom), right - left, top - bottom, fill=False, edgecolor="#000000", lw=2))
    keys = [Patch(facecolor="#a6cee3", edgecolor=GREY, label="inside: only noise")]
    keys += [
        Patch(facecolor="#fdbf6f", edgecolor=GREY, hatch="///", label="on the border: the share\ninside is estimated")
    ]
    keys += [Patch(facecolor="#ffffff", edgecolor=GREY, label="outside")]
    panel.legend(handles=keys, loc="center left", bbox_to_anchor=(1.02, 0.5))
    panel.set_title("A query (black) over the blocks")
    frame(panel)
    return figure


def cells(made: ripost.View) -> NDArray[np.float64]:
    lower = np.stack([axis.ravel() for axis in np.indices((SIDE, SIDE))], axis=1)
    return made.answer(lower, lower + 1).reshape(SIDE, SIDE)


def typical(made: ripost.View) -> float:
    """The root mean square error over 1,000 random ranges."""
    ends = np.sort(np.random.default_rng(SEED).integers(0, SIDE + 1, (1_000, 2, 2)), axis=2)
    lower, upper = ends[:, :, 0], ends[:, :, 1]
    return float(np.sqrt(np.mean((made.answer(lower, upper) - tensor().answer(lower, upper)) ** 2)))


def outline(panel: Any, made: ripost.View) -> None:
    from matplotlib.patches import Rectangle

    for (x, y), (end_x, end_y) in zip(made.blocks.lower, made.blocks.upper, strict=True):
        panel.add_patch(Rectangle((x, y), end_x - x, end_y - y, fill=False, edgecolor=ORANGE, lw=0.4))


def frame(panel: Any) -> None:
    panel.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal", xticks=[], yticks=[])
    panel.spines[["right", "top"]].set_visible(True)
