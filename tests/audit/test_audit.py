"""No output of a method is likelier for a neighbor than the ledger says, by exact probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.methods import METHODS, dense_plan, histograms
from ripost.methods.dense_plan import DensePlan
from ripost.methods.histograms import ENOUGH_ROWS, FEW_ROWS, FEW_ROWS_OF_A_CODE
from ripost.methods.method import Decomposition
from ripost.methods.root_measurement import MOST_FOR_HISTOGRAMS, PLANNING
from ripost.privacy.account import Account
from ripost.privacy.ledger import Ledger
from ripost.privacy.seeded_noise import SeededNoise
from tests.audit.cases import EPSILONS, LARGE, OPTIONS, PLUS, PLUS_SHAPES, SMALL, branches, run
from tests.marks import slow, slow_after
from tests.privacy.agreement import agrees

from .enumeration import TOLERANCE, Script, runs
from .family import Family, Ints


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_ripost_keeps_its_promise(options: dict[str, Any]) -> None:
    for shape in SMALL:
        assert run("ripost", Family(shape), "1", **options).sound


@pytest.mark.parametrize("epsilon", ["0.1", "3"])
@pytest.mark.parametrize("options", ["as printed", "all"])
def test_ripost_keeps_its_promise_at_any_epsilon(options: str, epsilon: str) -> None:
    for shape in SMALL:
        assert run("ripost", Family(shape), epsilon, **OPTIONS[options]).sound


@pytest.mark.parametrize("shape", [shape if shape == (2, 3) else slow(shape) for shape in LARGE], ids=str)
def test_ripost_keeps_its_promise_on_more_cells(shape: tuple[int, ...]) -> None:
    assert run("ripost", Family(shape), "1", reuse_unspent=True, tight=True).sound


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("shape", SMALL + LARGE, ids=str)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_ripost_keeps_its_promise_with_every_option(
    options: dict[str, Any], shape: tuple[int, ...], epsilon: str
) -> None:
    assert run("ripost", Family(shape), epsilon, **options).sound


@pytest.mark.parametrize("shape", [(2,), (3,), (2, 2)], ids=str)
def test_sampled_cuts_cost_no_more(shape: tuple[int, ...]) -> None:
    """Whatever the public randomness say; they are scripted too."""
    assert run("ripost", Family(shape), "1", sample_cuts=0.5, tight=True).sound


@pytest.mark.slow
def test_sampled_cuts_cost_no_more_on_four_cells() -> None:
    assert run("ripost", Family((4,)), "1", sample_cuts=0.3, reuse_unspent=True).sound


@pytest.mark.parametrize(
    ("name", "family"),
    [
        (name, family) if name == "plus" or family.shape in ((2,), (2, 2)) else slow(name, family)
        for name in PLUS
        for family in PLUS_SHAPES
    ],
    ids=lambda part: str(getattr(part, "shape", part)),
)
def test_ripost_plus_spends_all_and_no_more(name: str, family: Family) -> None:
    """Every shape with the options as they are, and two of them with others."""
    result = run("ripost+", family, "1", **PLUS[name])
    assert result.sound
    assert result.spent == 1
    assert result.loss > 0.96  # all of it, but for choices of axes, whose worst cases need more cells


@pytest.mark.parametrize("epsilon", ["0.1", "3"])
@pytest.mark.parametrize("shape", [(3,), (2, 2), slow((2, 1, 2))], ids=str)
def test_ripost_plus_keeps_its_promise_at_any_epsilon(shape: tuple[int, ...], epsilon: str) -> None:
    assert run("ripost+", Family(shape), epsilon).sound


@pytest.mark.parametrize("name", [slow(name) if name == "plus, depths" else name for name in PLUS])
def test_ripost_plus_on_tables_that_are_not_dense(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cube is dense wherever there are rows enough to look further; larger tables are not."""
    monkeypatch.setattr(dense_plan, "DENSE", ())
    result = run("ripost+", Family((2, 2, 2), most=1), "1", **PLUS[name])
    assert result.sound
    assert result.spent == 1
    assert result.loss > 0.96


