"""The mixture and the error model of a release as its manifest states them, and back."""

from __future__ import annotations

import base64
import binascii
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ripost.answering.mixed import MOST_COMPONENTS
from ripost.errors import ReleaseError
from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.mixture import Mixture
from ripost.release.part import Count, Finite, Part

Weight = Annotated[float, Field(ge=0, le=1e6)]


class PairFacts(Part):
    """Two dimensions whose table of bins was measured."""

    axes: tuple[Count, Count] = Field(description="The dimensions, counted from 0, the smaller first.")
    variance: Finite = Field(description="Of the noise in a cell of the table.")
    dependence: Weight = Field(description="Phi squared of the table, as estimated.")
    misfit: float = Field(ge=1, le=1e100, description="Squared distance of table and answers, in squares of the noise.")


class ErrorModelFacts(Part):
    """What is known of the error of values that are not noise alone; see docs/format.md."""

    z: float = Field(gt=0, le=1e3, description="Half-width of a 95 % interval in standard deviations.")
    scatter: Finite = Field(description="How far content lies from its expected place inside a block.")
    power: float = Field(ge=1, le=2, description="How scatter grows with the rows of a block.")
    together: float = Field(ge=0, le=1, description="Share of it in common to blocks cut along the same stretch.")
    histogram_variances: list[Finite | None] = Field(description="Noise per code of each dimension's histogram.")
    histogram_weight: Weight
    dependence_weight: Weight
    sum_power: float = Field(ge=0, le=1, description="How the variance of sums of cells grows with their number.")
    pair_scatter: Weight = Field(description="Weight of scatter where pairs tell the variance.")
    margin_weight: Weight = Field(default=0.0, description="Of histogram noise in blocks that a question cuts.")
    unmeasured_weight: Weight = Field(default=0.0, description="Of dependence that nothing measured; no mixture.")
    unmeasured_power: float = Field(default=1.0, ge=0, le=2, description="How that grows with what blocks do not tell.")
    pairs: list[PairFacts]

    def model(self) -> ErrorModel:
        return ErrorModel(
            **{name: getattr(self, name) for name in ErrorModelFacts.model_fields if name not in LISTS},
            histogram_variances=tuple(self.histogram_variances),
            pairs=tuple(MeasuredPair(**pair.model_dump()) for pair in self.pairs),
        )


LISTS = ("histogram_variances", "pairs")


class BinFacts(Part):
    """The bins of one dimension, and how each component of a mixture lies on them."""

    edges: list[Count] = Field(min_length=2, description="Of the bins, in codes, rising from 0 to the size.")
    levels: str = Field(
        description="Base64 of one byte per component and bin, row by row: the share of a bin in a component is the "
        "square of its level over the sum of the squares in the row."
    )


class MixtureFacts(Part):
    """Components that are independent across dimensions; see docs/format.md."""

    total: float = Field(ge=-1e100, le=1e100, description="What the mixture stands for, in units of the measure.")
    weights: list[Finite] = Field(min_length=1, max_length=MOST_COMPONENTS)
    attributes: list[BinFacts] = Field(description="One per dimension.")

    def mixture(self) -> Mixture:
        """The mixture; ReleaseError if its levels cannot be read."""
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
    """What the manifest says of an error model."""
    pairs = [asdict(pair) | {"axes": [*pair.axes]} for pair in model.pairs]
    return asdict(model) | {"histogram_variances": [*model.histogram_variances], "pairs": pairs}


def mixture_facts(mixture: Mixture) -> dict[str, Any]:
    """What the manifest says of a mixture."""
    packed = [base64.b64encode(np.ascontiguousarray(levels).tobytes()).decode() for levels in mixture.levels]
    attributes = [
        {"edges": edges.tolist(), "levels": levels} for edges, levels in zip(mixture.edges, packed, strict=True)
    ]
    return {"total": mixture.total, "weights": mixture.weights.tolist(), "attributes": attributes}
