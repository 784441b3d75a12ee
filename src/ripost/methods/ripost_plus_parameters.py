"""Parameters of RIPOST+. They exist to show what each idea is worth; the defaults serve all data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from ripost.errors import InputError
from ripost.methods.method import Method
from ripost.methods.parameters import Delta
from ripost.methods.tuning import VERSION


@dataclass(frozen=True)
class RipostPlusParameters(Method):
    """What can be switched on and off in RIPOST+."""

    marginals: Annotated[float, Field(ge=0, le=2 / 3)] = 0  # share of epsilon for one-way histograms; 0 finds it
    depths: Annotated[int, Field(ge=0, le=3)] = 0  # measured depths below the root; 0 finds the number
    choose_axes: bool = True  # pay for the axes of the top levels
    weigh_axes: bool = True  # let what was released guide the axes further down
    widest: bool = True  # cut rather along axes on which a block is still wide
    adapt: bool = True  # cut deeper where the marginals expect more rows
    shrink: bool = True  # smooth by empirical Bayes, not least squares alone
    leeway: bool = True  # let splits stray further than was learned
    joint: bool = True  # solve for blocks and histograms together
    refit: bool = True  # give way to histograms that contradict the view
    pairs: bool = True  # measure pairs of attributes where they depend on each other, and fit a mixture to them
    delta: Delta = 0  # above 0: (epsilon, delta) by Gaussian noise
    protect: tuple[tuple[int, ...], ...] = ()  # sets of axes whose pairs are measured first and better

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.protect and not self.pairs:
            raise InputError("protect needs tables of pairs; leave out pairs=false")

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "tuning": VERSION}
