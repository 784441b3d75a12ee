"""Every method has a look of its own, whatever its options."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from experiments.plot import _marks
from experiments.styles import style_of
from numpy.typing import NDArray

from ripost import METHODS

TOGETHER = (
    *("ripost+", "ripost", "hdpview", "privtree", "privbayes", "p3gm"),
    *("identity", "dawa", "hdmm", "privsyn", "slimview"),
)
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
STRANGER = style_of("no such method")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_style(method: str) -> None:
    style = style_of(method)
    assert (style.colour, style.marker) != (STRANGER.colour, STRANGER.marker)
    assert style.label == method


def test_no_two_methods_look_alike() -> None:
    looks = [(style_of(method).colour, style_of(method).marker) for method in METHODS]
    assert len(set(looks)) == len(METHODS)


@pytest.mark.parametrize(("one", "other"), [*combinations(TOGETHER, 2)])
def test_methods_often_drawn_together_have_far_colours(one: str, other: str) -> None:
    assert np.linalg.norm(_lab(one) - _lab(other)) > 25  # where 2 is the least that an eye sees


def test_options_keep_the_style_and_stand_in_the_label() -> None:
    plain, tuned = style_of("ripost"), style_of("ripost[test_every=2]")
    assert (tuned.colour, tuned.marker, tuned.line) == (plain.colour, plain.marker, plain.line)
    assert tuned.label == "ripost[test_every=2]"


def test_a_plot_tells_options_of_one_method_apart() -> None:
    first, second, third = (mark for _, mark in _marks(["ripost+", "ripost+[joint=false]", "ripost+[depths=2]"]))
    assert first["facecolors"] == "#d55e00" and second["facecolors"] == third["facecolors"] == "none"
    assert first["s"] < second["s"] < third["s"]


def test_matplotlib_knows_the_markers_and_lines() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib.lines import Line2D

    for method in (*METHODS, "no such method"):
        style = style_of(method)
        Line2D([], [], color=style.colour, marker=style.marker, linestyle=style.line)


def _lab(method: str) -> NDArray[np.float64]:
    """The colour in CIELAB, where distance is how different two colours look."""
    level = np.frombuffer(bytes.fromhex(style_of(method).colour[1:]), np.uint8) / 255
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ linear / TO_XYZ.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
