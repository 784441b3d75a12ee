"""The notebooks, run: they show what is stored in them, and are small enough to store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from docs.making.notebooks import HERE, as_page, run

from tests.docs.snippets import shape

NOTEBOOKS = sorted(HERE.glob("*.ipynb"))


def shown(cell: Any) -> list[tuple[list[str], list[str]]]:
    """What a cell shows: the kinds of each output, and its text but for the numbers."""
    found = []
    for output in cell.get("outputs", ()):
        data = output.get("data", {"text/plain": output.get("text", "")})
        found.append((sorted(data), shape("".join(data["text/plain"]))))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")  # of the libraries that talk to the kernel
def test_a_notebook_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))["cells"]
    found = run(path, tmp_path)["cells"]
    assert [shown(cell) for cell in found] == [shown(cell) for cell in stored]
    assert any(shown(cell) for cell in stored)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_names_no_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text) < 200_000
    assert "/home/" not in text and "/tmp/" not in text
    page, images = as_page(path)
    assert page.startswith("# ") and all(image.startswith(b"\x89PNG") for image in images.values()) and images
