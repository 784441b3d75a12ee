"""Method: the one interface of all methods, and the five kinds of release that they return."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ripost.arrays import Floats, Ints
from ripost.errors import InputError, suggest_nearest
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.estimate.mixture import Mixture
from ripost.estimate.table_union import CompletedTables, TableUnion
from ripost.methods.parameters import CELLS, RECORDS, check_parameters
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.zcdp import parse_delta, row_budget
from ripost.schema.domain import MOST_AXES_OF_CELLS, format_count
from ripost.space.spine import Spine
from ripost.space.tree import Tree
from ripost.space.workload import Workload

if TYPE_CHECKING:
    from ripost.methods.measured_tree import MeasuredTree

NO_ESTIMATOR = "method {} has no estimator that starts from stored measurements; publish the table again"
MOST_CUTS = 2**23  # of the whole domain, if a method scores each


@dataclass(frozen=True)
class Decomposition:
    """A tree with noisy leaf values and the variance of every node's own measurement, in steps of the measure."""

    tree: Tree
    values: Floats  # (leaves,), in the order of tree.leaves
    variances: Floats  # (nodes,), inf where a node was not measured
    density: tuple[Floats, ...] | None = None  # released mass per code of each axis
    error_model: ErrorModel | None = None  # the parameters of errors beyond noise
    mixture: Mixture | None = None  # the leaves correct it; needs an error model
    corrections: Floats | None = None  # (leaves,): the value of each leaf minus the mixture's

    @property
    def blocks(self) -> int:
        """Blocks that the ledger must account for."""
        return len(self.values)


@dataclass(frozen=True)
class Buckets:
    """Disjoint sets of cells with noisy totals. A total is spread evenly over the cells of its bucket.

    Every cell of the domain is in one bucket. The tree has the shape (buckets,): its boxes are runs of buckets.
    """

    bucket: Ints  # (cells,), row-major: the bucket of each cell, 0 to buckets - 1
    tree: Tree
    values: Floats  # (buckets,), totals
    variances: Floats  # (nodes,), inf where a node was not measured
    blocks: ClassVar[int] = 1  # the ledger knows the whole domain as one block


@dataclass(frozen=True)
class Matrix:
    """Every cell of a domain, as the least-squares solution of noisy products with a public matrix."""

    values: Floats  # (cells,), row-major
    stack: KroneckerUnion  # the matrix
    variance: float  # of the noise of a measured row
    blocks: ClassVar[int] = 1


@dataclass(frozen=True)
class Tables:
    """Tables of a few axes each, as the least-squares residuals of noisy tables."""

    completed: CompletedTables
    union: TableUnion  # what was measured
    variance: float  # of the noise of a measured row
    blocks: ClassVar[int] = 1

    @property
    def values(self) -> Floats:
        """The value of every cell of every part, (rows,)."""
        return self.completed.values


@dataclass(frozen=True)
class Sample:
    """Synthetic rows: distinct cells and the number of rows in each. The error of their answers is unknown."""

    coords: Ints  # (n, d)
    weights: Floats  # (n,), not negative
    blocks: ClassVar[int] = 1


Release = Decomposition | Buckets | Matrix | Tables | Sample


@dataclass(frozen=True)
class PublicInputs:
    """What a method knows before any data is read."""

    shape: tuple[int, ...]  # of the domain
    epsilon: Fraction  # the budget of the account, in its currency
    bound: int = 1  # the most that one row adds to a cell, in steps of the measure
    spine: Spine | None = None  # levels and impossible cells


