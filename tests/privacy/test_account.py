"""The account: paid first, drawn once, exact along every path, and blocks that cannot be had twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy import paid_queries as draws
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import Exponential, Gaussian, Laplace, PermuteAndFlip
from ripost.privacy.partition import Partition
from ripost.privacy.paths import count_states
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.cuts import Cuts
from ripost.space.query_parameters import Couples, Grid, Pairs, Slabs
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.statistic import LARGEST, LENGTH, SUM
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART
from tests.privacy.accounts import SHAPE, halve, open_account, unspent_of


def total(cost: Fraction | int) -> Laplace:
    return Laplace(TOTAL, Fraction(cost))


def pairs(blocks: int) -> Pairs:
    """Expect nothing to the left of any cut: then the axis with most there is the farthest off."""
    cut = np.tile([3, 1], (blocks, 1))
    looks = tuple(np.array([size]) for size in SHAPE)
    return Pairs(cut, np.zeros((blocks, 2)), looks, (np.ones((blocks, 1)),) * 2, ((1,), (0,)))


def test_an_axis_is_chosen_by_its_score() -> None:
    account = open_account(Fraction(10**6))
    choice = PermuteAndFlip(DISCREPANCY, Fraction(10**5))
    assert account.charge_query("axes", choice, account.root).choose_axes(
        pairs(1), np.array([[True, True]])
    ).tolist() == [0]
    assert account.charge_query("axes", choice, account.root).choose_axes(
        pairs(1), np.array([[False, True]])
    ).tolist() == [1]
    both = halve(account.root, axis=1)
    allowed = np.array([[True, False], [False, True]])
    assert account.charge_query("axes", choice, both).choose_axes(pairs(2), allowed).tolist() == [0, 1]


@pytest.mark.parametrize("allowed", [np.zeros((1, 2), bool), np.ones((2, 2), bool), np.ones((1, 3), bool)])
def test_an_axis_needs_a_candidate_in_every_block(allowed: np.ndarray) -> None:
    account = open_account()
    term = account.charge_query("axes", PermuteAndFlip(DISCREPANCY, Fraction(1, 2)), account.root)
    with pytest.raises(PrivacyError, match="no candidate"):
        term.choose_axes(pairs(1), allowed)


def test_one_of_many_is_picked_for_one_block_that_has_some() -> None:
    both = Couples(((Grid((0,), (6,), (6,)), Grid((1,), (5,), (5,))),))
    account = open_account()
    with pytest.raises(PrivacyError, match="choose_one needs a partition of one block"):
        account.charge_query("pick", Exponential(DEPENDENCE, Fraction(1)), halve(account.root)).choose_one(both)
    account = open_account(Fraction(2))
    with pytest.raises(PrivacyError, match="no candidate"):
        account.charge_query("pick", Exponential(DEPENDENCE, Fraction(1)), account.root).choose_one(Couples(()))
    assert account.charge_query("pick", Exponential(DEPENDENCE, Fraction(1)), account.root).choose_one(both) == 0


def test_slabs_are_totals_of_bins() -> None:
    account = open_account(Fraction(10**6))
    slabs = Slabs(0, np.array([0, 2, 6]))
    found = account.charge_query("slabs", Laplace(TOTAL_OF_PART, Fraction(10**5)), halve(account.root, axis=1)).measure(
        slabs
    )
    counts = np.random.default_rng(1).poisson(1.5, SHAPE)
    assert found.tolist() == [counts[:2, :2].sum(), counts[2:, :2].sum(), counts[:2, 2:].sum(), counts[2:, 2:].sum()]


@pytest.mark.parametrize(
    ("norm", "mechanism", "fits"),
    [
        (SUM, Laplace, True),
        (LENGTH, Laplace, False),
        (LARGEST, Laplace, False),
        (SUM, Gaussian, True),
        (LENGTH, Gaussian, True),
        (LARGEST, Gaussian, False),
    ],
)
def test_noise_needs_a_bound_of_its_kind(
    norm: str, mechanism: type[Laplace | Gaussian], fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two figures of one block are refused unless the statistic bounds what the noise needs; one is always fine."""
    statistic = replace(TOTAL_OF_PART, norm=norm)
    monkeypatch.setattr("ripost.privacy.account.is_proved", lambda _: True)
    for edges, drawn in [([0, 6], True), ([0, 2, 6], fits)]:
        currency = Currency.RHO if mechanism is Gaussian else Currency.EPSILON
        account = open_account(currency=currency)
        term = account.charge_query("bins", mechanism(statistic, Fraction(1)), account.root)
        if drawn:
            assert len(term.measure(Slabs(0, np.array(edges)))) == len(edges) - 1
            continue
        with pytest.raises(PrivacyError, match="one by one"):
            term.measure(Slabs(0, np.array(edges)))


