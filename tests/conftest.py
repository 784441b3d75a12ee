"""Fixtures that many tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # however busy
settings.load_profile("any machine")

ROOT = Path(__file__).parents[1]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in an empty folder, in this process, which saves a second of start-up each time."""
    from ripost.cli import main

    def call(*arguments: str, cwd: Path = tmp_path, **environment: str) -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        command = ["ripost", *map(str, arguments)]
        with (
            chdir(cwd),
            patch.dict(os.environ, {"COLUMNS": "200", **environment}),
            patch.object(sys, "argv", command),
            pytest.raises(SystemExit) as ended,
        ):
            main()
        return subprocess.CompletedProcess(command, ended.value.code or 0, *capfd.readouterr())  # type: ignore[arg-type]

    return call


@pytest.fixture
def program(tmp_path: Path) -> Run:
    """Run the installed command in an empty folder, as a user would."""

    def call(*arguments: str, cwd: Path = tmp_path, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("ripost")), *map(str, arguments)]
        env = {**os.environ, "COLUMNS": "200", **environment}
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)

    return call


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Heads of ledgers are kept in a folder of this run, not in the one of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("state")
    with patch.dict(os.environ, {"RIPOST_STATE": str(folder)}):
        yield folder


@pytest.fixture(scope="session")
def shared_folder() -> Path:
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
