"""Errors in SQL: the variance of the noise in each group, and of what is unknown inside blocks, by kind of content.

The noise of a weighted sum of the leaves of a tree (estimate/least_squares.py) is a sum over nodes: let b be the variance
of a node as its subtree tells it, and t the mean of the leaves' weights below it, each level weighted by the b of its
nodes. Then the variance is the sum of b (t - t of the parent)^2, and b t^2 for the root. Multiplied out, each node adds
(b - sum of its children's b) t^2. Nodes that were not measured drop out. `ripost.above` holds how each leaf enters
the t of the nodes above it, `ripost.nodes` the factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ripost.errors import InputError
from ripost.estimate.least_squares import Floats
from ripost.estimate.smoother import POWER
from ripost.export.database.axis import Axis
from ripost.export.database.shares import named
from ripost.space.blocks import Codes
from ripost.space.tree import Tree
from ripost.view.answer import Z_SMOOTHED, Z
from ripost.view.clumps import TOGETHER
from ripost.view.content.tree import TreeContent

MOST_ABOVE = 50_000_000  # pairs of a leaf and a node above it


def of_tree(tree: Tree, variance: Floats) -> dict[str, dict[str, Any]]:
    """The tables above (leaf, node, part) and nodes (node, factor) of a measured tree."""
    below, parent, kept = variance.copy(), np.full(len(tree), -1), tree.is_leaf | np.isfinite(variance)
    kept[0] = True
    for level in reversed(tree.levels):
        inner = level[~tree.is_leaf[level]]
        left = tree.child[inner]
        both = below[left] + below[left + 1]
        measured = np.isfinite(variance[inner])
        own = np.where(measured, variance[inner], 0.0)
        fitted = np.divide(own * both, own + both, out=np.zeros(len(inner)), where=own + both > 0)
        below[inner] = np.where(measured, fitted, both)
        parent[left] = parent[left + 1] = inner
    for level in tree.levels[1:]:  # the nearest node above that is kept
        above = parent[level]
        parent[level] = np.where(kept[above], above, parent[above])
    inner_sum = np.bincount(parent[kept & (parent >= 0)], below[kept & (parent >= 0)], len(tree))
    children = np.bincount(parent[kept & (parent >= 0)], minlength=len(tree))
    up = np.maximum(parent, 0)
    part = np.divide(below, inner_sum[up], out=1.0 / np.maximum(children[up], 1), where=inner_sum[up] > 0)
    factor = below - np.where(tree.is_leaf, 0.0, inner_sum)
    leaf, node, share = _climb(tree.leaves, parent, part)
    needed = np.flatnonzero(kept & (factor != 0))
    use = np.isin(node, needed)
    return {
        "above": {"leaf": leaf[use].astype(np.int32), "node": node[use].astype(np.int32), "part": share[use]},
        "nodes": {"node": needed.astype(np.int32), "factor": factor[needed]},
    }


def _climb(leaves: Codes, parent: Codes, part: Floats) -> tuple[Codes, Codes, Floats]:
    """Each leaf with itself and every kept node above it, and its part in that node's mean."""
    place, node, share = np.arange(len(leaves)), leaves.copy(), np.ones(len(leaves))
    found = []
    while len(place):
        found.append((place, node, share))
        if sum(len(one[0]) for one in found) > MOST_ABOVE:
            raise InputError("the tree of this view is too deep for a database; export it as csv, json-stat or xlsx")
        more = parent[node] >= 0
        place, share, node = place[more], share[more] * part[node[more]], parent[node[more]]
    return tuple(np.concatenate(column) for column in zip(*found, strict=True))  # type: ignore[return-value]


def _noise(source: str, leaf: str, keys: str) -> list[str]:
    """The expressions means and noise, from weights of leaves."""
    return [
        f"means AS (SELECT {keys}, u.node, sum(u.part * w.share) AS t FROM {source} w "
        f"JOIN ripost.above u ON u.leaf = w.{leaf} GROUP BY {keys}, u.node)",
        f"noise AS (SELECT {keys}, greatest(0.0, fsum(n.factor * m.t * m.t)) AS noise FROM means m "
        f"JOIN ripost.nodes n USING (node) GROUP BY {keys})",
    ]


def _totals(keys: str) -> str:
    return f"totals AS (SELECT {keys}, sum(value * share) AS value FROM met GROUP BY {keys})"


