"""Unmeasured in SQL: errors of histograms, and of dependence where blocks alone tell of it.

answering/dependence_variance.py says what the terms are.
"""

from __future__ import annotations

from collections.abc import Sequence

from ripost.answering.content.tree import TreeContent
from ripost.export.database.axis import SqlAxis

PART = "greatest(0.0, coalesce(relied.part, 0.0))"


def write_variance(content: TreeContent, axes: Sequence[SqlAxis], keys: str) -> tuple[list[str], str, str]:
    """Expressions, joins to the groups, and a term to add to a variance; nothing where the error model has none."""
    model, total, row_bound = content.error_model, content.total, content.row_bound
    assert model is not None
    if not (model.margin_weight or model.unmeasured_weight):
        return [], "", ""
    limit = model.outside_weight
    inside = "share" if limit is None else f"least(share, {limit!r} * (1 - share))"
    steps = [f"relied AS (SELECT {keys}, sum(value * {inside}) AS part FROM met WHERE share < 1 GROUP BY {keys})"]
    steps += [_bound(content, axis) for axis in axes]
    joins = f" LEFT JOIN relied USING ({keys})" + "".join(
        f" LEFT JOIN bound_{a.number} USING (rounding, k{a.number})" for a in axes
    )
    bounds = " + ".join(f"bound_{a.number}.bound" for a in axes)
    noise = " + ".join(
        f"bound_{a.number}.noise * ({PART} / greatest({PART}, bound_{a.number}.inside)) ** 2" for a in axes
    )
    share = f"least({PART} / {total!r}, 1.0)" if total > 0 else "0.0"
    rows = max(total / row_bound, 0.0)
    whole = model.unmeasured_weight * row_bound**2 * (rows + model.scatter * rows**model.power)
    dependence = f"{whole!r} * pow({share}, {model.unmeasured_power!r}) * (1 - {share})"
    several = f"CASE WHEN ({bounds}) > 1 THEN {dependence} ELSE 0.0 END"
    found = f"CASE WHEN {PART} > 0 THEN {model.margin_weight!r} * ({noise}) + {several} ELSE 0.0 END"
    return steps, joins, f" + {found}"


def _bound(content: TreeContent, axis: SqlAxis) -> str:
    """By key whether an axis is bound, the noise of its histogram, and the rows that its density has inside."""
    assert content.error_model is not None
    i, size = axis.number, axis.attribute.size
    variance = content.error_model.histogram_variances[i] or 0.0
    inside, source = "p.high - p.low", f"keys_{i} q LEFT JOIN pieces_{i} p USING (rounding, key)"
    whole = float(axis.index.ruler.prefix[-1]) if axis.has_mass else float(size)
    if axis.has_mass:
        for end in ("low", "high"):
            at = f"least(CAST(floor(p.{end}) AS INTEGER), {size - 1})"
            source += f" LEFT JOIN ripost.mass_{i} {end}_at ON {end}_at.code = {at}"
        low, high = (f"({end}_at.before + (p.{end} - {end}_at.code) * {end}_at.mass)" for end in ("low", "high"))
        inside = f"{high} - {low}"
    rows = f"coalesce(sum({inside}), 0.0) * {content.total / whole!r}" if whole > 0 else "0.0"
    codes = "coalesce(sum(p.high - p.low), 0.0)"
    return (
        f"bound_{i} AS (SELECT rounding, key AS k{i}, CAST({codes} < {size} AS INTEGER) AS bound, "
        f"{variance!r} * greatest(0.0, least({codes}, {size} - {codes})) AS noise, {rows} AS inside "
        f"FROM {source} GROUP BY rounding, key)"
    )
