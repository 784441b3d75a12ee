"""Distance of marginals from what a public model says of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ripost.arrays import Ints
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import FULL, Distances, Margin
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps, group_tables, split_tables
from ripost.statistics.statistic import LARGEST, PROOFS, Statistic
from ripost.statistics.totals import part_totals

FARTHEST = 2**61  # larger distances are capped


def distance_steps(blocks: Blocks, parameters: Distances) -> Steps:
    """Compute, for each block and marginal, weight times the sum of |n - t| over its parts, plus the offset.

    n counts the rows in a part and t is what the public model says of it. Large sums are formed in Python integers.
    """
    size = len(blocks)
    scores = np.zeros((size, len(parameters.margins)), object)
    facts = list(zip(parameters.tables, parameters.weight.tolist(), parameters.offset.tolist(), strict=True))
    entries = [size * len(margin) for margin in parameters.margins]
    for first, last in group_tables(entries):
        found = yield partial(margin_totals, margins=parameters.margins[first:last])
        for column, table in enumerate(split_tables(found, entries[first:last]), first):
            said, weight, offset = facts[column]
            gaps = abs(table.reshape(size, len(parameters.margins[column])) - said.clip(0, FARTHEST))
            most = float(gaps.max(initial=0)) * gaps.shape[1]
            sums = (gaps if most < FARTHEST else gaps.astype(object)).sum(axis=1).astype(object)
            scores[:, column] = sums * min(max(weight, 0), FULL) + offset
    return scores.clip(-FARTHEST, FARTHEST).astype(np.int64).ravel()


def margin_totals(layout: Layout, margins: Sequence[Margin]) -> Ints:
    """Sums of counts of each block in each part of each marginal, laid end to end."""
    return np.concatenate([part_totals(layout, margin) for margin in margins])


DISTANCE = Statistic("distance", distance_steps, PROOFS / "distance.md", per_count=FULL, norm=LARGEST)
