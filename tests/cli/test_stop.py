"""Ctrl-C while publishing: over soon, said in one sentence, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.marks import posix

pytestmark = posix

ROWS = 1_000_000
SOON = 5.0  # seconds; a bound for any machine, about one on a quiet one
ATTRIBUTES = [f"[attributes.c{number}]\ntype = 'integer'\nmin = 0\nmax = 199\n" for number in range(4)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("stop")
    rng = np.random.default_rng(0)
    pq.write_table(pa.table({f"c{number}": rng.integers(0, 200, ROWS) for number in range(4)}), place / "t.parquet")
    (place / "four.toml").write_text("".join(ATTRIBUTES), "utf-8")
    (place / "three.toml").write_text("".join(ATTRIBUTES[:3]).replace("199", "149"), "utf-8")
    (place / "tmp").mkdir()
    return place


def publish_and_stop(folder: Path, stage: str, *arguments: str) -> None:
    """Publish, press Ctrl-C when a stage has begun, and see how it ends."""
    before = sorted(folder.iterdir())
    code = f"""
import sys
import ripost.cli, ripost.sources.source_table, ripost.privacy.noise

def struck(real):
    def strike(*arguments, **named):
        sys.stderr.write("now\\n")
        sys.stderr.flush()
        return real(*arguments, **named)
    return strike

ripost.{stage} = struck(ripost.{stage})
sys.argv = {["ripost", "publish", "t.parquet", "-e", "1", *arguments]!r}
ripost.cli.main()
"""
    env = {**os.environ, "TMPDIR": str(folder / "tmp")}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "now\n"
        time.sleep(0.1)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        assert process.wait() == 130, told
        assert time.monotonic() - started < SOON
    assert told.replace("now\n", "").startswith("ripost: stopped; nothing is left half written"), told
    assert sorted(folder.iterdir()) == before
    assert list((folder / "tmp").iterdir()) == []


def test_while_reading(folder: Path) -> None:
    publish_and_stop(folder, "sources.source_table.run_interruptible", "four.toml")


@pytest.mark.slow
def test_while_reading_with_little_memory(folder: Path) -> None:
    publish_and_stop(folder, "sources.source_table.run_interruptible", "four.toml", "--memory", "64MB")


def test_while_drawing(folder: Path) -> None:
    publish_and_stop(folder, "privacy.noise._add_noise", "three.toml", "--method", "identity")