def of_blocks(content: TreeContent, axes: Sequence[Axis], keys: str, *, by: bool) -> tuple[list[str], float]:
    """Expressions totals, noise and model for blocks, and how many standard deviations an interval reaches."""
    cuts = ", ".join(f"c{axis.number}" for axis in axes)
    steps = [_totals(keys), *_noise("met", "block", keys)]
    grouped = f"FROM met WHERE share < 1 GROUP BY {keys}, {cuts}"
    if content.smoothing is None:
        each = "greatest(sum(value) ** 2, sum(value * value)) * max(share) * (1 - max(share)) AS model"
        steps.append(f"model AS (SELECT {keys}, sum(model) AS model FROM (SELECT {keys}, {each} {grouped}) GROUP BY {keys})")
        return steps, Z
    unit = content.record

    def scatter(records: str) -> str:
        some = f"greatest(0.0, {records} / {unit!r})"
        return f"({some} + {content.smoothing.roughness!r} * pow({some}, {POWER!r}))"  # type: ignore[union-attr]

    apart = f"sum({scatter('value')} * share * (1 - share))"
    together = f"{scatter('sum(value)')} * max(share) * (1 - max(share))"
    each = f"{(1 - TOGETHER)!r} * {apart} + {TOGETHER!r} * {together} AS model"
    steps.append(
        f"model AS (SELECT {keys}, sum(model) * {unit * unit!r} AS model FROM (SELECT {keys}, {each} {grouped}) "
        f"GROUP BY {keys})"
    )
    root = content.spread.root
    about = " + ".join(f"CAST({named(axis, by=by)} AS INTEGER)" for axis in axes)
    for axis in axes:
        variance = content.smoothing.marginal_variances[axis.number]
        if variance is None:
            continue
        i, rest = axis.number, f"({axis.attribute.size} - sum(high - low))"
        steps.append(
            f"known_{i} AS (SELECT key AS k{i}, least(sum(high - low) * {variance!r}, {rest} * {variance!r} + {root!r}) "
            f"AS known FROM pieces_{i} WHERE {named(axis, by=by)} AND ({about}) = 1 "
            "GROUP BY key HAVING bool_and(low % 1 = 0 AND high % 1 = 0))"
        )
    return steps, Z_SMOOTHED


def known(content: TreeContent, axes: Sequence[Axis]) -> tuple[str, str]:
    """Joins of what histograms tell of questions about one axis alone, and the least of it."""
    if content.smoothing is None:
        return "", "'Infinity'::DOUBLE"
    told = [axis.number for axis in axes if content.smoothing.marginal_variances[axis.number] is not None]
    joins = " ".join(f"LEFT JOIN known_{i} USING (k{i})" for i in told)
    return joins, f"coalesce(least({', '.join(f'known_{i}.known' for i in told)}), 'Infinity'::DOUBLE)" if told else (
        "'Infinity'::DOUBLE"
    )


def of_buckets(keys: str) -> tuple[list[str], float]:
    """A bucket that lies partly in the question counts as one clump."""
    return [
        _totals(keys),
        f"parts AS (SELECT {keys}, m.bucket, least(sum(m.share) / any_value(q.size), 1.0) AS share, "
        f"any_value(q.total) AS total FROM met m JOIN ripost.buckets q USING (bucket) GROUP BY {keys}, m.bucket)",
        *_noise("parts", "bucket", keys),
        f"model AS (SELECT {keys}, sum(total * total * share * (1 - share)) AS model FROM parts GROUP BY {keys})",
    ], Z


def of_matrix(axes: Sequence[Axis], keys: str, variance: float) -> tuple[list[str], float]:
    """Weights of codes in the basis of each axis: the first vector, and the others together (estimate/stack.py)."""
    steps = [_totals(keys)]
    for axis in axes:
        i = axis.number
        steps.append(
            f"turned_{i} AS (SELECT key AS k{i}, sum(y * y) FILTER (WHERE vector = 0) AS first, "
            f"coalesce(sum(y * y) FILTER (WHERE vector > 0), 0.0) AS others FROM (SELECT key, vector, "
            f"sum(share * weight) AS y FROM shares_{i} JOIN ripost.basis_{i} ON code = stretch GROUP BY key, vector) "
            f"GROUP BY key)"
        )
    product = " * ".join(f"CASE WHEN x.b{a.number} THEN turned_{a.number}.others ELSE turned_{a.number}.first END"
                         for a in axes)  # fmt: skip
    source = " CROSS JOIN ".join(f"turned_{a.number}" for a in axes)
    steps.append(
        f"noise AS (SELECT {keys}, greatest(0.0, sum(x.inverse * {product})) * {variance!r} AS noise "
        f"FROM {source} CROSS JOIN ripost.spectrum x GROUP BY {keys})"
    )
    return steps, Z


def of_sample(keys: str) -> tuple[list[str], None]:
    """Nothing is known of the error of synthetic records."""
    return [_totals(keys)], None
