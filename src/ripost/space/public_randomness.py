"""Chance: the one door to randomness that is no noise of a release.

What comes through it never meets private data: synthetic rows of a view that is out already, stand-ins for tables that
planning never reads. Who may use it is named in the architecture's test, one file at a time; privacy and methods are
not among them.
"""

from __future__ import annotations

import numpy as np

Generator = np.random.Generator


def public_generator(*seeds: int) -> Generator:
    """A generator for these seeds, other seeds give draws that are independent of it; without seeds a fresh one."""
    return np.random.default_rng(seeds or None)
