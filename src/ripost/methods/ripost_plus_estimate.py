"""The estimate of RIPOST+ from noisy values and public facts alone.

Draws are taken in their order: looks at the total, histograms, tables of pairs, the total of the tree, then its blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.arrays import Floats
from ripost.errors import ReleaseError
from ripost.estimate.marginal import NoisyHistogram
from ripost.estimate.smoother import smooth
from ripost.methods.combine import Measurements
from ripost.methods.measured_tree import Draw, MeasuredTree
from ripost.methods.method import Decomposition
from ripost.methods.pair_measurement import MeasuredPairs, NoisyMargin
from ripost.methods.pricing import Pricing
from ripost.methods.ripost_plus_parameters import RipostPlusParameters
from ripost.methods.root_estimate import RootEstimate
from ripost.privacy.ledger import Currency
from ripost.space.spine import Spine


def estimate_all(method: RipostPlusParameters, measured: MeasuredTree) -> Decomposition:
    """The estimate from everything that was measured."""
    shape, pricing = measured.tree.shape, Pricing(measured.currency is not Currency.EPSILON, measured.bound)
    root = RootEstimate(method, shape, measured.budget, pricing, measured.spine or Spine.none(len(shape)))
    first = min((number for number, draw in enumerate(measured.draws) if draw.table), default=len(measured.draws))
    totals = [number for number, draw in enumerate(measured.draws) if draw.is_total]
    for number in totals:
        if number < first and measured.is_of_root(measured.draws[number]):
            root.add_total(*_in_rows(measured.draws[number], pricing))
    if first == len(measured.draws):
        return estimate_few(root, measured)
    root.plan_cells()
    margins = [_margin(draw, pricing) for draw in measured.draws if draw.table]
    histograms = [[_histogram(found) for found in margins if found.axes == (axis,)] for axis in range(len(shape))]
    last = [measured.draws[number] for number in totals if number > first]
    if not (all(histograms) and last):
        raise ReleaseError("its measurements are not those that ripost+ makes, so it cannot be estimated again")
    root.add_histograms(histograms)
    if pairs := [found for found in margins if len(found.axes) > 1]:
        root.add_pairs(MeasuredPairs.of(shape, pairs))
    root.add_total(*_in_rows(last[0], pricing))
    root.settle()
    return estimate_tree(root, measured, last[1:])


def estimate_few(root: RootEstimate, measured: MeasuredTree) -> Decomposition:
    """The estimate from totals alone: with few rows, noise would hide everything else."""
    tree, unit = measured.tree, measured.bound
    if len(tree) == 1:
        return root.one_block(tree)
    impossible, readings = root.spine.impossible_leaves(tree), root.readings
    for draw in measured.draws:
        if not measured.is_of_root(draw):
            nodes, counts = measured.totals(draw)
            laplace = not root.pricing.gaussian
            readings = readings.also(nodes, counts / unit, root.pricing.in_rows(draw.variance), is_laplace=laplace)
    smoothed = smooth(tree, readings.pin(impossible), np.full(len(tree), 0.5), shrink=False)
    values = smoothed.model.above_zero(smoothed.mean)
    with np.errstate(divide="ignore"):
        variances = unit**2 / readings.pool(len(tree)).precision
    values[impossible], variances[impossible] = 0.0, 0.0
    return Decomposition(tree, values[tree.leaves] * unit, variances)


def estimate_tree(root: RootEstimate, measured: MeasuredTree, blocks: Sequence[Draw]) -> Decomposition:
    """The estimate from that of the whole domain and these draws over blocks of the tree."""
    tree, readings, method = measured.tree, root.readings, root.method
    for draw in blocks:
        nodes, counts = measured.totals(draw)
        variance = root.pricing.in_rows(draw.variance)
        readings = readings.also(nodes, counts / measured.bound, variance, is_laplace=not root.pricing.gaussian)
    impossible = None if root.spine.impossible is None else root.spine.impossible_leaves(tree)
    if impossible is not None:
        readings = readings.pin(impossible)
    released = Measurements(
        tree,
        readings,
        root.shares(tree),
        root.density,
        root.marginals,
        root.total_variance,
        unit=measured.bound,
        pairs=root.pairs,
        mixture=root.mixture,
        impossible=impossible,
    )
    refit = method.refit and root.dense is None  # cells tell more than histograms
    return released.combine(shrink=method.shrink, leeway=method.leeway, joint=method.joint, refit=refit)


def _in_rows(draw: Draw, pricing: Pricing) -> tuple[Floats, float]:
    """The noisy values of a draw and their variance, in rows."""
    return draw.measurement.values / pricing.bound, pricing.in_rows(draw.variance)


def _margin(draw: Draw, pricing: Pricing) -> NoisyMargin:
    assert draw.table is not None
    values, variance = _in_rows(draw, pricing)
    return NoisyMargin(draw.table.axes, draw.table.edges, values.reshape(draw.table.sizes), variance)


def _histogram(margin: NoisyMargin) -> NoisyHistogram:
    return NoisyHistogram(margin.edges[0], margin.values, margin.variance)
