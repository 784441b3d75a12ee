"""The noisy measurements in a file are what the mechanisms returned, and nothing else in the file knows the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ripost.answering.content.tree import TreeContent
from ripost.data.tensor import Tensor
from ripost.privacy.seeded_noise import SeededNoise
from ripost.publishing.prepare import prepare
from ripost.schema.measured_column import MeasuredColumn
from ripost.view import View

DRAWS = ("laplace", "gaussian", "at_most", "choose", "partition", "subsample", "sample", "uniforms", "below")
VALUES = ("laplace", "gaussian")
MEASURES = {
    "v": MeasuredColumn(min=-4.0, max=6.0, weight=0.1),
    "w": MeasuredColumn(min=0.0, max=3.0, step=0.5, weight=0.1),
}
METHODS: dict[str, dict[str, Any]] = {
    "ripost+": {},
    "ripost+, measures": {},
    "ripost+ with delta": {"delta": 1e-6},
    "ripost": {},
    "ripost, refined": {"refine": True},
    "identity": {},
    "hdmm": {},
    "privbayes": {},
    "dawa": {},
}


class RecordedNoise:
    """Seeded noise that writes down what every draw returned, or returns what was written down, whatever the data."""

    entropy = "seed 7"

    def __init__(self, written: list[tuple[str, Any]] | None = None) -> None:
        self.written: list[tuple[str, Any]] = [] if written is None else written
        self._left: Iterator[tuple[str, Any]] | None = None if written is None else iter(written)
        self._noise = SeededNoise(7)

    def prefetch_noise(self, *_: object) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in DRAWS:
            raise AttributeError(name)

        def draw(*given: Any) -> Any:
            if self._left is not None:
                kind, drawn = next(self._left)
                assert kind == name
                return drawn.copy()
            drawn = getattr(self._noise, name)(*given)
            self.written.append((name, drawn.copy()))
            return drawn

        return draw


def some_table(seed: int, rows: int) -> Tensor:
    rng = np.random.default_rng(seed)
    shape = (7, 6, 6, 5, 5)
    group = rng.integers(0, 2, rows)
    coords = np.stack([np.minimum(rng.poisson(0.5 + 2 * group), size - 1) for size in shape], axis=1)
    return Tensor.from_arrays(shape, coords, np.ones(rows, np.int64))


def add_sums(table: Tensor, seed: int, measures: Mapping[str, MeasuredColumn]) -> Tensor:
    """The table with sums of these measures, as rows that each add between -bound and bound would give."""
    bounds = np.array([[measured.bound] for measured in measures.values()], np.int64).reshape(-1, 1)
    sums = np.random.default_rng(seed).integers(-bounds, bounds + 1, (len(measures), len(table.counts))) * table.counts
    return replace(table, measures=measures, sums=sums if measures else None)


def release(tensor: Tensor, noise: Any, method: str) -> View:
    name = method.split(",", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    with prepare(tensor, None, epsilon=1, method=name, seed=7, options=METHODS[method]) as publication:
        told = replace(publication, noise=noise)
        data, facts = told.find_domain(told.read())
        estimate, account = told.run(data, facts)
        return told.release(estimate, account, facts, told.run_measures(data, facts, estimate))


@pytest.mark.parametrize("method", METHODS)
def test_the_file_is_a_function_of_what_the_mechanisms_returned(method: str) -> None:
    """The same outputs give the same bytes, also of a neighboring table and of one that has nothing in common."""
    measures = MEASURES if method.endswith("measures") else {}
    table = add_sums(some_table(1, 9000), 1, measures)
    noise = RecordedNoise()
    view = release(table, noise, method)
    if method.startswith("ripost+"):
        assert isinstance(view.content, TreeContent) and view.content.mixture is not None
    returned = [drawn for kind, drawn in noise.written if kind in VALUES]
    assert view.measured is not None
    assert np.array_equal(np.sort(view.measured.value), np.sort(np.concatenate([drawn.ravel() for drawn in returned])))
    counts = table.counts.copy()
    counts[0] += 1
    for other in (Tensor(table.domain, table.coords, counts, table.measure), some_table(2, 40)):
        same = release(add_sums(other, 2, measures), RecordedNoise(noise.written), method)
        is_same = bytes(same.file.encoded or b"") == bytes(view.file.encoded or b"-")
        assert is_same, method


def test_a_row_moves_the_measurements_of_its_own_blocks_alone() -> None:
    """Neighboring tables with the same stream of noise: a draw differs by one in the block that holds the row."""
    table = some_table(1, 9000)
    counts = table.counts.copy()
    counts[0] += 1
    more = Tensor(table.domain, table.coords, counts, table.measure)
    one, two = (release(tensor, SeededNoise(7), "identity").measurements() for tensor in (table, more))
    moved = np.flatnonzero(two["value"].to_numpy() - one["value"].to_numpy())
    assert (two["value"].to_numpy() - one["value"].to_numpy())[moved].tolist() == [1]
    [row] = two.take(moved).to_pylist()
    assert [row[f"x{axis}_lo"] for axis in range(5)] == table.coords[0].tolist()


def test_an_exact_value_in_the_table_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first test can fail: a recorder that keeps what the noise was added to makes files differ."""
    from ripost.privacy.paid_queries import PaidQuery

    keep = PaidQuery._keep

    def keep_exact(self: PaidQuery, noisy: Any, parameters: Any) -> None:
        keep(self, self._exact(parameters), parameters)

    monkeypatch.setattr(PaidQuery, "_keep", keep_exact)
    with pytest.raises(AssertionError):
        test_the_file_is_a_function_of_what_the_mechanisms_returned("identity")
