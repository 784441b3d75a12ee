"""SqlAxis: one dimension as a database holds it: its intervals, its codes, and how values become positions in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ripost.answering.axis_index import AxisIndex
from ripost.query.key import MOST_PARTS, Key, by_code
from ripost.schema.attribute import AttributeBase, Calendar, OrderedAttribute
from ripost.schema.bins import EdgeBins
from ripost.schema.domain import Domain
from ripost.schema.mapped_attribute import MappedAttribute


def ident(name: str) -> str:
    """A name as SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text as SQL quotes it."""
    return "'" + value.replace("'", "''") + "'"


@dataclass(frozen=True)
class SqlAxis:
    """The dimension of a number. Rows of the view lie on few intervals of it."""

    number: int
    domain: Domain
    name: str
    index: AxisIndex
    home: str = "ripost"  # the schema of the tables of its intervals and of what lies along it

    @property
    def given(self) -> str:
        """The parameter that is about it."""
        return ident(self.name)

    @property
    def attribute(self) -> AttributeBase:
        return self.domain.attributes[self.name]

    @cached_property
    def maps(self) -> list[MappedAttribute]:
        """Its levels, and what is derived from it, where its codes are a table."""
        return [one for one in self.domain.mapped.values() if one.of == self.name and self.is_listed]

    @property
    def is_listed(self) -> bool:
        """Whether its codes are few enough to be a table, and to group by."""
        return self.attribute.size <= MOST_PARTS

    @property
    def has_mass(self) -> bool:
        """Whether content lies along it by a released histogram."""
        return self.index.ruler.marginal is not None

    @cached_property
    def key(self) -> Key:
        return by_code(self.domain, self.name)

    def interval_columns(self) -> dict[str, Any]:
        """Intervals: ends in codes, and on the ruler of mass; those without mass are measured in codes."""
        lower, upper, flat = self.index.lower, self.index.upper, self.index.flat
        return {
            "interval_id": np.arange(len(lower), dtype=np.int32),
            "low": lower,
            "high": upper,
            "flat": flat if self.has_mass else np.ones(len(lower), bool),
            "start": self.index.start,
            "stop": self.index.stop,
        }

    def mass_columns(self) -> dict[str, Any]:
        """Mass of each code, and before it."""
        marginal, prefix = self.index.ruler.marginal, self.index.ruler.prefix
        assert marginal is not None
        return {"code": np.arange(len(marginal), dtype=np.int32), "mass": marginal, "before": prefix[:-1]}

    def code_columns(self) -> dict[str, Any]:
        """Codes with their labels, as the results of questions have them, and in words."""
        import pyarrow as pa

        kind = pa.timestamp("us") if self.key.type == "timestamp" else pa.type_for_alias(self.key.type)
        size = self.attribute.size
        middle: list[float | None] = [None] * size
        if isinstance(self.attribute, OrderedAttribute) and not isinstance(self.attribute, Calendar):
            edge, step = self.attribute.bins.edge, self.attribute.step
            for code in range(self.attribute.count):
                middle[code] = (edge(code) + max(edge(code), edge(code + 1) - step)) / 2
        return {
            "code": np.arange(size, dtype=np.int32),
            "label": pa.array(self.key.labels, kind),
            "middle": pa.array(middle, pa.float64()),
            "words": [self.attribute.describe(code) for code in range(size)],
            **{f"map_{number}": _groups_of(one, size) for number, one in enumerate(self.maps)},
        }

    def bin_columns(self) -> dict[str, Any] | None:
        """Where bins begin and end, in ticks; None where they are of one width, which needs no table."""
        if not isinstance(self.attribute, OrderedAttribute) or not isinstance(self.attribute.bins, EdgeBins):
            return None
        edges = np.array(self.attribute.bins.edges, np.float64)
        return {"code": np.arange(len(edges) - 1, dtype=np.int32), "low": edges[:-1], "high": edges[1:]}

    def range_sql(self) -> str:
        """Positions from the first to the second value of a list, both ends in; NULL leaves an end open."""
        attribute = self.attribute
        assert isinstance(attribute, OrderedAttribute)
        kind = "TIMESTAMP" if isinstance(attribute, Calendar) else "DOUBLE"
        low, high = (f"CAST({self.given}[{place}] AS {kind})" for place in (1, 2))
        if isinstance(attribute, Calendar):
            low, high = f"CAST(epoch_us({low}) AS DOUBLE)", f"CAST(epoch_us({high}) AS DOUBLE)"
        if attribute.step:
            low, high = (
                f"ceil({low} / {attribute.step}) * {attribute.step}",
                f"(floor({high} / {attribute.step}) + 1) * {attribute.step}",
            )
        first = f"coalesce({self._position('begun')}, 0.0)"
        last = f"coalesce({self._position('ended')}, {float(attribute.count)!r})"
        return f"SELECT {first} AS low, {last} AS high FROM (SELECT {low} AS begun, {high} AS ended)"

    def _position(self, tick: str) -> str:
        """The position of a tick; as schema/bins.py has it."""
        assert isinstance(self.attribute, OrderedAttribute)
        bins, count = self.attribute.bins, self.attribute.count
        end = f"{bins.edge(count)!r}::DOUBLE"
        if isinstance(bins, EdgeBins):
            inside = (
                f"(SELECT arg_max(b.code + ({tick} - b.low) / (b.high - b.low), b.code) "
                f"FROM ripost.bins_{self.number} b WHERE b.low <= {tick})"
            )
        else:
            start, width, last = f"{bins.start!r}::DOUBLE", f"{bins.width!r}::DOUBLE", count - 1
            begin = f"{bins.edge(last)!r}::DOUBLE"
            inside = (
                f"CASE WHEN ({tick} - {start}) / {width} > {last} "
                f"THEN greatest({last}, {last} + ({tick} - {begin}) / ({end} - {begin})) "
                f"ELSE ({tick} - {start}) / {width} END"
            )
        first = f"{bins.edge(0)!r}::DOUBLE"
        return (
            f"CASE WHEN {tick} IS NULL THEN NULL WHEN {tick} >= {end} THEN {float(count)!r} "
            f"WHEN {tick} <= {first} THEN 0.0 ELSE {inside} END"
        )


def _groups_of(mapped: MappedAttribute, size: int) -> list[str]:
    """The name of the group of each code."""
    found = [""] * size
    for group, part in enumerate(mapped.parts):
        for low, high in part:
            found[int(low) : int(high)] = [mapped.groups.describe(group)] * int(high - low)
    return found
