"""The one exam for every method: its budget, its blocks, its hands off the data."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Buckets, Decomposition, Method, Release, Sample
from ripost.privacy.noise import SystemNoise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.publishing.content import build_content
from ripost.release.verify import verify_view
from ripost.schema.measure import Measure
from ripost.testing import CHECKS, find_trespasses
from tests.marks import slow_after
from tests.methods.shapes import SHAPES

from .silent import poisson, run

ALL = Fraction(1)
SPENDS = {  # least and most of epsilon
    "ripost+": (ALL, ALL),
    "ripost": (Fraction(7, 10), ALL),
    "privtree": (ALL, ALL),
    "hdpview": (Fraction(91, 100), ALL),
    "identity": (ALL, ALL),
    "uniform-grid": (ALL, ALL),
    "adaptive-grid": (ALL, ALL),
    "quadtree": (ALL, ALL),
    "hierarchy": (ALL, ALL),
    "hdmm": (ALL, ALL),
    "dawa": (ALL, ALL),
    "ahp": (ALL, ALL),
    "privbayes": (ALL, ALL),
    "privsyn": (ALL, ALL),
    "slimview": (ALL, ALL),
    "one-way": (ALL, ALL),
    "two-way": (ALL, ALL),
    "residual-planner": (ALL, ALL),
    "residual-planner+": (ALL, ALL),
    "mst": (ALL, ALL),
    "aim": (ALL, ALL),
    "aim-residuals": (ALL, ALL),
    "swift": (ALL, ALL),
    "privmrf": (ALL, ALL),
    "p3gm": (ALL, ALL),
}
HUGE = {  # methods that take a domain of 10^57 cells
    "ripost+",
    "ripost",
    "hdpview",
    "uniform-grid",
    "adaptive-grid",
    "privbayes",
    "privsyn",
    "p3gm",
    "one-way",
}

SMALLEST_SHARE = 100  # of its budget at least 1 in so many goes to the total, in methods that tell nothing of its error


every_method = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} not installed"))
        for name, missing in ((name, METHODS[name].missing()) for name in METHODS)
    ],
)


def test_the_exam_knows_every_method() -> None:
    assert set(SPENDS) == set(METHODS)


@every_method
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_method_passes_the_public_exam(name: str, check: Callable[[Method], None]) -> None:
    check(METHODS[name].configure({}))


@every_method
@pytest.mark.parametrize("epsilon", ["0.01", "1", "20"])
def test_spends_its_budget_and_no_more(name: str, epsilon: str) -> None:
    least, most = SPENDS[name]
    for shape in SHAPES:
        _, account = run(name, poisson(shape), Fraction(epsilon))
        assert least <= account.ledger.spent / account.epsilon <= most


@every_method
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_leaves_the_tensor_alone(name: str, shape: tuple[int, ...]) -> None:
    tensor = poisson(shape)
    coords, counts = tensor.coords.copy(), tensor.counts.copy()
    for array in (tensor.coords, tensor.counts):
        array.flags.writeable = False
    run(name, tensor)
    np.testing.assert_array_equal(tensor.coords, coords)
    np.testing.assert_array_equal(tensor.counts, counts)


@every_method
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_empty_tensor_is_published_like_any_other(name: str, shape: tuple[int, ...]) -> None:
    found, account = run(name, Tensor.from_arrays(shape, [], []))
    assert account.ledger.spent <= account.epsilon
    assert near(found, Tensor.from_arrays(shape, [], []))


@every_method
def test_sums_are_published_like_counts(name: str) -> None:
    money = Measure("price", step=0.5, bound=200)
    rng = np.random.default_rng(2)
    tensor = Tensor.from_arrays((20, 5), np.argwhere(np.ones((20, 5))), rng.integers(0, 10**4, 100), measure=money)
    found, account = run(name, tensor)
    assert account.ledger.spent <= account.epsilon
    assert near(found, tensor)
    assert {entry.sensitivity % 200 for entry in account.ledger.entries} <= {0, 1}


def is_finite(found: Release) -> bool:
    return bool(np.isfinite(found.weights if isinstance(found, Sample) else found.values).all())


def numbers(found: Release) -> list[float]:
    return (found.weights if isinstance(found, Sample) else found.values).tolist()


def near(found: Release, tensor: Tensor, epsilon: Fraction | int = 1) -> bool:
    """Whether the answer for everything fits the total.

    The error is a weighted sum X of independent Laplace noises with known variance v. By Chernoff's bound
    P(|X| > t) <= 2 exp(-s t) / (1 - s^2 v / 2) for any s below sqrt(2 / v); a single noise is the worst case. At 13
    standard deviations that is less than a false alarm in a million. A sample does not tell v: it may be as large as
    that of a total that had the smallest share of the budget.
    """
    content = build_content(found, tensor.domain, tensor.measure)
    box = np.zeros((1, len(content.shape))), np.array([content.shape], float)
    variance = content.variances(*box)[0]
    if np.isnan(variance):
        variance = 2 * (tensor.measure.bound * tensor.measure.step * SMALLEST_SHARE / float(epsilon)) ** 2
    missed = content.answers(*box)[0] - int(tensor.counts.sum()) * tensor.measure.step
    return bool(abs(missed) <= 13 * math.sqrt(variance) + 1e-9)


@every_method
@pytest.mark.parametrize("seed", slow_after(2, range(5)))
def test_the_whole_is_near_the_total(name: str, seed: int) -> None:
    tensor = poisson((30, 8), seed=seed)
    for epsilon in (Fraction(1, 10), 10):
        found, _ = run(name, tensor, epsilon, noise=SeededNoise(seed))
        assert near(found, tensor, epsilon)


@every_method
def test_a_seed_repeats_itself_and_the_system_does_not(name: str) -> None:
    tensor = poisson((9, 7), rate=2000.0)  # with few records a sample may well be empty twice
    seeded = [numbers(run(name, tensor, noise=SeededNoise(seed))[0]) for seed in (4, 4, 5)]
    assert seeded[0] == seeded[1] != seeded[2]
    crowd = poisson((9, 7), rate=1000)  # so many that no sample is empty
    fresh = [numbers(run(name, crowd, Fraction(1, 100), noise=SystemNoise())[0]) for _ in range(2)]
    assert fresh[0] != fresh[1]


@every_method
def test_huge_epsilon_gives_finite_answers(name: str) -> None:
    tensor = poisson((5, 4))
    for epsilon in (1000, 720, Fraction(1, 10**9)):
        found, _ = run(name, tensor, epsilon)
        assert is_finite(found)
        if isinstance(found, Decomposition | Buckets):
            assert not np.isnan(found.variances).any()


@every_method
def test_huge_domains(name: str) -> None:
    shape = (100,) * 28 + (10,)
    rng = np.random.default_rng(5)
    where = np.stack([rng.integers(0, size, 300) for size in shape], axis=1)
    tensor = Tensor.from_arrays(shape, where, np.ones(300, int))
    if name not in HUGE:
        with pytest.raises(InputError, match="choose another method"):
            run(name, tensor)
        return
    found, account = run(name, tensor, noise=SeededNoise(2))
    if isinstance(found, Decomposition):
        assert sum(found.tree.boxes.take(found.tree.leaves).volumes()) == 10**57
    assert account.ledger.spent <= account.epsilon
    assert near(found, tensor)


@every_method
def test_through_publish_and_a_file(name: str, tmp_path: Path) -> None:
    tensor = poisson((9, 7))
    asked: dict[str, Any] = {"epsilon": 0.5, "method": name, "workload": ([[0, 0], [2, 1]], [[9, 7], [5, 7]])}
    view = ripost.publish(tensor, **asked, seed=3)
    assert view.privacy.epsilon == Fraction(1, 2)
    view.privacy.check(blocks=len(view.blocks) if view.content.kind == "blocks" else 1)
    assert view.privacy.warning == "NOT PRIVATE: the noise comes from seed 3"
    json.dumps(dict(view.parameters))
    whole = [[0, 0]], [[9, 7]]
    spread = view.stderr(*whole)[0]
    if not math.isnan(spread):
        assert abs(view.answer(*whole)[0] - tensor.counts.sum()) <= 13 * spread  # as in `near`
    view.save(tmp_path / "v")
    again = ripost.open(tmp_path / "v")
    boxes = [[0, 0], [1, 2], [3, 3]], [[9, 7], [4, 6], [4, 4]]
    np.testing.assert_allclose(again.answer(*boxes), view.answer(*boxes))
    np.testing.assert_allclose(again.stderr(*boxes), view.stderr(*boxes))
    assert again.privacy == view.privacy and str(again.count()) == str(view.count())
    assert all(check.ok for check in verify_view(tmp_path / "v"))
    assert ripost.publish(tensor, **asked).privacy.warning is None


@every_method
def test_unknown_options_are_named(name: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"method {name} has no option 'alhpa'")):
        METHODS[name].configure({"alhpa": 0.1})


def test_unknown_methods_are_named() -> None:
    with pytest.raises(InputError, match="there is no method 'ripots'; did you mean 'ripost'"):
        METHODS["ripots"]
    assert "ripots" not in METHODS
    assert len(METHODS) == len(list(METHODS)) >= 2


@pytest.mark.parametrize("package", ["methods", "peers"])
def test_modules_of_methods_do_not_trespass(package: str) -> None:
    paths = sorted((Path(ripost.__file__).parent / package).rglob("*.py"))
    assert len(paths) > 5
    assert [(path.name, found) for path in paths if (found := find_trespasses(path.read_text("utf-8")))] == []


@pytest.mark.parametrize(
    "line",
    [
        "import ripost.data.memory",
        "from ripost.data.memory import MemoryBlockData",
        "from ripost import data",
        "from ripost.sources import read",
        "x = account.root._cells",
        "x = partition._compute('total', 0, 1)",
        "x = run().root._cells",
    ],
)
def test_a_trespass_is_seen(line: str) -> None:
    assert find_trespasses(line)
