"""ViewAttribute: one attribute of a view, or of a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ripost.errors import QueryError
from ripost.space.region import EVERYTHING

if TYPE_CHECKING:
    from ripost.answering.answer import Answer
    from ripost.query.cube import Cube
    from ripost.query.table import Table
    from ripost.schema.attribute_base import AttributeBase


@dataclass(frozen=True, repr=False)
class ViewAttribute:
    """One attribute: `view["origin"].value_counts()` is `view.value_counts("origin")`."""

    part: Cube
    name: str

    @property
    def attribute(self) -> AttributeBase:
        """Its domain: type, label, unit, and the names of its codes."""
        return self.part.view.domain.find(self.name)

    def value_counts(self, *, level: float | None = None, normalize: bool = False) -> Table:
        """The total of each value, the largest first; with `normalize` the share of each."""
        return self.part.value_counts(self.name, level=level, normalize=normalize)

    def mean(self, *, level: float | None = None) -> Answer:
        """The mean of numbers, with its interval."""
        return self.part.mean(self.name, level=level)

    def quantile(self, levels: float | Sequence[float] = 0.5, /, *, level: float | None = None) -> Table:
        """Values below which the given shares of rows lie, with bounds."""
        return self.part.quantile(self.name, levels, level=level)

    def cdf(self, *, level: float | None = None) -> Table:
        """The share of rows up to the end of each bin, with its band."""
        return self.part.cdf(self.name, level=level)

    def plot(self, *, engine: str = "matplotlib", dark: bool = False) -> Any:
        """A chart of the attribute with error bars."""
        if self.part.where != EVERYTHING:
            raise QueryError("a plot shows a whole view; ask the part for value_counts")
        return self.part.view.plot(self.name, engine=engine, dark=dark)

    def __len__(self) -> int:
        """The number of codes, with those for other and missing values."""
        return self.attribute.size

    def __repr__(self) -> str:
        attribute = self.attribute
        last = attribute.describe(attribute.count - 1)
        ends = attribute.describe(0) if attribute.count == 1 else f"{attribute.describe(0)} … {last}"
        return f"{self.name}: {attribute.size:,} codes, {ends}"
