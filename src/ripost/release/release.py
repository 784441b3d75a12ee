"""Release: what a publisher releases, before it is a file and after."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ripost import __version__
from ripost.answering.content.content import Content
from ripost.answering.content.measure import MeasureContent
from ripost.answering.content.union_measure import UnionMeasure
from ripost.privacy.ledger import Debit, Privacy
from ripost.release.measured_values import MeasuredValues
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, Measure
from ripost.schema.period import ReleasePeriod


@dataclass(frozen=True, slots=True)
class OriginView:
    """The view that the noisy measurements of a release come from, if they were estimated again."""

    digest: str
    software: str  # that published it

    def to_json(self) -> dict[str, str]:
        return {"digest": self.digest, "software": self.software}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Release:
    """An estimate with how it was made and what was promised. It cannot be changed."""

    domain: Domain
    content: Content
    measure: Measure = COUNT
    measures: Mapping[str, MeasureContent | UnionMeasure] = field(
        default_factory=dict
    )  # whose sums and means it answers too
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    privacy: Privacy
    """The privacy statement: epsilon, the privacy unit, the source of the noise, and what each draw cost."""
    software: str = f"ripost {__version__}"
    debit: Debit | None = None  # the entry of the budget ledger that paid for the release, if there is one
    measured: MeasuredValues | None = None  # the noisy values that the estimate was made from, unless left out
    origin: OriginView | None = None  # the view that it was estimated again from
    period: ReleasePeriod | None = None  # of a series, whose rows alone it counts
    title: str | None = None  # what the table is, as the schema says
    description: str | None = None  # what readers should know of the table, as the schema says

    def __post_init__(self) -> None:
        if self.content.shape != self.domain.shape:
            raise ValueError("the content must have the shape of the domain")
        parameters = json.loads(json.dumps(dict(self.parameters), allow_nan=False))
        object.__setattr__(self, "parameters", parameters)
