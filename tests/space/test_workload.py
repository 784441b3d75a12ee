"""Workloads: boxes that fit their domain, or one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ripost
from ripost.errors import InputError
from ripost.space.workload import Workload
from tests.methods.silent import poisson

SHAPE = (4, 3)


def test_a_workload_is_a_pair_of_arrays() -> None:
    made = Workload.of(([[0, 0], [1, 1]], [[4, 3], [2, 1]]), SHAPE)
    assert len(made) == 2 and made.lower.dtype == np.int64
    again = Workload.of(made, SHAPE)
    assert again.lower is made.lower and again.upper is made.upper


@pytest.mark.parametrize(
    ("boxes", "sentence"),
    [
        (3, "pair of arrays"),
        (([[0, 0]],), "pair of arrays"),
        (([[0.0, 0.0]], [[4.0, 3.0]]), "whole numbers"),
        (([[0, 0]], [[4, 3], [4, 3]]), "lower and upper of shape"),
        (([[0]], [[4]]), "lower and upper of shape"),
        ((np.zeros((0, 2), int), np.zeros((0, 2), int)), "at least one box"),
        (([[0, 0]], [[4, 4]]), "0 <= lower <= upper"),
        (([[2, 0]], [[1, 3]]), "0 <= lower <= upper"),
        (([[-1, 0]], [[1, 3]]), "0 <= lower <= upper"),
    ],
)
def test_others_are_refused_in_one_sentence(boxes: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Workload.of(boxes, SHAPE)
    with pytest.raises(InputError, match=sentence):
        ripost.publish(poisson(SHAPE), epsilon=1, seed=0, method="identity", workload=boxes)


def test_methods_that_cannot_use_it_ignore_it() -> None:
    asked = {"epsilon": 1, "seed": 0, "method": "identity"}
    plain = ripost.publish(poisson(SHAPE), **asked)
    told = ripost.publish(poisson(SHAPE), **asked, workload=([[0, 0]], [[2, 2]]))
    assert plain.content.values.tolist() == told.content.values.tolist()
    assert (
        ripost.publish(poisson(SHAPE), epsilon=1, seed=0, method="hdmm", workload=([[0, 0]], [[2, 2]])).parameters[
            "workload"
        ]
        == "1 boxes"
    )
