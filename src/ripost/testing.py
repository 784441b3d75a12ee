"""Testing: the exam that every method must pass, built-in or your own (docs/methods/your-own.md).

Each check takes a method and raises AssertionError with a sentence if the method breaks a rule. `check_method` runs
all of them. The checks find mistakes; only a proof shows that a method is differentially private.
"""

from __future__ import annotations

import ast
import inspect
import math
import tempfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import resolve_method
from ripost.methods.method import Buckets, Decomposition, Matrix, Method, PublicInputs, Release, Sample, Tables
from ripost.privacy.account import Account
from ripost.privacy.noise import Noise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.publishing.publish import publish
from ripost.space.public_randomness import public_generator

SHAPES = ((1,), (2,), (50,), (1, 1), (7, 1, 5), (12, 9), (3, 4, 5, 2))
HUGE = (100,) * 28 + (10,)  # 10^57 cells
EPSILONS = (Fraction(1, 100), Fraction(1), Fraction(20))


def check_method(method: str | Method | type[Method], **options: Any) -> None:
    """Run every check on a method. Give a name of METHODS, a class, or an instance."""
    found = resolve_method(method, options)
    for check in CHECKS:
        check(found)


def check_budget(method: Method) -> None:
    """The privacy loss along every root-to-leaf path stays within the budget, on every shape and epsilon."""
    for shape in SHAPES:
        for epsilon in EPSILONS:
            found, account = run_method(method, count_tensor(shape), epsilon)
            _require(account.ledger.spent <= account.epsilon, method, "spends more than its budget", shape)
            _require(account.ledger.blocks == found.blocks, method, "accounts for other blocks than it releases", shape)


def check_release(method: Method) -> None:
    """The release covers every cell of the domain once, and its values and variances are numbers."""
    for shape in SHAPES:
        found, _ = run_method(method, count_tensor(shape))
        _require(covers_domain(found, shape), method, "releases blocks that do not cover the domain once", shape)
        _require(bool(np.isfinite(release_values(found)).all()), method, "releases values that are not finite", shape)
        if isinstance(found, Decomposition | Buckets):
            leaves = found.variances[found.tree.leaves]
            _require(found.variances.shape == (len(found.tree),), method, "needs one variance per node", shape)
            _require(not (np.isnan(found.variances) | (found.variances < 0)).any(), method, "has bad variances", shape)
            _require(bool(np.isfinite(leaves).all()), method, "must measure every leaf", shape)


def check_empty_table(method: Method) -> None:
    """A table without rows is published like any other."""
    for shape in SHAPES:
        found, account = run_method(method, Tensor.from_arrays(shape, [], []))
        _require(account.ledger.spent <= account.epsilon, method, "spends more than its budget", shape)
        _require(covers_domain(found, shape), method, "does not cover the domain of an empty table", shape)


def check_input_unchanged(method: Method) -> None:
    """The method does not write into the tensor."""
    tensor = count_tensor((12, 9))
    coords, counts = tensor.coords.copy(), tensor.counts.copy()
    run_method(method, tensor)
    same = np.array_equal(coords, tensor.coords) and np.array_equal(counts, tensor.counts)
    _require(same, method, "changes the tensor", (12, 9))


def check_row_order(method: Method) -> None:
    """The order of the cells does not change a seeded release."""
    tensor = count_tensor((6, 6))
    order = np.arange(len(tensor.counts))[::-1]
    again = Tensor.from_arrays((6, 6), tensor.coords[order], tensor.counts[order])
    one, other = (release_values(run_method(method, each)[0]) for each in (tensor, again))
    _require(np.array_equal(one, other), method, "depends on the order of the cells", (6, 6))


def check_seed(method: Method) -> None:
    """All randomness comes from the account's noise: one seed gives one release, another seed another."""
    tensor = count_tensor((9, 7), rate=2000)
    one, same, other = (
        release_values(run_method(method, tensor, noise=SeededNoise(seed))[0]).tolist() for seed in (4, 4, 5)
    )
    _require(one == same, method, "draws randomness outside the account", (9, 7))
    _require(one != other, method, "gives the same release for two seeds", (9, 7))


