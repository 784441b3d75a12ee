"""Views with a mixture, made by hand from seeded parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.mixture import Mixture
from ripost.privacy.ledger import Ledger, Privacy
from ripost.privacy.ledger_check import part_variances
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT
from ripost.view import View
from tests.answering.making import Array, make_view, promise, random_tree

TRAVEL = Domain.from_json(
    {
        "origin": {"type": "category", "values": ["EWR", "JFK", "LGA"], "missing": "drop"},
        "delay": {"type": "integer", "min": -30, "max": 299, "width": 10},
        "hour": {"type": "integer", "min": 0, "max": 23, "missing": "drop"},
        "late": {"type": "boolean"},
    }
)


def random_mixture(shape: tuple[int, ...], rng: np.random.Generator, *, components: int, total: float) -> Mixture:
    """Bins of at most 6 codes on average; a third of the levels are 0, none of the rows is."""
    edges, levels = [], []
    for size in shape:
        inner = np.flatnonzero(rng.random(size - 1) < 0.4) + 1
        edges.append(np.array([0, *inner, size], np.int64))
        found = rng.integers(0, 256, (components, len(inner) + 1)) * (rng.random((components, len(inner) + 1)) > 0.3)
        found[np.arange(components), rng.integers(0, len(inner) + 1, components)] = 255
        levels.append(found.astype(np.uint8))
    weights = rng.exponential(1.0, components)
    return Mixture(total, weights / weights.sum(), tuple(edges), tuple(levels))


def random_density(shape: tuple[int, ...], rng: np.random.Generator) -> list[Array | None]:
    """Masses of codes, of which some have none; the last axis has no density."""
    found: list[Array | None] = [rng.exponential(5.0, size) * (rng.random(size) > 0.25) for size in shape]
    return [*found[:-1], None] if len(shape) > 1 else found


def promise_of_tables(blocks: int, **given: Any) -> Privacy:
    """A ledger whose first draw measures tables of pairs."""
    made = promise(blocks, **{"draws": 3, **given})
    first, *others = made.ledger.entries
    tables = replace(first, purpose="tables of pairs", statistic="total of part")
    return replace(made, ledger=Ledger((tables, *others), made.ledger.steps))


def mixed_view(
    shape: Domain | tuple[int, ...] = TRAVEL,
    *,
    leaves: int = 60,
    seed: int = 0,
    components: int = 6,
    total: float = 5000.0,
    unmeasured: tuple[tuple[int, int], ...] = (),
    **given: Any,
) -> View:
    """A view with a mixture; all pairs of axes but some were measured."""
    rng = np.random.default_rng(seed)
    domain = Domain.of(shape)
    sizes = domain.shape
    tree = random_tree(sizes, leaves, rng)
    blocks = len(tree.leaves)
    privacy = given.pop("privacy", None) or promise_of_tables(blocks)
    measure = given.get("measure", COUNT)
    variance = part_variances(privacy)[0] * measure.step**2
    pairs = [(i, j) for j in range(len(sizes)) for i in range(j) if (i, j) not in unmeasured]
    error = ErrorModel(
        scatter=0.73,
        histogram_variances=tuple(None if axis % 3 == 2 else variance for axis in range(len(sizes))),
        z=2.6,
        sum_power=0.8,
        pair_scatter=0.3,
        centering=0.75,
        least_noise=0.25,
        most_noise=1.5,
        correction_weight=0.25,
        pairs=tuple(
            MeasuredPair(pair, variance, *rng.exponential(0.1, 1), misfit=1 + float(rng.exponential(0.5)))
            for pair in sorted(pairs)
        ),
    )
    mixture, density = random_mixture(sizes, rng, components=components, total=total), random_density(sizes, rng)
    boxes = tree.boxes.take(tree.leaves)
    corrections = rng.normal(0, total / blocks / 5, blocks)
    values = mixture.on(density).totals(boxes.lower, boxes.upper) + corrections
    return make_view(
        domain,
        seed=seed,
        **{
            "tree": tree,
            "values": values,
            "variances": np.where(tree.is_leaf, variance, np.inf),
            "density": density,
            "mixture": mixture,
            "corrections": corrections,
            "error_model": error,
            "privacy": privacy,
            "row_bound": measure.bound * measure.step,
            **given,
        },
    )
