"""Draws docs/images/flights.svg: a private table beside its public view. Run after `make demo`.

python examples/picture.py demo/flights.parquet demo/flights.ripost.parquet docs/images/flights.svg
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

import ripost

WIDTH, HEIGHT, LEFT, TOP, GAP = 12, 24, 44, 40, 70  # of a cell, of the margins, between the pictures
HOURS, DELAYS = 19, 34  # hours 5 to 23; delay bins of ten minutes from -30


def exact(table: Path) -> NDArray[np.float64]:
    """Flights by hour and delay, from the private table."""
    rows = duckdb.sql(
        f"SELECT hour, least(greatest(floor((dep_delay + 30) / 10), 0), 32) AS d, count(*) FROM '{table}' "
        "WHERE hour >= 5 AND dep_delay IS NOT NULL GROUP BY ALL"
    ).fetchall()
    grid = np.zeros((HOURS, DELAYS - 1))
    for hour, delay, flights in rows:
        grid[int(hour) - 5, int(delay)] = flights
    return grid


def released(view: ripost.View) -> NDArray[np.float64]:
    """The same from the public view."""
    hour, delay = view.domain.axis("hour"), view.domain.axis("dep_delay")
    lower = np.zeros((HOURS * (DELAYS - 1), len(view.domain)), np.int64)
    upper = np.tile(view.domain.shape, (len(lower), 1))
    lower[:, hour], lower[:, delay] = (axis.ravel() for axis in np.indices((HOURS, DELAYS - 1)))
    lower[:, hour] += 5
    upper[:, hour], upper[:, delay] = lower[:, hour] + 1, lower[:, delay] + 1
    return view.answer(lower, upper).reshape(HOURS, DELAYS - 1)


def shade(value: float, most: float) -> str:
    """A colour of one hue, darker for more, on a logarithmic scale."""
    part = min(math.log1p(max(value, 0)) / math.log1p(most), 1)
    return "#{:02x}{:02x}{:02x}".format(*(round(247 + (dark - 247) * part) for dark in (8, 48, 107)))


def panel(grid: NDArray[np.float64], x: int, title: str) -> str:
    """One heat map on a logarithmic scale of one hue, readable by the colour-blind."""
    parts = [f'<text x="{x}" y="{TOP - 16}" class="title">{title}</text>']
    for (hour, delay), value in np.ndenumerate(grid):
        parts.append(
            f'<rect x="{x + delay * WIDTH}" y="{TOP + hour * HEIGHT // 2}" width="{WIDTH}" height="{HEIGHT // 2}" '
            f'fill="{shade(value, grid.max())}"/>'
        )
    bottom = TOP + HOURS * HEIGHT // 2
    for minutes in (-30, 60, 180, 290):
        place = x + (minutes + 30) // 10 * WIDTH
        parts.append(f'<text x="{place}" y="{bottom + 16}">{minutes}</text>')
    parts.append(f'<text x="{x}" y="{bottom + 34}">departure delay, minutes</text>')
    for hour in (6, 12, 18, 23):
        parts.append(f'<text x="{x - 8}" y="{TOP + (hour - 5) * HEIGHT // 2 + 10}" text-anchor="end">{hour}h</text>')
    return "\n".join(parts)


def write(target: str, width: int, height: int, body: str, label: str) -> None:
    """A picture as an SVG file."""
    Path(target).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{label}">\n'
        "<style>text{font:12px sans-serif;fill:#444}.title{font-weight:bold;fill:#111}"
        ".block{fill:none;stroke:#d95f02;stroke-width:.5}</style>\n"
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n',
        "utf-8",
    )


def main(table: str, view: str, target: str) -> None:
    wide = (DELAYS - 1) * WIDTH
    first, second = LEFT, LEFT + wide + GAP
    opened = ripost.open(view)
    epsilon = float(opened.privacy.epsilon)
    width, height = second + wide + 20, TOP + HOURS * HEIGHT // 2 + 48
    body = panel(exact(Path(table)), first, "Private: 336,776 flights")
    body += panel(released(opened), second, f"Public: {len(opened.blocks):,} blocks, epsilon {epsilon:g}")
    write(target, width, height, body, "Flights by hour and delay, in the private table and in the public view")


if __name__ == "__main__":
    main(*sys.argv[1:])
