"""Spark: tasks that fail, parts that are lost, sources that change, and the ways in."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

import ripost
from ripost.data import dataset as subject
from ripost.data.spark import distributed_cells as spread
from ripost.data.spark.chunks import SUMS, SubsampleChunks, SumUp
from ripost.errors import InputError, ReleaseWarning, SourceError
from ripost.methods import root_measurement
from ripost.schema.schema import Schema
from ripost.sources.readers import spark as ingest_spark
from tests.conftest import Run
from tests.engines.comparing import assert_same
from tests.engines.conftest import PATHS
from tests.engines.table import ATTRIBUTES, SCHEMAS, TABLE
from tests.methods.dependent_tables import codes_of, has_mixture
from tests.methods.silent import quick_fit

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J

SMALL = Schema.from_dict(
    {
        "unit": "person",
        "max_rows": 2,
        "attributes": {
            "hour": {"type": "integer", "min": 0, "max": 23},
            "night": {"type": "boolean"},
        },
    }
)


@dataclass(frozen=True, slots=True)
class FailsFirst:
    """Runs a task; the first try hands over twice the sums and then fails."""

    task: SumUp

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        if context.attemptNumber() > 0:
            yield from self.task(batches)
            return
        for batch in self.task(batches):
            twice = pa.array(2 * batch["value"].to_numpy() + 1)
            yield pa.RecordBatch.from_arrays([batch["slot"], twice], schema=SUMS)
        raise RuntimeError("failed on purpose")


@pytest.fixture
def same_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "the same for all")


def publish_small(source: Any, **options: Any) -> ripost.View:
    """By a method that needs few passes: privtree, six."""
    return ripost.publish(source, SMALL, **{"epsilon": 8, "method": "privtree", "seed": 4, **options})


@pytest.mark.slow
@pytest.mark.usefixtures("same_secret")
@pytest.mark.parametrize("method", ["ripost", "hdpview", "privbayes"])
def test_more_methods(method: str, spark: Any) -> None:
    frame = spark.createDataFrame(TABLE)
    assert_same(publish_small(frame, method=method, engine="spark"), publish_small(TABLE, method=method))


def test_axes_by_a_sample(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded, the view of memory. With fresh noise executors toss coins, and a task that runs again tosses the same."""
    monkeypatch.setattr(root_measurement, "ENOUGH_TO_CHOOSE", 100)
    rng = np.random.default_rng(0)
    table = pa.table({name: np.minimum(rng.geometric(0.3, 2000) - 1, 15) for name in "abc"})
    schema = Schema.from_dict({"attributes": {name: {"type": "integer", "min": 0, "max": 15} for name in "abc"}})
    frame = spark.createDataFrame(table)
    asked = {"epsilon": 50, "engine": "spark"}
    assert_same(ripost.publish(frame, schema, seed=4, **asked), ripost.publish(table, schema, epsilon=50, seed=4))
    drawn: list[list[dict[str, Any]]] = []
    honest = spread.DistributedCells.rows

    def twice(self: spread.DistributedCells, task: SubsampleChunks | None) -> list[dict[str, Any]]:
        drawn.extend([honest(self, TossedTwice(task)), honest(self, task)])  # type: ignore[arg-type]
        return drawn[-1]

    monkeypatch.setattr(spread.DistributedCells, "rows", twice)
    with pytest.warns(ReleaseWarning, match="epsilon 50 is above 10"):
        view = ripost.publish(frame, schema, **asked)
    assert any(entry.mechanism == "choices by a sample" for entry in view.privacy.ledger.entries)
    failed, fine = (sorted(str(row) for row in rows) for rows in drawn)
    assert failed == fine and sum(len(row["counts"]) for row in drawn[0]) > 0


