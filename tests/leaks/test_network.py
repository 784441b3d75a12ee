"""A view from anywhere is opened, asked and shown without a socket, a process, or code that it brings."""

from __future__ import annotations

import builtins
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ripost.release.verify import verify_view
from ripost.view import open_view
from tests.answering.making import make_view


def test_a_view_reaches_out_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = make_view(inner=0.5, marginals=True)
    view.save(tmp_path / "v")
    view.sql("SELECT COUNT(*) FROM view")  # what is imported late is imported now
    view.explore(tmp_path / "first.html")

    def forbidden(*_: Any, **__: Any) -> None:
        raise AssertionError("a view must not do this")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    monkeypatch.setattr(subprocess, "Popen", forbidden)
    for name in ("eval", "exec"):
        monkeypatch.setattr(builtins, name, forbidden)
    assert all(check.ok for check in verify_view(tmp_path / "v"))
    opened = open_view(tmp_path / "v")
    assert opened.total == pytest.approx(view.total)
    assert len(opened.sql("SELECT x0, COUNT(*), MEDIAN(x1) FROM view WHERE x2 < 3 GROUP BY x0"))
    opened.explore(tmp_path / "v.html")


def test_sql_cannot_reach_files_or_functions(tmp_path: Path) -> None:
    from ripost.errors import QueryError

    view = make_view()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for text in (
        f"SELECT * FROM '{tmp_path}/secret.csv'",
        f"SELECT COUNT(*) FROM read_csv('{tmp_path}/secret.csv')",
        "SELECT getenv('HOME') FROM view",
        "SELECT COUNT(*) FROM view; DROP TABLE view",
        "COPY view TO '/tmp/x'",
        "ATTACH 'x.db'",
        "INSTALL httpfs",
        "PRAGMA database_list",
        "SELECT COUNT(*) FROM view WHERE x0 = (SELECT 1 FROM read_text('/etc/passwd'))",
    ):
        with pytest.raises(QueryError):
            view.sql(text)
