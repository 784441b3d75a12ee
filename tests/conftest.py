"""Fixtures that many tests share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the real command line in an empty folder, as a user would."""

    def call(*arguments: str, cwd: Path = tmp_path, **environment: str) -> subprocess.CompletedProcess[str]:
        import os

        command = [str(Path(sys.executable).with_name("ripost")), *map(str, arguments)]
        env = {**os.environ, "COLUMNS": "200", **environment}
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)

    return call


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared cases and reference figures; tests that need it are skipped in a lone clone."""
    folder = ROOT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip("needs ../shared/cases, which a clone of the project alone does not have")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of a process: Playwright cannot be started twice."""
    from tests.explore.browser import running_browser

    with running_browser() as found:
        yield found
