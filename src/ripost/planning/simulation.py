"""Simulation: publish stand-in tables, ask the views, and compare the answers with the known true answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ripost.arrays import Floats
from ripost.data.tensor import Tensor
from ripost.methods import METHODS
from ripost.methods.method import Method
from ripost.planning.public_facts import PublicFacts
from ripost.planning.random_queries import FEWEST, QuerySet, draw_pair_queries, draw_queries
from ripost.planning.row_distributions import SHAPES
from ripost.planning.stand_in import draw_stand_in
from ripost.publishing.prepare import DEFAULT_METHOD
from ripost.publishing.publish import publish
from ripost.space.public_randomness import public_generator
from ripost.view import View

MOST_RUNS = 3  # releases of one stand-in
CELLS_A_PLAN = 2**16  # non-empty cells to publish for each stand-in, in all its releases together

PAIR_RUNS = 2  # releases of a stand-in with protected pairs, and without
COMPARED = ("clustered", "correlated")  # stand-ins of dependent attributes, on which another delta is tried

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Trial:
    """A stand-in and its questions."""

    shape: str
    tensor: Tensor
    asked: tuple[QuerySet, ...]

    @property
    def runs(self) -> int:
        """The number of releases of the stand-in: several where they are quick."""
        return int(np.clip(CELLS_A_PLAN // max(1, len(self.tensor.counts)), 1, MOST_RUNS))


@dataclass(frozen=True)
class QueryErrors:
    """Relative errors of answers to questions of one size on one stand-in."""

    shape: str
    share: float
    values: Floats  # (questions and releases,)


@dataclass(frozen=True)
class PairForecast:
    """Relative errors of answers to questions about two attributes, in one release of one stand-in."""

    pair: tuple[int, int]
    shape: str
    values: Floats  # (questions,)


@dataclass(frozen=True)
class Simulation:
    """Stand-ins for a table that is never read, and how to publish them. The seed makes everything repeatable."""

    facts: PublicFacts
    shares: tuple[float, ...]
    method: str = DEFAULT_METHOD
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    tell: Tell = lambda _: None
    protect: tuple[str, ...] = ()  # sets of attributes whose pairs are measured first and better

    @cached_property
    def _recipe(self) -> Method:
        return METHODS[self.method].configure(dict(self.options))

    @property
    def counts_purely(self) -> bool:
        """Whether rows are counted under pure differential privacy, for which the least error is known."""
        rows = self.facts.measure.column is None and not self._recipe.reads_cells
        return rows and not self._recipe.exact_delta

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """One stand-in of every shape; the same for every epsilon."""
        made = []
        for number, (name, shape) in enumerate(SHAPES.items()):
            self.tell(f"making a stand-in table, {name}")
            rng = public_generator(self.seed, number)
            tensor = draw_stand_in(shape(self.facts.domain, rng), self.facts, rng)
            tensor = tensor.occupied() if self._recipe.reads_cells else tensor
            made.append(Trial(name, tensor, draw_queries(tensor, self.shares, rng)))
        return tuple(made)

    @property
    def delta(self) -> Fraction:
        """The delta of the promise; 0 for pure epsilon."""
        return self._recipe.exact_delta

    @property
    def has_both_promises(self) -> bool:
        """Whether the method can promise pure epsilon and, with another delta, (epsilon, delta)."""
        return getattr(type(self._recipe), "delta", None) == 0

    @property
    def reads_cells(self) -> bool:
        """Whether the method learns from non-empty cells instead of rows."""
        return self._recipe.reads_cells

    def release(self, tensor: Tensor, shape: str, epsilon: Fraction, *, without: str | None = None) -> View:
        """Publish a stand-in; `without` names the attribute that it lacks, whose pairs are then not protected."""
        left = f" without {without}" if without else ""
        self.tell(f"publishing the stand-in table, {shape},{left} at epsilon {float(epsilon):.3g}")
        protect = tuple(one for one in self.protect if without not in [name.strip() for name in one.split(",")])
        seed = 1000 * [*SHAPES].index(shape)
        return publish(
            tensor, epsilon=epsilon * self.facts.share, method=self.method, seed=seed, protect=protect, **self.options
        )

    def errors(self, epsilon: Fraction) -> list[QueryErrors]:
        """The errors at an epsilon, by size and stand-in."""
        return [found for trial in self.trials for found in self._errors_of(trial, epsilon, self.options, trial.runs)]

    def errors_with(self, delta: Fraction, epsilon: Fraction) -> list[QueryErrors]:
        """The errors with another delta than that of the options.

        Two of the five stand-ins are released, once each, so that a plan does not take twice as long.
        """
        options = {**self.options, "delta": delta}
        some = [trial for trial in self.trials if trial.shape in COMPARED]
        return [found for trial in some for found in self._errors_of(trial, epsilon, options, 1)]

    def pair_errors(
        self, pairs: Sequence[tuple[int, int]], share: float, epsilon: Fraction, *, protect: bool
    ) -> Iterator[PairForecast]:
        """Errors of questions about pairs of attributes, with protection or without it, on two of the stand-ins."""
        for trial in (trial for trial in self.trials if trial.shape in COMPARED):
            asked = [draw_pair_queries(trial.tensor, pair, share, self.seed) for pair in pairs]
            self.tell(f"publishing the stand-in table, {trial.shape}, with{'' if protect else 'out'} protected pairs")
            for run in range(PAIR_RUNS):
                view = publish(
                    trial.tensor,
                    epsilon=epsilon * self.facts.share,
                    method=self.method,
                    seed=1000 * [*SHAPES].index(trial.shape) + run,
                    protect=self.protect if protect else (),
                    **self.options,
                )
                for pair, some, errors in zip(pairs, asked, relative_errors(view, asked), strict=True):
                    if len(some) >= FEWEST:
                        yield PairForecast(pair, trial.shape, errors)

    def _errors_of(self, trial: Trial, epsilon: Fraction, options: Mapping[str, Any], runs: int) -> list[QueryErrors]:
        self.tell(f"publishing the stand-in table, {trial.shape}, at epsilon {float(epsilon):.3g}")
        first = 1000 * [*SHAPES].index(trial.shape)
        views = [
            publish(
                trial.tensor,
                epsilon=epsilon * self.facts.share,
                method=self.method,
                seed=first + run,
                protect=self.protect,
                **options,
            )
            for run in range(runs)
        ]
        by_run = [relative_errors(view, trial.asked) for view in views]
        return [
            QueryErrors(trial.shape, asked.share, np.concatenate(values))
            for asked, values in zip(trial.asked, zip(*by_run, strict=True), strict=True)
        ]


def relative_errors(view: View, asked: Iterable[QuerySet]) -> list[Floats]:
    """The relative errors of a view's answers, for questions of each size."""
    return [np.abs(view.answer(some.lower, some.upper) - some.truth) / some.truth for some in asked]