@pytest.mark.parametrize("draw", ["measure", "at_most"])
def test_as_many_values_as_blocks_may_all_belong_to_one_block(draw: str) -> None:
    """A block of three cells has two cuts and a block of one cell has none: one row changes both values."""
    tensor = Tensor.from_arrays((4,), np.array([[0]]), np.array([1]))
    account = Account(MemoryBlockData.of(tensor), shape=(4,), epsilon=Fraction(1), noise=SeededNoise(1))
    partition = account.root.split(np.array([0]), np.array([3]))
    query = account.charge_query("cuts", Laplace(MIXTURE_OF_CUT, Fraction(1)), partition)
    with pytest.raises(PrivacyError, match="one by one"):
        query.measure() if draw == "measure" else query.at_most(0)


def test_a_draw_is_paid_first_and_made_once() -> None:
    account = open_account()
    term = account.charge_query("sum", total(Fraction(1, 4)), account.root)
    assert unspent_of(account.root) == [Fraction(3, 4)]
    assert len(term.measure()) == 1
    for again in (term.measure, lambda: term.at_most(0)):
        with pytest.raises(BudgetExceeded, match="already made"):
            again()
    cut = account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(1, 4)), account.root)
    assert 0 <= cut.choose_cuts()[0] < 9
    with pytest.raises(BudgetExceeded, match="already made"):
        cut.choose_cuts()
    assert unspent_of(account.root) == [Fraction(1, 2)]


def test_a_term_is_drawn_as_what_it_is() -> None:
    account = open_account()
    noisy = account.charge_query("sum", total(Fraction(1, 4)), account.root)
    with pytest.raises(PrivacyError, match="discrete Laplace cannot be drawn this way"):
        noisy.choose_cuts()
    choice = account.charge_query("cut", PermuteAndFlip(DEVIATION_OF_CUT, Fraction(1, 4)), account.root)
    for wrong in (choice.measure, lambda: choice.at_most(3)):
        with pytest.raises(PrivacyError, match="permute and flip cannot be drawn this way"):
            wrong()
    assert noisy.at_most(10**6).tolist() == [True]  # the wrong question used nothing up
    assert len(choice.choose_cuts()) == 1


def test_what_cannot_be_paid_is_not_charged() -> None:
    account = open_account()
    with pytest.raises(BudgetExceeded, match=r"sum: costs 1\.5, more than a path has left"):
        account.charge_query("sum", total(Fraction(3, 2)), account.root)
    assert account.ledger.spent == 0
    assert account.ledger.entries == ()
    account.charge_query("all", total(1), account.root)
    with pytest.raises(BudgetExceeded):
        account.charge_query("more", total(Fraction(1, 10**30)), account.root)
    assert account.ledger.spent == 1


def test_one_poor_path_stops_a_draw_for_all() -> None:
    account = open_account()
    rich, poor = halve(account.root).select(np.array([True, False]))
    account.charge_query("poor", total(1), poor)
    both = rich.merge(poor)
    with pytest.raises(BudgetExceeded):
        account.charge_query("both", total(Fraction(1, 2)), both)
    assert unspent_of(both) == [1, 0]


@pytest.mark.parametrize("cost", [0, -1])
def test_a_draw_costs_something(cost: int) -> None:
    account = open_account()
    with pytest.raises(PrivacyError, match=f"sum: a draw must cost something, got {cost}"):
        account.charge_query("sum", total(cost), account.root)


def test_only_proved_statistics_are_drawn() -> None:
    account = open_account()
    wishful = replace(TOTAL, per_count=0, per_cell=1)
    with pytest.raises(PrivacyError, match="no proof of the sensitivity of 'total'"):
        account.charge_query("sum", Laplace(wishful, Fraction(1)), account.root)


