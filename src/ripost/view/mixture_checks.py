"""Checks of a release with a mixture: what its parts must say of each other and of the ledger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.errors import ReleaseError
from ripost.estimate.error_model import MeasuredPair
from ripost.estimate.least_squares import Floats
from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.privacy.ledger import Privacy
from ripost.privacy.ledger_check import check_entries, part_variances
from ripost.space.blocks import Blocks
from ripost.space.measure import Measure
from ripost.view.mixed import Mixed

CLOSE = 1e-6  # of the scale: values may differ by this from the mixture and its corrections


def check_corrected(mixed: Mixed, blocks: Blocks, value: Floats, correction: Floats, *, record: float) -> None:
    """ReleaseError unless the value of each block is the mixture's sum over it plus its correction."""
    found = mixed.totals(blocks.lower.astype(np.float64), blocks.upper.astype(np.float64)) + correction
    scale = max(abs(mixed.mixture.total), float(np.abs(value).max()), record)
    if not (np.abs(found - value) <= CLOSE * scale).all():
        raise ReleaseError("the values of the blocks are not those of the mixture and its corrections")


def check_pairs(pairs: Sequence[MeasuredPair], privacy: Privacy, measure: Measure) -> None:
    """ReleaseError unless the ledger has a draw of parts of blocks with the noise of each measured pair."""
    if not pairs:
        return
    check_entries(privacy, bound=measure.bound)
    known = np.array(part_variances(privacy))
    known = np.maximum(known, LEAST_VARIANCE * measure.bound**2) * (measure.step * measure.step)
    if not all(np.isclose(known, pair.variance, rtol=1e-9, atol=0).any() for pair in pairs):
        raise ReleaseError("the variance of a measured pair is not that of a draw in its ledger")