@dataclass(frozen=True)
class Method(ABC):
    """The parameters of a method. `run` spends an account and returns a release.

    A method that can be tuned to a workload has a field `workload: Workload | None = None`. One that is
    (epsilon, delta)-differentially private has a field `delta: PositiveDelta = 1e-9`; its account counts rho. One that
    can measure some sets of attributes better has a field `protect: tuple[tuple[int, ...], ...] = ()`. One that can
    learn from the non-empty cells instead of the rows has a field `reads: Reads = RECORDS`.

    Pydantic checks each field by its type (methods/parameters.py). Rules about several fields go into a
    `__post_init__` that calls this one first.
    """

    name: ClassVar[str]  # in METHODS
    needs: ClassVar[tuple[str, ...]] = ()  # modules that only an extra brings
    extra: ClassVar[str] = ""
    samples: ClassVar[bool] = False  # whether it learns from secret samples of the rows
    keeps_zeros: ClassVar[bool] = False  # whether its releases are 0 in all impossible cells
    adds_measures: ClassVar[bool] = False  # whether sums of measures can be released beside its counts

    def __post_init__(self) -> None:
        check_parameters(self)

    def check(self, inputs: PublicInputs) -> None:  # noqa: B027  # most methods accept any domain
        """Raise InputError if the method cannot publish such a domain. It is called before the ledger is debited."""

    @abstractmethod
    def run(self, account: Account) -> Release:
        """Spend the account, at most its epsilon, and return the release."""

    def estimate(self, measured: MeasuredTree) -> Release:  # noqa: ARG002
        """Return the release that follows from noisy values and public facts alone, as `run` does from its own.

        InputError if the method cannot: then its views cannot be estimated again.
        """
        raise InputError(NO_ESTIMATOR.format(self.name))

    @property
    def exact_delta(self) -> Fraction:
        """The delta of the promise; 0 for pure differential privacy."""
        return parse_delta(self.delta) if hasattr(self, "delta") else Fraction(0)

    @property
    def currency(self) -> Currency:
        """The currency of the account: epsilon, rho, or accounted events."""
        return Currency.of(self.exact_delta)

    def budget(self, epsilon: Fraction, rows: int) -> Fraction:
        """The budget of one row in the account's currency, if a privacy unit has this many rows."""
        return row_budget(epsilon, self.exact_delta, rows)

    @classmethod
    def configure(cls, options: dict[str, Any]) -> Self:
        """Return the method with these options. InputError names an unknown option."""
        cls.check_installed()
        known = [field.name for field in fields(cls) if field.name not in ("workload", "protect")]
        for name in options:
            if name not in known:
                hint = suggest_nearest(name, known) if known else "it has none"
                raise InputError(f"method {cls.name} has no option {name!r}; {hint}")
        return cls(**options)

    @classmethod
    def missing(cls) -> list[str]:
        """The modules it needs that are not installed."""
        return [module for module in cls.needs if find_spec(module) is None]

    @classmethod
    def check_installed(cls) -> None:
        """Raise InputError if a module that the method needs is not installed."""
        if missing := cls.missing():
            package = f"'ripost[{cls.extra}]'" if cls.extra else " ".join(missing)
            raise InputError(f"method {cls.name} needs {', '.join(missing)}; run: pip install {package}")

    def tuned_to(self, workload: Workload) -> Self:
        """Return the method tuned to a workload, or the method itself if it cannot be tuned."""
        changes: dict[str, Any] = {"workload": workload}
        return replace(self, **changes) if "workload" in {field.name for field in fields(self)} else self

    def protecting(self, sets: Sequence[tuple[int, ...]]) -> Self:
        """Return the method that measures these sets of axes better. InputError if it cannot."""
        if "protect" not in {field.name for field in fields(self)}:
            raise InputError(f"method {self.name} cannot protect attributes; leave out protect, or use ripost+")
        changes: dict[str, Any] = {"protect": tuple(sets)}
        return replace(self, **changes)

    @property
    def reads_cells(self) -> bool:
        """Whether the method reads every non-empty cell as one row. The caller passes such a tensor."""
        return bool(getattr(self, "reads", RECORDS) == CELLS)

    def parameters(self) -> dict[str, Any]:
        """The parameters in the form that the release states."""
        return {field.name: _describe_value(getattr(self, field.name)) for field in fields(self)}


def check_cells(name: str, shape: Sequence[int], most: int) -> None:
    """Raise InputError if a method that needs a value for every cell is asked for too many."""
    cells = math.prod(shape)
    if cells > most:
        raise InputError(
            f"{name} needs a value for each of {format_count(cells)} cells and stops at {most:,}; choose another method"
        )


def check_axes(name: str, shape: Sequence[int]) -> None:
    """Raise InputError if a release of every cell would have more axes than a view can hold."""
    if len(shape) > MOST_AXES_OF_CELLS:
        raise InputError(
            f"{name} takes at most {MOST_AXES_OF_CELLS} attributes, got {len(shape):,}; leave out those with one "
            "value, or choose another method"
        )


def check_codes(name: str, shape: Sequence[int], most: int) -> None:
    """Raise InputError if a method that needs a vector for every code is asked for too many."""
    if sum(shape) > most:
        raise InputError(
            f"{name} needs a vector for each of {sum(shape):,} codes and stops at {most:,}; give fewer, wider bins"
        )


def check_cuts(name: str, shape: Sequence[int], most: int = MOST_CUTS) -> None:
    """Raise InputError if a method that weighs every cut of the domain is asked for too many."""
    cuts = sum(shape) - len(shape)
    if cuts > most:
        raise InputError(
            f"{name} weighs each of {cuts:,} cuts of the domain and stops at {most:,}; give fewer, wider bins"
        )


def _describe_value(value: Any) -> Any:
    if isinstance(value, Workload):
        return f"{len(value)} boxes"
    return str(value) if isinstance(value, Fraction) else value
