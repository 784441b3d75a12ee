"""Encode and decode the mixture and the error model of a manifest."""

from __future__ import annotations

import base64
import binascii
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ripost.answering.density_mixture import MOST_COMPONENTS
from ripost.errors import ReleaseError
from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.mixture import Mixture
from ripost.release.manifest_part import Count, Finite, ManifestPart

Weight = Annotated[float, Field(ge=0, le=1e6)]


class PairFacts(ManifestPart):
    """Two attributes whose joint table of bins was measured."""

    axes: tuple[Count, Count] = Field(description="The attributes, numbered from 0, the smaller first.")
    variance: Finite = Field(description="Noise variance of a cell of the table.")
    dependence: Weight = Field(description="Estimated phi squared of the table.")
    misfit: float = Field(ge=1, le=1e100, description="Squared distance between table and answers, in noise variances.")


class ErrorModelFacts(ManifestPart):
    """The error of values beyond their noise; see docs/format.md."""

    z: float = Field(gt=0, le=1e3, description="Half-width of a 95 % interval in standard deviations.")
    scatter: Finite = Field(description="Scatter parameter: variance of a split of n rows beyond n q (1 - q).")
    power: float = Field(ge=1, le=2, description="Exponent of n in the scatter term.")
    together: float = Field(
        ge=0, le=1, description="Share of it that blocks cut along the same interval have in common."
    )
    histogram_variances: list[Finite | None] = Field(
        description="Noise variance per code of each attribute's histogram."
    )
    histogram_weight: Weight
    dependence_weight: Weight
    sum_power: float = Field(ge=0, le=1, description="Exponent of the number of cells in the variance of their sum.")
    pair_scatter: Weight = Field(description="Weight of the scatter where a pair determines the variance.")
    centering: float = Field(
        default=0.0, ge=0, le=1, description="1 if the noise of a table counts without the means of rows and columns."
    )
    least_noise: Weight = Field(
        default=1.0, description="Share of a pair's noise variance that counts where answers are as if independent."
    )
    most_noise: Weight = Field(default=1.0, description="The same where answers are far from that.")
    correction_weight: Weight = Field(
        default=0.0,
        description="Weight of the squared correction of the mixture, where a pair determines the variance.",
    )
    margin_weight: Weight = Field(default=0.0, description="Weight of histogram noise in blocks that a query cuts.")
    unmeasured_weight: Weight = Field(default=0.0, description="Weight of unmeasured dependence, without a mixture.")
    unmeasured_power: float = Field(
        default=1.0, ge=0, le=2, description="Exponent of the share of an answer that comes from cut blocks."
    )
    outside_weight: Weight | None = Field(
        default=None,
        description="Limit of what a cut block adds to that part: this many times its share outside the query.",
    )
    note_share: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Without a mixture: share of an answer from cut blocks above which it has a note; null: no notes.",
    )
    pairs: list[PairFacts]

    def model(self) -> ErrorModel:
        return ErrorModel(
            **{name: getattr(self, name) for name in ErrorModelFacts.model_fields if name not in LISTS},
            histogram_variances=tuple(self.histogram_variances),
            pairs=tuple(MeasuredPair(**pair.model_dump()) for pair in self.pairs),
        )


LISTS = ("histogram_variances", "pairs")


class BinFacts(ManifestPart):
    """The bins of one attribute, and the distribution of each component over them."""

    edges: list[Count] = Field(min_length=2, description="Edges of the bins in codes, increasing from 0 to the size.")
    levels: str = Field(
        description="Base64 of one byte per component and bin, row by row: the share of a bin in a component is the "
        "square of its level over the sum of the squares in the row."
    )


class MixtureFacts(ManifestPart):
    """A mixture of products: attributes are independent within a component; see docs/format.md."""

    total: float = Field(ge=-1e100, le=1e100, description="Total of the mixture, in units of the measure.")
    weights: list[Finite] = Field(min_length=1, max_length=MOST_COMPONENTS)
    attributes: list[BinFacts] = Field(description="One per attribute.")

    def mixture(self) -> Mixture:
        """Decode the mixture; ReleaseError if its levels cannot be read."""
        edges = tuple(np.array(bins.edges, np.int64) for bins in self.attributes)
        levels = []
        for bins in self.attributes:
            try:
                raw = base64.b64decode(bins.levels, validate=True)
            except (binascii.Error, ValueError):
                raise ReleaseError("the levels of the mixture cannot be read") from None
            if len(raw) != len(self.weights) * (len(bins.edges) - 1):
                raise ReleaseError("the levels of the mixture are not one for each component and bin")
            levels.append(np.frombuffer(raw, np.uint8).reshape(len(self.weights), -1))
        return Mixture(self.total, np.array(self.weights, np.float64), edges, tuple(levels))


def error_facts(model: ErrorModel) -> dict[str, Any]:
    """Encode an error model for the manifest."""
    pairs = [asdict(pair) | {"axes": [*pair.axes]} for pair in model.pairs]
    return asdict(model) | {"histogram_variances": [*model.histogram_variances], "pairs": pairs}


def mixture_facts(mixture: Mixture) -> dict[str, Any]:
    """Encode a mixture for the manifest."""
    packed = [base64.b64encode(np.ascontiguousarray(levels).tobytes()).decode() for levels in mixture.levels]
    attributes = [
        {"edges": edges.tolist(), "levels": levels} for edges, levels in zip(mixture.edges, packed, strict=True)
    ]
    return {"total": mixture.total, "weights": mixture.weights.tolist(), "attributes": attributes}
