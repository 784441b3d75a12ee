"""The servers that the end-to-end tester reads from."""

from __future__ import annotations

from tests.engines.conftest import postgres_url, spark

__all__ = ["postgres_url", "spark"]
