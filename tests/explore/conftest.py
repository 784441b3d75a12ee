"""Fixtures of the explorer's tests: pages, and a view of every sort."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ripost.view import View
from tests.explore.views import every_type

Page = Callable[[View], Path]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """The page of a view, on disk."""

    def write(view: View) -> Path:
        path = tmp_path / "view.html"
        view.explore(path, title="A view", force=True)
        return path

    return write


@pytest.fixture(scope="module")
def view() -> View:
    return every_type()
