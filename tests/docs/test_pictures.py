"""The pictures of the concepts are what their command draws."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

STORED = ROOT / "docs" / "images" / "concepts"


def texts(path: Path) -> list[str]:
    """The words and figures of a picture; lines may differ in the last digit from one machine to another."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


@pytest.mark.slow
def test_the_command_draws_what_is_stored(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "docs.making.pictures", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == sorted(path.name for path in STORED.iterdir())
    for name in drawn:
        assert texts(tmp_path / name) == texts(STORED / name) != [], name


def test_every_picture_is_shown_somewhere() -> None:
    pages = "".join(path.read_text("utf-8") for path in ROOT.glob("docs/**/*.md"))
    for path in STORED.iterdir():
        assert f"concepts/{path.name})" in pages, path.name
