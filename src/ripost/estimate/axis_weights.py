"""Axis weights: along which axes the splits of a tree deviated from their expected shares."""

from __future__ import annotations

import math

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.smoother import EDGE, Smoothed
from ripost.space.tree import Tree

LEAST_WEIGHT = 0.2  # of an axis whose splits never deviated; the one that deviated most has 1 more


def axis_weights(tree: Tree, smoothed: Smoothed, records: Floats, dimensions: int) -> Floats | None:
    """How far splits along each axis deviated from their expected shares, relative to the most; None if none did."""
    strayed = np.full(dimensions, np.nan)
    for axis in range(dimensions):
        cut = np.flatnonzero(tree.axis == axis)
        if len(cut) == 0:
            continue
        q = smoothed.model.share[cut].clip(EDGE, 1 - EDGE)
        count = np.maximum(records[cut], 1.0)
        chance = q * (1 - q) * count
        weight = 1 / (chance + smoothed.doubt[cut] / np.maximum(chance, 1e-9))
        excess = float(weight @ (smoothed.strayed[cut] - chance))
        strayed[axis] = math.sqrt(max(excess / max(float(weight @ (chance * count)), 1e-12), 0.0))
    most = float(np.nanmax(strayed)) if not np.isnan(strayed).all() else 0.0
    if most == 0:
        return None
    return np.where(np.isnan(strayed), most, strayed) / most + LEAST_WEIGHT
