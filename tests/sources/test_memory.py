"""Memory that reading may hold: what is more goes to disk, and comes to the same."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ripost
from ripost.data.read import Reader, read_tensor
from ripost.errors import InputError
from ripost.sources import duckdb_engine as embedded
from ripost.sources.spill import spill_folder
from tests.conftest import Run

ROWS = 3_000_000  # half of them do not fit in 64 MB, however busy the machine is
SCHEMA = "".join(f"[attributes.c{number}]\ntype = 'integer'\nmin = 0\nmax = 249\n" for number in range(4))


@pytest.fixture
def schema() -> ripost.Schema:
    return ripost.Schema.parse(SCHEMA)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of which nearly every row is a cell of its own."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("large") / "t.parquet"
    pq.write_table(pa.table({f"c{number}": rng.integers(0, 250, ROWS) for number in range(4)}), path)
    return path


@contextlib.contextmanager
def most_spilled() -> Iterator[list[int]]:
    """The most bytes that lay in the spill folder at once, by looks a millisecond apart from a thread of its own."""
    most, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.001):
            size = 0
            for path in spill_folder().glob("*"):
                with contextlib.suppress(FileNotFoundError):  # gone between the listing and the look
                    size += path.stat().st_size
            most[0] = max(most[0], size)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        done.set()
        thread.join()


def test_a_table_that_does_not_fit_is_spilled(
    large: Path, schema: ripost.Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "PAUSE", 0.01)
    shares: list[float] = []
    reader = Reader.of(large, schema, memory="64MB")
    try:
        with most_spilled() as most:
            found = reader.tensor(tell=shares.append)
    finally:
        reader.close()
    assert most[0] > 1 << 20
    assert shares == sorted(shares) and 0 <= shares[0] <= shares[-1] <= 1
    assert list(spill_folder().glob("*")) == [], "nothing is left of what was spilled"
    whole = read_tensor(large, schema)
    assert (found.coords == whole.coords).all() and (found.counts == whole.counts).all()


@pytest.mark.parametrize("memory", ["lots", "", "-1GB", "2 GX", True, None.__class__, 1000, "1MB"])
def test_what_is_no_memory(large: Path, schema: ripost.Schema, memory: object) -> None:
    with pytest.raises(InputError, match="memory must"):
        ripost.publish(large, schema, epsilon=1, memory=memory)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # Ibis 12 on DuckDB 2
def test_only_where_ripost_reads_by_itself(large: Path, schema: ripost.Schema) -> None:
    table = pa.table({f"c{number}": [number] for number in range(4)})
    ripost.publish(table, schema, epsilon=1, memory="1GB")
    with pytest.raises(InputError, match="duckdb has its own"):
        ripost.publish(ibis.duckdb.connect().read_parquet(large), schema, epsilon=1, memory="1GB")
    with pytest.raises(InputError, match="tensor"):
        ripost.publish(ripost.Tensor.from_table(table, schema), epsilon=1, memory="1GB")


def test_too_little_is_said(large: Path, schema: ripost.Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "LEAST_MEMORY", 0)
    with pytest.raises(InputError, match="takes more memory"):
        read = Reader.of(large, schema, memory="1MB")
        try:
            read.tensor()
        finally:
            read.close()


def test_the_command(run: Run, large: Path, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    done = run("publish", str(large), "t.toml", "-e", "1", "--memory", "64MB")
    assert done.returncode == 0, done.stderr
    done = run("publish", str(large), "t.toml", "-e", "1", "--memory", "much", "--force")
    assert done.returncode == 2 and "2GB" in done.stderr
