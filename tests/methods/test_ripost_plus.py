"""RIPOST+: what it pays for, how it plans, and that it serves all data."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ripost import publish
from ripost.arrays import Ints
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.histograms import (
    ENOUGH_ROWS,
    FEW_ROWS,
    SMALL_WIDTHS,
    WIDTHS,
    histogram_demand,
    histogram_share,
    split_by_length,
)
from ripost.methods.method import Decomposition
from ripost.methods.ripost_plus import RipostPlus
from ripost.methods.root_measurement import CHOOSING, FEW, PLANNING
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from tests.marks import slow

from .silent import Silent, poisson, quick_fit, run


def clustered_tensor(shape: tuple[int, ...], records: int, seed: int = 0) -> Tensor:
    """Rows in three clusters, so that axes depend on each other."""
    rng = np.random.default_rng(seed)
    middle = rng.random((3, len(shape)))
    where = middle[rng.integers(0, 3, records)] + rng.normal(0, 0.08, (records, len(shape)))
    codes = (where.clip(0, 0.999) * shape).astype(np.int64)
    cells, counts = np.unique(codes, axis=0, return_counts=True)
    return Tensor.from_arrays(shape, cells, counts)


def shares(tensor: Tensor, epsilon: str = "1", **options: object) -> dict[str, Fraction]:
    """What each kind of draw took of epsilon, summed over the path that ends last."""
    _, account = run("ripost+", tensor, Fraction(epsilon), noise=Silent(), **options)
    taken: dict[str, Fraction] = {}
    for entry in account.ledger.entries:
        kind = entry.purpose.split(",")[0].rstrip(" 0123456789")
        taken[kind] = taken.get(kind, Fraction(0)) + entry.epsilon / Fraction(epsilon)
    return taken


def test_the_shares_are_as_the_page_says() -> None:
    first = PLANNING[0][0]
    plain = shares(clustered_tensor((50, 40), 20_000))
    assert plain["planning"] == first and plain["axis"] == Fraction(3, 10)
    assert plain["total"] + plain["depth"] == 1 - first - Fraction(3, 10)
    chosen = shares(clustered_tensor((20, 20, 20), 40_000))
    assert chosen["axes"] == CHOOSING
    assert chosen["total"] == plain["total"] * (1 - CHOOSING / (1 - first - Fraction(3, 10)))  # both have two depths
    assert "axes" not in shares(clustered_tensor((20, 20, 20), 40_000), choose_axes=False)
    assert "axes" not in shares(clustered_tensor((20, 20, 20), 10_000))
    for records, part in ((2900, 5), (3100, 4), (5900, 4), (6100, 3)):
        assert shares(clustered_tensor((100, 20), records))["axis"] == Fraction(part, 10)
    assert shares(clustered_tensor((20, 20), 20_000), marginals=0.5)["axis"] == Fraction(1, 2)


def test_longer_axes_get_more_of_the_histograms() -> None:
    """By the cube root of their codes, or the square root with Gaussian noise, and none more than one of 64 codes."""
    for gaussian, ratio in ((False, 2), (True, 8 ** (1 / 2))):
        one, longer, long, longest = split_by_length((8, 64, 8, 5000), gaussian=gaussian)
        assert one + longer + long + longest == 1
        assert one == long and longer == longest
        assert float(longer / one) == pytest.approx(ratio, rel=0.01)


@pytest.mark.parametrize("gaussian", [False, True])
def test_wide_tables_with_few_rows_are_told_by_their_histograms(gaussian: bool) -> None:
    """From eight attributes on; a narrow table of as few rows leaves more to its blocks."""
    shape = (10,) * 8 + (1,) * 3
    demand = histogram_demand(shape, gaussian=gaussian)
    for fewer, part in FEW_ROWS.items():
        assert histogram_share(shape, fewer * demand * 0.99, gaussian=gaussian) == part
    assert histogram_share(shape, max(FEW_ROWS) * demand * 1.01, gaussian=gaussian) < min(FEW_ROWS.values())
    assert histogram_share(shape[1:], demand, gaussian=gaussian) < min(FEW_ROWS.values())
    assert histogram_share(shape, 10**6, gaussian=gaussian) == ENOUGH_ROWS


def test_histograms_of_an_axis_share_its_part() -> None:
    for widths in (*WIDTHS.values(), *SMALL_WIDTHS.values()):
        assert sum(part for _, part in widths) == 1


def test_few_rows_get_one_block_and_nearly_all_of_epsilon_for_it() -> None:
    found, account = run("ripost+", poisson((6, 6), rate=0.2), Fraction(1), noise=Silent())
    assert len(found.values) == 1 and found.density is None
    assert [entry.purpose for entry in account.ledger.entries] == ["planning, look 1", "planning, look 2", "total"]
    assert account.ledger.entries[-1].epsilon == Fraction(95, 100)


def test_looks_end_where_they_should() -> None:
    """One, two or three looks, by how far above FEW the total is."""
    for records, looks in ((2000, 1), (2 * FEW + 200, 2), (2 * FEW + 50, 3), (2 * FEW - 5, 2)):
        tensor = Tensor.from_arrays((8, 8), [[3, 3]], [records])
        _, account = run("ripost+", tensor, Fraction(1), noise=Silent())
        assert sum("look" in entry.purpose for entry in account.ledger.entries) == looks


@pytest.mark.parametrize(("records", "depths"), [(100, 1), (2000, 2), (10**6, 3)])
def test_more_rows_mean_more_depths(records: int, depths: int) -> None:
    tensor = Tensor.from_arrays((512, 512), [[100, 100]], [records])
    _, account = run("ripost+", tensor, Fraction(1), noise=Silent())
    assert len({e.purpose for e in account.ledger.entries if e.purpose.startswith("depth")}) == depths


def test_without_noise_it_comes_near_the_truth() -> None:
    tensor = clustered_tensor((32, 24), 30_000)
    found, _ = run("ripost+", tensor, Fraction(1), noise=Silent())
    view = publish(tensor, epsilon=100, seed=1)
    rng = np.random.default_rng(0)
    ends = np.sort(rng.integers(0, [33, 25], (200, 2, 2)), axis=1)
    truth = tensor.answer(ends[:, 0], ends[:, 1])
    assert abs(view.answer(ends[:, 0], ends[:, 1]) - truth).max() < 60
    assert found.values.sum() == pytest.approx(30_000, rel=0.01)


@pytest.mark.parametrize(
    "options",
    [{}, *({name: False} for name in ("joint", "shrink", "refit", "weigh_axes", "leeway", "adapt"))],
)
def test_no_value_is_negative(options: dict[str, bool]) -> None:
    for seed in range(3):
        found, _ = run("ripost+", clustered_tensor((20, 15, 8), 5000), noise=SeededNoise(seed), **options)
        assert (found.values >= 0).all()
        assert found.density is not None and all((mass > 0).all() for mass in found.density)


def test_blocks_stay_as_wide_along_one_axis_as_along_another() -> None:
    """Even content: halves balance a little better along an axis of 64 codes than along one of 63."""
    tensor = Tensor.from_arrays((64, 63), np.indices((64, 63)).reshape(2, -1).T, np.full(64 * 63, 1))
    ratios = {}
    for widest in (True, False):
        found, _ = run("ripost+", tensor, noise=Silent(), widest=widest)
        leaves = found.tree.boxes.take(found.tree.leaves)
        ratios[widest] = float((leaves.sizes.max(axis=1) / leaves.sizes.min(axis=1)).max())
    assert ratios[True] <= 2 < ratios[False]


def test_an_axis_that_matters_is_cut_first() -> None:
    """Two axes that go together, and two that are even: the first cuts separate the pair."""
    rng = np.random.default_rng(0)
    same = rng.integers(0, 16, 60_000)
    where = np.stack([rng.integers(0, 16, 60_000), same, rng.integers(0, 16, 60_000), same], axis=1)
    cells, counts = np.unique(where, axis=0, return_counts=True)
    tensor = Tensor.from_arrays((16,) * 4, cells, counts)
    for seed in range(5):
        found, _ = run("ripost+", tensor, noise=SeededNoise(seed))
        assert found.tree.axis[0] in (1, 3)


def test_it_cuts_deeper_where_the_marginals_expect_more() -> None:
    """Nearly all rows in one corner, whose codes the histograms tell: the empty rest stays in a few blocks."""
    tensor = Tensor.from_arrays((64, 64), [[x, y] for x in range(4) for y in range(4)], [1000] * 16)
    adapted, even = (
        run("ripost+", tensor, Fraction(1), noise=Silent(), depths=1, adapt=adapt)[0] for adapt in (True, False)
    )

    def blocks(found: Decomposition) -> tuple[int, int]:
        leaves = found.tree.boxes.take(found.tree.leaves)
        corner = (leaves.lower < 4).all(axis=1)
        return int(corner.sum()), int((~corner).sum())

    (in_corner, elsewhere), (in_corner_before, elsewhere_before) = blocks(adapted), blocks(even)
    assert in_corner >= in_corner_before
    assert elsewhere < elsewhere_before / 2


def test_tables_of_few_cells_are_measured_once_with_wide_histograms() -> None:
    """Up to 2^10 cells in two dimensions: single codes of a long axis are the cells' own affair."""
    _, account = run("ripost+", clustered_tensor((100, 10), 20_000), noise=Silent())
    spent = {entry.purpose: entry.epsilon for entry in account.ledger.entries}
    assert spent["axis 1, width 8"] == 9 * spent["axis 1, width 1"]
    assert sum(part for purpose, part in spent.items() if purpose.startswith("axis ")) == Fraction(30, 100)
    assert "depth 2" not in spent
    _, account = run("ripost+", clustered_tensor((103, 10), 20_000), noise=Silent())
    assert "axis 1, width 16" in {entry.purpose for entry in account.ledger.entries}


