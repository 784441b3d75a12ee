"""Where rows disagree with code maps and impossible conditions, for the steward alone. PRIVATE: exact counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ripost.data.read import read_tensor
from ripost.data.tensor import Tensor
from ripost.schema.attribute import Category
from ripost.schema.impossible_sql import read_impossible
from ripost.schema.mapped_attribute import MappedAttribute
from ripost.schema.schema import Schema
from ripost.sources.open_source import list_columns

EXAMPLES = 5  # values that are shown for a map


@dataclass(frozen=True, slots=True)
class ImpossibleFit:
    """Rows that lie in cells that the schema calls impossible; a publish drops them."""

    condition: str
    rows: int


@dataclass(frozen=True, slots=True)
class MapFit:
    """Rows whose own column says another group than the schema. The schema's is published, the column is not read."""

    name: str  # of the level, or of what is derived
    of: str
    rows: int
    examples: tuple[tuple[str, str, str, int], ...]  # value, group by the schema, group by the column, rows


def measure_impossible(source: Any, schema: Schema, **options: Any) -> tuple[ImpossibleFit, ...]:
    """Count the rows in the cells of each impossible condition; `options` are those of reading."""
    found = []
    if not schema.impossible:
        return ()
    tensor = read_tensor(source, Schema(attributes=schema.attributes), **options)
    for text in schema.impossible:
        cells = read_impossible((text,), tensor.domain.attributes, tensor.domain.mapped)
        inside = np.zeros(len(tensor.counts), bool)
        for box in np.array(cells.boxes):
            inside |= ((box[:, 0] <= tensor.coords) & (tensor.coords < box[:, 1])).all(axis=1)
        found.append(ImpossibleFit(text, int(tensor.counts[inside].sum())))
    return tuple(found)


def measure_maps(source: Any, schema: Schema, **options: Any) -> tuple[MapFit, ...]:
    """Compare each map with the column of its name, where the table has one."""
    named = _list_names(source, **options)
    return tuple(
        compare_map(source, schema, mapped, **options)
        for mapped in schema.domain.mapped.values()
        if mapped.name in named
    )


def compare_map(source: Any, schema: Schema, mapped: MappedAttribute, **options: Any) -> MapFit:
    """Count the rows whose own group differs from that of the map. Rows without a group are not counted."""
    attribute = schema.attributes[mapped.of]
    assert isinstance(attribute, Category)
    groups = mapped.groups.model_copy(update={"outside": "other", "missing": "bin"})
    plain = attribute.model_copy(update={"levels": None, "derived": None})
    tensor = read_tensor(source, Schema(attributes={mapped.of: plain, mapped.name: groups}), **options)
    told = {
        code: group
        for group, part in enumerate(mapped.parts)
        for low, high in part
        for code in range(int(low), int(high))
    }
    differ = Counter[tuple[str, str, str]]()
    for (code, group), count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if code < attribute.count and group not in (told[code], groups.missing_code):
            differ[attribute.describe(code), groups.describe(told[code]), groups.describe(group)] += count
    listed = tuple((*names, rows) for names, rows in differ.most_common(EXAMPLES))
    return MapFit(mapped.name, mapped.of, differ.total(), listed)


def _list_names(source: Any, *, table: str | None = None, encoding: str | None = None) -> set[str]:
    """The names of the columns of a source; none if rows must be read to know them."""
    if isinstance(source, (str, Path)):
        return set(list_columns(source, table=table, encoding=encoding))
    if isinstance(source, Tensor):
        return set()
    return {str(name) for name in getattr(source, "columns", ())}
