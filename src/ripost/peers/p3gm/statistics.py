"""Statistics of p3gm: sums of vectors of bounded length, one vector per row. They need Gaussian noise."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ripost.peers.p3gm.bounded_sums import responsibilities, second_moments
from ripost.peers.p3gm.gradients import gradients
from ripost.peers.p3gm.network import Encoding, Lesson, Places
from ripost.space.blocks import Blocks
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import LENGTH, Statistic

FOLDER = Path(__file__).parent


def second_moment_steps(_: Blocks, parameters: Encoding) -> Steps:
    return (yield partial(second_moments, parameters=parameters))


def responsibility_steps(_: Blocks, parameters: Places) -> Steps:
    return (yield partial(responsibilities, parameters=parameters))


def gradient_steps(_: Blocks, parameters: Lesson) -> Steps:
    return (yield partial(gradients, parameters=parameters))


SECOND_MOMENT = Statistic(
    "second moment",
    second_moment_steps,
    FOLDER / "second_moment.md",
    per_count=2**24,
    norm=LENGTH,
    in_memory_only=True,
)
RESPONSIBILITY = Statistic(
    "responsibility",
    responsibility_steps,
    FOLDER / "responsibility.md",
    per_count=2**28,
    norm=LENGTH,
    in_memory_only=True,
)
GRADIENT = Statistic(
    "gradient", gradient_steps, FOLDER / "gradient.md", per_count=2**28, norm=LENGTH, in_memory_only=True
)