def test_better_than_the_paper_by_far() -> None:
    tensor = clustered_tensor((64, 48), 40_000, seed=3)
    rng = np.random.default_rng(1)
    ends = np.sort(rng.integers(0, [65, 49], (500, 2, 2)), axis=1)
    lower, upper = ends[:, 0], ends[:, 1]
    truth = tensor.answer(lower, upper)

    def error(method: str, seed: int) -> float:
        view = publish(tensor, epsilon=0.1, method=method, seed=seed)
        return float(np.sqrt(np.mean((view.answer(lower, upper) - truth) ** 2)))

    ours, paper = (np.mean([error(method, seed) for seed in range(5)]) for method in ("ripost+", "ripost"))
    assert ours < paper / 4


@pytest.mark.parametrize("records", [30, 300, 1500, 6000])
def test_small_epsilon_is_hardly_worse_than_one_block(records: int) -> None:
    """Mean squared error of random ranges against that of all epsilon on the total, spread evenly."""
    shape, epsilon = (20, 10, 6), 0.02
    tensor = clustered_tensor(shape, records)
    rng = np.random.default_rng(5)
    ends = np.sort(np.stack([rng.integers(0, [21, 11, 7], (200, 3)) for _ in range(2)]), axis=0)
    lower, upper = ends
    truth = tensor.answer(lower, upper)
    even = ((upper - lower) / shape).prod(axis=1)
    ours = [publish(tensor, epsilon=epsilon, seed=seed).answer(lower, upper) - truth for seed in range(60)]
    noise = rng.laplace(0, 1 / epsilon, 4000)
    one = [np.mean((even * max(records + draw, 0) - truth) ** 2) for draw in noise]
    assert np.sqrt(np.mean(np.square(ours))) < 1.1 * np.sqrt(np.mean(one))


