"""One PostgreSQL server for all tests of ledgers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines import postgres


@pytest.fixture(scope="session")
def running_server() -> Iterator[str]:
    postgres.require()
    from tests.budget_ledger import servers

    with servers.running() as url:
        yield url


@pytest.fixture
def server(running_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a server, whose password is in the environment."""
    from tests.budget_ledger import servers

    monkeypatch.setenv("PGPASSWORD", servers.PASSWORD)
    return running_server
