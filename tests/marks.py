"""Marks that many tests share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="needs what only POSIX has: modes, signals, forks, pipes, sh"
)
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, which only Linux has in this form")


def slow(*values: Any, **named: Any) -> Any:
    """A case that repeats what quick ones check: `make test-all` runs it, `make test` does not."""
    return pytest.param(*values, marks=pytest.mark.slow, **named)


def slow_after(quick: int, cases: Sequence[Any]) -> list[Any]:
    """Cases of one parameter, all but the first few slow."""
    return [*cases[:quick], *map(slow, cases[quick:])]
