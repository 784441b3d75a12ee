"""Packing: a view as JSON for the page, numbers as base64 of zlib of little-endian arrays."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.content import Content
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.sample import SampleContent
from ripost.answering.content.tables import TableContent
from ripost.answering.content.tree import TreeContent
from ripost.answering.content.union import CORRELATION, UnionContent
from ripost.answering.content.union_measure import UnionMeasure
from ripost.answering.measured_answers import MeasureSums
from ripost.arrays import Floats
from ripost.estimate.mixture import Mixture
from ripost.query.source import view_names
from ripost.release import node_packing as nodes
from ripost.release.promise import describe_kept_rows, list_charges, plain_words, promise
from ripost.schema.attribute import AttributeBase, Calendar, LabeledAttribute, OrderedAttribute
from ripost.schema.bins import EdgeBins
from ripost.schema.domain import Domain, format_exactly
from ripost.schema.measured_column import value_of_missing
from ripost.series import Series
from ripost.space.tree import Tree
from ripost.view import View

Facts = dict[str, Any]
MICROSECONDS = 1000  # in a millisecond, the unit of time in a browser


def facts_of(view: View, *, title: str, rows: str = "rows") -> Facts:
    """All that the page knows of a view; public, as the view is. `rows` is what the page calls rows."""
    return {
        "title": title,
        "description": view.description,
        "notes": _notes(view),
        "measure": view.measure.title,
        "counted": rows,
        "tables": view_names(view),
        "rows": len(view.content.values),
        "noun": view.content.noun,
        "cells": format_exactly(view.domain.size),
        "method": view.method,
        "parameters": dict(view.parameters),
        "software": view.software,
        "privacy": _privacy(view),
        "axes": _axes(view),
        **({"periods": _periods(view)} if isinstance(view, Series) else {}),
        **({} if view.domain.impossible is None else {"impossible": view.domain.impossible.boxes}),
        "content": _content(view.content),
        **({"measures": [_measure(view, name) for name in view.measures]} if view.measures else {}),
    }


def _notes(view: View) -> list[str]:
    """Sentences below the title: which rows the figures are of."""
    found = [] if view.period is None else [f"Counts only the rows of the period {view.period}."]
    if kept := describe_kept_rows(view.privacy):
        found.append(f"{kept[:1].upper()}{kept[1:]}.")
    return found


def _measure(view: View, name: str) -> Facts:
    """What a page needs to answer the sums and means of a measure."""
    sums = view.measures[name]
    measured = sums.measured
    return {
        "name": name,
        "column": measured.column or name,
        "min": measured.min,
        "max": measured.max,
        "missing": value_of_missing(measured),
        "shortest": view.find_min_sum_width(name),
        "sums": _sums(sums),
    }


def _sums(sums: MeasureSums) -> Facts:
    """The sums of a measure over the blocks of the counts, or those of each period."""
    if isinstance(sums, UnionMeasure):
        return {"periods": [_sums(part) for part in sums.parts]}
    assert isinstance(sums, MeasureContent) and sums.density is not None
    return {
        "errors": sums.errors.to_json(),
        "above": pack_array(sums.corrections),
        "variances": pack_array(sums.block_variances),
        "density": [None if mass is None else pack_array(mass) for mass in sums.density],
        "mixture": sums.mixture and _mixture(sums.mixture),
    }


def _privacy(view: View) -> Facts:
    privacy = view.privacy
    charged = view.costliest if isinstance(view, Series) else view
    return {
        "warning": privacy.warning,
        "promise": promise(privacy),
        "words": list(plain_words(privacy)),
        "definition": privacy.definition,
        "epsilon": float(privacy.epsilon),
        "shortest": view.min_interval_width,
        "delta": float(privacy.delta),
        "spent": view.epsilon_spent,
        "unit": str(privacy.unit),
        "entropy": privacy.entropy,
        "currency": str(privacy.currency),
        "ledger": [[purpose, mechanism, float(price)] for purpose, mechanism, price in list_charges(charged)],
        "entries": [
            [
                entry.purpose,
                entry.mechanism_in_full,
                entry.statistic,
                entry.sensitivity,
                str(entry.epsilon),
                entry.blocks,
            ]
            for entry in privacy.all_entries
        ],
    }


def _axes(view: View) -> list[Facts]:
    found = [_axis(name, attribute) | _maps(view.domain, name) for name, attribute in view.domain]
    if isinstance(view, Series):
        found[0]["period"] = True
    return found


def _periods(series: Series) -> Facts:
    """The rule of the periods, and what each was published with."""
    lines = [
        {**line, "epsilon": float(part.privacy.epsilon), "delta": float(part.privacy.delta)}
        for line, part in zip(series.list_periods(), series.parts, strict=True)
    ]
    return {"rule": series.rule, "lines": lines}


def _axis(name: str, attribute: AttributeBase) -> Facts:
    facts = {
        "name": name,
        "label": attribute.label,
        "description": attribute.description,
        "unit": attribute.unit,
        "type": getattr(attribute, "type", ""),
        "size": attribute.size,
        "count": attribute.count,
        "other": attribute.has_other,
        "missing": attribute.missing == "bin",
        "otherName": attribute.other_name,
        "missingName": attribute.missing_name,
    }
    if isinstance(attribute, LabeledAttribute):
        return facts | {"names": list(attribute.names)}
    assert isinstance(attribute, OrderedAttribute)
    unit = MICROSECONDS if isinstance(attribute, Calendar) else 1
    bins = attribute.bins
    if isinstance(bins, EdgeBins):
        return facts | {"step": attribute.step / unit, "bins": {"edges": [edge / unit for edge in bins.edges]}}
    ends = {"start": bins.start / unit, "width": bins.width / unit, "stop": bins.end / unit}
    return facts | {"step": attribute.step / unit, "bins": ends}


def _maps(domain: Domain, name: str) -> Facts:
    """The levels of an attribute and what is derived from it, if there are any."""
    maps = [
        {
            "name": one.name,
            "level": one.is_level,
            "names": list(one.groups.values),
            "otherName": one.groups.other_name,
            "missingName": one.groups.missing_name,
            "parts": one.parts,
        }
        for one in domain.mapped.values()
        if one.of == name
    ]
    return {"maps": maps} if maps else {}


def _content(content: Content) -> Facts:
    if isinstance(content, UnionContent):
        return {"kind": content.kind, "correlation": CORRELATION, "periods": [_content(part) for part in content.parts]}
    facts: Facts = {"kind": content.kind, "values": pack_array(content.values)}
    match content:
        case TreeContent():
            density = content.density and [None if mass is None else pack_array(mass) for mass in content.density]
            return facts | {
                **_tree(content.tree, content.node_variances),
                "density": density,
                "errorModel": content.error_model and asdict(content.error_model),
                "mixture": content.mixture and _mixture(content.mixture),
                "corrections": None if content.mixture is None else pack_array(content.corrections),
                "record": content.row_bound,
            }
        case BucketContent():
            return facts | {**_tree(content.tree, content.node_variances), "bucket": pack_array(content.bucket)}
        case MatrixContent():
            stack = content.stack
            return facts | {
                "variance": content.variance,
                "bases": [pack_array(basis) for basis in stack.bases],
                "inverse": pack_array(1 / stack.eigenvalues),
            }
        case TableContent():
            union = content.union
            return facts | {
                "parts": [list(part) for part in union.parts],
                "variances": pack_array(content.variance / np.array([union.precision[part] for part in union.parts])),
                "covariances": [pack_array(covariance) for covariance in union.covariances],
                "density": [pack_array(mass) for mass in content.density],
                "caution": content.caution,
            }
        case SampleContent():
            return facts | {"coords": pack_array(content.coords.T)}
    raise TypeError(f"a page cannot show a view of {content.kind}")


def _mixture(mixture: Mixture) -> Facts:
    return {
        "total": mixture.total,
        "weights": pack_array(mixture.weights),
        "edges": [pack_array(edges) for edges in mixture.edges],
        "levels": [pack_array(levels) for levels in mixture.levels],
    }


def _tree(tree: Tree, variances: Floats) -> Facts:
    """Cuts and measurements, node by node in preorder."""
    place = tree.preorder
    axis, cut = np.empty((2, len(tree)), np.int64)
    axis[place], cut[place] = tree.axis, tree.cut
    distinct, number = nodes.pack(tree, variances)
    return {
        "axis": pack_array(axis.astype(np.int16)),
        "cut": pack_array(cut),
        "variances": distinct,
        "measured": {"type": "u2" if len(distinct) < 2**16 else "u4", "data": number},
    }


def pack_array(numbers: NDArray[Any]) -> Mapping[str, str]:
    """An array, row by row; bytes as they are, other whole numbers below 2^31 in as few bytes as hold them."""
    whole = "i2" if abs(numbers).max(initial=0) < 2**15 else "i4"
    kind = {"float64": "f8", "uint8": "u1"}.get(numbers.dtype.name, whole)
    raw = np.ascontiguousarray(numbers, f"<{kind}").tobytes()
    return {"type": kind, "data": base64.b64encode(zlib.compress(raw, 9)).decode()}
