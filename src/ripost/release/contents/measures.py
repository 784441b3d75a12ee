"""The sums of measures in a release file: facts in the manifest, and columns beside those of the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ripost.answering.content.content import LARGEST, Content
from ripost.answering.content.measure import MeanErrors, MeasureContent
from ripost.answering.content.tree import TreeContent
from ripost.answering.content.union_measure import UnionMeasure
from ripost.answering.density_mixture import check_mixture
from ripost.privacy.ledger_check import check_entries
from ripost.release.manifest import Manifest
from ripost.release.measure_facts import SumsFacts
from ripost.release.model_facts import mixture_facts
from ripost.release.parquet import Columns, Types

REAL = np.dtype(np.float64)


def name_columns(name: str, *, mixture: bool) -> list[str]:
    """The columns of a measure: sums above min, corrections to its mixture if there is one, and variances."""
    return [f"{name}_{end}" for end in ("above", *(["correction"] if mixture else []), "variance")]


def sums_types(names: Sequence[str], *, mixture: bool) -> Types:
    return {column: REAL for name in names for column in name_columns(name, mixture=mixture)}


def encode_measures(measures: Mapping[str, MeasureContent | UnionMeasure]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The manifest's facts and the columns of all measures."""
    facts, columns = [], dict[str, Any]()
    for name, content in measures.items():
        assert isinstance(content, MeasureContent) and content.density is not None
        facts.append(
            {
                "name": name,
                "measure": content.measured.model_dump(mode="json", exclude_none=True),
                "marginals": [None if mass is None else mass.tolist() for mass in content.density],
                **({} if content.mixture is None else {"mixture": mixture_facts(content.mixture)}),
                "errors": content.errors.to_json(),
            }
        )
        mixed = content.mixture is not None
        arrays = [content.values, *([content.corrections] if mixed else []), content.block_variances]
        columns |= dict(zip(name_columns(name, mixture=mixed), arrays, strict=True))
    return ({"measures": facts} if facts else {}), columns


def decode_measures(manifest: Manifest, columns: Columns, counts: Content) -> dict[str, MeasureContent]:
    """The sums of each measure, on the tree of the counts; ReleaseError or ValueError says what does not fit."""
    if not isinstance(counts, TreeContent):  # the manifest was checked: it has no measures then
        return {}
    return {facts.name: _decode(facts, columns, counts) for facts in manifest.measures or ()}


def _decode(facts: SumsFacts, columns: Columns, counts: TreeContent) -> MeasureContent:
    mixture = None if facts.mixture is None else facts.mixture.mixture()
    if mixture is not None:
        check_mixture(mixture, counts.shape, LARGEST)
    arrays = dict(zip(("above", "correction", "variance"), [None] * 3, strict=True))
    for column in name_columns(facts.name, mixture=mixture is not None):
        arrays[column.removeprefix(f"{facts.name}_")] = columns[column]  # type: ignore[assignment]
    assert arrays["above"] is not None and arrays["variance"] is not None
    return MeasureContent(
        facts.measure,
        counts.shape,
        tree=lambda: counts.tree,
        counts=counts.values,
        values=arrays["above"],
        variances=arrays["variance"],
        density=facts.marginals,
        errors=MeanErrors(**facts.errors.model_dump()),
        mixture=mixture,
        corrections=arrays["correction"],
    )


def check_ledgers(manifest: Manifest) -> None:
    """ReleaseError unless every draw of a measure is what the account writes for its bound (proofs/measures.md)."""
    promise = manifest.promise
    for facts in manifest.measures or ():
        check_entries(promise, bound=facts.measure.bound, ledger=promise.measures[facts.name])
