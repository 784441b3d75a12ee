"""Unmeasured in SQL: errors of histograms, and of dependence where blocks alone tell of it.

answering/dependence_variance.py says what the terms are.
"""

from __future__ import annotations

from collections.abc import Sequence

from ripost.answering.answer import UNMEASURED
from ripost.answering.content.tree import TreeContent
from ripost.export.database.axis import SqlAxis, text
from ripost.export.database.pairs import INFINITE

PART = "greatest(0.0, coalesce(relied.part, 0.0))"


def write_variance(
    content: TreeContent, keys: str, bounded: Sequence[str], value: str
) -> tuple[list[str], str, str, str | None]:
    """Expressions, joins to the groups, a term to add to a variance, and a note on groups of such a value; nothing
    where the error model has none.

    The expressions `bounded`, one an axis, are joined to the groups.
    """
    model, total, row_bound = content.error_model, content.total, content.row_bound
    assert model is not None
    if not (model.margin_weight or model.unmeasured_weight):
        return [], "", "", None
    limit = model.outside_weight
    inside = "share" if limit is None else f"least(share, {limit!r} * (1 - share))"
    steps = [f"relied AS (SELECT {keys}, sum(value * {inside}) AS part FROM met WHERE share < 1 GROUP BY {keys})"]
    bounds = " + ".join(f"{one}.bound" for one in bounded)
    noise = " + ".join(f"{one}.noise * ({PART} / greatest({PART}, {one}.inside)) ** 2" for one in bounded)
    share = f"least({PART} / {total!r}, 1.0)" if total > 0 else "0.0"
    rows = max(total / row_bound, 0.0)
    whole = model.unmeasured_weight * row_bound**2 * (rows + model.scatter * rows**model.power)
    dependence = f"{whole!r} * pow({share}, {model.unmeasured_power!r}) * (1 - {share})"
    several = f"CASE WHEN ({bounds}) > 1 THEN {dependence} ELSE 0.0 END"
    found = f"CASE WHEN {PART} > 0 THEN {model.margin_weight!r} * ({noise}) + {several} ELSE 0.0 END"
    note = None
    if model.note_share is not None and model.unmeasured_weight:
        is_most = f"({bounds}) > 1 AND {PART} > {model.note_share!r} * greatest(0.0, {value})"
        note = f"CASE WHEN {is_most} THEN {text(UNMEASURED)} ELSE '' END"
    return steps, f" LEFT JOIN relied USING ({keys})", f" + {found}", note


def bound(content: TreeContent, axis: SqlAxis) -> str:
    """The expression bound_i: by key whether an axis is bound, the variance that its histogram tells alone, the noise
    of its histogram, and the rows that its density has inside.
    """
    assert content.error_model is not None
    i, size = axis.number, axis.attribute.size
    variance, known = content.error_model.histogram_variances[i], INFINITE
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
    if variance is not None:
        told = f"least({codes} * {variance!r}, ({size} - {codes}) * {variance!r} + {content.covariance.root!r})"
        even = "coalesce(bool_and(p.low % 1 = 0 AND p.high % 1 = 0), true)"
        known = f"CASE WHEN {codes} < {size} AND {even} THEN {told} ELSE {INFINITE} END"
    return (
        f"bound_{i} AS (SELECT rounding, key AS k{i}, CAST({codes} < {size} AS INTEGER) AS bound, {known} AS known, "
        f"{variance or 0.0!r} * greatest(0.0, least({codes}, {size} - {codes})) AS noise, {rows} AS inside "
        f"FROM {source} GROUP BY rounding, key)"
    )
