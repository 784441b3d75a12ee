"""Public parameters of a phased generative model: codes as numbers, their projection, a mixture and two small networks.

They follow from released values and public randomness, never from the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.space.query_parameters import QueryParameters

UNIT = 2**12  # the length of a row's vector, and of 1 in a network


@dataclass(frozen=True, slots=True)
class Encoding(QueryParameters):
    """Each code of each axis as a short vector of whole numbers; a row is the concatenation of its codes' vectors."""

    tables: tuple[Codes, ...]  # of each axis, (size, width)

    @classmethod
    def of(cls, shape: tuple[int, ...], one_hot: int) -> Encoding:
        """One number for each code of an axis of at most `one_hot` codes, one for all of a longer axis.

        Axes have equal weight, and no row is longer than UNIT: d times amplitude^2 is at most UNIT^2.
        """
        amplitude = math.isqrt(UNIT**2 // len(shape))
        tables = []
        for size in shape:
            if size <= one_hot:
                tables.append(amplitude * np.eye(size, dtype=np.int64))
            else:
                place = amplitude * (2 * np.arange(size) - (size - 1)) / (size - 1)
                tables.append(np.trunc(place).astype(np.int64)[:, None])
        return cls(tuple(tables))

    @property
    def width(self) -> int:
        return sum(table.shape[1] for table in self.tables)

    def project(self, directions: Floats, most: float) -> Projection:
        """The codes' vectors along some directions, (width, latent), in parts of UNIT."""
        ends = np.cumsum([0, *(table.shape[1] for table in self.tables)])
        parts = [
            table @ directions[first:last] for table, first, last in zip(self.tables, ends, ends[1:], strict=False)
        ]
        return Projection(tuple(np.trunc(np.clip(part, -most * UNIT, most * UNIT)) for part in parts))


@dataclass(frozen=True, slots=True)
class Projection:
    """The contribution of each code to a row's place in the latent space, in whole parts of UNIT."""

    tables: tuple[Floats, ...]  # of each axis, (size, latent)

    @property
    def latent(self) -> int:
        return int(self.tables[0].shape[1])


@dataclass(frozen=True, slots=True)
class GaussianMixture:
    """A Gaussian mixture with diagonal covariances over the latent space."""

    weights: Floats  # (components,), adding up to 1
    means: Floats  # (components, latent)
    variances: Floats  # (components, latent)

    def scale(self, by: Floats) -> GaussianMixture:
        """The mixture with its points multiplied by `by`, one factor for each direction."""
        return GaussianMixture(self.weights, self.means * by, self.variances * by**2)


@dataclass(frozen=True, slots=True)
class Places(QueryParameters):
    """The places of rows in the latent space, and a mixture to assign them to.

    The statistic is the responsibility of each component for a block, with the sums of its places and their squares.
    """

    projection: Projection
    mixture: GaussianMixture


@dataclass(frozen=True, slots=True)
class Layers:
    """Weights of the two networks; the last column of each matrix is the bias.

    `spread` gives the logarithm of the variance of a row's place in each direction, `decode` the codes at a place.
    """

    spread: tuple[Floats, Floats]  # (hidden, latent + 1), (latent, hidden + 1)
    decode: tuple[Floats, Floats]  # (hidden, latent + 1), (outputs, hidden + 1)

    def __iter__(self) -> Iterator[Floats]:
        return iter((*self.spread, *self.decode))

    @property
    def size(self) -> int:
        """Number of weights."""
        return sum(layer.size for layer in (*self.spread, *self.decode))


@dataclass(frozen=True, slots=True)
class Lesson(QueryParameters):
    """One step of training. The statistic is the sum of the gradients of a block's rows, each clipped to `clip`."""

    projection: Projection
    bins: tuple[Codes, ...]  # of each axis, (size,): the output that stands for each code, counted within the axis
    mixture: GaussianMixture
    layers: Layers
    jitter: Floats  # (different, latent): standard normal numbers, taken in turns
    turns: Codes  # (d,): how far each axis' code moves the turn
    clip: float

    @property
    def outputs(self) -> tuple[int, ...]:
        """Number of outputs for each axis."""
        return tuple(int(part.max()) + 1 for part in self.bins)