@pytest.mark.parametrize(
    "use",
    [
        lambda account, partition: partition.split(np.array([0]), np.array([3])),
        lambda account, partition: partition.select(np.array([True])),
        lambda account, partition: partition.merge(),
        lambda account, partition: account.charge_query("sum", total(Fraction(1, 2)), partition),
    ],
    ids=["split", "part", "join", "open"],
)
@pytest.mark.parametrize(
    "kill",
    [
        lambda partition: partition.split(np.array([0]), np.array([3])),
        lambda partition: partition.select(np.array([True])),
        lambda partition: partition.merge(),
    ],
    ids=["after split", "after part", "after join"],
)
def test_a_partition_is_used_up(
    use: Callable[[Account, Partition], object], kill: Callable[[Partition], object]
) -> None:
    account = open_account()
    kill(account.root)
    with pytest.raises(PrivacyError, match="these blocks were split, selected or merged"):
        use(account, account.root)
    assert account.ledger.spent == 0


def test_a_block_cannot_be_joined_with_itself() -> None:
    account = open_account()
    with pytest.raises(PrivacyError, match="split, selected or merged"):
        account.root.merge(account.root)


@pytest.mark.parametrize("mask", [np.array([0, 0]), np.array([True]), np.array([[True, False]])], ids=str)
def test_a_mask_cannot_multiply_blocks(mask: np.ndarray) -> None:
    partition = halve(open_account().root)
    with pytest.raises(PrivacyError, match="a mask must have one boolean per block"):
        partition.select(mask)


def test_accounts_do_not_mix() -> None:
    one, other = open_account(), open_account(bound=7)
    with pytest.raises(PrivacyError, match="belong to another account"):
        one.charge_query("sum", total(1), other.root)
    with pytest.raises(PrivacyError, match="belong to different accounts"):
        one.root.merge(other.root)
    assert one.ledger.spent == other.ledger.spent == 0


def test_a_paid_draw_can_be_made_after_the_cut() -> None:
    """It was paid on the path of both halves."""
    account = open_account(Fraction(10**6))
    term = account.charge_query("sum", total(1000), account.root)
    halves = halve(account.root)
    assert unspent_of(halves) == [10**6 - 1000] * 2
    assert (
        term.measure().tolist()
        == account.charge_query("halves", total(1000), halves).measure().sum(keepdims=True).tolist()
    )


def test_an_empty_partition_costs_nothing() -> None:
    seen: list[tuple[str, int]] = []
    account = open_account(watch=lambda purpose, blocks: seen.append((purpose, blocks)))
    _, none = account.root.select(np.array([True]))
    assert account.charge_query("sum", total(100), none).measure().tolist() == []
    assert account.charge_query("test", Laplace(DEVIATION, Fraction(100)), none).at_most(0).tolist() == []
    assert account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(100)), none).choose_cuts().tolist() == []
    assert unspent_of(none) == []
    assert account.ledger.entries == ()
    assert seen == [("sum", 0), ("test", 0), ("cut", 0)]
    assert len(none.split(np.zeros(0, int), np.zeros(0, int))) == 0


def test_the_watcher_hears_of_every_draw() -> None:
    seen: list[tuple[str, int]] = []
    account = open_account(watch=lambda purpose, blocks: seen.append((purpose, blocks)))
    account.charge_query("one", total(Fraction(1, 8)), account.root)
    account.charge_query("two", total(Fraction(1, 8)), halve(account.root))
    assert seen == [("one", 1), ("two", 2)]


