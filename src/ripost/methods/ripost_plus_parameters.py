"""Parameters of RIPOST+. They serve to measure what each idea gains; the defaults suit all data."""

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
    """The parts of RIPOST+ that can be switched off."""

    marginals: Annotated[float, Field(ge=0, le=2 / 3)] = 0  # share of epsilon for one-way histograms; 0 chooses it
    depths: Annotated[int, Field(ge=0, le=3)] = 0  # measured depths below the root; 0 chooses the number
    choose_axes: bool = True  # pay for the axes of the top levels
    weigh_axes: bool = True  # choose the axes of lower levels by released values
    widest: bool = True  # prefer axes on which a block is wide
    adapt: bool = True  # cut deeper where the marginals expect more rows
    shrink: bool = True  # smooth by empirical Bayes, not least squares alone
    leeway: bool = True  # overdispersion: let splits deviate further than was learned
    joint: bool = True  # solve for blocks and histograms together
    refit: bool = True  # refit to histograms that contradict the view
    pairs: bool = True  # measure pairs of attributes where they depend on each other, and fit a mixture to them
    delta: Delta = 0  # above 0: (epsilon, delta) by Gaussian noise
    protect: tuple[tuple[int, ...], ...] = ()  # sets of axes whose pairs are measured first and better

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.protect and not self.pairs:
            raise InputError("protect needs tables of pairs; leave out pairs=false")

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "tuning": VERSION}
