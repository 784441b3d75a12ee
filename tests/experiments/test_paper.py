"""The paper's reproduction: what is asked, how it is scored, how claims are judged, and the committed report."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.datasets import Dataset
from experiments.paper import ask, command, frozen, subject
from experiments.paper.ask import SHAPE, Ask, Results
from experiments.paper.claims import CONFIRMED, NOT, PARTLY, every, factor, share, tendency
from experiments.paper.command import paper
from experiments.paper.frozen import freeze, thaw
from experiments.paper.items import ITEMS, asks_of
from experiments.paper.plan import FULL, PLANE, QUICK
from experiments.paper.readme import FIRE, value_of, with_numbers
from experiments.paper.report import report
from experiments.paper.statistics import Mean, figure, geometric, rank_correlation
from experiments.paper.subject import Subject, case_of, exact_sums
from experiments.paper.trial import SIZES, run_trial, unpack_boxes
from experiments.pool import run_all

from ripost import Tensor
from ripost.errors import InputError

REPRODUCTION = Path(__file__).parents[2] / "docs" / "reproduction"
CUBE = Subject("adult", ("age", "hours", "sex"))
FACE = Subject("adult", ("age", "hours"))


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """Three hundred records of three attributes in place of every data set."""
    rng = np.random.default_rng(5)
    codes = np.column_stack([rng.integers(0, 16, 300) // 2, rng.integers(0, 9, 300), rng.integers(0, 2, 300)])
    dataset = Dataset("adult", {"age": 8, "hours": 9, "sex": 2}, codes.astype(np.int32), "made up", {})
    for module in (ask, subject):
        monkeypatch.setattr(module, "load", lambda name, folder=None: dataset)
    case_of.cache_clear()
    yield dataset  # type: ignore[misc]
    case_of.cache_clear()


class TestAsked:
    def test_tensors_are_those_of_the_papers_table(self) -> None:
        assert [len(FULL.tensors_of("adult", d)) for d in range(2, 7)] == [21, 35, 35, 21, 7]
        assert all(len(set(s.attributes)) == 4 for s in FULL.tensors_of("fire", 4))

    def test_a_quick_run_asks_part_of_a_full_one_for_every_item(self) -> None:
        for item, asks in ITEMS.items():
            full = {(a.subject, a.method, a.epsilon, a.kind): a.runs for a in asks(FULL)}
            quick = asks(QUICK)
            assert quick and all(
                (a.subject, a.method, a.epsilon, a.kind) in full or item == "convergence" for a in quick
            )
            assert all(a.runs <= full.get((a.subject, a.method, a.epsilon, a.kind), a.runs) for a in quick)

    def test_what_two_items_ask_is_asked_once_with_the_most_runs(self) -> None:
        found = [
            a for a in asks_of(FULL) if (a.subject, a.method, a.epsilon, a.kind) == (PLANE, "ripost", 0.1, "error")
        ]
        assert [a.runs for a in found] == [FULL.many_runs]
        order = [a.subject for a in asks_of(QUICK)]
        assert len(set(order)) == sum(a != b for a, b in zip(order, [None, *order], strict=False))  # in runs

    def test_workloads_bound_as_many_dimensions_as_they_say(self, little: Dataset) -> None:
        case = case_of(CUBE)
        assert [(w.bounded, len(w.truth)) for w in case.workloads] == [(3, 3000), (2, 1000)]
        shape = np.array(case.tensor.domain.shape)
        two = case.workloads[1]
        assert (((two.lower > 0) | (two.upper < shape)).sum(axis=1) <= 2).all()
        assert (two.lower < two.upper).all() and (two.upper <= shape).all()
        for workload in case.workloads:
            assert workload.truth.tolist() == case.tensor.answer(workload.lower, workload.upper).tolist()

    def test_exact_sums_of_large_counts(self) -> None:
        tensor = Tensor.from_arrays((3, 4), [[0, 1], [2, 3]], [10**12, 7])
        assert exact_sums(tensor, np.zeros((9, 2), int), np.tile([3, 4], (9, 1))).tolist() == [10**12 + 7] * 9


class TestTrials:
    def test_errors_are_those_of_the_definition(self, little: Dataset) -> None:
        (trial,) = Ask(CUBE, "identity", 1, epsilon=1000.0).trials(None)
        found = run_trial(trial, None)
        assert found["rmse"] == {"3": 0.0, "2": 0.0}  # noise of scale 0.001 on whole numbers is 0
        truth = case_of(CUBE).workloads[0].truth
        assert found["zero"]["3"] == pytest.approx(math.sqrt(np.mean(truth**2)))
        assert [number for number, _ in found["sizes"]] == [
            int(((truth / 300 > low) & (truth / 300 <= high)).sum())
            for low, high in zip((-1.0, *SIZES), SIZES, strict=False)
        ]
        assert found["spent"] == pytest.approx(1000)

    def test_sizes_add_up_to_the_error(self, little: Dataset) -> None:
        (trial,) = Ask(CUBE, "ripost", 1).trials(None)
        found = run_trial(trial, None)
        number, missed = np.sum(found["sizes"], axis=0)
        assert number == 3000
        assert found["rmse"]["3"] == pytest.approx(math.sqrt(missed / number))

    def test_refusals_are_kept_and_left_out_of_means(self, little: Dataset) -> None:
        trials = [*Ask(CUBE, "privtree", 1).trials(None), *Ask(CUBE, "ripost", 1).trials(None)]
        done = [(trials[0], {"refused": "too many"}), (trials[1], run_trial(trials[1], None))]
        results = Results(done)
        assert results.refusal(CUBE, "privtree") == "too many" and math.isnan(results.error(CUBE, "privtree"))
        assert results.error(CUBE, "ripost") == done[1][1]["rmse"]["3"]
        assert len(results.ratios([CUBE], "privtree", "ripost")) == 0

    @pytest.mark.parametrize("method", ["ripost", "hdpview", "privtree", "ripost+"])
    def test_the_boxes_of_a_shape_tile_the_plane(self, little: Dataset, method: str) -> None:
        (trial,) = Ask(FACE, method, 1, epsilon=5.0, kind=SHAPE).trials(None)
        found = run_trial(trial, None)
        boxes = unpack_boxes(found["boxes"])
        dense = np.zeros((8, 9), int)
        np.add.at(dense, tuple(little.codes[:, :2].T), 1)
        covered = np.zeros((8, 9), int)
        uneven = 0
        for (a, b), (c, d) in boxes:
            covered[a:b, c:d] += 1
            uneven += bool(dense[a:b, c:d].min() < dense[a:b, c:d].max())
        assert (covered == 1).all()
        assert sum(pair[1] for pair in found["depths"]) == uneven
        assert np.sum(found["depths"]) == len(boxes) == len(found["empty"])

    def test_other_records_and_other_code_are_other_trials(self, little: Dataset, monkeypatch: Any) -> None:
        (first,) = Ask(FACE, "ripost", 1).trials(None)
        other = Dataset("adult", little.domain, little.codes[:-1], "made up", {})
        monkeypatch.setattr(ask, "load", lambda name, folder=None: other)
        (second,) = Ask(FACE, "ripost", 1).trials(None)
        assert first["records"] != second["records"] and first["code"] == second["code"]
        (third,) = Ask(FACE, "hdpview", 1).trials(None)
        assert third["code"] != first["code"]


class TestStatistics:
    def test_a_mean_lies_in_its_interval(self) -> None:
        values = np.random.default_rng(1).normal(10, 2, 400)
        mean = Mean.of(values)
        assert mean.low < mean.value < mean.high
        assert mean.high - mean.low == pytest.approx(2 * 1.96 * 2 / 20, rel=0.2)
        assert str(Mean.of([3.0])) == "3.00" and str(Mean.of([])) == "-" and Mean.of([1, math.nan]).number == 1

    def test_rank_correlation(self) -> None:
        assert rank_correlation([1, 2, 3, 4], [2, 30, 31, 400]) == pytest.approx(1)
        assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
        assert rank_correlation([1, 2, 3], [5, 5, 5]) == 0
        assert rank_correlation([1, 2, 3, 4], [1, 2, 2, 3]) == pytest.approx(0.9486832980505138)

    def test_figures(self) -> None:
        assert [figure(v) for v in (12345.6, 45.67, 4.567, 0.04567, math.nan)] == [
            "12,346",
            "45.7",
            "4.57",
            "0.046",
            "-",
        ]
        assert geometric([2, 8, math.nan]) == pytest.approx(4)


class TestClaims:
    @pytest.mark.parametrize(
        ("claimed", "values", "verdict"),
        [(10, [9, 10, 11], CONFIRMED), (10, [2, 3], PARTLY), (10, [0.5, 0.6], NOT), (1.2, [1.3], CONFIRMED)],
    )
    def test_factors(self, claimed: float, values: list[float], verdict: str) -> None:
        assert factor("", "", claimed, Mean.of(values)).verdict == verdict

    def test_shares_tendencies_and_all(self) -> None:
        near, far = Mean.of([0.6]), Mean.of([0.2])
        assert share("", "", 0.65, near, 0.1, 0.2).verdict == CONFIRMED
        assert [share("", "", 0.65, far, 0.1, top).verdict for top in (0.7, 0.3)] == [PARTLY, NOT]
        assert [tendency("", "", rank, -1, "").verdict for rank in (-0.8, -0.4, 0.8)] == [CONFIRMED, PARTLY, NOT]
        assert [tendency("", "", rank, 0, "").verdict for rank in (0.5, -0.9)] == [CONFIRMED, NOT]
        assert [every("", "", n, 10, "").verdict for n in (10, 6, 5)] == [CONFIRMED, PARTLY, NOT]


class TestReport:
    def test_trials_survive_freezing(self, little: Dataset, tmp_path: Path) -> None:
        trials = Ask(CUBE, "ripost", 2).trials(None)
        done = [(trial, run_trial(trial, None)) for trial in trials]
        freeze(done, {"plan": "quick"}, tmp_path / "t.parquet")
        assert thaw(tmp_path / "t.parquet") == (done, {"plan": "quick"})

    def test_a_file_of_something_else_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "t.parquet").write_text("no")
        with pytest.raises(InputError, match="holds no trials"):
            thaw(tmp_path / "t.parquet")

    def test_an_item_that_is_not_there(self) -> None:
        with pytest.raises(InputError, match="there is no item 'comparisons'; did you mean"):
            paper(items="comparisons")

    def test_items_alone_run_and_write_no_report(
        self, little: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(ITEMS, "spatial", lambda plan: [Ask(FACE, "ripost", plan.runs)])
        for _ in range(2):  # the second time nothing is missing
            paper(items="spatial", store=tmp_path / "s.jsonl", out=tmp_path / "out", jobs=1)
            assert "2 trials are in" in capsys.readouterr().err and not (tmp_path / "out").exists()
            monkeypatch.setattr(command, "run_trial", lambda trial, folder: pytest.fail("it was run before"))

    def test_methods_run_anew_take_the_place_of_their_old_trials(
        self, little: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = [
            (trial, {"rmse": {"2": 1.0}})
            for name in ("ripost", "privtree")
            for trial in Ask(FACE, name, 1).trials(None)
        ]
        before = "abc; ripost at bcd; privtree at cde"
        freeze(old, {"plan": "quick", "commit": before}, tmp_path / "t.parquet")
        asked = [Ask(FACE, name, 1) for name in ("ripost", "ripost[tight=true]", "privtree")]
        monkeypatch.setattr(command, "asks_of", lambda plan, items: asked)
        monkeypatch.setattr(command, "facts_of", lambda plan, trials, data: {"plan": plan, "commit": "def"})
        monkeypatch.setattr(command, "report", lambda *given: None)
        monkeypatch.setattr(command, "write", lambda document, out: [])
        paper(frozen=tmp_path / "t.parquet", anew="ripost", store=tmp_path / "s.jsonl", out=tmp_path, jobs=1)
        found, facts = thaw(tmp_path / "trials.parquet")
        assert facts == {"plan": "quick", "commit": "abc; privtree at cde; ripost at def"}
        errors = {trial["method"]: outcome["rmse"]["2"] for trial, outcome in found}
        assert set(errors) == {"ripost", "ripost[tight=true]", "privtree"}
        assert errors["privtree"] == 1 and errors["ripost"] != 1

    def test_what_a_file_lacks_is_run_and_what_nobody_asks_goes(
        self, little: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = [
            (trial, {"rmse": {"2": 1.0}}) for name in ("ripost", "hdpview") for trial in Ask(FACE, name, 1).trials(None)
        ]
        freeze(old, {"plan": "quick", "commit": "abc"}, tmp_path / "t.parquet")
        asked = [Ask(FACE, name, 2) for name in ("ripost", "privtree (cells)")]
        monkeypatch.setattr(command, "asks_of", lambda plan, items: asked)
        monkeypatch.setattr(command, "facts_of", lambda plan, trials, data: {"plan": plan, "commit": "def"})
        monkeypatch.setattr(command, "report", lambda *given: None)
        monkeypatch.setattr(command, "write", lambda document, out: [])
        paper(frozen=tmp_path / "t.parquet", missing=True, store=tmp_path / "s.jsonl", out=tmp_path, jobs=1)
        found, facts = thaw(tmp_path / "trials.parquet")
        assert facts == {"plan": "quick", "commit": "abc; 3 later trials at def"}
        errors = {(trial["method"], trial["seed"]): outcome["rmse"]["2"] for trial, outcome in found}
        assert set(errors) == {(name, seed) for name in ("ripost", "privtree (cells)") for seed in (0, 1)}
        assert errors["ripost", 0] == 1 and errors["ripost", 1] != 1

    def test_some_items_of_what_a_file_lacks(
        self, little: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The others stay as they are, and the report is written from both."""
        old = [(trial, {"rmse": {"2": 1.0}}) for trial in Ask(FACE, "ripost", 1).trials(None)]
        freeze(old, {"plan": "quick", "commit": "abc"}, tmp_path / "t.parquet")
        for item in ITEMS:
            monkeypatch.setitem(ITEMS, item, lambda plan: [Ask(FACE, "ripost", 1), Ask(FACE, "hdpview", 1)])
        monkeypatch.setitem(ITEMS, "spatial", lambda plan: [Ask(FACE, "privtree", 1)])
        monkeypatch.setattr(command, "facts_of", lambda plan, trials, data: {"plan": plan, "commit": "def"})
        monkeypatch.setattr(command, "report", lambda *given: None)
        monkeypatch.setattr(command, "write", lambda document, out: [])
        given = {"frozen": tmp_path / "t.parquet", "store": tmp_path / "s.jsonl", "out": tmp_path, "jobs": 1}
        paper(**given, items="spatial", missing=True)  # type: ignore[arg-type]
        found, facts = thaw(tmp_path / "trials.parquet")
        assert facts == {"plan": "quick", "commit": "abc; 1 later trials at def"}
        assert [trial["method"] for trial, _ in found] == ["privtree", "ripost"]
        paper(**given, items="spatial", anew="ripost")  # type: ignore[arg-type]
        assert thaw(tmp_path / "trials.parquet")[0] == old

    def test_facts_tell_the_run(self, little: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
        fake = Dataset("gowalla", {"lat": 8, "lon": 9}, little.codes[:, :2], "made up", {})
        monkeypatch.setattr(frozen, "load", lambda name, folder=None: fake)
        facts = frozen.facts_of("quick", 12, None)
        assert facts["command"] == "python -m experiments paper --quick" and facts["source of adult"] == "made up"
        cells = frozen.unpacked_cells(facts["cells of gowalla"])
        assert cells[:, 2].sum() == 300 and cells.shape[1] == 3

    def test_the_committed_report_comes_from_the_committed_trials(self) -> None:
        """Every number of it, the claims among them, is computed again."""
        outcomes, facts = thaw(REPRODUCTION / "trials.parquet")
        assert facts["plan"] == "full"
        document = report(outcomes, facts, None)
        assert document.markdown() == (REPRODUCTION / "README.md").read_text("utf-8")
        stored = {path.stem: path.read_text("utf-8") for path in (REPRODUCTION / "data").iterdir()}
        assert document.data() == stored != {}
        claims = document.sections[0].parts[1]
        assert len(claims.rows) >= 15 and {row[3] for row in claims.rows} == {CONFIRMED, PARTLY, NOT}  # type: ignore[union-attr]


def test_processes_find_the_trial(little: Dataset) -> None:
    """What goes to another process is named by its module."""
    trial = Ask(FACE, "ripost", 1).trials(None)[0]
    from functools import partial

    ((_, found),) = run_all(partial(run_trial, folder=None), [trial], 1)
    assert found["rmse"]["2"] > 0


def test_the_readme_says_what_the_report_says() -> None:
    readme = (REPRODUCTION.parents[1] / "README.md").read_text("utf-8")
    told = (REPRODUCTION / "README.md").read_text("utf-8")
    assert with_numbers(readme, told) == readme


def test_numbers_of_a_report_replace_those_of_the_readme() -> None:
    readme = (REPRODUCTION.parents[1] / "README.md").read_text("utf-8")
    told = (REPRODUCTION / "README.md").read_text("utf-8")
    (verdicts,) = [line for line in told.splitlines() if line.startswith("Of ") and " claims, " in line]
    changed = told.replace(verdicts, "Of 7 claims, 1 are confirmed, 2 in part, and 4 are not.")
    ours = value_of(told, FIRE, "all", "hdpview")
    found = with_numbers(readme, changed.replace(ours, "0.12345"))
    assert "1 are confirmed, 2 in part, and 4 are not." in " ".join(found.split())
    assert "| HDPView on Fire | 1.47 | 0.12345 |" in found
    assert value_of(told, FIRE, "all", "no such method") == ""