def check_refusals(method: Method) -> None:
    """A domain that the method cannot publish is refused by `check`, which sees no data; `run` refuses nothing."""
    cells = public_generator(5).integers(0, HUGE, (300, len(HUGE)))
    for tensor in (Tensor.from_arrays(HUGE, cells, np.ones(300, np.int64)), count_tensor((12, 9))):
        shape = tensor.domain.shape
        try:
            method.check(PublicInputs(shape, method.budget(Fraction(1), 1)))
        except InputError:
            continue
        try:
            run_method(method, tensor)
        except InputError as error:
            raise AssertionError(f"{method.name} refuses in run what check allows, for {shape}: {error}") from error


def check_file(method: Method) -> None:
    """The view can be saved, opened and verified, and answers the same."""
    from ripost.release.verify import verify_view
    from ripost.view import open_view

    view = publish(count_tensor((9, 7)), epsilon=0.5, method=method, seed=3)
    boxes = [[0, 0], [1, 2], [3, 3]], [[9, 7], [4, 6], [4, 4]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.parquet"
        view.save(path)
        again = open_view(path)
        same = np.allclose(again.answer(*boxes), view.answer(*boxes))
        _require(same and all(check.ok for check in verify_view(path)), method, "writes a bad file", (9, 7))


def check_source(method: Method) -> None:
    """The method's module reads no data except through the account."""
    module = inspect.getmodule(type(method))
    found = find_trespasses(inspect.getsource(module)) if module and getattr(module, "__file__", None) else []
    _require(not found, method, f"uses what is private: {', '.join(found)}")


CHECKS: tuple[Callable[[Method], None], ...] = (
    check_budget,
    check_release,
    check_empty_table,
    check_input_unchanged,
    check_row_order,
    check_seed,
    check_refusals,
    check_file,
    check_source,
)


def run_method(
    method: Method, tensor: Tensor, epsilon: Fraction | int = 1, *, noise: Noise | None = None
) -> tuple[Release, Account]:
    """Check a method and run it on a tensor with seeded noise. Return the release and the spent account."""
    budget = method.budget(Fraction(epsilon), 1)
    method.check(PublicInputs(tensor.domain.shape, budget, tensor.measure.bound))
    account = Account(
        MemoryBlockData.of(tensor.occupied() if method.reads_cells else tensor),
        shape=tensor.domain.shape,
        epsilon=budget,
        noise=noise or SeededNoise(7),
        bound=tensor.measure.bound,
        currency=method.currency,
        delta=method.exact_delta,
    )
    return method.run(account), account


def count_tensor(shape: tuple[int, ...], *, rate: float = 2.0, seed: int = 0) -> Tensor:
    """A tensor with Poisson counts in every cell."""
    counts = public_generator(seed).poisson(rate, shape)
    return Tensor.from_arrays(shape, np.argwhere(counts >= 0), counts.ravel())


def release_values(found: Release) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The released numbers."""
    return found.weights if isinstance(found, Sample) else found.values


def covers_domain(found: Release, shape: Sequence[int]) -> bool:
    """Whether a release gives every cell of a small domain exactly one place."""
    cells = math.prod(shape)
    match found:
        case Decomposition():
            leaves = found.tree.boxes.take(found.tree.leaves)
            covered = np.zeros(shape, int)
            for lower, upper in zip(leaves.lower.tolist(), leaves.upper.tolist(), strict=True):
                covered[tuple(map(slice, lower, upper))] += 1
            return bool((covered == 1).all()) and len(leaves) == len(found.values)
        case Buckets():
            buckets = np.arange(len(found.values))
            return found.bucket.shape == (cells,) and np.array_equal(np.unique(found.bucket), buckets)
        case Matrix():
            return found.values.shape == (cells,)
        case Tables():
            residuals = [math.prod(shape[axis] for axis in part) for part in found.union.parts]
            return found.union.shape == tuple(shape) and len(found.values) == sum(residuals)
        case Sample():
            inside = ((found.coords >= 0) & (found.coords < np.array(shape))).all()
            return bool(inside and (found.weights >= 0).all()) and len(found.weights) == len(found.coords)


def find_trespasses(source: str) -> list[str]:
    """Imports of private packages and uses of another object's private attributes in a method's source."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            modules = names + [f"{getattr(node, 'module', '')}.{name}" for name in names]
            found += [module for module in modules if module.startswith(("ripost.data", "ripost.sources"))]
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            found += [] if owner in ("self", "cls") else [f"{owner}.{node.attr}"]
    return found


def _require(holds: bool, method: Method, problem: str, shape: Sequence[int] | None = None) -> None:
    if not holds:
        where = "" if shape is None else f", for a domain of shape {tuple(shape)}"
        raise AssertionError(f"method {method.name} {problem}{where}")
