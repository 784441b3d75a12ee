"""A PostgreSQL server of one's own: in a temporary folder, on the loopback, gone when the tests are done."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

USER = "ripost"


def program(name: str) -> str | None:
    """Where a program of the server is; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


def require() -> None:
    """Skip, and say what is missing, where no server can run."""
    if program("initdb") is None:
        pytest.skip("needs a PostgreSQL server: apt-get install postgresql")
    import pwd  # not on Windows

    if os.geteuid() == 0 and not any(user.pw_name == "postgres" for user in pwd.getpwall()):
        pytest.skip("needs a user other than root to run PostgreSQL as")
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'ripost[postgres]'")


@contextmanager
def server(password: str | None = None) -> Iterator[str]:
    """The URL of a running server; with a password, one that asks everybody for theirs."""
    initdb, postgres = program("initdb"), program("postgres")
    assert initdb and postgres
    owner = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="ripost-postgres-"))
    try:
        if owner:
            shutil.chown(folder, owner)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "user": owner}
        options = ["--username", USER, "--encoding", "UTF8", "--locale", "C", "--no-sync", "--auth"]
        options += ["trust"] if password is None else ["scram-sha-256", f"--pwfile={folder / 'password'}"]
        (folder / "password").write_text(password or "", "utf-8")
        (folder / "password").chmod(0o644)
        subprocess.run([initdb, "--pgdata", folder / "data", *options], check=True, **quiet)  # type: ignore[call-overload]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [postgres, "-D", folder / "data", "-p", str(port), "-h", "127.0.0.1", "-k", folder, "-F"]
        process = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
        try:
            yield _ready(f"postgresql://{USER}@127.0.0.1:{port}/postgres", password)
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
            process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ready(url: str, password: str | None) -> str:
    import psycopg

    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url, password=password).close()
            return url
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
