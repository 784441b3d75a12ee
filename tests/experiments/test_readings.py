"""Readings of the paper: the default one is RIPOST, those that overspend say so, and none can be published with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from experiments.datasets import Dataset
from experiments.datasets.synthetic import MOST, SyntheticDataset
from experiments.paper import subject
from experiments.paper.ask import Results
from experiments.paper.charts import Charts
from experiments.paper.frozen import thaw
from experiments.paper.items import ITEMS
from experiments.paper.methods import method_of
from experiments.paper.plan import FULL
from experiments.paper.readings.cells import CellPrivTree
from experiments.paper.readings.list import AS_PRINTED, READINGS, Listed
from experiments.paper.readings.reading import Reading
from experiments.paper.readings.reading_run import ReadingRun
from experiments.paper.readings.statistics import OCCUPIED_CELLS, TOTAL_OF_CUT
from experiments.paper.readings.trial import count_uneven, read
from experiments.paper.readings.workloads import AS_HDPVIEW, ROWS, SHORT, TITLES, workloads_of
from experiments.paper.sections.numeric import numeric
from experiments.paper.sections.readings import readings
from experiments.paper.sections.study import Study
from experiments.paper.subject import Subject, case_of
from experiments.report.document import Table

from ripost import METHODS, Tensor, publish
from ripost.answering.content.tree import TreeContent
from ripost.data.memory import MemoryBlockData
from ripost.errors import PrivacyError
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts
from ripost.statistics.statistic import is_proved

EPSILON = 0.1  # of the readings
REPRODUCTION = Path(__file__).parents[2] / "docs" / "reproduction"
CUBE = Subject("adult", ("a", "b", "c"))


def tensor_of(seed: int, shape: tuple[int, ...] = (9, 1, 6, 4), most: int = 400) -> Tensor:
    """A tensor with few non-empty cells, some of them large."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random(shape) < 0.3, rng.geometric(1 / most, shape), 0)
    coords = np.argwhere(dense)
    return Tensor.from_arrays(shape, coords, dense[tuple(coords.T)])


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> Dataset:
    rng = np.random.default_rng(5)
    codes = np.column_stack([rng.integers(0, 40, 300) // 2, rng.integers(0, 9, 300), rng.integers(0, 2, 300)])
    dataset = Dataset("adult", {"a": 20, "b": 9, "c": 2}, codes.astype(np.int32), "made up", {})
    monkeypatch.setattr(subject, "load", lambda name, folder=None: dataset)
    for cached in (case_of, workloads_of):
        cached.cache_clear()
    yield dataset  # type: ignore[misc]
    for cached in (case_of, workloads_of):
        cached.cache_clear()


class TestReadings:
    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_the_default_is_ripost_draw_for_draw(self, seed: int) -> None:
        tensor = tensor_of(seed)
        ours, reading = (publish(tensor, epsilon=EPSILON, method=m, seed=seed) for m in ("ripost", Reading()))
        assert ours.content.values.tolist() == reading.content.values.tolist()  # type: ignore[attr-defined]
        assert ours.privacy.epsilon_spent == reading.privacy.epsilon_spent

    def test_options_of_ripost_keep_their_meaning(self) -> None:
        tensor, options = tensor_of(4), {"k": 3, "theta_1": 5, "alpha": 0.7, "tight": True}
        ours = publish(tensor, epsilon=EPSILON, method="ripost", seed=1, **options)
        reading = publish(tensor, epsilon=EPSILON, method=Reading(**options), seed=1)  # type: ignore[arg-type]
        assert ours.content.values.tolist() == reading.content.values.tolist()  # type: ignore[attr-defined]

    def test_none_can_be_published_with(self) -> None:
        assert not {"reading", "privtree (cells)"} & set(METHODS)
        with pytest.raises(PrivacyError, match="give a seed"):
            publish(tensor_of(0), epsilon=EPSILON, method=Reading())

    @pytest.mark.parametrize("listed", READINGS, ids=lambda listed: listed.title)
    def test_every_reading_covers_the_domain_and_counts_what_it_spends(self, listed: Listed, little: Dataset) -> None:
        found = read(CUBE, None, method_of(listed.spec), {"epsilon": EPSILON, "seed": 1})
        assert set(found["rmse"]) == set(TITLES) and all(np.isfinite(list(found["rmse"].values())))
        assert 0 <= found["uneven"] <= found["blocks"] <= 360
        if listed.keeps_epsilon:
            assert 0 < found["spent"] <= EPSILON * (1 + 1e-9)

    def test_which_readings_keep_epsilon(self) -> None:
        """Weights that add up to more than 1, no weights, or draws without noise."""
        loose = {listed.options for listed in READINGS if not listed.keeps_epsilon}
        assert loose == {
            "offset=0", "series=false", 'whole="tests"', 'whole="all"', 'exact="tests"', 'exact="leaves"'
        }  # fmt: skip
        assert len({listed.spec for listed in READINGS}) == len(READINGS) and READINGS[0] is AS_PRINTED

    def test_exact_draws_are_exact(self) -> None:
        tensor = tensor_of(2)
        view = publish(tensor, epsilon=EPSILON, method=Reading(exact="leaves"), seed=3)
        assert view.answer([[0] * 4], [tensor.domain.shape]).tolist() == [tensor.counts.sum()]
        view = publish(tensor, epsilon=EPSILON, method=Reading(exact="tests", phases="first"), seed=3)
        assert isinstance(view.content, TreeContent)
        assert count_uneven(view.content.tree, tensor) == 0  # what is not empty is cut down to single cells

    def test_noise_on_the_mean_grows_with_the_cells_of_a_leaf(self) -> None:
        tensor = Tensor.from_arrays((50, 50), [[3, 3]], [7])
        values = [
            publish(tensor, epsilon=EPSILON, method=Reading(on_mean=True, theta_1=10**9, theta_2=10**9), seed=s)
            .answer([[0, 0]], [[50, 50]])
            .item()
            for s in range(40)
        ]
        drawn = (np.array(values) - 7) / 2500
        assert drawn == pytest.approx(drawn.round(), abs=1e-9)
        # A leaf of 2,500 cells; E |noise| = 14.3. The mean of 40 has standard error 2.3: outside once in 10^4.
        assert 6 < np.abs(drawn).mean() < 25

    @pytest.mark.parametrize("axes", ["in turn", "at random", "widest"])
    def test_candidates_are_all_cuts_of_one_axis(self, axes: str) -> None:
        account = SimpleNamespace(noise=SeededNoise(0))
        blocks = Blocks(np.zeros((3, 3), int), np.array([[4, 1, 6], [1, 1, 2], [7, 5, 1]]))
        run = ReadingRun.__new__(ReadingRun)
        run.reading, run.account = Reading(axes=axes), account  # type: ignore[arg-type, assignment]
        cuts = Cuts.of(blocks)
        for depth in (1, 2, 3):
            allowed = run._candidates(cuts, depth)
            assert allowed is not None
            for block, sizes in enumerate(blocks.sizes.tolist()):
                mine = np.flatnonzero(allowed[cuts.start[block] : cuts.start[block + 1]])
                axis = np.repeat(np.arange(3), np.array(sizes) - 1)[mine]
                assert len(set(axis)) == 1 and len(mine) == sizes[axis[0]] - 1
                if axes == "widest":
                    assert sizes[axis[0]] == max(sizes)
                if axes == "in turn" and sizes[depth - 1] > 1:
                    assert axis[0] == depth - 1


class TestCells:
    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_its_tree_is_privtrees_on_a_row_for_each_cell(self, seed: int) -> None:
        tensor = tensor_of(seed, (16, 16), most=50)
        cells = publish(tensor, epsilon=5, method=CellPrivTree(), seed=seed)
        plain = publish(tensor.occupied(), epsilon=5, method="privtree", seed=seed)
        assert cells.blocks.lower.tolist() == plain.blocks.lower.tolist() and len(cells.blocks) > 4
        total = float(tensor.counts.sum())
        assert abs(cells.answer([[0, 0]], [[16, 16]]).item() - total) < 0.2 * total  # leaves hold rows

    def test_it_stops_where_privtree_goes_on(self) -> None:
        tensor = Tensor.from_arrays((64, 64), [[5, 9]], [10**6])
        cells, plain = (len(publish(tensor, epsilon=1, method=m, seed=0).blocks) for m in (CellPrivTree(), "privtree"))
        assert plain >= 19 > cells

    def test_it_spends_epsilon(self) -> None:
        assert publish(tensor_of(0), epsilon=0.3, method=CellPrivTree(), seed=0).privacy.epsilon_spent == 0.3


class TestStatistics:
    def test_they_are_proved(self) -> None:
        assert is_proved(OCCUPIED_CELLS) and is_proved(TOTAL_OF_CUT)
        assert not is_proved(replace(OCCUPIED_CELLS, per_count=0))

    @pytest.mark.parametrize("seed", range(20))
    def test_slow_twins_and_neighbors(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        shape = (5, 4)
        dense = rng.poisson(0.7, shape)
        dense[0, 0] = 1  # never an empty tensor
        more = dense.copy()
        more[tuple(rng.integers(0, shape))] += 1
        found = [
            {s.name: _compute_statistic(s, table) for s in (OCCUPIED_CELLS, TOTAL_OF_CUT)} for table in (dense, more)
        ]
        for table, values in zip((dense, more), found, strict=True):
            assert values["occupied cells"].tolist() == [np.count_nonzero(table)]
            slow = [-min(table[:i].sum(), table[i:].sum()) for i in range(1, 5)]
            slow += [-min(table[:, :i].sum(), table[:, i:].sum()) for i in range(1, 4)]
            assert values["total of cut"].tolist() == slow
        assert np.abs(found[0]["occupied cells"] - found[1]["occupied cells"]).sum() <= OCCUPIED_CELLS.sensitivity(1)
        assert np.abs(found[0]["total of cut"] - found[1]["total of cut"]).max() <= TOTAL_OF_CUT.sensitivity(1)

    def test_their_sensitivities_are_reached(self) -> None:
        one, other = np.array([[1, 0], [0, 2]]), np.array([[1, 1], [0, 2]])
        assert _compute_statistic(OCCUPIED_CELLS, other).item() - _compute_statistic(OCCUPIED_CELLS, one).item() == 1
        assert np.abs(_compute_statistic(TOTAL_OF_CUT, other) - _compute_statistic(TOTAL_OF_CUT, one)).max() == 1


def _compute_statistic(statistic: object, dense: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    coords = np.argwhere(dense)
    tensor = Tensor.from_arrays(dense.shape, coords, dense[tuple(coords.T)])
    return MemoryBlockData.of(tensor).compute(statistic, 0, 1)  # type: ignore[arg-type]


class TestTrials:
    def test_uneven_blocks_one_by_one(self) -> None:
        tensor = tensor_of(3, (8, 9), most=2)
        view = publish(tensor, epsilon=3, method="ripost", seed=2)
        assert isinstance(view.content, TreeContent)
        dense = np.zeros((8, 9), int)
        dense[tuple(tensor.coords.T)] = tensor.counts
        slow = sum(
            dense[a:b, c:d].min() < dense[a:b, c:d].max()
            for (a, c), (b, d) in zip(view.blocks.lower.tolist(), view.blocks.upper.tolist(), strict=True)
        )
        assert count_uneven(view.content.tree, tensor) == slow > 0

    def test_workloads_lie_in_the_domain(self, little: Dataset) -> None:
        works = workloads_of(CUBE, None)
        tensor = case_of(CUBE).tensor
        shape = np.array(tensor.domain.shape)
        for work in works.values():
            assert (work.lower >= 0).all() and (work.lower < work.upper).all() and (work.upper <= shape).all()
            assert work.truth.tolist() == tensor.answer(work.lower, work.upper).tolist()
        assert list(works) == list(TITLES) and len(works[AS_HDPVIEW].truth) == 3000
        for name in (SHORT, ROWS):
            assert ((works[name].upper - works[name].lower) <= np.maximum(shape // 10, 1)).all()
        assert (works[ROWS].truth > 0).all()  # each holds the row that it was drawn around

    def test_synth_adds_to_what_is_not_empty(self, little: Dataset) -> None:
        plain, more = (d.tensor(("a", "b")) for d in (little, SyntheticDataset.of(little)))
        assert plain.coords.tolist() == more.coords.tolist()
        added = more.counts - plain.counts
        assert added.min() >= 0 and added.max() <= MOST and added.max() > MOST / 2

    def test_stored_readings_spend_what_they_say(self) -> None:
        outcomes, _ = thaw(REPRODUCTION / "trials.parquet")
        most: dict[str, float] = {}
        for trial, outcome in outcomes:
            if trial["kind"] == "reading":
                most[trial["method"]] = max(most.get(trial["method"], 0), outcome["spent"])
        for listed in READINGS if most else ():
            if listed.keeps_epsilon:
                assert most[listed.spec] <= EPSILON * (1 + 1e-9)
            elif "exact" not in listed.options:
                assert most[listed.spec] > EPSILON


class TestSections:
    """From made-up outcomes: HDPView errs by 150, PrivTree by 50 or 400, and a reading by 100 or what is said here."""

    ERRORS: ClassVar = {"hdpview": 150.0, "privtree": 50.0, "privtree (cells)": 400.0, "reading[k=1]": 30.0}

    @pytest.fixture
    def study(self) -> Study:
        outcomes = []
        for asked in ITEMS["readings"](FULL):
            error = self.ERRORS.get(asked.method, 100.0)
            spent = 0.09 if "series" not in asked.method else 0.5
            trial = {"kind": asked.kind, "data": asked.subject.data, "attributes": ",".join(asked.subject.attributes)}
            trial |= {"rows": None, "method": asked.method, "epsilon": EPSILON, "seed": 0}
            found = {"rmse": dict.fromkeys(TITLES, error), "blocks": 200, "uneven": 50, "spent": spent}
            outcomes.append((trial, found))
        return Study(Results(outcomes), FULL, {}, Charts())

    def test_every_reading_has_a_line_with_its_ratios(self, study: Study) -> None:
        found = readings(study)
        table = found.section.parts[3]
        assert isinstance(table, Table) and len(table.rows) == len(READINGS) + 3
        rows = {row[0]: row[1:] for row in table.rows}
        assert rows[AS_PRINTED.title] == ("1.50 (11)", "0.50 (0)", "4.00 (11)", "1.00", "200", "25%", "kept")
        assert rows["k = 1"][:4] == ("5.00 (11)", "1.67 (11)", "13.3 (11)", "0.30")
        assert rows["no series: every draw has the share of its phase"][-1] == "5.00 times"
        assert rows["exact tests"][-1] == "without noise"

    def test_the_finding_names_the_reading_most_in_favor(self, study: Study) -> None:
        found = readings(study)
        words = str(found.section.parts[1])
        assert (
            "23 readings that keep epsilon, 1 put PrivTree behind" in words
            and "*k = 1*, with PrivTree at 1.67" in words
        )

    def test_sections_without_trials_are_left_out(self) -> None:
        empty = Study(Results([]), FULL, {}, Charts())
        assert numeric(empty) is None and empty.trees == []
        (_, table, _) = readings(empty).section.parts
        assert isinstance(table, Table) and [row[1] for row in table.rows].count("no") == 6
