"""The public side of a phased generative model: directions, mixtures, training and samples from released values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.peers.p3gm.network import GaussianMixture, Layers

Uniforms = Callable[[int], Floats]

LEAST_VARIANCE = 1e-3  # of a component, in the units of rows, whose length is 1
LEAST_WEIGHT = 1e-3
MOMENTUM, MEMORY = 0.9, 0.99  # Kingma and Ba 2015, with a shorter memory, because there are few steps


def directions(moments: Floats, latent: int) -> tuple[Floats, Floats]:
    """The `latent` main directions of a noisy second-moment matrix and the moments along them, largest first."""
    sizes, vectors = np.linalg.eigh(moments)
    return vectors[:, ::-1][:, :latent], sizes[::-1][:latent]


def maximize_mixture(sums: Floats, latent: int) -> GaussianMixture:
    """The mixture that fits noisy sums of counts, places and squares, (components, 1 + 2 latent)."""
    number = np.maximum(sums[:, 0], LEAST_WEIGHT * max(sums[:, 0].sum(), 1.0))
    means = np.clip(sums[:, 1 : 1 + latent] / number[:, None], -1, 1)
    variances = np.clip(sums[:, 1 + latent :] / number[:, None] - means**2, LEAST_VARIANCE, 1)
    return GaussianMixture(number / number.sum(), means, variances)


@dataclass
class Adam:
    """Gradient steps with a rate for each weight (Kingma and Ba 2015)."""

    weights: Floats
    pace: float

    def __post_init__(self) -> None:
        self._mean = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._steps = 0

    def step(self, gradient: Floats, pace: float) -> None:
        self._steps += 1
        self._mean += (1 - MOMENTUM) * (gradient - self._mean)
        self._square += (1 - MEMORY) * (gradient**2 - self._square)
        mean, square = self._mean / (1 - MOMENTUM**self._steps), self._square / (1 - MEMORY**self._steps)
        self.weights = self.weights - self.pace * pace * mean / (np.sqrt(square) + 1e-8)


def normals(uniforms: Uniforms, number: int) -> Floats:
    """Standard normal numbers by Box and Muller."""
    half = (number + 1) // 2
    drawn = uniforms(2 * half)
    radius, angle = np.sqrt(-2 * np.log1p(-drawn[:half])), 2 * np.pi * drawn[half:]
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:number]


def fresh(uniforms: Uniforms, latent: int, hidden: int, hidden_spread: int, outputs: int) -> Layers:
    """Weights before training: small random numbers, zeros in the last layers."""

    def random(rows: int, columns: int) -> Floats:
        scaled: Floats = normals(uniforms, rows * columns).reshape(rows, columns) * np.sqrt(2 / columns)
        return scaled

    spread = np.zeros((latent, hidden_spread + 1))
    spread[:, -1] = -3.0  # places are nearly certain at first
    return Layers(
        (random(hidden_spread, latent + 1), spread),
        (random(hidden, latent + 1), np.zeros((outputs, hidden + 1))),
    )


def sample_latent(uniforms: Uniforms, mixture: GaussianMixture, number: int) -> Floats:
    """Places drawn from a mixture, (number, latent)."""
    component = np.searchsorted(mixture.weights.cumsum()[:-1], uniforms(number), side="right")
    noise = normals(uniforms, number * mixture.means.shape[1]).reshape(number, -1)
    found: Floats = mixture.means[component] + np.sqrt(mixture.variances[component]) * noise
    return found


def decode_latent(uniforms: Uniforms, layers: Layers, place: Floats, outputs: tuple[int, ...]) -> Ints:
    """An output for each axis, drawn by the network's probabilities, (places, axes)."""
    first, last = layers.decode
    hidden = np.maximum(place @ first[:, :-1].T + first[:, -1], 0)
    scores = hidden @ last[:, :-1].T + last[:, -1]
    ends = np.cumsum([0, *outputs])
    drawn = uniforms(len(place) * len(outputs)).reshape(len(place), len(outputs))
    found = np.zeros((len(place), len(outputs)), np.int64)
    for axis, (low, high) in enumerate(pairwise(ends.tolist())):
        odds = np.exp(scores[:, low:high] - scores[:, low:high].max(axis=1, keepdims=True)).cumsum(axis=1)
        found[:, axis] = (odds < drawn[:, [axis]] * odds[:, -1:]).sum(axis=1).clip(0, high - low - 1)
    return found
