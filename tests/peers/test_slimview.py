"""SLIM-View: which cells are kept, and what stands for the others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Buckets
from ripost.peers.bucket_tree import halve_buckets
from ripost.peers.slimview.method import random_regions
from ripost.privacy.seeded_noise import SeededNoise
from tests.methods.silent import Silent, poisson, run


def test_heavy_cells_stand_alone_and_keep_their_measure() -> None:
    tensor = Tensor.from_arrays((20, 20), [[3, 4], [10, 10], [5, 5]], [900, 700, 1])
    found, account = run("slimview", tensor, 1, noise=Silent())
    assert isinstance(found, Buckets)
    sizes = np.bincount(found.bucket)
    for cell, count in {(3, 4): 900, (10, 10): 700}.items():
        mine = found.bucket[np.ravel_multi_index(cell, (20, 20))]
        assert sizes[mine] == 1
        assert found.values[mine] == count
    assert sizes[found.bucket[5 * 20 + 5]] > 1  # one record does not stand out of the noise
    assert found.values.sum() == 1601
    assert [entry.epsilon for entry in account.ledger.entries] == [Fraction(1, 2), Fraction(1, 2)]


def test_few_empty_cells_are_kept() -> None:
    """Each of 10^4 cells strays with a probability of 10^-4; more than 20 in ten runs, twice what is expected, is rarer
    than once in 500, and seeded.
    """
    empty = Tensor.from_arrays((100, 100), [], [])
    kept = 0
    for seed in range(10):
        found, _ = run("slimview", empty, 1, noise=SeededNoise(seed), regions=1)
        kept += len(found.values) - 1
    assert 0 < kept <= 20


def test_more_strays_keep_more_cells() -> None:
    tensor = poisson((30, 30), rate=3)
    kept = [len(run("slimview", tensor, 1, strays=strays)[0].values) for strays in (0.1, 10, 450)]
    assert kept[0] < kept[1] < kept[2]


@pytest.mark.parametrize("shape", [(1,), (7,), (5, 4), (3, 1, 6)], ids=str)
@pytest.mark.parametrize("number", [1, 3, 64])
def test_regions_are_boxes(shape: tuple[int, ...], number: int) -> None:
    region = random_regions(SeededNoise(3), shape, number).reshape(shape)
    assert len(np.unique(region)) == min(number, int(np.prod(shape)))
    for one in np.unique(region):
        where = np.argwhere(region == one)
        assert len(where) == np.prod(np.ptp(where, axis=0) + 1)


@pytest.mark.parametrize("number", [1, 2, 3, 17, 64])
def test_every_bucket_is_a_leaf(number: int) -> None:
    tree = halve_buckets(number)
    leaves = tree.boxes.take(tree.leaves)
    assert leaves.lower[:, 0].tolist() == list(range(number))
    assert leaves.is_cell.all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sampling": 1}, "sampling must lie strictly between 0 and 1"),
        ({"regions": 0}, "regions must be a whole number from 1 to 4096"),
        ({"strays": 0}, "strays must be a number above 0"),
        ({"reads": "rows"}, "reads must be 'records' or 'cells'"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        METHODS["slimview"].configure(options)
