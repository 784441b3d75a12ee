"""Cases and peers are read right, and the workloads that no file holds are drawn the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from experiments.cases import MOST_RANGES, RANGES, case_digest, case_names, load_case
from experiments.peers import read_peers

from ripost import Tensor


def test_a_case_is_read_with_half_open_boxes(cases: Path) -> None:
    case = load_case("small", cases)
    assert case_names(cases) == ["small"] and [workload.bounded for workload in case.workloads] == [2, 1, 0]
    for workload in case.workloads:
        assert (case.tensor.answer(workload.lower, workload.upper) == workload.truth).all()


def test_one_dimension_is_asked_at_a_time_and_the_total_once(cases: Path) -> None:
    case = load_case("small", cases)
    _, one, total = case.workloads
    whole = (one.lower == 0) & (one.upper == case.tensor.domain.shape)
    assert len(one.truth) == 2 * RANGES and whole.any(axis=1).all()
    assert (~whole[:RANGES, 0]).any() and whole[:RANGES, 1].all() and (~whole[RANGES:, 1]).any()
    assert ((one.lower >= 0) & (one.lower < one.upper) & (one.upper <= case.tensor.domain.shape)).all()
    assert total.truth.tolist() == [case.tensor.counts.sum()]
    assert {(a, b) for a, b in zip(one.lower[:, 0], one.upper[:, 0], strict=True)} >= {(0, 1), (5, 6), (0, 6)}


def test_one_dimension_equals_the_plain_loop(cases: Path) -> None:
    case = load_case("small", cases)
    one = case.workloads[1]
    for low, high, truth in zip(one.lower, one.upper, one.truth, strict=True):
        inside = [
            count
            for cell, count in zip(case.tensor.coords, case.tensor.counts, strict=True)
            if all(low[axis] <= cell[axis] < high[axis] for axis in range(2))
        ]
        assert sum(inside) == truth


def test_drawn_ranges_are_the_same_every_time_and_few_in_many_dimensions(cases: Path) -> None:
    first = load_case("small", cases).workloads[1]
    load_case.cache_clear()
    again = load_case("small", cases).workloads[1]
    assert first is not again and (first.lower == again.lower).all() and (first.upper == again.upper).all()

    from experiments.cases import _one_dimension

    wide = Tensor.from_arrays([2] * 30, [[0] * 30], [1])
    assert len(_one_dimension(wide).truth) <= MOST_RANGES


def test_a_case_with_ranges_of_its_own_keeps_them(cases: Path) -> None:
    before = case_digest("small", cases)
    np.save(cases / "small" / "queries_k1.npy", [[[0, 0], [0, 4]]])
    np.save(cases / "small" / "truth_k1.npy", [7.0])
    workloads = load_case("small", cases).workloads
    assert [(found.bounded, len(found.truth)) for found in workloads] == [(2, 40), (1, 1), (0, 1)]
    case_digest.cache_clear()
    assert case_digest("small", cases) != before


def test_the_best_peer_is_never_answering_zero(figures: Path) -> None:
    peers = read_peers(figures)
    assert peers.best == {("small", 2, 1.0): ("privtree", 6.0)}
    assert peers.zero == {("small", 2, 1.0): 0.5} and peers.seconds == {("small", 1.0): 2.0}
    assert read_peers(figures.with_name("absent.csv")).best == {}


def test_shared_cases_are_what_they_say(shared_folder: Path) -> None:
    for name in ("adult2d_age_hours", "small_adult3"):
        case = load_case(name, shared_folder / "cases")
        for workload in case.workloads:
            some = slice(0, 200)
            assert (case.tensor.answer(workload.lower[some], workload.upper[some]) == workload.truth[some]).all()
    peers = read_peers(shared_folder / "reference" / "peers.csv")
    assert peers.best["adult2d_age_fnlwgt", 2, 0.1] == ("adaptive-grid", 161.3)