@pytest.mark.parametrize("plan", slow_after(2, dense_plan.DENSE), ids=lambda plan: str(plan.cells))
def test_dense_tables_spend_all_and_no_more(plan: DensePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every plan on a cube, with rows on both sides of its border."""
    monkeypatch.setattr(dense_plan, "DENSE", (replace(plan, cells=8, rows=60),))
    family = Family((2, 2, 2), most=1)
    result = run("ripost+", family, "1")
    assert result.sound
    assert result.spent == 1
    assert result.loss > 0.96

    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, "1") if "planning" in purpose else []

    ledgers = [ledger for _, ledger, _ in runs(METHODS["ripost+"](), family, Fraction(1), cutpoints=cutpoints)]
    assert {_sum_prices(ledger, "axis ") for ledger in ledgers} > {plan.histograms, ENOUGH_ROWS}
    dense = [ledger for ledger in ledgers if _sum_prices(ledger, "axis ") == plan.histograms]
    for ledger in dense:
        assert _sum_prices(ledger, "depth 1") == plan.ratio * _sum_prices(ledger, "total")
        assert not any("axes" in entry.purpose for entry in ledger.entries)


def _sum_prices(ledger: Ledger, word: str) -> Fraction:
    """What entries of a kind cost."""
    return sum((entry.epsilon for entry in ledger.entries if entry.purpose.startswith(word)), Fraction(0))


def test_the_audit_goes_down_every_branch_of_ripost_plus(monkeypatch: pytest.MonkeyPatch) -> None:
    """One block after two looks and after three; no second look; axes chosen at each level, and each axis."""
    monkeypatch.setattr(dense_plan, "DENSE", ())
    family = Family((2, 2, 2), most=1)
    told: set[str] = set()
    trees: set[str] = set()

    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, "1") if "planning" in purpose else []

    for _, ledger, found in runs(METHODS["ripost+"](), family, Fraction(1), cutpoints=cutpoints):
        purposes = [entry.purpose for entry in ledger.entries]
        looks, axes = (sum(word in purpose for purpose in purposes) for word in ("look", "axes"))
        by = " by a sample" if any("sample" in entry.mechanism for entry in ledger.entries) else ""
        told.add(f"{looks} looks, {'one block' if len(found.values) == 1 else 'blocks'}, {axes} levels of axes{by}")
        trees.add(str(found.tree.axis))
    assert told >= {
        "2 looks, one block, 0 levels of axes",
        "3 looks, one block, 0 levels of axes",
        "1 looks, blocks, 0 levels of axes",
        "2 looks, blocks, 0 levels of axes",
        "3 looks, blocks, 0 levels of axes",
        "1 looks, blocks, 3 levels of axes",
        "1 looks, blocks, 1 levels of axes by a sample",
    }
    assert len(trees) > 10


def test_the_audit_meets_every_share_of_the_histograms() -> None:
    family = Family((2, 2))

    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, "1") if "planning" in purpose else []

    shares = {
        sum(entry.epsilon for entry in ledger.entries if entry.purpose.startswith("axis "))
        for _, ledger, _ in runs(METHODS["ripost+"](), family, Fraction(1), cutpoints=cutpoints)
    }
    assert shares == {0, *FEW_ROWS_OF_A_CODE.values(), ENOUGH_ROWS}  # none if there are few records


def test_histograms_of_wide_tables_with_few_rows_leave_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two attributes in the place of one of eight: the largest shares, after one, two and three looks."""
    monkeypatch.setattr(histograms, "WIDE", 2)
    family, shares = Family((2, 2)), set[Fraction]()

    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, "1") if "planning" in purpose else []

    for _, ledger, _ in runs(METHODS["ripost+"](), family, Fraction(1), cutpoints=cutpoints):
        shares.add(sum((entry.epsilon for entry in ledger.entries if entry.purpose.startswith("axis ")), Fraction(0)))
        assert ledger.spent == 1
    rest = 1 - sum(part for part, _ in PLANNING)
    assert {*FEW_ROWS.values(), ENOUGH_ROWS, MOST_FOR_HISTOGRAMS * rest} < shares
    result = run("ripost+", family, "1")
    assert result.sound
    assert result.spent == 1


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("shape", LARGE, ids=str)
def test_ripost_plus_sweep(shape: tuple[int, ...], epsilon: str) -> None:
    assert run("ripost+", Family(shape), epsilon).sound


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("shape", SMALL + LARGE, ids=str)
def test_identity_spends_all_and_no_more(shape: tuple[int, ...], epsilon: str) -> None:
    result = run("identity", Family(shape), epsilon)
    assert result.sound
    assert result.loss == pytest.approx(float(Fraction(epsilon)))


