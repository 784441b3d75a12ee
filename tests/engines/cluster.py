"""A standalone Spark cluster on the loopback: a master and workers, each a process that can be killed."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.engines.conftest import PATHS

DEPLOY = "org.apache.spark.deploy"


@contextmanager
def cluster(folder: Path, *, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The URL of the master, and the workers' processes."""
    with ExitStack() as ended:
        options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        start_process(folder / "master.log", [f"{DEPLOY}.master.Master", *options], ended)
        url = wait_for(folder / "master.log", r"Starting Spark master at (spark://\S+)")
        found = []
        for number in range(workers):
            place = ["--work-dir", str(folder / f"work{number}"), "--cores", "1", "--memory", "1g"]
            options = ["--host", "127.0.0.1", "--webui-port", "0", *place, url]
            found.append(start_process(folder / f"worker{number}.log", [f"{DEPLOY}.worker.Worker", *options], ended))
            wait_for(folder / f"worker{number}.log", r"(Successfully registered) with master")
        yield url, found


def start_process(log: Path, arguments: list[str], ended: ExitStack) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_DAEMON_MEMORY": "256m", "PYTHONPATH": PATHS}
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    command = [str(home / "bin" / "spark-class"), *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)

    def end() -> None:
        process.kill()
        process.wait(30)

    ended.callback(end)
    return process


def wait_for(log: Path, pattern: str) -> str:
    """What a process wrote, once it has."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.2)
    raise TimeoutError(f"{log.name} never said {pattern}")
