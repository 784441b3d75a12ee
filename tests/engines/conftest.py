"""Engines that take time to start: one Spark session and one PostgreSQL server for all tests."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.engines import postgres
from tests.engines.table import POSTGRES, TABLE

PATHS = os.pathsep.join([str(ROOT), str(ROOT / "src")])
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.memory": "1g",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.executorEnv.PYTHONPATH": PATHS,
}


def session(master: str, folder: Path, **more: str) -> Any:
    """A Spark session, or a skip that says what is missing."""
    if find_spec("pyspark") is None:
        pytest.skip("needs PySpark: pip install 'ripost[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java 17 or newer on the path")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(master).appName("ripost tests")
        places = {"spark.local.dir": str(folder), "spark.sql.warehouse.dir": str(folder / "warehouse")}
        for name, value in {**SETTINGS, **places, **more}.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two threads, and four tries for each task."""
    running = session("local[2,4]", tmp_path_factory.mktemp("spark"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server that holds the table as `trips`."""
    postgres.require()
    import psycopg

    with postgres.server() as url:
        with psycopg.connect(url) as connection:
            connection.execute(POSTGRES)
            places = ", ".join(["%s"] * TABLE.num_columns)
            rows = [tuple(one.values()) for one in TABLE.to_pylist()]
            connection.cursor().executemany(f"INSERT INTO trips VALUES ({places})", rows)
        yield url
