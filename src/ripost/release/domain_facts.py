"""What a manifest says of a domain beside its attributes: impossible cells. Levels are in the attributes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from ripost.errors import ReleaseError
from ripost.release.manifest_part import Count, ManifestPart
from ripost.schema.domain import Domain
from ripost.schema.impossible import ImpossibleCells

MOST_BOXES = 256


class ImpossibleFacts(ManifestPart):
    """Cells that no row lies in. They are 0 in every answer, with the interval [0, 0]."""

    conditions: list[str] = Field(min_length=1, description="What the schema says of them.")
    boxes: list[list[tuple[Count, Count]]] = Field(
        min_length=1,
        max_length=MOST_BOXES,
        description="Disjoint boxes: of each attribute the first code and the code after the last.",
    )

    def read(self, shape: Sequence[int]) -> ImpossibleCells:
        """The cells; ReleaseError unless they are disjoint boxes of the domain, and leave cells out."""
        found = ImpossibleCells(tuple(self.conditions), tuple(tuple(box) for box in self.boxes))
        if any(len(box) != len(shape) for box in found.boxes) or any(
            not 0 <= low < high <= size for box in found.boxes for (low, high), size in zip(box, shape, strict=True)
        ):
            raise ReleaseError("its impossible boxes do not fit the attributes")
        blocks = found.blocks
        for number in range(len(blocks)):
            meets = (blocks.lower[:number] < blocks.upper[number]) & (blocks.lower[number] < blocks.upper[:number])
            if meets.all(axis=1).any():
                raise ReleaseError("its impossible boxes overlap")
        if sum(math.prod(high - low for low, high in box) for box in found.boxes) == math.prod(shape):
            raise ReleaseError("its impossible boxes leave no cell")
        return found


def write_impossible(domain: Domain) -> dict[str, Any]:
    """The member of a manifest about impossible cells, if there are any."""
    if domain.impossible is None:
        return {}
    boxes = [[list(ends) for ends in box] for box in domain.impossible.boxes]
    return {"impossible": {"conditions": list(domain.impossible.conditions), "boxes": boxes}}


def has_maps(domain: Domain) -> bool:
    """Whether an attribute has levels, or anything is derived from it."""
    return any(getattr(attribute, "maps", ()) for _, attribute in domain)


def check_domain_facts(domain: Domain, *, kind: str) -> None:
    """ReleaseError unless names are told apart, and impossible cells are of blocks."""
    names = [*domain.names, *(one.name for _, attribute in domain for one in getattr(attribute, "maps", ()))]
    if has_maps(domain) and len({name.casefold() for name in names}) < len(names):
        raise ReleaseError("a level has the name of something else")
    if domain.impossible is not None and kind != "blocks":
        raise ReleaseError("only blocks can have impossible cells")
