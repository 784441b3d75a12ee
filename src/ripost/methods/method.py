"""Method: the one interface of all methods, and what they return."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ripost.errors import InputError, nearest
from ripost.estimate.smoother import Smoothing
from ripost.privacy.account import Account
from ripost.space.tree import Tree


@dataclass(frozen=True)
class Decomposition:
    """A tree with noisy leaf values and the variance of every node's own measurement, in steps of the measure."""

    tree: Tree
    values: NDArray[np.float64]  # (leaves,), in the order of tree.leaves
    variances: NDArray[np.float64]  # (nodes,), inf where a node was not measured
    density: tuple[NDArray[np.float64], ...] | None = None  # released mass per code of each axis
    smoothing: Smoothing | None = None  # what is known of the error of values that are not noise alone


@dataclass(frozen=True)
class Method(ABC):
    """A method's parameters; calling `run` spends the account."""

    name: ClassVar[str]  # in METHODS

    @abstractmethod
    def run(self, account: Account) -> Decomposition:
        """Decompose what the account stands for, spending no more than its epsilon."""

    @classmethod
    def configure(cls, options: dict[str, Any]) -> Self:
        """The method with these options; InputError names an option it does not have."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                hint = nearest(name, known) if known else "it has none"
                raise InputError(f"method {cls.name} has no option {name!r}; {hint}")
        return cls(**options)

    def parameters(self) -> dict[str, Any]:
        """The parameters as the release states them."""
        return {k: str(v) if isinstance(v, Fraction) else v for k, v in asdict(self).items()}
