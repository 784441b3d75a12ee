"""Passes, shuffled bytes and core time of publishing from Spark, read from Spark's own event log.

python -m benchmarks.spark [--rows 2000000] [--methods ripost+ ripost]

Every method works on executors (engine="spark"). A pass is one query over all cells. Core time is what Spark and its
Python workers used of the processors, so it does not grow when other programs run. The last lines scale the unit costs
of the first method up to ten thousand million rows.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ripost
from ripost.data.spark.distributed_cells import DistributedCells

SCHEMA = {
    "attributes": {
        "age": {"type": "integer", "min": 0, "max": 99},
        "zip": {"type": "integer", "min": 0, "max": 999},
        "week": {"type": "integer", "min": 0, "max": 51},
        "share": {"type": "number", "min": 0, "max": 1, "bins": 64},
    }
}
COLUMNS = (
    "cast(30 + 40 * pow(pmod(xxhash64(id, 1), 1000003) / 1000003, 2) as int) age",
    "cast(1000 * pow(pmod(xxhash64(id, 2), 1000003) / 1000003, 3) as int) zip",
    "cast(pmod(xxhash64(id, 3), 52) as int) week",
    "pow(pmod(xxhash64(id, 4), 1000003) / 1000003, 2) share",
)
METHODS = ("ripost+", "ripost", "privtree")
PACK, SUM = "pack", "sum"
FUTURE_ROWS, FUTURE_CELLS, FUTURE_CORES = 10**10, 10**9, 500


@dataclass(slots=True)
class Work:
    """What the tasks of some jobs did together."""

    queries: set[str] = field(default_factory=set)
    seconds: float = 0.0  # of cores, not in the event log
    shuffled: int = 0  # bytes written for other tasks
    returned: int = 0  # bytes sent to the driver


@contextmanager
def session(folder: Path) -> Iterator[Any]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.shuffle.partitions": "8",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.dir": folder.as_uri(),
    }
    builder = SparkSession.builder.master("local[2]").appName("ripost benchmark")
    for name, value in settings.items():
        builder = builder.config(name, value)
    running = builder.getOrCreate()
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def label_jobs(spark: Any, method: str, seconds: dict[str, float]) -> Iterator[list[int]]:
    """Jobs carry the method and whether they make chunks or sums; yields the number of cells, once it is known."""
    cells: list[int] = []
    pack, collected, rows = DistributedCells.of, DistributedCells.collect, DistributedCells.rows

    @contextmanager
    def group(kind: str) -> Iterator[None]:
        spark.sparkContext.setJobGroup(f"{method}/{kind}", "")
        before = core_seconds()
        yield
        seconds[f"{method}/{kind}"] += core_seconds() - before

    def of(*given: Any) -> DistributedCells:
        with group(PACK):
            spread = pack(*given)
        cells.append(spread.cells)
        return spread

    def collect(self: DistributedCells, *given: Any) -> Any:
        with group(SUM):
            return collected(self, *given)

    def take(self: DistributedCells, *given: Any) -> Any:
        with group(SUM):
            return rows(self, *given)

    DistributedCells.of, DistributedCells.collect, DistributedCells.rows = of, collect, take  # type: ignore[method-assign, assignment]
    try:
        yield cells
    finally:
        DistributedCells.of, DistributedCells.collect, DistributedCells.rows = pack, collected, rows  # type: ignore[method-assign]


def core_seconds() -> float:
    """What all processes that this one started, and those that they started, have used of the processors."""
    parent, used = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        number = int(path.parent.name)
        parent[number], used[number] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def ours(number: int) -> bool:
        while number > 1 and number != os.getpid():
            number = parent.get(number, 0)
        return number == os.getpid()

    return sum(used[number] for number in used if number != os.getpid() and ours(number))


def work_of(log: Path) -> dict[str, Work]:
    """What each group of jobs did, by the event log."""
    found: dict[str, Work] = defaultdict(Work)
    group: dict[int, str] = {}
    for line in log.read_text("utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            name = event["Properties"].get("spark.jobGroup.id", "")
            found[name].queries.add(event["Properties"].get("spark.sql.execution.id", ""))
            group.update(dict.fromkeys(event["Stage IDs"], name))
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            metrics, work = event["Task Metrics"], found[group[event["Stage ID"]]]
            work.shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            work.returned += metrics["Result Size"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--methods", nargs="*", default=METHODS)
    given = parser.parse_args()
    schema = ripost.Schema.from_dict(SCHEMA)
    cores: dict[str, float] = defaultdict(float)
    seconds, cells, blocks = {}, 0, {}
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with session(Path(name)) as spark:
            frame = spark.range(given.rows).selectExpr(*COLUMNS)
            warm_up = spark.range(given.rows // 10).selectExpr(*COLUMNS)
            ripost.publish(warm_up, schema, epsilon=1, seed=1, engine="spark")  # Java compiles what it runs often
            for method in given.methods:
                start = time.perf_counter()
                with label_jobs(spark, method, cores) as known:
                    view = ripost.publish(frame, schema, epsilon=1, method=method, seed=1, engine="spark")
                seconds[method], blocks[method], cells = time.perf_counter() - start, len(view.blocks), known[0]
            log = f"{spark.sparkContext.applicationId}*"
        work = work_of(next(Path(name).glob(log)))
    for name, used in cores.items():
        work[name].seconds = used
    print(f"{given.rows:,} rows, {cells:,} non-empty cells, {schema.domain.size:,} cells; epsilon 1, local[2]\n")
    print("| method | blocks | passes | shuffled | sent to the driver | core s of ingest | core s of passes | s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for method in given.methods:
        pack, sums = work[f"{method}/{PACK}"], work[f"{method}/{SUM}"]
        figures = f"{megabytes(pack.shuffled + sums.shuffled)} | {megabytes(pack.returned + sums.returned)}"
        took = f"{pack.seconds:.1f} | {sums.seconds:.1f} | {seconds[method]:.0f}"
        print(f"| {method} | {blocks[method]:,} | {len(sums.queries)} | {figures} | {took} |")
    estimate(given.methods[0], work, given.rows, cells)


def estimate(method: str, work: dict[str, Work], rows: int, cells: int) -> None:
    """The unit costs of a method, scaled up."""
    pack, sums = work[f"{method}/{PACK}"], work[f"{method}/{SUM}"]
    number = len(sums.queries)
    row, cell = pack.seconds / rows, sums.seconds / cells / number
    ingest, passes = FUTURE_ROWS * row / FUTURE_CORES, number * FUTURE_CELLS * cell / FUTURE_CORES
    shuffled = FUTURE_ROWS * pack.shuffled / rows
    print(
        f"\nUnit costs of {method}: {row * 1e6:.2f} core µs a row for ingest, {cell * 1e6:.2f} core µs a cell and pass,"
    )
    print(f"{pack.shuffled / rows:.1f} bytes shuffled a row.")
    print(f"{FUTURE_ROWS:.0e} rows and {FUTURE_CELLS:.0e} cells on {FUTURE_CORES} cores: ingest {ingest / 60:.1f} min,")
    print(f"{number} passes {passes / 60:.1f} min, {shuffled / 2**30:.0f} GiB shuffled.")


def megabytes(size: int) -> str:
    return f"{size / 2**20:.1f} MiB"


if __name__ == "__main__":
    main()
