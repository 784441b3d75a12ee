"""GUM: change rows gradually until they have given marginals (Zhang et al. 2021, section 5).

It uses public randomness and released tables only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.arrays import Ints
from ripost.peers.consistent_marginals import NoisyMarginal
from ripost.privacy.noise import Noise

COPIES = 0.5  # share of changed rows that become copies of a row; the others change the marginal's axes only


def fit_rows(noise: Noise, coords: Ints, tables: Sequence[NoisyMarginal], rounds: int) -> Ints:
    """Fit rows, (d, n), to the tables, whose entries sum to n; each round moves fewer rows than the one before."""
    for number in range(rounds):
        coords = coords[:, np.argsort(noise.uniforms(coords.shape[1]))]  # so that no row is favored
        for table in tables:
            _fit(noise, coords, table, 2 / (2 + number))
    return coords


def _fit(noise: Noise, coords: Ints, table: NoisyMarginal, share: float) -> None:
    """Move a share of the surplus in some cells of a marginal to cells with a deficit, in place."""
    axes, sizes = list(table.axes), table.values.shape
    cell = np.ravel_multi_index(tuple(coords[axes]), sizes)
    have = np.bincount(cell, minlength=table.values.size)
    gap = table.values.ravel() - have
    wanted = np.floor(share * np.abs(gap) + noise.uniforms(len(gap))).astype(np.int64)
    fewer, more = np.where(gap < 0, np.minimum(wanted, have), 0), np.where(gap > 0, wanted, 0)
    moves = int(min(fewer.sum(), more.sum()))
    order = np.argsort(cell, kind="stable")
    start = np.cumsum(have) - have
    at = cell[order]
    freed = _some(noise, order[np.arange(len(order)) - start[at] < fewer[at]], moves)
    goal = _some(noise, np.repeat(np.arange(len(gap)), more), moves)
    copied = (noise.uniforms(moves) < COPIES) & (have[goal] > 0)
    pick = (noise.uniforms(moves) * have[goal]).astype(np.int64)[copied]
    coords[:, freed[copied]] = coords[:, order[start[goal[copied]] + pick]]
    coords[np.ix_(np.array(axes), freed[~copied])] = np.unravel_index(goal[~copied], sizes)


def _some(noise: Noise, candidates: Ints, number: int) -> Ints:
    """A random subset of the candidates of this size."""
    chosen: Ints = candidates[np.argsort(noise.uniforms(len(candidates)))[:number]]
    return chosen
