"""The mixture of a view in SQL: the mass of each component inside a question, and the sum over components.

A question covers a share of each bin of an axis; the shares of the bins in each component turn that into one mass per
component. The axes form two halves. Of each half every group has a list of products, one per component, so that the sum
over components of the product over all axes is one inner product of two lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.mixture import Mixture, before_codes
from ripost.export.database.axis import SqlAxis

Columns = dict[str, Any]


def tables(mixture: Mixture, axes: Sequence[SqlAxis]) -> dict[str, Columns]:
    """The components, and for each axis the bins, the shares of the components in them, and the mass inside bins."""
    made: dict[str, Columns] = {
        "components": {
            "component": np.arange(len(mixture.weights), dtype=np.int32),
            "weight": mixture.total * mixture.weights,
        }
    }
    for axis in axes:
        i, edges = axis.number, mixture.edges[axis.number]
        density, count = axis.index.ruler.marginal, len(edges) - 1
        part = np.diff(edges) / edges[-1]
        if density is not None and density.sum() > 0:
            part = np.add.reduceat(density, edges[:-1]) / density.sum()
        made[f"mixture_bins_{i}"] = {
            "bin": np.arange(count, dtype=np.int32),
            "low": edges[:-1].astype(np.float64),
            "high": edges[1:].astype(np.float64),
            "part": part,
        }
        shares = mixture.shares(i)
        component, number = np.indices(shares.shape, np.int32)
        made[f"mixture_shares_{i}"] = {
            "bin": number.ravel(),
            "component": component.ravel(),
            "share": shares.ravel(),
        }
        if density is not None:
            made[f"mixture_mass_{i}"] = _along_bins(edges, density)
    return made


def _along_bins(edges: Codes, density: Floats) -> Columns:
    """Share of each code in its bin, and before it."""
    before, bins = before_codes(edges, density), np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    after = np.append(before[1:], 1.0)
    after[edges[1:] - 1] = 1.0
    code = np.arange(len(before), dtype=np.int32)
    return {"code": code, "bin": bins.astype(np.int32), "before": before, "mass": after - before}


def cover_bins(axis: SqlAxis) -> str:
    """Share of each bin by key that the pieces of a question cover."""
    i = axis.number
    source = f"{axis.home}.mixture_bins_{i} b JOIN pieces_{i} p ON p.low < b.high AND p.high > b.low"
    ends = [f"(p.{end} - b.low) / (b.high - b.low)" for end in ("low", "high")]
    if axis.has_mass:
        last = axis.attribute.size - 1
        for end in ("low", "high"):
            source += (
                f" JOIN {axis.home}.mixture_mass_{i} {end}_at "
                f"ON {end}_at.code = least(CAST(floor(p.{end}) AS INTEGER), {last})"
            )
        ends = [f"{end}_at.before + (p.{end} - {end}_at.code) * {end}_at.mass" for end in ("low", "high")]
    low = f"CASE WHEN p.low <= b.low THEN 0.0 ELSE {ends[0]} END"
    high = f"CASE WHEN p.high >= b.high THEN 1.0 ELSE {ends[1]} END"
    return (
        f"covered_{i} AS (SELECT p.rounding, p.key, b.bin, "
        f"least(1.0, greatest(0.0, sum({high} - ({low})))) AS share FROM {source} GROUP BY ALL)"
    )


def masses(axis: SqlAxis) -> str:
    """Mass of each component by key; 0 where the question leaves nothing of the axis."""
    i = axis.number
    some = (
        f"SELECT v.rounding, v.key, x.component, v.share * x.share AS mass FROM covered_{i} v "
        f"JOIN {axis.home}.mixture_shares_{i} x USING (bin)"
    )
    every = f"SELECT rounding, key, component, 0.0 AS mass FROM keys_{i} CROSS JOIN {axis.home}.components"
    return (
        f"masses_{i} AS (SELECT rounding, key, component, least(1.0, sum(mass)) AS mass "
        f"FROM ({some} UNION ALL {every}) GROUP BY ALL)"
    )


def of_codes(axis: SqlAxis) -> str:
    """A view of the mass of every component at every code of an axis, with the label of the code."""
    i = axis.number
    bins = f"ripost.mixture_bins_{i} b ON c.code >= b.low AND c.code < b.high"
    mass = "1.0 / (b.high - b.low)"
    if axis.has_mass:
        bins, mass = f"ripost.mixture_mass_{i} b ON b.code = c.code", "b.mass"
    return (
        f"CREATE VIEW ripost.mixture_codes_{i} AS SELECT c.code, c.label, x.component, x.share * {mass} AS mass "
        f"FROM ripost.codes_{i} c JOIN {bins} JOIN ripost.mixture_shares_{i} x ON x.bin = b.bin"
    )


@dataclass(frozen=True)
class Halves:
    """The axes in two parts, of about as many cells each."""

    left: tuple[SqlAxis, ...]
    right: tuple[SqlAxis, ...]

    @classmethod
    def of(cls, axes: Sequence[SqlAxis]) -> Halves:
        parts: tuple[list[SqlAxis], list[SqlAxis]] = ([], [])
        sizes = [1, 1]
        for axis in sorted(axes, key=lambda axis: -axis.attribute.size):
            side = int(sizes[1] < sizes[0])
            parts[side].append(axis)
            sizes[side] *= axis.attribute.size
        return cls(tuple(parts[0]), tuple(parts[1]))

    @property
    def cells(self) -> int:
        """Of the larger part."""
        return max(math.prod(axis.attribute.size for axis in half) for half in (self.left, self.right))

    def steps(self, source: str, shown: Callable[[SqlAxis], str], *, rounded: bool = False) -> list[str]:
        """The expressions left_half and right_half, a row for each combination of what the sources of the axes hold.

        A source is a relation, called by the number of its axis, of a component, a mass and what is shown of it; if
        `rounded`, by rounding.
        """
        components = f"{(*self.left, *self.right)[0].home}.components"
        return [
            f"{name} AS ({_half(components, axes, source, shown, first, rounded=rounded)})"
            for name, axes, first in (("left_half", self.left, "weight"), ("right_half", self.right, "1.0"))
        ]


def _half(
    components: str,
    axes: Sequence[SqlAxis],
    source: str,
    shown: Callable[[SqlAxis], str],
    first: str,
    *,
    rounded: bool,
) -> str:
    product = " * ".join([first, *(f"m{axis.number}.mass" for axis in axes)])
    every, by = (f"{components} CROSS JOIN roundings", "component, rounding") if rounded else (components, "component")
    joins = " ".join(f"JOIN {source}_{axis.number} m{axis.number} USING ({by})" for axis in axes)
    columns = "".join([*(["rounding, "] if rounded else []), *(f"{shown(axis)}, " for axis in axes)])
    return f"SELECT {columns}list({product} ORDER BY component) AS products FROM {every} {joins} GROUP BY ALL"


TOTAL = "list_inner_product(left_half.products, right_half.products)"
FROM_HALVES = "left_half CROSS JOIN right_half"
FROM_ROUNDED_HALVES = "left_half JOIN right_half USING (rounding)"