def test_entries_state_sensitivity_and_scale() -> None:
    account = open_account(Fraction(8), bound=5)
    account.charge_query("sum", total(1), account.root)
    account.charge_query("test", Laplace(DEVIATION, Fraction(2)), account.root)
    account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(2)), account.root)
    account.charge_query("as printed", Exponential(DEVIATION_OF_CUT, Fraction(2), halved=True), account.root)
    assert [entry.sensitivity for entry in account.ledger.entries] == [5, 10, 1, 10]
    assert [entry.scale for entry in account.ledger.entries] == pytest.approx([5, 5, 1, 20])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_paths_add_up_whatever_grows(data: st.DataObject) -> None:
    """Random cuts, parts, joins and draws; every block carries its own record of what it should have paid."""
    account = open_account(Fraction(3))
    live: list[tuple[Partition, list[Fraction]]] = [(account.root, [Fraction(0)])]
    for _ in range(data.draw(st.integers(1, 25))):
        number = data.draw(st.integers(0, len(live) - 1))
        partition, paid = live.pop(number)
        action = data.draw(st.sampled_from(["pay", "split", "part", "join"]))
        if action == "pay":
            cost = Fraction(data.draw(st.integers(1, 9)), data.draw(st.integers(5, 30)))
            if all(spent + cost <= 3 for spent in paid):
                account.charge_query("draw", total(cost), partition)
                live.append((partition, [spent + cost for spent in paid]))
            else:
                with pytest.raises(BudgetExceeded):
                    account.charge_query("draw", total(cost), partition)
                live.append((partition, paid))
        elif action == "split" and not partition.blocks.is_cell.any():
            cuts = Cuts.of(partition.blocks)
            picks = [data.draw(st.integers(0, int(n) - 1)) for n in np.diff(cuts.start)]
            live.append((partition.split(*cuts.locate(np.array(picks, np.int64))), np.repeat(paid, 2).tolist()))
        elif action == "part":
            mask = np.array([data.draw(st.booleans()) for _ in paid], bool)
            for part, side in zip(partition.select(mask), (mask, ~mask), strict=True):
                live.append((part, [spent for spent, kept in zip(paid, side, strict=True) if kept]))
        elif action == "join" and live:
            other, more = live.pop()
            live.append((partition.merge(other), paid + more))
        else:
            live.append((partition, paid))
        for some, expected in live:
            assert unspent_of(some) == [3 - spent for spent in expected]
        everything = [spent for _, expected in live for spent in expected]
        assert account.ledger.spent == max(everything)
        assert account.ledger.blocks == len(everything)
        ends = zip(account.ledger.spent_by(), account.ledger.steps, strict=True)
        assert sorted(everything) == sorted(spent for spent, step in ends for _ in range(step.blocks))
        assert sum(entry.epsilon for entry in account.ledger.largest_loss_path) == max(everything)


@pytest.mark.parametrize("chunk", [1, 3, 8, 20])
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda kind: kind.title)
def test_choices_in_chunks_are_the_same(chunk: int, kind: type[Exponential], monkeypatch: pytest.MonkeyPatch) -> None:
    def picks(**options: np.ndarray) -> list[int]:
        account = open_account()
        partition = halve(halve(account.root), axis=1)
        return (
            account.charge_query("cut", kind(DEVIATION_OF_CUT, Fraction(1)), partition).choose_cuts(**options).tolist()
        )

    allowed = np.arange(len(Cuts.of(halve(halve(open_account().root), axis=1).blocks))) % 3 != 1
    at_once = picks(), picks(allowed=allowed)
    monkeypatch.setattr(draws, "CHUNK", chunk)
    assert (picks(), picks(allowed=allowed)) == at_once


def test_runs_cover_every_block_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "CHUNK", 4)
    start = np.array([0, 1, 2, 9, 10, 30, 31])
    runs = draws._chunk_blocks(start)
    assert [block for first, last in runs for block in range(first, last)] == list(range(6))
    assert len(runs) > 2
    assert draws._chunk_blocks(np.array([0])) == []


def test_only_allowed_cuts_are_chosen() -> None:
    for seed in range(20):
        account = open_account(seed=seed)
        partition = halve(account.root)
        cuts = Cuts.of(partition.blocks)
        allowed = np.zeros(len(cuts), bool)
        allowed[[1, 4, 8]] = True  # of the first block cuts 1 and 4, of the second cut 2
        pick = account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(1, 100)), partition).choose_cuts(
            allowed
        )
        assert pick[0] in (1, 4)
        assert pick[1] == 2


def test_a_block_without_candidates_is_an_error() -> None:
    account = open_account()
    term = account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(1)), account.root)
    with pytest.raises(PrivacyError, match="a block has no candidate"):
        term.choose_cuts(np.zeros(9, bool))
    cell = Tensor.from_arrays((1,), [[0]], [5])
    account = Account(MemoryBlockData.of(cell), shape=(1,), epsilon=Fraction(1), noise=SeededNoise(1))
    term = account.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(1)), account.root)
    with pytest.raises(PrivacyError, match="a block has no candidate"):
        term.choose_cuts()


@given(st.lists(st.integers(0, 9)))
def test_a_census_is_what_sorting_finds(states: list[int]) -> None:
    found = count_states(np.array(states, np.int64))
    for ours, sorted_ in zip(found, np.unique(np.array(states, np.int64), return_counts=True), strict=True):
        assert ours.tolist() == sorted_.tolist()
