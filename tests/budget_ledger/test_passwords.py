"""Passwords of databases, on a real server that asks for them: each way works, and none is ever shown or written."""

from __future__ import annotations

import contextlib
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.errors import InputError, redact_passwords
from tests.budget_ledger.making import debit_once
from tests.budget_ledger.servers import PASSWORD, PUBLISHER, Ledger, ledger
from tests.conftest import Run

SCHEMA = "[attributes.x]\ntype = 'integer'\nmin = 0\nmax = 9\n"
PUBLISH = ("t.toml", "-e", "1", "--method", "identity", "--table", "t", "--json")
PIECES = ("s3cr3t", "w%rd", quote(PASSWORD, safe=""), "p%40ss")  # of it, as it is and as URLs spell it

Give = Callable[[str, Path, pytest.MonkeyPatch], str]  # the URL, a folder, the environment; the URL to use


def in_variable(url: str, _: Path, environment: pytest.MonkeyPatch) -> str:
    environment.setenv("PGPASSWORD", PASSWORD)
    return url


def in_url(url: str, *_: object) -> str:
    return url.replace("@", f":{quote(PASSWORD, safe='')}@")


def in_query(url: str, *_: object) -> str:
    return f"{url}?password={quote(PASSWORD, safe='')}"


def passfile(folder: Path) -> Path:
    file = folder / "pgpass"
    file.write_text("*:*:*:*:" + PASSWORD.replace(":", "\\:") + "\n", "utf-8")
    file.chmod(0o600)
    return file


def in_passfile(url: str, folder: Path, environment: pytest.MonkeyPatch) -> str:
    environment.setenv("PGPASSFILE", str(passfile(folder)))
    return url


def in_named_passfile(url: str, folder: Path, _: pytest.MonkeyPatch) -> str:
    return f"{url}?passfile={quote(str(passfile(folder)), safe='')}"


def in_our_variable(url: str, _: Path, environment: pytest.MonkeyPatch) -> str:
    environment.setenv("RIPOST_PASSWORD", PASSWORD)
    return url


def in_our_file(url: str, folder: Path, environment: pytest.MonkeyPatch) -> str:
    (folder / "password").write_text(f"{PASSWORD}\n", "utf-8")
    environment.setenv("RIPOST_PASSWORD_FILE", str(folder / "password"))
    return url


OF_LIBPQ: dict[str, Give] = {
    "PGPASSWORD": in_variable,
    "PGPASSFILE": in_passfile,
    "passfile=": in_named_passfile,
    "in the URL": in_url,
    "password=": in_query,
}
OF_SOURCES: dict[str, Give] = {**OF_LIBPQ, "RIPOST_PASSWORD": in_our_variable, "RIPOST_PASSWORD_FILE": in_our_file}


