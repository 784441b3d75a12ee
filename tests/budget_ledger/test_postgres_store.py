"""A ledger in PostgreSQL, on a real server: the same books, kept apart from publishers."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ripost
from ripost.budget_ledger import operations as books
from ripost.budget_ledger import postgres_store as module
from ripost.budget_ledger.audit import audit, audit_release
from ripost.budget_ledger.hash_chain import next_entry
from ripost.budget_ledger.ledger_store import open_store
from ripost.budget_ledger.operations import adopt, close, create_ledger, read_ledger
from ripost.budget_ledger.postgres_store import PostgresStore
from ripost.budget_ledger.records import AdoptionRecord, FailureReason
from ripost.data.tensor import Tensor
from ripost.errors import LedgerError
from ripost.privacy.noise import SystemNoise
from tests.budget_ledger.making import DIGEST, debit_once, entries, read_claim
from tests.budget_ledger.servers import OWNER, PUBLISHER, Ledger, database, ledger
from tests.conftest import ROOT, Run
from tests.engines import postgres

TENSOR = Tensor.from_arrays((6, 4), [[0, 1], [3, 2], [5, 3]], [40, 30, 20])


def test_the_same_books_as_in_a_file(server: str, tmp_path: Path) -> None:
    made = ledger(server)
    close(made.publisher, debit_once(made.publisher), DIGEST)
    close(made.publisher, debit_once(made.publisher, "1/10"), FailureReason.SOURCE)
    debit_once(made.publisher.replace("postgresql://", "postgres://"), "0.3")
    state = read_ledger(made.owner)
    assert [paid.state for paid in state.debits.values()] == ["released", "failed", "running"]
    assert str(state.left[0]) == "8/5"
    with pytest.raises(
        LedgerError, match=r"has epsilon 1.6 left of 3, and this release asks for 2; nothing was debited"
    ):
        debit_once(made.publisher, "2")
    view = ripost.publish(TENSOR, epsilon=1, method="identity", ledger=made.publisher, output=tmp_path / "v")
    assert view.debit == read_ledger(made.owner).pointer(6)
    assert all(check.ok for check in audit_release(made.publisher, read_claim(tmp_path / "v")))
    checks = audit(made.owner, [read_claim(tmp_path / "v")], head=state.head.chain)
    assert [check.name for check in checks] == ["chain", "budget", "place", "kept heads", "head", "release"]
    assert all(check.ok for check in checks), checks


REFUSED = {
    "update": "UPDATE ripost.entries SET body = body",
    "delete": "DELETE FROM ripost.entries WHERE number = 1",
    "truncate": "TRUNCATE ripost.entries",
    "drop the table": "DROP TABLE ripost.entries",
    "drop the schema": "DROP SCHEMA ripost CASCADE",
    "drop the trigger": "DROP TRIGGER check_entry ON ripost.entries",
    "disable the trigger": "ALTER TABLE ripost.entries DISABLE TRIGGER ALL",
    "skip triggers": "SET session_replication_role = replica",
    "replace the function": "CREATE OR REPLACE FUNCTION ripost.check_entry() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RETURN NEW; END'",
    "drop the function": "DROP FUNCTION ripost.check_entry CASCADE",
    "rename": "ALTER TABLE ripost.entries RENAME TO old",
    "another table": "CREATE TABLE ripost.more (x int)",
    "a rule": "CREATE RULE r AS ON INSERT TO ripost.entries DO INSTEAD NOTHING",
    "a trigger": "CREATE TRIGGER t BEFORE INSERT ON ripost.entries FOR EACH ROW EXECUTE FUNCTION ripost.check_entry()",
    "a child": "CREATE TEMP TABLE child () INHERITS (ripost.entries)",
    "own it": f"ALTER TABLE ripost.entries OWNER TO {PUBLISHER}",
    "be the owner": f"SET ROLE {OWNER}",
    "a right to itself": f"GRANT UPDATE ON ripost.entries TO {PUBLISHER}; UPDATE ripost.entries SET body = ''",
    "upsert": "INSERT INTO ripost.entries SELECT * FROM ripost.entries ON CONFLICT (number) DO UPDATE SET body = ''",
    "the last entry again": "INSERT INTO ripost.entries SELECT * FROM ripost.entries ORDER BY number DESC LIMIT 1",
    "an older number": "INSERT INTO ripost.entries SELECT -1, kind, body, chain FROM ripost.entries WHERE number = 1",
    "a gap": "INSERT INTO ripost.entries SELECT 99, kind, body, chain FROM ripost.entries WHERE number = 1",
    "a wrong hash": "INSERT INTO ripost.entries SELECT 2, kind, body, chain FROM ripost.entries WHERE number = 1",
    "merge": "MERGE INTO ripost.entries e USING (SELECT 1 AS n) s ON e.number = s.n WHEN MATCHED THEN DELETE",
    "lock": "BEGIN; LOCK TABLE ripost.entries IN ACCESS EXCLUSIVE MODE",
    "drop the database": "DROP DATABASE {database}",
}


@pytest.fixture(scope="module")
def shared_ledger(running_server: str) -> Ledger:
    with pytest.MonkeyPatch.context() as patch:
        from tests.budget_ledger.servers import PASSWORD

        patch.setenv("PGPASSWORD", PASSWORD)
        made = ledger(running_server)
        debit_once(made.publisher)
        return made


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_a_publisher_cannot_rewind(server: str, shared_ledger: Ledger, statement: str) -> None:
    before = entries(shared_ledger.owner)  # type: ignore[arg-type]
    with pytest.raises(psycopg.Error) as caught:
        shared_ledger.ask(statement.replace("{database}", shared_ledger.owner.rpartition("/")[2]), role=PUBLISHER)
    assert caught.value.sqlstate in ("42501", "P0001", "23505"), caught.value
    assert entries(shared_ledger.owner) == before and len(before) == 2  # type: ignore[arg-type]


def test_a_publisher_cannot_adopt_and_the_owner_can(server: str) -> None:
    made = ledger(server)
    with pytest.raises(LedgerError, match="the role may not do this to the ledger"):
        adopt(made.publisher)
    assert adopt(made.owner).adoptions == 1
    for record in (entries(made.owner)[0], entries(made.owner)[1]):  # type: ignore[arg-type]
        forged = next_entry(entries(made.owner), record.kind, record.body)  # type: ignore[arg-type]
        with pytest.raises(psycopg.Error, match="only the owner may write this"):
            made.ask("INSERT INTO ripost.entries VALUES (%s, %s, %s, %s)", *forged, role=PUBLISHER)


def test_nonsense_of_a_publisher_is_seen_by_all(server: str) -> None:
    """It can deny service, but neither spend in secret nor hide what was spent."""
    made = ledger(server)
    forged = next_entry(entries(made.owner), "debited", '{"epsilon":"-5"}')  # type: ignore[arg-type]
    made.ask("INSERT INTO ripost.entries VALUES (%s, %s, %s, %s)", *forged, role=PUBLISHER)
    with pytest.raises(LedgerError, match="entry 1 is none that ripost writes"):
        debit_once(made.publisher)
    assert [check.ok for check in audit(made.owner)] == [False]


@pytest.mark.parametrize("kind", ["debited", 'q"u\\o\n\t\x01', "caf\xe9"])
def test_the_server_hashes_as_python_does(server: str, kind: str) -> None:
    """Also of texts that ripost never writes; those that are not ASCII are refused."""
    made = ledger(server)
    entry = next_entry(entries(made.owner), kind, '{"a":"\\u00e9\\n\\"b/c"}')  # type: ignore[arg-type]
    statement = "INSERT INTO ripost.entries VALUES (%s, %s, %s, %s)"
    if kind.isascii():
        made.ask(statement, *entry)
    else:
        with pytest.raises(psycopg.Error, match="does not follow"):
            made.ask(statement, *entry)


def test_roles_that_could_change_it_are_no_publishers(server: str) -> None:
    made = database(server)
    made.ask("DO $$ BEGIN CREATE ROLE deputy LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    made.ask(f"GRANT {OWNER} TO deputy")
    for role in (OWNER, "deputy"):
        with pytest.raises(LedgerError, match=f"the role {role} could change the ledger"):
            create_ledger(made.owner, dataset="d", epsilon=1, publishers=[role])
    with pytest.raises(LedgerError, match="the server has no role nobody; make it with CREATE ROLE"):
        create_ledger(made.owner, dataset="d", epsilon=1, publishers=["nobody"])
    assert made.ask("SELECT to_regnamespace('ripost')") == [(None,)], "all or nothing"
    create_ledger(made.owner, dataset="d", epsilon=1)
    with pytest.raises(LedgerError, match="the role may not do this"):
        debit_once(made.publisher)
    with pytest.raises(LedgerError, match="a cap is set once; choose another database"):
        create_ledger(made.owner, dataset="d", epsilon=1)


def test_a_restored_dump_is_a_copy_and_a_restored_server_was_set_back(server: str, tmp_path: Path) -> None:
    made, other = ledger(server), database(server)
    debit_once(made.publisher)
    for program, url in (("pg_dump", made.owner), ("psql", other.owner)):
        command = [str(postgres.program(program)), "--file", str(tmp_path / "dump.sql"), url]
        subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(LedgerError, match="is a copy of a ledger, or was restored"):
        debit_once(other.publisher)
    assert "this is a copy" in audit(other.owner)[2].detail
    adopt(other.owner)
    debit_once(other.publisher)
    # a server that is recovered to an earlier moment keeps all its numbers: the owner can do the same to the table
    debit_once(other.publisher)
    other.ask("DELETE FROM ripost.entries WHERE number = 4")
    with pytest.raises(LedgerError, match="was set back: entry 4"):
        debit_once(other.publisher)
    assert [check.name for check in audit(other.owner) if not check.ok] == ["kept heads"]
    adopt(other.owner)
    debit_once(other.publisher)


@pytest.mark.parametrize("arrives", [True, False])
def test_a_commit_whose_answer_is_lost(server: str, monkeypatch: pytest.MonkeyPatch, arrives: bool) -> None:
    """The connection breaks just before or just after the server commits: what is there decides."""
    made = ledger(server)
    commit = module._commit

    def broken(connection: psycopg.Connection[tuple[object, ...]]) -> bool:
        monkeypatch.setattr(module, "_commit", commit)
        if arrives:
            commit(connection)
        made.ask("SELECT pg_terminate_backend(%s)", connection.info.backend_pid)
        return commit(connection)

    monkeypatch.setattr(module, "_commit", broken)
    if arrives:
        assert debit_once(made.publisher) == read_ledger(made.owner).pointer(1)
    else:
        monkeypatch.setattr(SystemNoise, "laplace", None)
        with pytest.raises(LedgerError, match="was lost; nothing was written, so try again"):
            ripost.publish(TENSOR, epsilon=1, method="identity", ledger=made.publisher)
    assert len(read_ledger(made.owner).debits) == arrives


def test_a_commit_of_which_nothing_can_be_learned(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ledger(server)
    real = psycopg.connect

    def gone(connection: object) -> bool:
        def refuse(*_: object, **__: object) -> None:
            raise psycopg.OperationalError("the server is down")

        monkeypatch.setattr(psycopg, "connect", refuse)
        return False

    monkeypatch.setattr(module, "_commit", gone)
    monkeypatch.setattr(module, "PAUSE", 0.01)
    with pytest.raises(LedgerError, match="no noise was drawn, and entry 1 may be there: it stays if it is"):
        debit_once(made.publisher)
    monkeypatch.setattr(psycopg, "connect", real)


def test_two_debits_alike_are_two(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If they were one, a lost commit could be taken for that of another thread."""
    made = ledger(server)
    monkeypatch.setattr(books, "_now", lambda: "2026-01-01T00:00:00Z")
    debit_once(made.publisher, "1/10")
    first = entries(made.owner)[1]  # type: ignore[arg-type]
    made.ask("DELETE FROM ripost.entries WHERE number = 1")
    monkeypatch.setattr(books, "find_lost_heads", lambda *_: [])
    debit_once(made.publisher, "1/10")
    assert entries(made.owner)[1] != first  # type: ignore[arg-type]


