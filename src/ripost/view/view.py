"""View: a release that answers questions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ripost import __version__
from ripost.errors import QueryError
from ripost.estimate.least_squares import Floats, Spread, add_up
from ripost.estimate.smoother import Smoothing
from ripost.privacy.ledger import Privacy
from ripost.space.attribute import Interval
from ripost.space.blocks import Codes
from ripost.space.domain import Domain
from ripost.space.measure import COUNT, Measure
from ripost.space.tree import Tree
from ripost.view.answer import Z_SMOOTHED, Answer
from ripost.view.clumps import clumped, strayed
from ripost.view.density import Density, Marginals
from ripost.view.markup import view_html
from ripost.view.projection import Projections, by_axes
from ripost.view.traverse import Traverse

LARGEST = 1e100  # of values and masses, so that squares and sums stay finite


@dataclass(frozen=True, slots=True)
class ValuedBlocks:
    """The blocks of a view in depth-first order."""

    lower: Codes  # (n, d), inclusive
    upper: Codes  # (n, d), exclusive
    value: Floats  # (n,), in units of the measure
    variance: Floats  # (n,): of the noise in each value

    def __len__(self) -> int:
        return len(self.value)


class View:
    """Blocks that tile a domain, each with a noisy total and the variance of its noise. It does not change.

    A tree and its variances may be given as functions: a view from a file makes them when they are first needed.
    """

    domain: Domain
    values: Floats  # (leaves,): totals in units of the measure, in the order of `tree.leaves`
    measure: Measure
    density: Marginals | None  # released mass per code of each axis; without it content lies evenly in a block
    smoothing: Smoothing | None  # what is known of the error of values that are not noise alone
    method: str
    parameters: Mapping[str, Any]
    privacy: Privacy
    software: str

    def __init__(
        self,
        *,
        domain: Domain,
        tree: Tree | Callable[[], Tree],
        values: ArrayLike,
        variances: ArrayLike | Callable[[Tree], Floats],
        privacy: Privacy,
        method: str,
        parameters: Mapping[str, Any] | None = None,
        measure: Measure = COUNT,
        density: Sequence[ArrayLike | None] | None = None,
        smoothing: Smoothing | None = None,
        software: str = f"ripost {__version__}",
    ) -> None:
        vars(self).update(
            domain=domain,
            values=_fixed(values),
            measure=measure,
            density=_marginals(density, domain.shape),
            smoothing=smoothing,
            method=method,
            parameters=json.loads(json.dumps(dict(parameters or {}), allow_nan=False)),
            privacy=privacy,
            software=software,
        )
        if smoothing is not None:
            _check_smoothing(smoothing, len(domain))
        if self.values.ndim != 1 or not (abs(self.values) <= LARGEST).all():
            raise ValueError("values must be one finite number per leaf")
        if callable(tree):
            vars(self)["_tree"] = tree
        else:
            vars(self)["tree"] = tree
            if tree.shape != domain.shape or len(tree.leaves) != len(self.values):
                raise ValueError("the tree must have the shape of the domain and a leaf per value")
        if callable(variances):
            vars(self)["_variances"] = variances
        else:
            vars(self)["variances"] = _fixed(variances)
            vars(self)["_spread"] = Spread.of(self.tree, self.variances)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a view does not change: cannot set {name!r}")

    @cached_property
    def tree(self) -> Tree:
        made: Tree = vars(self)["_tree"]()
        return made

    @cached_property
    def variances(self) -> Floats:
        """Variance of each node's own measurement, infinite where there was none, (nodes,)."""
        return _fixed(vars(self)["_variances"](self.tree))

    def answer(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """The estimated total of each box of codes (n, d), lower inclusive, upper exclusive."""
        low, high = self._boxes(lower, upper)
        answers, left = np.zeros(len(low)), np.ones(len(low), bool)
        for axes, boxes in by_axes(low, high, self.domain.shape):
            found = self._projections.totals(low[boxes], high[boxes], axes)
            if found is not None:
                answers[boxes], left[boxes] = found, False
        answers[left] = self._traverse.totals(low[left], high[left], self._totals)
        return answers

    def stderr(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """The standard deviation of the noise in each answer; it leaves out what is unknown inside blocks.

        For smoothed values it is that of least squares, which smoothing makes smaller.
        """
        low, high = self._boxes(lower, upper)
        return np.sqrt(self._traverse.variances(low, high, self._spread))

    def count(self, conditions: Mapping[str, Any] | None = None, /, **named: Any) -> Answer:
        """The total where all conditions hold, with its error, in the owner's own units.

        A condition is a value, (low, high) with both ends included, a list of values, or None for missing values.
        Names that are no Python words go into a dictionary: `count({"arr delay": (0, 30)}, origin="JFK")`.
        """
        asked = dict(conditions or {})
        if twice := asked.keys() & named.keys():
            raise QueryError(f"{min(twice)} is asked for twice")
        return self.answer_selection(self.domain.select(asked | named))

    def answer_selection(self, selection: Mapping[int, Sequence[Interval]]) -> Answer:
        """The total where every listed axis lies in one of its intervals, which are sorted and disjoint."""
        covered = {axis: self._density.covered(axis, intervals) for axis, intervals in selection.items()}
        share = np.prod([np.ones(len(self.values)), *covered.values()], axis=0)
        value, noise = float((self.values * share).sum()), self._spread.of_weights(share)
        blocks = self._density.blocks
        if self.smoothing is None:
            return Answer.of(value, noise=noise, model=clumped(blocks, self.values, covered, share))
        record, roughness = self.measure.bound * self.measure.step, self.smoothing.roughness
        model = strayed(blocks, self.values / record, covered, share, roughness=roughness) * record**2
        if len(selection) == 1:
            [(axis, intervals)] = selection.items()
            known = self._of_marginal(axis, intervals)
            noise, model = min(noise, known), min(model, max(known - noise, 0.0))
        return Answer.of(value, noise=noise, model=model, z=Z_SMOOTHED)

    def _of_marginal(self, axis: int, intervals: Sequence[Interval]) -> float:
        """The variance of a question about one axis by itself, as the histogram of that axis tells it."""
        variance = self.smoothing.marginal_variances[axis] if self.smoothing else None
        if variance is None or any(end % 1 for interval in intervals for end in interval):
            return math.inf
        codes = sum(high - low for low, high in intervals)
        rest = self.domain.shape[axis] - codes
        return min(codes * variance, rest * variance + self._spread.root)

    @property
    def total(self) -> float:
        """The total of everything; `count()` gives it with its error."""
        return float(self.values.sum())

    @cached_property
    def blocks(self) -> ValuedBlocks:
        boxes = self.tree.boxes.take(self.tree.leaves)
        return ValuedBlocks(boxes.lower, boxes.upper, self.values, self._spread.posterior[self.tree.leaves])

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the view as one Parquet file; an existing file is replaced only by `force`."""
        from ripost.view.file import save_view

        save_view(self, path, force=force)

    def __repr__(self) -> str:
        warning = f", {self.privacy.warning}" if self.privacy.warning else ""
        sizes = " x ".join(map(str, self.domain.shape[:6])) + (" x …" if len(self.domain) > 6 else "")
        delta = f", delta {float(self.privacy.delta):g}" if self.privacy.delta else ""
        promise = f"epsilon {float(self.privacy.epsilon):g}{delta}"
        return f"View({sizes}, {len(self.values):,} blocks, {promise}{warning})"

    def _repr_html_(self) -> str:
        return view_html(self)

    def _boxes(self, lower: ArrayLike, upper: ArrayLike) -> tuple[Floats, Floats]:
        """The boxes as positions, if they fit the domain."""
        ends = []
        for name, end in (("lower", lower), ("upper", upper)):
            try:
                array = np.atleast_2d(np.asarray(end))
                if array.dtype.kind not in "iuf":
                    raise TypeError
            except (TypeError, ValueError):
                raise QueryError(f"{name} must be an (n, {len(self.domain)}) array of numbers") from None
            if array.ndim != 2 or array.shape[1] != len(self.domain):
                raise QueryError(f"{name} must have shape (n, {len(self.domain)}), got {np.shape(end)}")
            ends.append(array.astype(np.float64))
        low, high = ends
        if len(low) != len(high):
            raise QueryError(f"lower has {len(low)} boxes and upper has {len(high)}; give as many of each")
        if not ((low >= 0) & (low <= high) & (high <= self.domain.shape)).all():
            raise QueryError(f"a box must satisfy 0 <= lower <= upper <= {list(self.domain.shape)}, upper exclusive")
        return low, high

    @cached_property
    def _density(self) -> Density:
        return Density.of(self.domain.shape, self.tree.boxes.take(self.tree.leaves), self.density)

    @cached_property
    def _spread(self) -> Spread:
        return Spread.of(self.tree, self.variances)

    @cached_property
    def _totals(self) -> Floats:
        return add_up(self.tree, self.values)

    @cached_property
    def _projections(self) -> Projections:
        return Projections(self._density, self.values)

    @cached_property
    def _traverse(self) -> Traverse:
        return Traverse(self.tree, self._density)


def _fixed(numbers: ArrayLike) -> Floats:
    """A copy that cannot be written to."""
    array = np.array(numbers, np.float64)
    array.setflags(write=False)
    return array


def _check_smoothing(smoothing: Smoothing, dimensions: int) -> None:
    known = [variance for variance in smoothing.marginal_variances if variance is not None]
    if not all(0 <= figure <= LARGEST for figure in [smoothing.roughness, *known]):
        raise ValueError("roughness and variances must be finite numbers from 0 up")
    if len(smoothing.marginal_variances) != dimensions:
        raise ValueError(f"smoothing needs one entry per axis ({dimensions})")


def _marginals(density: Sequence[ArrayLike | None] | None, shape: tuple[int, ...]) -> Marginals | None:
    if density is None:
        return None
    marginals = tuple(None if marginal is None else _fixed(marginal) for marginal in density)
    if len(marginals) != len(shape):
        raise ValueError(f"density needs one entry per axis ({len(shape)}), got {len(marginals)}")
    for marginal, size in zip(marginals, shape, strict=True):
        if marginal is None:
            continue
        if marginal.shape != (size,) or not ((marginal >= 0) & (marginal <= LARGEST)).all():
            raise ValueError(f"the density of an axis of {size} codes needs {size} finite numbers from 0 up")
    return marginals