@pytest.mark.slow
def test_a_mixture(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair of attributes is a pass over the cells; seeded, the view of memory."""
    quick_fit(monkeypatch)
    names = "abcde"
    table = pa.table(dict(zip(names, codes_of((9,) * 5, 2000, groups=4).T, strict=True)))
    schema = Schema.from_dict({"attributes": {name: {"type": "integer", "min": 0, "max": 8} for name in names}})
    found = ripost.publish(spark.createDataFrame(table), schema, epsilon=2, seed=4, engine="spark")
    expected = ripost.publish(table, schema, epsilon=2, seed=4)
    assert has_mixture(expected) and has_mixture(found)
    assert_same(found, expected)
    low, high = np.zeros((1, 5), int), np.full((1, 5), 4)
    assert found.answer(low, high) == expected.answer(low, high)


@dataclass(frozen=True, slots=True)
class TossedTwice:
    """Runs a task; the first try tosses all its coins and then fails."""

    task: SubsampleChunks

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        yield from self.task(batches)
        if context.attemptNumber() == 0:
            raise RuntimeError("failed on purpose")


@pytest.mark.usefixtures("same_secret")
def test_tasks_that_fail_change_nothing(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every statistic every task fails once, after it handed over something wrong; no noise is drawn again."""
    tries = []
    real = spread.DistributedCells.collect

    def faulty(self: spread.DistributedCells, task: SumUp, slots: int) -> pa.Table:
        tries.append(slots)
        return real(self, FailsFirst(task), slots)  # type: ignore[arg-type]

    monkeypatch.setattr(spread.DistributedCells, "collect", faulty)
    found = publish_small(spark.createDataFrame(TABLE), engine="spark")
    assert len(tries) > 3
    assert len(found.blocks) > 8
    assert_same(found, publish_small(TABLE))


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every statistic all chunks that executors keep are lost."""
    real = spread.DistributedCells.collect

    def collect(self: spread.DistributedCells, task: SumUp, slots: int) -> pa.Table:
        self.chunks.unpersist(blocking=True)
        return real(self, task, slots)

    monkeypatch.setattr(spread.DistributedCells, "collect", collect)


@pytest.mark.usefixtures("same_secret", "forgetful")
def test_parts_that_are_lost_come_back_the_same(spark: Any) -> None:
    """They are worked out again from the table, people's rows chosen anew."""
    assert_same(publish_small(spark.createDataFrame(TABLE), engine="spark"), publish_small(TABLE))


def test_a_source_that_changes_is_refused(spark: Any, forgetful: None) -> None:
    with pytest.raises(SourceError, match="other rows when a part of it was read again; write it to a table"):
        publish_small(changing(spark), engine="spark")


def changing(spark: Any) -> Any:
    """A frame that is another one whenever it is read."""
    hour = "cast(pmod(xxhash64(reflect('java.util.UUID', 'randomUUID')), 24) as int) hour"
    return spark.createDataFrame(TABLE).selectExpr("person", "night", hour)


@pytest.mark.usefixtures("same_secret")
def test_sums_may_be_added_up_by_executors(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "ON_DRIVER", 0)
    assert_same(publish_small(spark.createDataFrame(TABLE), engine="spark"), publish_small(TABLE))


@pytest.mark.usefixtures("same_secret")
def test_many_cells_stay_on_the_cluster(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = []
    real = spread.DistributedCells.as_block_data
    monkeypatch.setattr(spread.DistributedCells, "as_block_data", lambda self: held.append(self) or real(self))
    frame = spark.createDataFrame(TABLE)
    publish_small(frame)
    assert held == []
    monkeypatch.setattr(subject, "MOST_IN_MEMORY", 10)
    assert_same(publish_small(frame), publish_small(TABLE))
    assert len(held) == 1


def test_a_method_that_samples_rows_is_refused_by_public_facts(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dp_accounting")
    empty = spark.createDataFrame(TABLE.slice(0, 0))
    ask = {"epsilon": 1, "method": "p3gm", "seed": 1}
    with pytest.raises(InputError, match="which executors never do; give engine='memory'"):
        ripost.publish(empty, SMALL, **ask, engine="spark")
    monkeypatch.setattr(subject, "MOST_IN_MEMORY", SMALL.domain.size - 1)
    with pytest.raises(InputError, match="samples of single rows"):
        ripost.publish(empty, SMALL, **ask)


def test_an_empty_frame(spark: Any) -> None:
    view = ripost.publish(spark.createDataFrame(TABLE.slice(0, 0)), SMALL, epsilon=1, seed=1, engine="spark")
    assert abs(view.answer([[0, 0]], [view.domain.shape])[0]) < 100


def test_a_frame_without_a_column_is_refused(spark: Any) -> None:
    with pytest.raises(SourceError, match="frame: has no column 'night'"):
        publish_small(spark.createDataFrame(TABLE.drop_columns(["night"])))


def test_the_session_is_left_as_it_was(spark: Any) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        before = [table.name for table in spark.catalog.listTables()]
        publish_small(spark.createDataFrame(TABLE), engine="spark")
        assert [table.name for table in spark.catalog.listTables()] == before
        assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.usefixtures("same_secret")
def test_tables_and_files_by_url(spark: Any, tmp_path: Path) -> None:
    """In a session that is there already, which is then left running."""
    path = tmp_path / "trips"
    spark.createDataFrame(TABLE).write.parquet(str(path))
    spark.createDataFrame(TABLE).createOrReplaceTempView("trips")
    expected = publish_small(TABLE)
    assert_same(publish_small("spark://", table="trips"), expected)
    assert_same(publish_small("spark://local[2]", table=f"parquet:{path}"), expected)
    with warnings.catch_warnings():  # PySpark's, of pandas 3
        warnings.simplefilter("ignore")
        table = ibis.pyspark.connect(spark).table("trips")
    assert_same(publish_small(table), expected)
    spark.catalog.dropTempView("trips")
    with pytest.raises(SourceError, match="the spark catalogue has no table 'trips'"):
        publish_small("spark://", table="trips")
    with pytest.raises(SourceError, match="found no parquet files at /nowhere"):
        publish_small("spark://", table="parquet:/nowhere")


@pytest.mark.parametrize(
    ("url", "table", "says"),
    [
        ("spark://", None, "a spark URL needs the name of a table in the catalogue, or files as parquet:PATH"),
        ("spark://local[2]?memory=2g", "t", "options of a spark URL begin with 'spark.', got 'memory'"),
    ],
)
def test_a_wrong_url(url: str, table: str | None, says: str) -> None:
    with pytest.raises(SourceError) as error:
        publish_small(url, table=table)
    assert str(error.value) == says


def test_a_wrong_format() -> None:
    with pytest.raises(SourceError, match="cannot read files of format 'parket'; did you mean 'parquet'"):
        ingest_spark._frame(None, "parket:/data")


@pytest.mark.slow
def test_the_command_line(spark: Any, program: Run, tmp_path: Path) -> None:
    """A session of its own, made and ended by the command."""
    (tmp_path / "s.toml").write_text(ATTRIBUTES)
    pa.parquet.write_table(TABLE, tmp_path / "t.parquet")
    place = "spark://local[2]?spark.driver.memory=1g"
    arguments = ["publish", place, "s.toml", "--table", f"parquet:{tmp_path / 't.parquet'}", "-e", "50"]
    done = program(*arguments, "--engine", "spark", "--insecure-seed", "3", PYTHONPATH=PATHS)
    assert done.returncode == 0, done.stderr
    assert "Published s.ripost.parquet" in done.stdout
    expected = ripost.publish(TABLE, SCHEMAS["rows"], epsilon=50, seed=3)
    assert np.array_equal(ripost.open(tmp_path / "s.ripost.parquet").blocks.value, expected.blocks.value)
    wrong = program(*arguments[:-3], "nothing.at_all", "-e", "50", "--force", PYTHONPATH=PATHS)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.splitlines()[-1].startswith("ripost: the spark catalogue has no table")


@pytest.mark.usefixtures("forgetful")
def test_a_checkpoint_outlives_executors(spark: Any, tmp_path: Path) -> None:
    """Nothing is read twice, so even a frame that changes gives one view. Last: it cannot be undone in a session."""
    spark.sparkContext.setCheckpointDir(str(tmp_path))
    assert len(publish_small(changing(spark), engine="spark").blocks) >= 1
    assert any(tmp_path.iterdir())