def test_who_waits_too_long_is_told(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = ledger(server)
    monkeypatch.setattr(module, "SETTINGS", ("SET LOCAL lock_timeout = '50ms'",))
    ours = open_store(made.publisher)
    with ours.begin(), pytest.raises(LedgerError, match="others have been writing"), ours.begin():
        pass


def test_what_fails_within_a_transaction_is_not_there(server: str) -> None:
    made = ledger(server)
    before = open_store(made.owner).read()
    with pytest.raises(KeyboardInterrupt), open_store(made.owner).begin() as transaction:
        transaction.write(AdoptionRecord(place=before.location, at="2026-01-01T00:00:00Z"))
        raise KeyboardInterrupt
    assert open_store(made.owner).read() == before


ATTEMPTS: dict[str, tuple[Callable[[str], str], str]] = {
    "no ledger": (lambda url: url, "there is no ledger in .*; make one with ripost ledger init"),
    "no server": (lambda url: "postgresql://127.0.0.1:1/x", "cannot connect to postgresql://127.0.0.1:1/x; check"),
    "no database": (lambda url: url + "none", "cannot connect to"),
    "nonsense": (lambda url: "postgresql://%zz?x=1", "cannot connect to"),
    "another engine": (lambda url: "mysql://h/d", "an SQLite file or a URL that begins with postgresql://, not mysql"),
}


@pytest.mark.parametrize(("change", "sentence"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_urls_without_a_ledger(server: str, change: Callable[[str], str], sentence: str) -> None:
    url = change(database(server).owner)
    for attempt in (read_ledger, debit_once, adopt):
        with pytest.raises(LedgerError, match=sentence):
            attempt(url)  # type: ignore[operator]


def test_a_driver_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(LedgerError, match=r"needs psycopg: pip install 'ripost\[postgres\]'"):
        read_ledger("postgresql://localhost/x")


def test_roles_are_for_servers(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="--publisher is for a ledger in PostgreSQL"):
        create_ledger(tmp_path / "b", dataset="d", epsilon=1, publishers=["x"])


def test_the_commands_of_the_docs(server: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "flights.toml").write_text("[attributes.x]\ntype = 'integer'\nmin = 0\nmax = 9\n", "utf-8")
    pq.write_table(pa.table({"x": [1, 2, 3]}), tmp_path / "flights.parquet")
    made = database(server)
    page = (ROOT / "docs" / "how-to" / "ledger.md").read_text("utf-8")
    commands = [line for line in page.splitlines() if line.startswith("ripost ") and "postgresql://" in line]
    assert len(commands) == 4
    for command in commands:
        for role, url in (("owner", made.owner), ("publisher", made.publisher)):
            command = command.replace(f"postgresql://{role}@db.example.org/budget", url)  # noqa: PLW2901
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr)
    assert "ok   release: flights.ripost.parquet is paid for by debit 1" in done.stdout
    (grants,) = (part for part in page.split("`") if part.startswith("GRANT "))
    made.ask("DO $$ BEGIN CREATE ROLE name LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    made.ask(grants)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://h/d", "postgresql://h/d"),
        ("postgres://u@h:5/d?sslmode=require", "postgresql://h:5/d"),
        ("postgresql://u:pw@h/d", "postgresql://h/d"),
        ("postgresql://u:p@w/p?w@h/d", "postgresql://h/d"),
        ("postgresql:///d?host=/run&user=u&password=pw", "postgresql:///d"),
        ("postgresql://h/d?user=a@b&password=pw", "postgresql://b&password=***"),
    ],
)
def test_names_hold_no_password(url: str, name: str) -> None:
    assert PostgresStore(url).name == name and "pw" not in repr(PostgresStore(url))
