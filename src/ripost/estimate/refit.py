"""Refit: where the view contradicts an axis' own histograms by more than chance, it gives way.

The view's marginal is compared with the histograms at every width. Only if their differences are significant is a
correction learned from them, by the smoother's rule with one pooled scatter, and the view projected onto the
corrected marginals (iterative proportional fitting, which moves values and densities).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.estimate.joint import TINY, Layers
from ripost.estimate.least_squares import Floats
from ripost.estimate.marginal import Marginal, running_sums
from ripost.estimate.smoother import EDGE, ROUNDS
from ripost.estimate.tree_model import UNKNOWN, TreeModel
from ripost.space.blocks import Blocks

SIGNIFICANT = 4.0  # standard errors
KURTOSIS = 5.0  # variance of the square of a Laplace variable, over the square of its variance
ROUNDS_OF_FIT = 5
MOST = 10.0  # a code's mass changes by this factor at most in one round
SOFT = 1e-3  # records added to both sides of a ratio


def refit(
    leaves: Blocks, values: Floats, density: Sequence[Floats], marginals: Sequence[Marginal], total_variance: float
) -> tuple[Floats, list[Floats]]:
    """Values and densities that agree with the marginals wherever these are surely right."""
    density = list(density)
    total = float(values.sum())
    layers = Layers(leaves, density)
    targets = []
    for axis, marginal in enumerate(marginals):
        mass = layers.marginal(axis, values)
        better = corrected(mass, marginal, total_variance)
        targets.append(None if better is None else better * (total / max(float(better.sum()), 1e-9)))
    if all(target is None for target in targets):
        return values, density
    goals = [layers.marginal(a, values) if target is None else target for a, target in enumerate(targets)]
    for _ in range(ROUNDS_OF_FIT):
        for axis, goal in enumerate(goals):
            mass = Layers(leaves, density).marginal(axis, values)
            before = running_sums(density[axis])
            density[axis] = density[axis] * np.clip((goal + SOFT) / (mass + SOFT), 1 / MOST, MOST)
            after = running_sums(density[axis])
            lower, upper = leaves.lower[:, axis], leaves.upper[:, axis]
            values = values * (after[upper] - after[lower]) / np.maximum(before[upper] - before[lower], TINY)
            values = values * (total / max(float(values.sum()), TINY))
    return values, density


def corrected(mass: Floats, marginal: Marginal, total_variance: float) -> Floats | None:
    """A view's marginal moved towards the histograms, or None if they do not contradict it."""
    tree = marginal.tree
    inner = np.flatnonzero(~tree.is_leaf)
    if len(inner) == 0:
        return None
    within = marginal.of_nodes(mass)
    share = marginal.share.copy()
    full = inner[within[inner] > 1]
    share[full] = within[tree.child[full]] / within[full]
    share = share.clip(EDGE, 1 - EDGE)
    measured = marginal.measured
    gap = measured.precision * (measured.value - within)
    precision = measured.precision.copy()
    precision[0] += 1 / total_variance  # the total is right
    records = np.maximum(within, 1.0)
    chance = (share * (1 - share) * records)[inner]
    scatter = np.full(len(tree), UNKNOWN)
    for turn in range(ROUNDS + 1):
        model = TreeModel.of(tree, precision, share, scatter)
        mean = model.means(gap)
        square, doubt = (figure[inner] for figure in model.deviations(mean))
        if turn == 0 and (square / doubt - 1).sum() < SIGNIFICANT * np.sqrt(KURTOSIS * len(inner)):
            return None
        strayed = square - doubt if turn == 0 else square + doubt
        weight = 1 / (chance + doubt / np.maximum(chance, 1e-9))
        factor = max(float(weight @ strayed) / float(weight @ chance), 1e-9)
        scatter[inner] = np.maximum(factor * chance, 1e-6)
    width = np.diff(tree.boxes.lower[tree.leaves, 0], append=len(mass))
    change = np.repeat(mean[tree.leaves] / width, width)
    better: Floats = np.maximum(mass + change, 0)
    return better
