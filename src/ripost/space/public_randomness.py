"""Public randomness: the only source of random numbers that are not noise of a release.

They are never combined with private data. They serve for synthetic rows of a published view and for stand-in tables of
the planner. tests/test_architecture.py lists the files that may use them; privacy and methods may not.
"""

from __future__ import annotations

import numpy as np

Generator = np.random.Generator


def public_generator(*seeds: int) -> Generator:
    """A generator for these seeds; other seeds give independent draws. Without seeds it is seeded anew."""
    return np.random.default_rng(seeds or None)
