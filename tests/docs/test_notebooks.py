"""The notebooks, run: they show what is stored in them, and are small enough to store."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docs.making.notebooks import HERE, as_page

from tests.conftest import ROOT
from tests.docs.snippets import shape

NOTEBOOKS = sorted(HERE.glob("*.ipynb"))


def outputs_of(cell: Any) -> list[tuple[list[str], list[str]]]:
    """What a cell shows: the kinds of each output, and its text but for the numbers; what was printed is one."""
    printed, found = "", []
    for output in cell.get("outputs", ()):
        printed += "".join(output.get("text", ""))
        if data := output.get("data"):
            found.append((sorted(data), shape("".join(data["text/plain"]))))
    return [(["printed"], shape(printed)), *found] if printed else found


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "docs.making.notebooks", path.stem, "--into", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stored = json.loads(path.read_text("utf-8"))["cells"]
    found = json.loads((tmp_path / path.name).read_text("utf-8"))["cells"]
    assert [outputs_of(cell) for cell in found] == [outputs_of(cell) for cell in stored]
    assert any(outputs_of(cell) for cell in stored)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_names_no_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text) < 200_000
    assert "/home/" not in text and "/tmp/" not in text
    page, images = as_page(path)
    assert page.startswith("# ") and all(image.startswith(b"\x89PNG") for image in images.values()) and images
