"""Trees, promises and views made by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ripost.answering.content.tree import TreeContent
from ripost.privacy.budget import scale_for
from ripost.privacy.ledger import Charge, Ledger, Privacy, Step
from ripost.privacy.ledger_check import variance_range
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, ROW, Unit
from ripost.space.blocks import Blocks
from ripost.space.tree import Growth, Tree
from ripost.view import View

Array = np.ndarray[Any, np.dtype[Any]]


def random_tree(shape: tuple[int, ...], leaves: int, rng: np.random.Generator) -> Tree:
    """A tree of at most so many leaves, cut at random axes and places, some branches deeper than others."""
    growth, nodes, blocks, count = Growth(shape), np.array([0]), Blocks.whole(shape), 1
    while count < leaves:
        able = np.flatnonzero(~blocks.is_cell)
        able = able[rng.random(len(able)) < 0.8] if len(able) > 1 else able
        if len(able) == 0:
            break
        chosen = able[: leaves - count]
        taken = blocks.take(chosen)
        axis = np.array([rng.choice(np.flatnonzero(sizes > 1)) for sizes in taken.sizes], np.int64)
        rows = np.arange(len(chosen))
        cut = rng.integers(taken.lower[rows, axis] + 1, taken.upper[rows, axis])
        nodes, blocks = growth.split(nodes[chosen], axis, cut), taken.split(axis, cut)
        count += len(chosen)
    return growth.tree()


def promise(
    blocks: int,
    *,
    epsilon: str = "1/2",
    entropy: str = "operating system",
    unit: Unit = ROW,
    bound: int = 1,
    draws: int = 2,
) -> Privacy:
    """A ledger in which every block pays for tests and then for its leaf, in this many draws."""
    each = Fraction(epsilon) / draws / unit.max_rows
    scale = scale_for(bound, each)
    purposes = [*(f"test, depth {depth + 1}" for depth in range(draws - 1)), "leaf"]
    entries = tuple(Charge(purpose, "discrete Laplace", "total", bound, each, scale, blocks) for purpose in purposes)
    steps = (Step(None, None, 0), *(Step(number, number, 0) for number in range(draws - 1)))
    ledger = Ledger(entries, (*steps, Step(draws - 1, draws - 1, blocks)))
    return Privacy(Fraction(epsilon), unit, entropy, ledger)


def make_view(
    shape: Domain | tuple[int, ...] = (12, 7, 5),
    *,
    leaves: int = 20,
    seed: int = 0,
    inner: float = 0.0,
    marginals: bool = False,
    **given: Any,
) -> View:
    """A view of a random tree; `inner` is the share of inner nodes that were measured too."""
    rng = np.random.default_rng(seed)
    domain = Domain.of(shape)
    tree = random_tree(domain.shape, leaves, rng)
    measure, blocks = given.get("measure", COUNT), len(tree.leaves)
    draws = 2 * len(tree.splits) if inner else 2  # enough for a measurement of every node on a path
    privacy = given.get("privacy") or promise(blocks, bound=measure.bound, draws=draws)
    least, most = (end * measure.step**2 for end in variance_range(privacy))
    between = (max(least, most / 2), most)  # so that a path's measurements are not more precise than what it pays for
    variances = random_variances(tree, rng, inner=inner, between=between)
    facts: dict[str, Any] = {
        "values": rng.normal(30, 20, len(tree.leaves)).round(),
        "density": random_marginals(domain.shape, rng) if marginals else None,
        "privacy": privacy,
        "method": "by hand",
        "parameters": {"k": 5, "tight": False},
    }
    facts |= {"tree": tree, "variances": variances} | given
    content = {
        name: facts.pop(name)
        for name in ("tree", "values", "variances", "density", "error_model", "mixture", "corrections", "row_bound")
        if name in facts
    }
    return View(domain=domain, content=TreeContent(domain.shape, **content), **facts)


def blocks_of(view: View) -> TreeContent:
    """The content of a view that holds blocks."""
    assert isinstance(view.content, TreeContent)
    return view.content


def random_variances(
    tree: Tree, rng: np.random.Generator, *, inner: float, exact: float = 0.0, between: tuple[float, ...] = (16, 31)
) -> Array:
    """Few distinct variances, as the noise of `promise` allows; some inner nodes not measured, some known exactly."""
    variances = rng.choice(np.geomspace(*between, 4), len(tree))
    variances[rng.random(len(tree)) < exact] = 0.0
    variances[~tree.is_leaf & (rng.random(len(tree)) >= inner)] = np.inf
    return variances


def random_marginals(shape: tuple[int, ...], rng: np.random.Generator) -> list[Array]:
    """Masses of codes, of which about a third have none."""
    return [rng.exponential(5.0, size) * (rng.random(size) > 0.3) for size in shape]


def random_boxes(shape: tuple[int, ...], count: int, rng: np.random.Generator, *, whole: bool) -> tuple[Array, Array]:
    """Boxes with ends between codes or, if `whole`, at codes; some axes are left free, some boxes are empty."""
    ends = rng.uniform(0, 1, (2, count, len(shape))) * np.array(shape)
    ends = np.sort(np.round(ends) if whole else ends, axis=0)
    free = rng.random((count, len(shape))) < 0.3
    return np.where(free, 0.0, ends[0]), np.where(free, np.array(shape, float), ends[1])


def leaf_weights(view: View, lower: Array, upper: Array) -> Array:
    """Share of each leaf in one box: the definition, in plain loops."""
    tree, density = blocks_of(view).tree, blocks_of(view).density
    boxes = tree.boxes.take(tree.leaves)
    weights = np.ones(len(boxes))
    for leaf in range(len(boxes)):
        for axis, size in enumerate(view.domain.shape):
            start, stop = int(boxes.lower[leaf, axis]), int(boxes.upper[leaf, axis])
            marginal = None if density is None else density[axis]
            mass = np.ones(size) if marginal is None or not marginal[start:stop].any() else marginal
            inside = sum(
                mass[code] * max(0.0, min(upper[axis], code + 1) - max(lower[axis], code))
                for code in range(start, stop)
            )
            weights[leaf] *= inside / mass[start:stop].sum()
    return weights


shapes = st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple)
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 30)
