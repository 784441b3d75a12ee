"""Pictures of what is promised: two tables that look alike, what epsilon allows, and whom it protects."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#8a97a6"
COUNT, EPSILON = 100, 0.5


def promise() -> Any:
    """How likely each released count is, with and without one row."""
    import matplotlib.pyplot as plt

    released = np.arange(COUNT - 9, COUNT + 9)
    figure, axes = plt.subplots(figsize=(8, 3.2))
    for place, count, colour, name in (
        (-0.2, COUNT - 1, BLUE, "without your row"),
        (0.2, COUNT, ORANGE, "with your row"),
    ):
        axes.bar(released + place, likelihood(released, count), 0.4, color=colour, label=f"{name}: true count {count}")
    axes.set_xlabel("released count")
    axes.set_ylabel("probability")
    axes.set_xticks(released[::3])
    axes.legend(loc="upper left")
    axes.set_title(f"Epsilon {EPSILON}: two bars differ by a factor of at most {math.exp(EPSILON):.2f}")
    return figure


def likelihood(released: Any, count: int) -> Any:
    """Of discrete Laplace noise around a count."""
    ratio = math.exp(-EPSILON)
    return (1 - ratio) / (1 + ratio) * ratio ** np.abs(released - count)


def epsilon() -> Any:
    """What an attacker may come to believe, and how much noise that costs."""
    import matplotlib.pyplot as plt

    budgets = np.geomspace(0.01, 10, 200)
    figure, (belief, noise) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    for prior, colour, style in ((0.5, BLUE, "-"), (0.1, ORANGE, "--"), (0.01, GREEN, ":")):
        odds = prior / (1 - prior) * np.exp(budgets)
        belief.plot(budgets, 100 * odds / (1 + odds), style, color=colour, lw=2, label=f"prior {100 * prior:g} %")
    belief.set_title("The highest posterior probability")
    belief.set_ylabel("probability of being in the table, %")
    belief.legend(loc="upper left")
    noise.loglog(budgets, 3 / budgets, color=BLUE, lw=2)
    noise.set_title("Noise of one count")
    noise.set_ylabel("19 of 20 draws are below")
    for axes in (belief, noise):
        axes.set_xscale("log")
        axes.set_xlabel("epsilon")
        axes.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
        axes.minorticks_off()
        axes.grid(color="#e2e2e2")
    noise.set_yticks([0.3, 3, 30, 300], ["0.3", "3", "30", "300"])
    figure.tight_layout(w_pad=3)
    return figure


def unit() -> Any:
    """Rows kept of each person, and the price of keeping more."""
    import matplotlib.pyplot as plt

    most = 3
    visits = (1, 2, 7, 3, 1, 5)
    figure, (people, price) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    for person, rows in enumerate(visits):
        places = np.arange(1, rows + 1)
        people.scatter(places[:most], [person] * min(rows, most), s=90, color=BLUE)
        people.scatter(places[most:], [person] * max(rows - most, 0), s=90, facecolors="none", edgecolors=GREY)
    people.set_yticks(range(len(visits)), [f"person {letter}" for letter in "ABCDEF"])
    people.invert_yaxis()
    people.set_xticks([])
    people.set_title(f"max_rows = {most}: at most {most} rows of each are used")
    people.spines[["left", "bottom"]].set_visible(False)
    people.tick_params(left=False)
    limits = np.arange(1, 8)
    kept = np.array([sum(min(rows, limit) for rows in visits) for limit in limits]) / sum(visits)
    price.plot(limits, 100 * kept, "o-", color=BLUE, label="rows kept, %")
    price.plot(limits, 100 * limits / limits[-1], "s--", color=ORANGE, label="noise, % of that at 7")
    price.set_xlabel("max_rows")
    price.set_ylim(0, 105)
    price.legend(loc="lower right")
    price.set_title("More rows kept, more noise")
    price.grid(color="#e2e2e2")
    figure.tight_layout(w_pad=3)
    return figure
