"""Marks that many tests share."""

from __future__ import annotations

import sys

import pytest

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="needs what only POSIX has: modes, signals, forks, pipes, sh"
)
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, which only Linux has in this form")
