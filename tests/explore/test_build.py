"""The page's script is what its sources build, and their own tests pass; both need Node and skip without it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from ripost.explore.page import assets

EXPLORER = Path(__file__).parents[2] / "explorer"
BUILT = "explorer.js"


def run(*command: str) -> str:
    """What a command of the explorer's project prints; the test fails with its complaints if it fails."""
    if shutil.which("npm") is None or not (EXPLORER / "node_modules" / "esbuild").exists():
        pytest.skip("needs Node and the explorer's tools: npm install --prefix explorer")
    done = subprocess.run(command, cwd=EXPLORER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_built_script_is_current(tmp_path: Path) -> None:
    build = json.loads((EXPLORER / "package.json").read_text("utf-8"))["scripts"]["build"].split()
    out = [word for word in build if word.startswith("--outfile=")]
    assert out == [f"--outfile=../src/ripost/explore/assets/{BUILT}"]
    run("npx", *(word for word in build if word not in out), f"--outfile={tmp_path / BUILT}", "--log-level=warning")
    built = (tmp_path / BUILT).read_text("utf-8")
    assert assets().joinpath(BUILT).read_text("utf-8") == built, "run make explorer, and commit the built script"


def test_the_unit_tests_of_the_sources_pass() -> None:
    printed = run("npm", "test", "--silent")
    assert "# fail 0" in printed and "# pass 0" not in printed