@pytest.fixture
def server_ledger(running_server: str) -> Ledger:
    """A database with a ledger and a table; the environment knows no password."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PGPASSWORD", PASSWORD)
        found = ledger(running_server)
        found.ask("CREATE TABLE public.t AS SELECT i % 10 AS x FROM generate_series(1, 200) i")
        found.ask(f"GRANT SELECT ON public.t TO {PUBLISHER}")
        return found


def assert_hidden(*texts: str, folder: Path, state: Path) -> None:
    """No piece of the password is in what was said, nor in any file but those that were made to hold it."""
    for file in [*folder.rglob("*"), *state.rglob("*")]:
        if file.is_file() and file.name not in ("pgpass", "password"):
            texts += (file.read_bytes().decode("latin-1"),)
    for piece in PIECES:
        assert not any(piece in text for text in texts), piece


@pytest.mark.parametrize("give", OF_SOURCES.values(), ids=OF_SOURCES)
def test_a_source_and_a_ledger_that_ask_for_passwords(
    server_ledger: Ledger, give: Give, tmp_path: Path, state_folder: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    source = give(server_ledger.publisher, tmp_path, monkeypatch)
    books = source if give in OF_LIBPQ.values() else in_named_passfile(server_ledger.publisher, tmp_path, monkeypatch)
    done = run("publish", source, *PUBLISH, "--ledger", books)
    assert done.returncode == 0, done.stderr
    shown = give in (in_url, in_query)
    assert done.stderr.count("others can see a password on the command line") == shown, done.stderr
    told = [run("ledger", command, books) for command in ("status", "audit")]
    told += [run("init", source, "--table", "t", "-o", "draft.toml"), run("check", source, "t.toml", "--table", "t")]
    assert [one.returncode for one in told] == [0, 0, 0, 0], told
    texts = [text for one in (done, *told) for text in (one.stdout, one.stderr)]
    with monkeypatch.context() as environment:
        environment.setenv("PGPASSWORD", PASSWORD)
        assert read_ledger(server_ledger.owner).spent[0] == 1
        texts += [str(row) for row in server_ledger.ask("SELECT * FROM ripost.entries")]
    assert_hidden(*texts, folder=tmp_path, state=state_folder)


WRONG: dict[str, Callable[[str], str]] = {
    "wrong": lambda url: url.replace("@", f":{quote(PASSWORD, safe='')}x@"),
    "not escaped": lambda url: url.replace("@", f":{PASSWORD}@"),
    "half escaped": lambda url: url.replace("@", ":s3cr3t%zz[w%rd@"),
    "wrong, in the query": lambda url: f"{url}?password={quote(PASSWORD, safe='')}x",
    "an option nobody knows": lambda url: in_url(url) + "?nonsense=1",
    "one slash": lambda url: in_url(url).replace("://", ":/"),
    "another engine": lambda url: in_url(url).replace("postgresql://", "mysqll://"),
    "no server": lambda url: re.sub(r":\d+/", ":1/", in_url(url)),
}


def chain(error: BaseException | None) -> list[BaseException]:
    return [] if error is None else [error, *chain(error.__cause__), *chain(error.__context__)]


@pytest.mark.parametrize("spell", WRONG.values(), ids=WRONG)
def test_failures_never_quote_a_password(
    server_ledger: Ledger, spell: Callable[[str], str], tmp_path: Path, state_folder: Path, run: Run
) -> None:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    (tmp_path / "t.csv").write_text("x\n1\n", "utf-8")
    url = spell(server_ledger.publisher)
    commands = [
        ["publish", url, *PUBLISH],
        ["publish", "t.csv", *PUBLISH[:-3], "--ledger", url],
        ["ledger", "status", url],
        ["ledger", "init", url, "--dataset", "d", "-e", "1"],
        ["verify", "t.csv", "--ledger", url],
        ["ledger", "status", "x", url],  # one argument too many
        ["publish", "t.csv", "t.toml", "-e", "1", "--option", url],
        ["explore", url],
        ["check", url, "t.toml", "--table", "t"],
    ]
    texts = []
    for command in commands:
        for debug in ({}, {"RIPOST_DEBUG": "1"}):
            done = run(*command, **debug)
            assert done.returncode == 2, (command, done)
            texts += [done.stdout, done.stderr]
    schema = ripost.Schema.load(tmp_path / "t.toml")
    for attempt in (
        lambda: ripost.publish(url, schema, epsilon=1, table="t"),
        lambda: ripost.publish(tmp_path / "t.csv", schema, epsilon=1, ledger=url),
        lambda: read_ledger(url),
    ):
        with contextlib.suppress(FileNotFoundError), pytest.raises(InputError) as caught:
            attempt()
        if "://" in url:  # with one slash it is the name of a file, which an error may repeat
            texts += [f"{one!r} {one} {vars(one)}" for one in chain(caught.value)]
            texts += traceback.format_exception(caught.value)
    assert_hidden(*texts, folder=tmp_path / "nothing", state=state_folder)


def test_a_password_file_that_is_not_there(server_ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIPOST_PASSWORD_FILE", "none.txt")
    with pytest.raises(InputError, match=r"RIPOST_PASSWORD_FILE names a file that cannot be read as text: none.txt"):
        ripost.publish(server_ledger.publisher, ripost.Schema.parse(SCHEMA), epsilon=1, table="t")


def test_without_a_password_nothing_is_read(server_ledger: Ledger) -> None:
    with pytest.raises(InputError, match=r"check the server, the role, and its password \(in PGPASSWORD or"):
        debit_once(server_ledger.publisher)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"the password \(RIPOST_PASSWORD or RIPOST_PASSWORD_FILE\)"):
        ripost.publish(server_ledger.publisher, ripost.Schema.parse(SCHEMA), epsilon=1, table="t")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://u:pw@h/d", "postgresql://u:***@h/d"),
        ("see postgres://u:p@w:/?#w@h/d and go on", "see postgres://u:***@h/d and go on"),
        ("mysql:/u:pw@h", "mysql:/u:***@h"),
        ("postgresql:///d?user=u&password=pw&sslpassword=pw", "postgresql:///d?user=u&password=***&sslpassword=***"),
        ("host=h password=pw", "host=h password=***"),
        ("postgresql://u@h:5432/d", "postgresql://u@h:5432/d"),
        ("C:/tables/a.csv", "C:/tables/a.csv"),
        ("a table at 10:30, by me@here", "a table at 10:30, by me@here"),
    ],
)
def test_what_is_blanked_out(text: str, shown: str) -> None:
    assert redact_passwords(text) == shown


def test_a_server_asks_for_passwords_at_all(running_server: str) -> None:
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(running_server).close()
