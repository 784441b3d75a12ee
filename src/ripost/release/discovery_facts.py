"""Discovery in a manifest: what was found before the cells were counted, what it cost, and whether it fits the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from ripost.errors import ReleaseError
from ripost.release.manifest_part import Count, Exact, Finite, ManifestPart
from ripost.schema.attribute import AttributeBase, Category, Integer, Number
from ripost.schema.discovery import MAX_ROWS, NOTHING_FOUND, is_listable, list_edges
from ripost.schema.domain import Domain

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy

LISTED_ROWS = {(most, len(MAX_ROWS)) for most in MAX_ROWS}


class DiscoveryFacts(ManifestPart):
    """One charged draw of noisy votes, by which values, bounds or max_rows were found; one vote is one unit."""

    what: Literal["values", "bounds", "max_rows"]
    attribute: str | None = Field(description="null for max_rows.")
    epsilon: Exact = Field(description="What it cost one unit.")
    delta: Exact = Field(description="0 unless values were discovered.")
    scale: Finite = Field(description="Scale of the discrete Laplace noise on each number of votes.")
    threshold: Count = Field(description="Least noisy number of votes of a listed value, or of a full cell of a grid.")
    cells: Count = Field(description="The most values that are listed, or the cells of the public grid.")


def check_discovery(privacy: Privacy, domain: Domain) -> None:
    """ReleaseError unless everything that is said to be discovered can have been found so."""
    for entry in privacy.discovery.entries if privacy.discovery else ():
        if entry.attribute is None:
            fits = privacy.unit.column is not None and (privacy.unit.max_rows, entry.cells) in LISTED_ROWS
        else:
            fits = _fits(domain.attributes.get(entry.attribute), entry.what, entry.cells)
        if not fits:
            raise ReleaseError(f"its discovery contradicts itself: {entry.purpose} cannot be what was found")


def _fits(attribute: AttributeBase | None, what: str, cells: int) -> bool:
    """Whether an attribute can be what discovery found."""
    if what == "values":
        return isinstance(attribute, Category) and _are_listed(attribute.values, cells)
    if isinstance(attribute, Integer):
        ends: tuple[float, float] = (attribute.min, attribute.max + 1)
    elif isinstance(attribute, Number) and attribute.edges is None:
        ends = (attribute.first, attribute.last)
    else:
        return False
    grid = list_edges(whole=isinstance(attribute, Integer))
    return cells < len(grid) + 2 and any(end in grid for end in ends)


def _are_listed(values: tuple[str, ...], most: int) -> bool:
    """Whether values are as discovery lists them: sorted by their bytes, and not too many."""
    found = values == (NOTHING_FOUND,) or all(map(is_listable, values))
    return found and len(values) <= most and list(values) == sorted(values, key=str.encode)
