"""Checks of a release with a mixture: what its parts must say of each other and of the ledger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.answering.density_mixture import DensityMixture
from ripost.arrays import Floats
from ripost.errors import ReleaseError
from ripost.estimate.error_model import MeasuredPair
from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.privacy.ledger import Privacy
from ripost.privacy.ledger_check import check_entries, part_variances
from ripost.schema.measure import Measure
from ripost.space.blocks import Blocks

CLOSE = 1e-6  # of the scale: values may differ by this from the mixture and its corrections


def check_corrected(
    mixed: DensityMixture, blocks: Blocks, value: Floats, correction: Floats, *, row_bound: float
) -> None:
    """ReleaseError unless the value of each block is the mixture's sum over it plus its correction."""
    sides = mixed.box_sides(blocks.lower.astype(np.float64), blocks.upper.astype(np.float64))
    found = mixed.sums(sides, len(blocks)) + correction
    scale = max(abs(mixed.mixture.total), float(np.abs(value).max()), row_bound)
    if not (np.abs(found - value) <= CLOSE * scale).all():
        raise ReleaseError("the values of the blocks are not those of the mixture and its corrections")


def check_pairs(pairs: Sequence[MeasuredPair], privacy: Privacy, measure: Measure) -> None:
    """ReleaseError if a measured pair has less noise than all draws of parts of blocks in the ledger allow together."""
    if not pairs:
        return
    check_entries(privacy, bound=measure.bound)
    known = np.array(part_variances(privacy))
    known = np.maximum(known, LEAST_VARIANCE * measure.bound**2) * (measure.step * measure.step)
    least = 1 / float((1 / known).sum()) if len(known) else np.inf
    if min(pair.variance for pair in pairs) < least * (1 - 1e-9):
        raise ReleaseError("a measured pair has less noise than the draws in the ledger have")