def test_reuse_leaves_nothing_unspent() -> None:
    """The bound is reached: the audit would see one per cent too much."""
    result = run("ripost", Family((4,)), "1", reuse_unspent=True)
    assert result.spent == 1
    assert result.loss > 0.9999


@pytest.mark.parametrize("options", [{}, {"reuse_unspent": True, "theta_1": 1}], ids=str)
def test_kept_sums_cost_no_more_whatever_they_are(options: dict[str, Any]) -> None:
    """Every released history on a grid gives the same figure as the worst value on each side of the threshold."""
    for shape in [(2,), (3,)]:
        family = Family(shape, most=1)
        every = run("ripost", family, "1", grid=True, refine=True, **options)
        worst = run("ripost", family, "1", refine=True, **options)
        assert every.sound
        assert every.scripts > 2 * worst.scripts
        assert every.loss == pytest.approx(worst.loss, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("shape", "most", "bound"),
    [((2,), 4, 3), ((3,), 4, 2), ((2, 2), 3, 3), pytest.param((4,), 4, 3, marks=pytest.mark.slow)],
)
def test_sums_keep_the_promise(shape: tuple[int, ...], most: int, bound: int) -> None:
    """A row of a SUM adds up to `bound` steps to its cell."""
    family = Family(shape, most, bound)
    for options in (OPTIONS["as printed"], OPTIONS["all"], OPTIONS["theta"]):
        assert run("ripost", family, "1", **options).sound
    assert run("identity", family, "1").sound
    assert run("ripost+", family, "1").sound


@dataclass(frozen=True)
class One(Family):
    """A single tensor of a family."""

    number: int = 0

    @cached_property
    def counts(self) -> Ints:
        return Family(self.shape, self.most).counts[[self.number]]

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        none = np.zeros(0, np.int64)
        return none, none, none


@pytest.mark.parametrize("shape", [(3,), (2, 2)], ids=str)
def test_a_family_at_once_is_its_tensors_one_by_one(shape: tuple[int, ...]) -> None:
    """The stacked tensors get the probabilities that the engine of a release gives to each of them."""
    family, epsilon = Family(shape), Fraction(1)
    method = METHODS["ripost"](reuse_unspent=True)
    for script, _, found in runs(method, family, epsilon):
        for number in range(0, len(family.counts), 13):
            untouched = [np.zeros(len(family.cells), bool)]
            alone = Script(One(shape, number=number), script.told, lambda _: (), asked=untouched)
            cells = MemoryBlockData.of(family.tensor(number))
            tree = method.run(Account(cells, shape=shape, epsilon=epsilon, noise=alone)).tree
            assert alone.options == script.options
            assert alone.log_probability[0] == pytest.approx(script.log_probability[number], abs=TOLERANCE)
            np.testing.assert_array_equal(tree.boxes.upper, found.tree.boxes.upper)


def test_the_audit_foretells_what_is_drawn() -> None:
    """Runs with real noise come out as often as their scripts say; a false alarm once in a million, and seeded."""
    family, epsilon, number = Family((3,)), Fraction(20), 14
    method = METHODS["ripost"](gamma=0.5, alpha=0.9)

    def outcome(ledger: Ledger, found: Decomposition) -> tuple[object, ...]:
        draws = [(entry.purpose, entry.blocks) for entry in ledger.entries]
        return (*found.tree.axis.tolist(), *found.tree.cut.tolist(), *draws)

    foretold = {
        outcome(ledger, found): float(np.exp(script.log_probability[number]))
        for script, ledger, found in runs(method, family, epsilon)
    }
    noise, counts = SeededNoise(1), dict.fromkeys(foretold, 0)
    for _ in range(800):
        account = Account(MemoryBlockData.of(family.tensor(number)), shape=(3,), epsilon=epsilon, noise=noise)
        found = method.run(account)
        counts[outcome(account.ledger, found)] += 1
    assert agrees(np.array([*counts.values()]), np.array([*foretold.values()]))
    assert sum(foretold.values()) == pytest.approx(1)
    assert max(foretold.values()) < 0.9
