"""Spark at length: ten million rows, and a cluster that loses a worker midway."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ripost
from ripost.schema.schema import Schema
from tests.engines.comparing import assert_same
from tests.engines.conftest import PATHS
from tests.engines.table import ATTRIBUTES, TABLE

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

WIDE = Schema.from_dict(
    {
        "attributes": {
            "age": {"type": "integer", "min": 0, "max": 99},
            "zip": {"type": "integer", "min": 0, "max": 99},
            "week": {"type": "integer", "min": 0, "max": 51},
            "sum": {"type": "number", "min": 0, "max": 1, "bins": 16},
        }
    }
)


def test_ten_million_rows(spark: Any) -> None:
    """On executors and in memory, from the same frame: the same view."""
    rows = spark.range(10**7).selectExpr(
        "cast(30 + 8 * pow(pmod(xxhash64(id, 1), 1000003) / 1000003, 2) as int) age",
        "cast(100 * pow(pmod(xxhash64(id, 2), 1000003) / 1000003, 3) as int) zip",
        "cast(pmod(xxhash64(id, 3), 52) as int) week",
        "pow(pmod(xxhash64(id, 4), 1000003) / 1000003, 2) sum",
    )
    views = [ripost.publish(rows, WIDE, epsilon=1, seed=7, engine=engine) for engine in ("spark", "memory")]
    assert len(views[0].blocks) > 1000
    assert_same(*views)
    total = views[0].answer([[0] * 4], [WIDE.domain.shape])[0]
    assert total == pytest.approx(10**7, abs=2000)


DRIVER = """
import json, os, signal, sys
from tests.engines.conftest import session
from tests.engines.table import ATTRIBUTES, TABLE
from ripost.data.spark import distributed_cells as spread
from ripost.schema.schema import Schema
from pathlib import Path
import ripost, secrets

url, worker, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
secrets.token_hex = lambda _: "the same for all"
spark = session(url, folder, **{"spark.executor.memory": "512m", "spark.executor.cores": "1"})
passes, executors, real = [], [], spread.DistributedCells.collect

def alive():
    tracker = spark.sparkContext._jsc.sc().statusTracker()
    return len(tracker.getExecutorInfos()) - 1  # without the driver

def counted(self, task, slots):
    passes.append(slots)
    if len(passes) == 4:
        executors.append(alive())
        os.kill(worker, signal.SIGKILL)
    return real(self, task, slots)

spread.DistributedCells.collect = counted
schema = Schema.parse('unit = "person"\\nmax_rows = 2\\n' + ATTRIBUTES)
frame = spark.createDataFrame(TABLE).repartition(4)
view = ripost.publish(frame, schema, epsilon=60, seed=4, engine="spark")
executors.append(alive())
view.save(folder / "view.ripost.parquet")
print(json.dumps({"passes": len(passes), "executors": executors}))
spark.stop()
"""


def test_a_worker_that_is_killed_midway_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers, one killed before the fourth statistic: its chunks are lost, the view is the same."""
    pytest.importorskip("pyspark", reason="needs PySpark: pip install 'ripost[spark]'")
    from tests.engines.cluster import cluster

    monkeypatch.setattr("secrets.token_hex", lambda _: "the same for all")
    with cluster(tmp_path, workers=2) as (url, workers):
        command = [sys.executable, "-W", "ignore", "-c", DRIVER, url, str(workers[0].pid), str(tmp_path)]
        environment = {**os.environ, "PYTHONPATH": PATHS}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=900)
        assert done.returncode == 0, done.stderr[-3000:]
        facts = json.loads(done.stdout.splitlines()[-1])
        assert facts["passes"] > 6
        assert facts["executors"] == [2, 1]
        assert workers[0].poll() is not None and workers[1].poll() is None
    schema = Schema.parse(f'unit = "person"\nmax_rows = 2\n{ATTRIBUTES}')
    expected = ripost.publish(TABLE, schema, epsilon=60, seed=4)
    assert_same(ripost.open(tmp_path / "view.ripost.parquet"), expected)
