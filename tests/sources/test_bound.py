"""Of each unit at most so many rows are kept, at random, whatever the others do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.schema.schema import Schema
from tests.sources.conftest import separated, sqlite_url, written
from tests.sources.twin import cells_of

CELLS = 40
Rows = list[tuple[Any, int]]  # who, and which cell


def schema(max_rows: int, *, total: bool = False, missing: str = "bin") -> Schema:
    data: dict[str, Any] = {
        "unit": "who",
        "max_rows": max_rows,
        "attributes": {"x": {"type": "integer", "min": 0, "max": CELLS - 1, "missing": missing, "outside": "drop"}},
    }
    return Schema.from_dict({**data, "measure": {"sum": "x", "max": 100}} if total else data)


def read(rows: Rows, rules: Schema, *, secret: str | None = "s") -> dict[tuple[int, ...], int]:
    who, cell = [row[0] for row in rows], [row[1] for row in rows]
    return cells_of(
        read_tensor(pa.table({"who": pa.array(who), "x": pa.array(cell, pa.int64())}), rules, secret=secret)
    )


@pytest.fixture(scope="module")
def rows() -> Rows:
    """People with few and with many rows; cell and person are tied, so that cells tell whose rows were kept."""
    draw = np.random.default_rng(5)
    return [(f"p{person}", 4 * person + int(cell)) for person in range(10) for cell in draw.integers(0, 4, 2 * person)]


@pytest.mark.parametrize("max_rows", [1, 3, 7])
def test_each_person_keeps_at_most_so_many_rows(max_rows: int, rows: Rows) -> None:
    kept: Counter[int] = Counter()
    for (cell,), count in read(rows, schema(max_rows)).items():
        kept[cell // 4] += count
    assert kept == Counter({person: min(2 * person, max_rows) for person in range(1, 10)})


def test_no_row_is_made_up(rows: Rows) -> None:
    held = Counter(cell for _, cell in rows)
    assert all(count <= held[cell] for (cell,), count in read(rows, schema(5)).items())


def test_all_rows_are_kept_where_there_are_fewer(rows: Rows) -> None:
    assert read(rows, schema(18)) == {(cell,): count for cell, count in Counter(cell for _, cell in rows).items()}


def test_the_choice_hangs_on_the_secret_alone(rows: Rows) -> None:
    first = read(rows, schema(3), secret="one")
    shuffled = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    assert read(shuffled, schema(3), secret="one") == first
    assert any(read(rows, schema(3), secret=f"other {n}") != first for n in range(3))


def test_the_secret_is_fresh_each_time(rows: Rows) -> None:
    reads = [read(rows, schema(3), secret=None) for _ in range(8)]
    assert any(one != reads[0] for one in reads)


@pytest.mark.parametrize("person", [1, 5, 9])
def test_a_person_who_leaves_changes_their_own_cells_only(person: int, rows: Rows) -> None:
    before = read(rows, schema(3))
    after = read([row for row in rows if row[0] != f"p{person}"], schema(3))
    changed = {cell for cell in before.keys() | after.keys() if before.get(cell, 0) != after.get(cell, 0)}
    assert changed and all(cell // 4 == person for (cell,) in changed)
    assert sum(before.values()) - sum(after.values()) == min(3, 2 * person)


def test_people_who_share_cells_are_bounded_apart() -> None:
    rows = [(who, 0) for who in range(50) for _ in range(6)]
    assert read(rows, schema(2)) == {(0,): 100}


def test_every_row_has_the_same_chance() -> None:
    """One of ten rows is in cell 0, one row is kept: of 400 people 14 to 72 keep that one, but for once in 1e6."""
    rows = [(person, cell) for person in range(400) for cell in [0] + 9 * [1]]
    kept = read(rows, schema(1))
    assert kept[0,] + kept[1,] == 400
    assert 14 <= kept[0,] <= 72


def test_rows_without_a_unit_are_dropped() -> None:
    assert read([(None, 1)] * 9 + [(7, 1)] * 9, schema(4)) == {(1,): 4}
    assert read([(None, 1)] * 9, schema(4)) == {}


def test_dropped_rows_do_not_use_up_the_bound() -> None:
    rows = [(1, CELLS + n) for n in range(30)] + [(1, 2), (1, 3)]
    assert read(rows, schema(2)) == {(2,): 1, (3,): 1}


def test_sums_are_bounded_too() -> None:
    rows = [(person, value) for person in range(5) for value in (7, 7, 7, 9)]
    kept = read(rows, schema(2, total=True))
    assert set(kept) <= {(7,), (9,)}
    assert kept.get((7,), 0) // 7 + kept.get((9,), 0) // 9 == 10


@pytest.mark.parametrize(
    "who",
    [
        pa.array([1, 1, 2, None], pa.int32()),
        pa.array([1.0, 1.0, 2.5, float("nan")]),
        pa.array(["a", "a", "", None]),
        pa.array(["a", "a", "b", None]).dictionary_encode(),
        pa.array([0, 0, 1, None], pa.date32()),
        pa.array([0, 0, 1, None], pa.timestamp("us", "UTC")),
        pa.array([True, True, False, None]),
    ],
)
def test_a_unit_may_be_of_any_plain_type(who: pa.Array) -> None:
    table = pa.table({"who": who, "x": [0, 1, 2, 3]})
    tensor = read_tensor(table, schema(1))
    assert tensor.counts.tolist() == [1, 1] and tensor.coords[0, 0] in (0, 1) and tensor.coords[1, 0] == 2


def test_engines_choose_the_same_rows(tmp_path: Path) -> None:
    rules = Schema.from_dict(
        {"unit": "person", "max_rows": 1, "attributes": {"hour": {"type": "integer", "min": 0, "max": 23}}}
    )
    text = read_tensor(written(tmp_path / "t.csv", separated(",")), rules, secret="k")
    assert cells_of(read_tensor(sqlite_url(tmp_path), rules, table="trips", secret="k")) == cells_of(text)
