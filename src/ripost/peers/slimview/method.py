"""SLIM-View: a sample of cells, each with its noisy count, and a table of regions for all other cells.

After Laouir and Imine, 2024, changed so that it is differentially private: docs/methods/slimview.md compares it with
their program, peers/slimview/proof.md proves that it spends epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Ints
from ripost.methods.method import Buckets, Method, PublicInputs, check_axes, check_cells
from ripost.methods.parameters import RECORDS, Positive, Reads, Share
from ripost.peers.bucket_tree import halve_buckets
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.noise import Noise
from ripost.space.query_parameters import Margin
from ripost.statistics.totals import TOTAL_OF_PART

MOST_CELLS = 2**22
MOST_REGIONS = 4096


@dataclass(frozen=True)
class SlimView(Method):
    """Keep cells that exceed their noise; the other cells share the totals of random regions evenly."""

    name: ClassVar[str] = "slimview"

    sampling: Share = 0.5  # share of epsilon for the choice of cells
    regions: Annotated[int, Field(ge=1, le=MOST_REGIONS)] = 256  # of the table for all other cells
    strays: Positive = 1.0  # expected number of empty cells among those that are kept
    reads: Reads = RECORDS

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_CELLS)
        check_axes(self.name, inputs.shape)

    def run(self, account: Account) -> Buckets:
        shape, cells = account.shape, math.prod(account.shape)
        axes = tuple(range(len(shape)))
        choosing = Laplace(TOTAL_OF_PART, account.epsilon * share(self.sampling, name="sampling"))
        looks = account.charge_query("choice of cells", choosing, account.root).measure(Margin(axes, shape))
        kept = np.flatnonzero(looks > self.threshold(cells, choosing.scale(account.bound)))
        bucket = random_regions(account.noise, shape, self.regions)
        bucket[kept] = self.regions + np.arange(len(kept))
        _, bucket = np.unique(bucket, return_inverse=True)  # a region may have lost all its cells
        number = int(bucket.max()) + 1
        (left,), _ = account.root.unspent
        measuring = Laplace(TOTAL_OF_PART, left)
        values = account.charge_query("cells and regions", measuring, account.root).measure(
            Margin(axes, shape, bucket, number)
        )
        tree = halve_buckets(number)
        variances = np.full(len(tree), np.inf)
        variances[tree.leaves] = measuring.variance(account.bound)
        return Buckets(bucket, tree, values.astype(np.float64), variances)

    def threshold(self, cells: int, scale: float) -> int:
        """The threshold that noise of this scale exceeds in `strays` of the empty cells, on average."""
        return max(0, math.ceil(scale * math.log(max(1.0, cells / (2 * self.strays)))))


def random_regions(noise: Noise, shape: tuple[int, ...], number: int) -> Ints:
    """Split random boxes at random places, by public randomness, and return the region of each cell, (cells,)."""
    region = np.zeros(shape, np.int64)
    boxes = [tuple((0, size) for size in shape)]
    uniforms = iter(noise.uniforms(3 * number).tolist())
    while len(boxes) < number:
        open_boxes = [n for n, box in enumerate(boxes) if any(high - low > 1 for low, high in box)]
        if not open_boxes:
            break
        which = open_boxes[int(next(uniforms) * len(open_boxes))]
        box = boxes[which]
        axes = [axis for axis, (low, high) in enumerate(box) if high - low > 1]
        axis = axes[int(next(uniforms) * len(axes))]
        low, high = box[axis]
        cut = low + 1 + int(next(uniforms) * (high - low - 1))
        boxes[which] = (*box[:axis], (low, cut), *box[axis + 1 :])
        boxes.append((*box[:axis], (cut, high), *box[axis + 1 :]))
        region[tuple(slice(*side) for side in boxes[-1])] = len(boxes) - 1
    return region.ravel()
