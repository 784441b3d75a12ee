"""Pictures of errors: noise against shape as blocks grow, and intervals beside the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
from docs.making.picture_of_blocks import EPSILON, SEED, SIDE, tensor, view
from numpy.typing import NDArray

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
ASKED = 40


def errors() -> Any:
    """The two errors of grids from one block to one block a cell, measured over random ranges."""
    import matplotlib.pyplot as plt

    sides = 2 ** np.arange(8)
    lower, upper = ranges(300)
    shape, noise = np.transpose([measure_errors(side, lower, upper) for side in sides])
    figure, axes = plt.subplots(figsize=(7.2, 3.4))
    axes.loglog(sides**2, noise, "s--", color=ORANGE, label="noise: one draw per block")
    axes.loglog(sides[:-1] ** 2, shape[:-1], "^:", color=GREEN, label="model error: rows are not uniform")
    axes.loglog(sides**2, np.hypot(shape, noise), "o-", color=BLUE, lw=2, label="both")
    axes.set_xticks(sides**2, [f"{count:,}" for count in sides**2])
    axes.set_yticks([1, 10, 100, 1_000], ["1", "10", "100", "1,000"])
    axes.minorticks_off()
    axes.set_xlabel("blocks of a grid")
    axes.set_ylabel("typical error of a range, in rows")
    axes.set_title(f"Few blocks: model error. Many blocks: noise. (epsilon {EPSILON})")
    axes.legend(loc="upper right")
    axes.set_ylim(1, 30_000)
    return figure


def measure_errors(side: int, lower: NDArray[np.int64], upper: NDArray[np.int64]) -> tuple[float, float]:
    """Root mean square of the error of shape and of the noise, for a grid of side x side equal blocks."""
    width = SIDE // side
    corners = np.stack([axis.ravel() for axis in np.indices((side, side))], axis=1) * width
    totals = tensor().answer(corners, corners + width)
    low, high = np.maximum(lower[:, None], corners), np.minimum(upper[:, None], corners + width)
    shares = np.prod(np.maximum(high - low, 0) / width, axis=2)
    strays = shares @ totals - tensor().answer(lower, upper)
    variance = (shares**2).sum(1) * 2 / EPSILON**2
    return float(np.sqrt(np.mean(strays**2))), float(np.sqrt(np.mean(variance)))


def intervals() -> Any:
    """Intervals of random questions beside the true answers."""
    import matplotlib.pyplot as plt

    lower, upper = ranges(ASKED)
    truth = tensor().answer(lower, upper)
    order = np.argsort(truth)
    asked = [view().count({"x": (x, to_x - 1), "y": (y, to_y - 1)}) for (x, y), (to_x, to_y) in
             zip(lower[order].tolist(), upper[order].tolist(), strict=True)]  # fmt: skip
    low, high = (np.array([getattr(answer, end) for answer in asked]) - truth[order] for end in ("low", "high"))
    value = np.array([answer.value for answer in asked]) - truth[order]
    held = (low <= 0) & (high >= 0)
    figure, axes = plt.subplots(figsize=(8.6, 3.2))
    for which, colour, style, name in ((held, BLUE, "o", "contains it"), (~held, ORANGE, "X", "misses it")):
        places = np.flatnonzero(which)
        axes.vlines(places, low[which], high[which], color=colour, lw=2)
        axes.plot(places, value[which], style, color=colour, label=f"{name}: {which.sum()} of {ASKED}")
    axes.axhline(0, color="#000000", lw=1)
    axes.set_xticks([])
    axes.set_xlabel(
        f"{ASKED} random queries, from the fewest rows ({truth.min():,.0f}) to the most ({truth.max():,.0f})"
    )
    axes.set_ylabel("answer minus true answer, rows")
    axes.set_title("95 % intervals around the view's answers; the black line is the true answer")
    axes.legend(loc="upper left", ncols=2)
    axes.set_ylim(1.35 * low.min(), 1.6 * high.max())
    return figure


def ranges(number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Random ranges that are not empty."""
    random = np.random.default_rng(SEED + 1)
    sizes = random.integers(2, SIDE + 1, (number, 2))
    lower = random.integers(0, SIDE - sizes + 1)
    return lower, lower + sizes