EDGES = {
    "1-D": Tensor.from_arrays((300,), np.arange(300)[:, None], np.arange(300)),
    "one cell": Tensor.from_arrays((1,), [[0]], [100]),
    "empty": Tensor.from_arrays((30, 40), [], []),
    "10^9": Tensor.from_arrays((20, 30), [[3, 4], [7, 8]], [10**9, 10**9]),
    "10^17": Tensor.from_arrays((20, 30, 4), [[3, 4, 1], [7, 8, 2]], [10**15, 10**17]),
    "constant": Tensor.from_arrays((50, 50, 50), [[i, 7, 9] for i in range(50)], [400] * 50),
    "long axis": Tensor.from_arrays((3_000_000,), [[i * 997] for i in range(2000)], [9] * 2000),
    "100 rows": clustered_tensor((6, 5, 4), 100),
    "14-D": clustered_tensor((9,) * 14, 3000),
    "20-D": clustered_tensor((7,) * 20, 20_000),
}
LONG = {("long axis", "0.1"), ("long axis", "100"), ("20-D", "100")}  # seconds each


@pytest.mark.parametrize(
    ("name", "epsilon"),
    [
        slow(name, epsilon) if (name, epsilon) in LONG else (name, epsilon)
        for name in EDGES
        for epsilon in ("0.001", "0.1", "1", "100")
    ],
)
def test_the_edges_of_what_can_be_published_spend_all_and_have_finite_totals(name: str, epsilon: str) -> None:
    tensor = EDGES[name]
    view = publish(tensor, epsilon=epsilon, seed=2)
    assert view.privacy.spent == view.privacy.epsilon
    answer = view.count()
    assert np.isfinite([answer.value, answer.low, answer.high, answer.stderr]).all()
    assert 0 <= answer.low <= answer.value <= answer.high
    if epsilon == "100":
        assert answer.value == pytest.approx(int(tensor.counts.sum()), rel=0.01, abs=3)


