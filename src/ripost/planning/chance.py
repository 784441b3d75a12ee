"""Where the randomness of stand-in tables and of questions to them comes from.

It is no noise of a release: what is drawn here stands in for data that planning never reads. It is seeded, so that a
plan can be made again.
"""

from __future__ import annotations

import numpy as np

Chance = np.random.Generator


def chance(*seeds: int) -> Chance:
    """A generator for these seeds; other seeds give draws that are independent of it."""
    return np.random.default_rng(seeds)
