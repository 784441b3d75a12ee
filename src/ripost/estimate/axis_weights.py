"""Axis weights: how far the splits of a tree deviated from their expected shares along each axis."""

from __future__ import annotations

import math

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.smoother import EDGE, Smoothed
from ripost.space.tree import Tree

LEAST_WEIGHT = 0.2  # of an axis whose splits did not deviate; the axis with the largest deviations has 1 more


def axis_weights(tree: Tree, smoothed: Smoothed, rows: Floats, dimensions: int) -> Floats | None:
    """The weight of each axis, by the deviations of its splits relative to the largest; None if no split deviated."""
    deviation = np.full(dimensions, np.nan)
    for axis in range(dimensions):
        cut = np.flatnonzero(tree.axis == axis)
        if len(cut) == 0:
            continue
        q = smoothed.model.share[cut].clip(EDGE, 1 - EDGE)
        count = np.maximum(rows[cut], 1.0)
        chance = q * (1 - q) * count
        weight = 1 / (chance + smoothed.deviation_variance[cut] / np.maximum(chance, 1e-9))
        excess = float(weight @ (smoothed.squared_deviation[cut] - chance))
        deviation[axis] = math.sqrt(max(excess / max(float(weight @ (chance * count)), 1e-12), 0.0))
    most = float(np.nanmax(deviation)) if not np.isnan(deviation).all() else 0.0
    if most == 0:
        return None
    return np.where(np.isnan(deviation), most, deviation) / most + LEAST_WEIGHT
