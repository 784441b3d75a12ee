"""Shapes: how the rows of a stand-in table lie in a domain, as mixtures of products. Nothing of it is read off data.

Real tables differ in how their rows crowd together, and that decides how well blocks describe them. Nobody can know it
without looking, so five shapes span it: from rows that lie evenly to rows that sit on a few hundred cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.schema.attribute import AttributeBase, OrderedAttribute
from ripost.schema.domain import Domain
from ripost.space.public_randomness import Generator

FINEST = 1024  # bins of an axis; codes of a bin are equally likely
SPECIAL = 0.02  # share of rows with a value that is missing, and of those with another than the schema lists


@dataclass(frozen=True)
class RowDistribution:
    """Components with weights; in each of them the attributes are independent."""

    weights: Floats  # (k,), sum 1
    tables: tuple[Floats, ...]  # an axis each, (k, bins), rows sum to 1


def even_intervals(size: int) -> Ints:
    """The edges of the bins of an axis."""
    number = min(size, FINEST)
    return np.arange(number + 1, dtype=np.int64) * size // number


def even(domain: Domain, rng: Generator) -> RowDistribution:
    """Every cell is as likely as any other."""
    del rng
    tables = [np.diff(even_intervals(size))[None, :] / size for size in domain.shape]
    return RowDistribution(np.ones(1), tuple(tables))


def skewed_rows(domain: Domain, rng: Generator) -> RowDistribution:
    """Independent attributes: numbers have a hump and a long tail, categories follow Zipf's law."""

    def weigh(attribute: AttributeBase, place: Floats) -> Floats:
        if isinstance(attribute, OrderedAttribute):
            rise, fall = rng.permutation([rng.uniform(1.2, 3), rng.uniform(3, 12)])
            return np.asarray(place ** (rise - 1) * (1 - place) ** (fall - 1))[None, :]
        return _zipf(len(place), rng)[None, :]

    return _mixture(domain, np.ones(1), weigh)


def clustered_rows(domain: Domain, rng: Generator) -> RowDistribution:
    """Two dozen clusters of very different sizes and widths."""
    number = 24

    def weigh(attribute: AttributeBase, place: Floats) -> Floats:
        if isinstance(attribute, OrderedAttribute):
            return _bumps(place, rng.uniform(0, 1, number), 10 ** rng.uniform(-2.3, -0.8, number))
        return np.stack([0.3 * _zipf(len(place), rng) + 0.7 * _one(len(place), rng) for _ in range(number)])

    return _mixture(domain, _zipf(number, rng), weigh)


def correlated_rows(domain: Domain, rng: Generator) -> RowDistribution:
    """One hidden quantity drives every attribute, some up and some down."""
    number = 48
    hidden = (np.arange(number) + 0.5) / number

    def weigh(attribute: AttributeBase, place: Floats) -> Floats:
        towards = hidden if rng.uniform() < 0.5 else 1 - hidden
        if isinstance(attribute, OrderedAttribute):
            return _bumps(place, towards ** rng.uniform(0.7, 2), np.full(number, rng.uniform(0.04, 0.15)))
        order = np.argsort(_zipf(len(place), rng), kind="stable")
        return _bumps(place, towards, np.full(number, 0.2))[:, order]

    return _mixture(domain, np.sqrt(hidden * (1 - hidden)), weigh)


def repeated_rows(domain: Domain, rng: Generator) -> RowDistribution:
    """Half of the rows are in a few hundred cells, as where people round or skip questions; the rest is clustered."""
    number = 300
    crowd = clustered_rows(domain, rng)
    spots = [
        np.eye(table.shape[1])[rng.choice(table.shape[1], number, p=crowd.weights @ table)] for table in crowd.tables
    ]
    weights = np.concatenate([_zipf(number, rng), crowd.weights]) / 2
    return RowDistribution(weights, tuple(np.concatenate(pair) for pair in zip(spots, crowd.tables, strict=True)))


SHAPES: dict[str, Callable[[Domain, Generator], RowDistribution]] = {
    "even": even,
    "skewed": skewed_rows,
    "clustered": clustered_rows,
    "correlated": correlated_rows,
    "repeated": repeated_rows,
}


def _mixture(domain: Domain, weights: Floats, weigh: Callable[[AttributeBase, Floats], Floats]) -> RowDistribution:
    """A mixture over the regular codes of each attribute, with small shares for other and missing."""
    tables = []
    for _, attribute in domain:
        edges = even_intervals(attribute.size)
        place = (np.minimum(edges[:-1], attribute.count - 1) + 0.5) / attribute.count
        regular = edges[:-1] < attribute.count
        table = np.where(regular, np.broadcast_to(weigh(attribute, place), (len(weights), len(place))) + 1e-9, 0)
        table = table * np.diff(edges)
        table = table / table.sum(axis=1, keepdims=True)
        extra = len(place) - int(regular.sum())
        table[:, ~regular] = SPECIAL
        table[:, regular] *= 1 - SPECIAL * extra
        tables.append(table)
    return RowDistribution(weights / weights.sum(), tuple(tables))


def _bumps(place: Floats, centre: Floats, width: Floats) -> Floats:
    """Densities that fall from a center to both sides, (k, places)."""
    return np.exp(-np.abs(place - centre[:, None]) / width[:, None])


def _zipf(number: int, rng: Generator) -> Floats:
    """Shares 1, 1/2, 1/3, ... in random order."""
    weights = rng.permutation(1 / np.arange(1.0, number + 1))
    return np.asarray(weights / weights.sum())


def _one(number: int, rng: Generator) -> Floats:
    """Densities that lie on one value each; the value of rank r is chosen in proportion to 1 / r."""
    chosen = np.zeros(number)
    chosen[rng.choice(number, p=1 / np.arange(1.0, number + 1) / np.sum(1 / np.arange(1.0, number + 1)))] = 1
    return chosen
