"""Errors in SQL: the variance of the noise in each group, and of what is unknown inside blocks, by kind of content.

The noise of a weighted sum of the leaves of a tree (estimate/least_squares.py) is a sum over nodes: let b be the
variance of a node as its subtree tells it, and t the mean of the leaves' weights below it, each level weighted by the b
of its nodes. Then the variance is the sum of b (t - t of the parent)^2, and b t^2 for the root. Multiplied out, each
node adds (b - sum of its children's b) t^2. Nodes that were not measured drop out. `ripost.above` holds how each leaf
enters the t of the nodes above it, `ripost.nodes` the factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ripost.answering.answer import Z
from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.tree import TreeContent
from ripost.arrays import Codes, Floats
from ripost.errors import InputError
from ripost.export.database import mixture, pairs, unmeasured
from ripost.export.database.axis import SqlAxis
from ripost.space.tree import Tree

NOISE, MODEL = "coalesce(noise.noise, 0.0)", "coalesce(model.model, 0.0)"
VALUE = "coalesce(totals.value, 0.0)"
MIXED = f"{VALUE} + mixed.value"
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


@dataclass(frozen=True)
class ErrorSql:
    """How a kind of content tells its values and errors: expressions before, joins to the groups, variances, how many
    standard deviations an interval reaches, None where nothing is known, the value, and a note, if it has any.
    """

    steps: list[str]
    joins: str
    noise: str = "NULL"
    model: str = "NULL"
    reach: float | None = None
    value: str = VALUE
    note: str | None = None


def write_errors(content: Content, axes: Sequence[SqlAxis]) -> ErrorSql:
    keys = ", ".join(["rounding", *(f"k{axis.number}" for axis in axes)])
    match content:
        case TreeContent():
            if content.mixture is not None:
                return _of_mixture(content, axes, keys)
            return _of_blocks(axes, keys) if content.error_model is None else _of_smoothed(content, axes, keys)
        case BucketContent():
            return _of_buckets(keys)
        case MatrixContent():
            return _of_matrix(axes, keys, content.variance)
    return ErrorSql([_totals(keys)], f"LEFT JOIN totals USING ({keys})")


def _totals(keys: str, column: str = "value") -> str:
    return f"totals AS (SELECT {keys}, sum({column} * share) AS value FROM met GROUP BY {keys})"


def _join_to_groups(keys: str, *names: str) -> str:
    return " ".join(f"LEFT JOIN {name} USING ({keys})" for name in ("totals", *names))


def _noise(source: str, leaf: str, keys: str) -> list[str]:
    """The expressions means and noise, from weights of leaves."""
    return [
        f"means AS (SELECT {keys}, u.node, sum(u.part * w.share) AS t FROM {source} w "
        f"JOIN ripost.above u ON u.leaf = w.{leaf} GROUP BY {keys}, u.node)",
        f"noise AS (SELECT {keys}, greatest(0.0, fsum(n.factor * m.t * m.t)) AS noise FROM means m "
        f"JOIN ripost.nodes n USING (node) GROUP BY {keys})",
    ]


def _model(axes: Sequence[SqlAxis], keys: str, each: str) -> str:
    """The sum over blocks that are cut along the same intervals (answering/within_block_variance.py)."""
    cuts = ", ".join(f"c{axis.number}" for axis in axes)
    alike = f"SELECT {keys}, {each} AS model FROM met WHERE share < 1 GROUP BY {keys}, {cuts}"
    return f"model AS (SELECT {keys}, sum(model) AS model FROM ({alike}) GROUP BY {keys})"


def _of_blocks(axes: Sequence[SqlAxis], keys: str) -> ErrorSql:
    """Blocks that are cut alike form one cluster."""
    each = "greatest(sum(value) ** 2, sum(value * value)) * max(share) * (1 - max(share))"
    steps = [_totals(keys), *_noise("met", "block", keys), _model(axes, keys, each)]
    return ErrorSql(steps, _join_to_groups(keys, "noise", "model"), NOISE, MODEL, Z)


def _scattered_variance(content: TreeContent, axes: Sequence[SqlAxis], keys: str) -> str:
    """Content is scattered inside blocks as the error model says, partly alike where blocks are cut alike."""
    assert content.error_model is not None
    apart = f"sum({pairs.scatter_variance(content, 'value')} * share * (1 - share))"
    together = f"{pairs.scatter_variance(content, 'sum(value)')} * max(share) * (1 - max(share))"
    alike = content.error_model.together
    return _model(axes, keys, f"({1 - alike!r} * {apart} + {alike!r} * {together})")


def _of_smoothed(content: TreeContent, axes: Sequence[SqlAxis], keys: str) -> ErrorSql:
    """Histograms tell what they know of questions that bound one axis alone."""
    model = content.error_model
    assert model is not None
    bounded = [f"bound_{axis.number}" for axis in axes]
    alone = f"({' + '.join(f'{one}.bound' for one in bounded)}) = 1"
    least = f"CASE WHEN {alone} THEN least({', '.join(f'{one}.known' for one in bounded)}) ELSE {pairs.INFINITE} END"
    histogram = f"CASE WHEN {alone} THEN {' + '.join(f'{one}.noise' for one in bounded)} ELSE 0.0 END"
    clipped = pairs.cut_off(content, histogram, VALUE)
    more, joined, beyond, note = unmeasured.write_variance(content, keys, bounded, VALUE)
    bounds = " ".join(f"LEFT JOIN bound_{a.number} USING (rounding, k{a.number})" for a in axes)
    return ErrorSql(
        [
            _totals(keys),
            *_noise("met", "block", keys),
            _scattered_variance(content, axes, keys),
            *(unmeasured.bound(content, axis) for axis in axes),
            *more,
        ],
        f"{_join_to_groups(keys, 'noise', 'model')} {bounds}{joined}",
        f"least({NOISE}, {least})",
        f"least({MODEL} + {clipped}{beyond}, greatest(0.0, {least} - {NOISE}))",
        model.z,
        note=note,
    )


def _of_mixture(content: TreeContent, axes: Sequence[SqlAxis], keys: str) -> ErrorSql:
    """Blocks correct the mixture, and tell errors where no measured pair tells smaller ones."""
    assert content.error_model is not None
    halves = mixture.Halves.of(axes)
    mixed = f"mixed AS (SELECT {keys}, {mixture.TOTAL} AS value FROM {mixture.FROM_ROUNDED_HALVES})"
    steps = [
        _totals(keys, "correction"),
        *_noise("met", "block", keys),
        _scattered_variance(content, axes, keys),
        *(step for axis in axes for step in (mixture.cover_bins(axis), mixture.masses(axis))),
        *halves.steps("masses", lambda axis: f"m{axis.number}.key AS k{axis.number}", rounded=True),
        mixed,
        *pairs.steps(content, axes),
    ]
    return ErrorSql(
        steps,
        _join_to_groups(keys, "noise", "model", "mixed", "boxed", "pooled"),
        pairs.variance(content, axes, f"({NOISE} + {MODEL})", MIXED, VALUE),
        "0.0",
        content.error_model.z,
        MIXED,
        pairs.NOTED,
    )


def _of_buckets(keys: str) -> ErrorSql:
    """A bucket that lies partly in the question counts as one cluster."""
    steps = [
        _totals(keys),
        f"parts AS (SELECT {keys}, m.bucket, least(sum(m.share) / any_value(q.size), 1.0) AS share, "
        f"any_value(q.total) AS total FROM met m JOIN ripost.buckets q USING (bucket) GROUP BY {keys}, m.bucket)",
        *_noise("parts", "bucket", keys),
        f"model AS (SELECT {keys}, sum(total * total * share * (1 - share)) AS model FROM parts GROUP BY {keys})",
    ]
    return ErrorSql(steps, _join_to_groups(keys, "noise", "model"), NOISE, MODEL, Z)


def _of_matrix(axes: Sequence[SqlAxis], keys: str, variance: float) -> ErrorSql:
    """Weights of codes in the basis of each axis: the first vector, and the others (estimate/kronecker_union.py)."""
    steps = [_totals(keys)]
    for axis in axes:
        i = axis.number
        steps.append(
            f"turned_{i} AS (SELECT rounding, key AS k{i}, sum(y * y) FILTER (WHERE vector = 0) AS first, "
            f"coalesce(sum(y * y) FILTER (WHERE vector > 0), 0.0) AS others FROM (SELECT rounding, key, vector, "
            f"sum(share * weight) AS y FROM shares_{i} JOIN ripost.basis_{i} ON code = interval_id GROUP BY ALL) "
            f"GROUP BY rounding, key)"
        )
    each = (f"CASE WHEN x.b{a.number} THEN turned_{a.number}.others ELSE turned_{a.number}.first END" for a in axes)
    source = " ".join(["roundings", *(f"JOIN turned_{a.number} USING (rounding)" for a in axes)])
    steps.append(
        f"noise AS (SELECT {keys}, greatest(0.0, sum(x.inverse * {' * '.join(each)})) * {variance!r} AS noise "
        f"FROM {source} CROSS JOIN ripost.spectrum x GROUP BY {keys})"
    )
    return ErrorSql(steps, _join_to_groups(keys, "noise"), NOISE, "0.0", Z)
