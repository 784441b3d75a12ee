"""What the manifest of a release file says of measures."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pydantic import Field

from ripost.errors import ReleaseError
from ripost.release.manifest_part import Finite, ManifestPart
from ripost.release.model_facts import MixtureFacts
from ripost.schema.domain import Domain
from ripost.schema.measured_column import MeasuredColumn


class MeanErrorFacts(ManifestPart):
    """The error of a mean, in squared units of the measure; see docs/format.md."""

    z: float = Field(gt=0, le=1e3, description="Half-width of a 95 % interval in standard deviations.")
    total: Finite = Field(description="Variance of the sum of all rows.")
    histogram: Finite = Field(description="Most of the variance that no histogram tells from noise.")
    variation: Finite = Field(description="That variance over the squared number of rows, in small parts.")
    spread: Finite = Field(description="Variance of the value of one row inside a block.")


class SumsFacts(ManifestPart):
    """A measure: how rows were added up, and how its sums lie inside the blocks."""

    name: str
    measure: MeasuredColumn = Field(description="The entry of the schema.")
    marginals: list[list[Finite] | None] = Field(description="Sum above min of each code, attribute by attribute.")
    mixture: MixtureFacts | None = Field(default=None, description="Present where the counts have a mixture.")
    errors: MeanErrorFacts


def check_measures(
    measures: Sequence[SumsFacts], domain: Domain, *, ledgers: Collection[str], rows_in_blocks: bool, mixture: bool
) -> None:
    """ReleaseError unless measures, their ledgers and the counts belong together."""
    names = [facts.name for facts in measures]
    if len(set(names)) != len(names) or set(names) != set(ledgers):
        raise ReleaseError("its measures are not those of its ledgers")
    if names and not rows_in_blocks:
        raise ReleaseError("only blocks of counted rows can have measures")
    if {name.casefold() for name in names} & {name.casefold() for name in domain.names}:
        raise ReleaseError("a measure and an attribute have one name")
    for facts in measures:
        if (facts.mixture is not None) != mixture:
            raise ReleaseError("a measure has a mixture if, and only if, the counts have one")
        sizes = [None if mass is None else len(mass) for mass in facts.marginals]
        fits = len(sizes) == len(domain) and all(
            size in (None, n) for size, n in zip(sizes, domain.shape, strict=False)
        )
        if not fits:
            raise ReleaseError(f"the marginals of measure {facts.name} do not fit the attributes")
