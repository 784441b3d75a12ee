"""Errors of a view with a mixture in SQL: what measured pairs of attributes tell, or the blocks (docs/format.md).

A group bounds some axes. Each measured pair of them gives a variance, of which the smallest counts, if it is below that
of the blocks. The dependence that bins of the pairs may hide and the noise of the histograms come on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ripost.answering.answer import UNMEASURED
from ripost.answering.content.tree import TreeContent
from ripost.export.database.axis import SqlAxis, text

INFINITE = "'Infinity'::DOUBLE"
CONTENT = "list_inner_product(a.weighted, z.products)"  # the mixture's answer to two axes alone


def table(content: TreeContent) -> dict[str, Any]:
    """The measured pairs of axes, the smaller first."""
    assert content.error_model is not None
    pairs = content.error_model.pairs
    return {
        "pair": np.arange(len(pairs), dtype=np.int32),
        "first": np.array([pair.axes[0] for pair in pairs], np.int32),
        "second": np.array([pair.axes[1] for pair in pairs], np.int32),
        "noise": np.array([pair.variance * pair.misfit for pair in pairs], np.float64),
        "dependence": np.array([pair.dependence for pair in pairs], np.float64),
    }


def scatter_variance(content: TreeContent, amount: str, weight: float = 1.0) -> str:
    """Weight times the variance of a split of an amount, before the factor q (1 - q)."""
    model, unit = content.error_model, content.row_bound
    assert model is not None
    rows = f"greatest(0.0, {amount}) / {unit!r}"
    return f"({weight * unit * unit!r} * ({rows} + {model.scatter!r} * pow({rows}, {model.power!r})))"


def steps(content: TreeContent, axes: Sequence[SqlAxis]) -> list[str]:
    """The expressions boxed, a row a group with what its axes hold, and pooled, with what its measured pairs tell."""
    keys = ", ".join(["rounding", *(f"k{axis.number}" for axis in axes)])
    shown = ", ".join(["rounding", *(f"h{axis.number}.key AS k{axis.number}" for axis in axes)])
    every = " ".join(["roundings", *(f"JOIN held_{axis.number} h{axis.number} USING (rounding)" for axis in axes)])
    places, bounds, withins, histograms, known = (
        ", ".join(f"h{axis.number}.{column}" for axis in axes)
        for column in ("key", "bound", "within", "histogram", "known")
    )
    rest = "list_product([1.0] || b.withins[1:b.first] || b.withins[b.first + 2:b.second] || b.withins[b.second + 2:])"
    return [
        *(_select_axis(content, axis) for axis in axes),
        f"boxed AS (SELECT {shown}, [{places}] AS places, list_sum([{bounds}]) AS bounds, [{withins}] AS withins, "
        f"[{histograms}] AS histograms, least({known}) AS known FROM {every})",
        f"sides AS ({' UNION ALL '.join(_side(axis) for axis in axes)})",
        f"paired AS ({_select_pairs(content)})",
        f"told AS (SELECT {keys}, p.own, p.spread, p.hidden, {rest} AS rest "
        "FROM (SELECT * FROM boxed CROSS JOIN ripost.pairs WHERE bounds > 1) b "
        "JOIN paired p ON p.pair = b.pair AND p.moved = b.rounding AND p.one = b.places[b.first + 1] "
        "AND p.other = b.places[b.second + 1])",
        f"pooled AS (SELECT {keys}, min(rest * rest * own + spread * rest * greatest(0.0, 1 - rest)) AS fitted, "
        f"max(rest * rest * hidden) AS hidden FROM told GROUP BY {keys})",
    ]


def cut_off(content: TreeContent, noise: str, value: str) -> str:
    """What the noise of a histogram adds: a value up to its standard deviation may be one that was cut off at 0."""
    assert content.error_model is not None
    return f"{content.error_model.histogram_weight!r} * greatest(0.0, {noise} - greatest(0.0, {value}) ** 2)"


def variance(content: TreeContent, axes: Sequence[SqlAxis], blocks: str, value: str, correction: str) -> str:
    """The variance of a group, from that of its blocks, its value and its correction of the mixture.

    boxed and pooled are joined to the groups.
    """
    assert content.error_model is not None
    terms = [
        f"boxed.histograms[{i + 1}] * list_product([1.0] || boxed.withins[1:{i}] || boxed.withins[{i + 2}:]) ** 2"
        for i in range(len(axes))
        if content.error_model.histogram_variances[i] is not None
    ]
    noise = f"{content.error_model.histogram_weight!r} * list_sum([0.0, {', '.join(terms)}])" if terms else "0.0"
    told = f"CASE WHEN boxed.bounds = 2 THEN coalesce(pooled.fitted, {blocks}) ELSE least({blocks}, pooled.fitted) END"
    moved = f"{content.error_model.correction_weight!r} * ({correction}) ** 2"
    moved = f"CASE WHEN boxed.bounds = 2 AND pooled.fitted IS NOT NULL THEN {moved} ELSE 0.0 END"
    several = f"{told} + coalesce(pooled.hidden, 0.0) + {noise} + {moved}"
    alone = f"least({blocks} + {cut_off(content, 'list_sum(boxed.histograms)', value)}, boxed.known)"
    return f"CASE WHEN boxed.bounds > 1 THEN {several} ELSE {alone} END"


NOTED = f"CASE WHEN boxed.bounds > 1 AND pooled.fitted IS NULL THEN {text(UNMEASURED)} ELSE '' END"


def _select_axis(content: TreeContent, axis: SqlAxis) -> str:
    """By key what a question holds of an axis: see docs/format.md for s (within), e (cells) and u (uneven)."""
    assert content.error_model is not None and content.mixture is not None
    i, size, known, histogram = axis.number, axis.attribute.size, INFINITE, "0.0"
    if (noise := content.error_model.histogram_variances[i]) is not None:
        rest = f"({size} - codes) * {noise!r} + {content.covariance.root!r}"
        known = f"CASE WHEN codes < {size} AND even THEN least(codes * {noise!r}, {rest}) ELSE {INFINITE} END"
        histogram = f"{noise!r} * greatest(0.0, least(codes, {size} - codes))"
    pieces = (
        f"SELECT rounding, key, coalesce(sum(p.high - p.low), 0.0) AS codes, "
        f"coalesce(bool_and(p.low % 1 = 0 AND p.high % 1 = 0), true) AS even "
        f"FROM keys_{i} LEFT JOIN pieces_{i} p USING (rounding, key) GROUP BY rounding, key"
    )
    mean = f"{content.error_model.centering!r} * sum(v.share) ** 2 / {len(content.mixture.edges[i]) - 1}"
    bins = (
        f"SELECT v.rounding, v.key, sum(b.part * v.share) AS within, "
        f"greatest(0.0, sum(v.share * v.share) - {mean}) AS cells, "
        f"sum(b.part * v.share * (1 - v.share)) AS uneven "
        f"FROM covered_{i} v JOIN ripost.mixture_bins_{i} b USING (bin) GROUP BY v.rounding, v.key"
    )
    return (
        f"held_{i} AS (SELECT rounding, key, CAST(codes < {size} AS INTEGER) AS bound, "
        f"coalesce(within, 0.0) AS within, "
        f"coalesce(cells, 0.0) AS cells, coalesce(uneven, 0.0) AS uneven, {known} AS known, "
        f"{histogram} AS histogram FROM ({pieces}) LEFT JOIN ({bins}) USING (rounding, key))"
    )


def _side(axis: SqlAxis) -> str:
    """What an axis holds where it is bound, with the masses of the components as a list, plain and weighted."""
    i = axis.number
    return (
        f"SELECT {i} AS axis, rounding, key, any_value(h.within) AS within, any_value(h.cells) AS cells, "
        f"any_value(h.uneven) AS uneven, list(m.mass ORDER BY component) AS products, "
        f"list(m.mass * w.weight ORDER BY component) AS weighted FROM held_{i} h "
        f"JOIN masses_{i} m USING (rounding, key) "
        f"JOIN ripost.components w USING (component) WHERE h.bound = 1 GROUP BY rounding, key"
    )


def _select_pairs(content: TreeContent) -> str:
    """Measured pairs by the keys of their axes: variances that the rest of the box multiplies."""
    assert content.mixture is not None and content.error_model is not None
    total = content.mixture.total
    model = content.error_model
    uneven = scatter_variance(content, f"{total!r} * (a.uneven * z.within + z.uneven * a.within)", model.pair_scatter)
    spread = scatter_variance(content, CONTENT, model.pair_scatter)
    noise = f"r.noise * pow(a.cells * z.cells, {model.sum_power!r})"
    distance = f"abs({CONTENT} - {total!r} * a.within * z.within)"
    far = f"coalesce({distance} / nullif({distance} + sqrt({noise}), 0.0), 0.0)"
    noise = f"{noise} * ({model.least_noise!r} + {model.most_noise - model.least_noise!r} * {far})"
    edges = "least(1.0, " + " + ".join(f"coalesce({s}.uneven / nullif({s}.within, 0.0), 0.0)" for s in "az") + ") ** 2"
    shares = " * ".join(f"{s}.within * greatest(0.0, 1 - {s}.within)" for s in "az")
    return (
        f"SELECT pair, a.rounding AS moved, a.key AS one, z.key AS other, {noise} + {uneven} AS own, "
        f"{spread} AS spread, {model.dependence_weight * total**2!r} * dependence * {edges} * {shares} "
        "AS hidden FROM ripost.pairs r JOIN sides a ON a.axis = r.first "
        "JOIN sides z ON z.axis = r.second AND z.rounding = a.rounding"
    )