def test_sums_are_planned_in_rows() -> None:
    """The same rows worth 1000 steps each: the same tree, and values a thousand times as large."""
    from ripost.schema.measure import Measure

    counts = clustered_tensor((32, 32), 20_000)
    money = Tensor.from_arrays(
        (32, 32), counts.coords, counts.counts * 1000, measure=Measure("price", step=0.5, bound=1000)
    )
    plain, priced = (run("ripost+", tensor, noise=Silent())[0] for tensor in (counts, money))
    assert (plain.tree.axis == priced.tree.axis).all() and (plain.tree.cut == priced.tree.cut).all()
    np.testing.assert_allclose(priced.values, plain.values * 1000, rtol=0.01, atol=100)
    view = publish(money, epsilon=1, seed=3)
    assert view.total == pytest.approx(20_000 * 1000 * 0.5, rel=0.01)


@pytest.mark.parametrize(
    "options", [{"marginals": -0.1}, {"marginals": 0.7}, {"depths": 4}, {"depths": True}, {"joint": 1}], ids=str
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        METHODS["ripost+"].configure(options)


def test_it_is_the_default() -> None:
    view = publish(poisson((5, 5)), epsilon=1, seed=1)
    assert view.method == "ripost+" and isinstance(METHODS[view.method](), RipostPlus)


@pytest.mark.parametrize(("records", "axes"), [(10**5, "axes, level 1"), (10**6, "axes")])
def test_the_largest_share_for_histograms_still_leaves_something(records: int, axes: str) -> None:
    """Three looks, the most for histograms, axes to choose: every path still ends with exactly epsilon."""

    class Looking(Silent):
        """Two looks that find next to nothing, and then more than there can be."""

        looks = 0

        def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
            if len(values) > 1:
                return values
            self.looks += 1
            return np.array([{1: 100, 2: 130}.get(self.looks, records)])

    tensor = clustered_tensor((16, 16, 16), 300)  # not dense, so that axes are chosen
    found, account = run("ripost+", tensor, Fraction(1), noise=Looking(), marginals=0.66)
    purposes = [entry.purpose for entry in account.ledger.entries]
    assert "planning, look 3" in purposes and axes in purposes
    assert account.ledger.spent == 1 and len(found.values) > 1


def test_of_many_rows_a_sample_chooses_the_axes() -> None:
    """Where two axes depend on each other, cuts along them come first, as they do when all rows choose."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 64, 20_000)
    cells = np.stack([x, rng.integers(0, 64, 20_000), x ^ rng.integers(0, 4, 20_000)], axis=1)
    tensor = Tensor.from_arrays((64, 64, 64), cells, np.full(20_000, 60))
    found, account = run("ripost+", tensor, Fraction(1), noise=SeededNoise(2))
    (entry,) = [entry for entry in account.ledger.entries if entry.mechanism == "choices by a sample"]
    assert entry.epsilon == Fraction(3, 100) and entry.blocks == 1
    assert account.ledger.spent == 1
    assert isinstance(found, Decomposition)
    assert set(found.tree.axis[:7].tolist()) == {0, 2}


class Foreseeing(SeededNoise):
    """Notes what it is told to expect, and what is asked of it then."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.expected: list[tuple[float, int]] = []
        self.asked: list[tuple[float, int]] = []

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        self.expected.append((mechanism.scale(bound), number))

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        self.asked.append((mechanism.scale(bound), len(values)))
        return super().laplace(values, mechanism, bound)


@pytest.mark.parametrize(("shape", "times"), [((50, 40), 1), ((64, 64, 64), 1), ((64, 64, 64), 40)])
def test_the_noise_of_the_leaves_is_foreseen(shape: tuple[int, ...], times: int) -> None:
    """Also where levels are paid for, and where a sample chooses: the scale is that of paths that go all the way."""
    noise, tensor = Foreseeing(3), clustered_tensor(shape, 20_000)
    run("ripost+", Tensor(tensor.domain, tensor.coords, tensor.counts * times), Fraction(1), noise=noise)
    ((scale, number),) = noise.expected
    (leaves,) = [asked for wanted, asked in noise.asked if wanted == scale]
    assert leaves > 0.1 * number and leaves > 0.8 * noise.asked[-1][1]


def test_sums_are_not_sampled() -> None:
    cells = [[1, 2, 3], [4, 5, 6]]
    tensor = Tensor.from_arrays((16, 16, 16), cells, [2**21, 2**22], measure=Measure("pay", bound=5))
    view = publish(tensor, epsilon=1, seed=2)
    assert any("axes" in entry.purpose for entry in view.privacy.ledger.entries)
    assert not any("sample" in entry.mechanism for entry in view.privacy.ledger.entries)


@pytest.mark.parametrize(("table", "columns"), [("adult", 15), ("fire_full_schema", 35)])
def test_wide_tables(shared_folder: Path, table: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every column of the real tables, as they stand: 10^20 cells and more."""
    quick_fit(monkeypatch)
    import pyarrow.parquet as pq

    read = pq.read_table(shared_folder / "data" / f"{table}.parquet")
    assert read.num_columns == columns
    codes = [column.combine_chunks().cast("string").fill_null("").dictionary_encode().indices for column in read]
    cells, counts = np.unique(np.stack([np.asarray(c) for c in codes], axis=1), axis=0, return_counts=True)
    tensor = Tensor.from_arrays(tuple((cells.max(axis=0) + 1).tolist()), cells, counts)
    for epsilon in ("0.001", "1"):
        view = publish(tensor, epsilon=epsilon, seed=3)
        assert view.privacy.spent == view.privacy.epsilon
        whole = view.count()
        assert whole.value == pytest.approx(max(view.total, 0), rel=1e-6, abs=1e-6)
        assert abs(whole.value - read.num_rows) < 6 * whole.stderr
        # Of 35 columns there are more pairs than so few rows can pay for.
        assert (view.content.mixture is not None) == (epsilon == "1" and columns == 15)
    assert view.total == pytest.approx(read.num_rows, rel=0.02)
    one_way = view.groupby(view.domain.names[int(np.argmin(view.domain.shape))])
    assert sum(one_way.to_arrow()["count"].to_pylist()) == pytest.approx(view.total, rel=1e-3)
