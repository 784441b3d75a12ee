"""A publish that fails says why in public words: no value, row, count or traceback, whatever the engine said."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ripost.cli.app import app
from ripost.cli.exit_codes import run_guarded

SECRET = "Zzyzx-078-05-1120"
SCHEMA = """
[attributes.age]
type = "integer"
min = 0
max = 9

[attributes.day]
type = "date"
min = "2013-01-01"
max = "2013-12-31"
"""

Make = Callable[[Path], list[str]]


def file_of(name: str, content: str | bytes) -> Make:
    def make(folder: Path) -> list[str]:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return [str(path)]

    return make


def sqlite_view(folder: Path) -> list[str]:
    """A view whose rows cannot be computed."""
    with sqlite3.connect(folder / "t.db") as database:
        database.execute("CREATE TABLE kept (age, day)")
        database.execute("INSERT INTO kept VALUES (1, ?)", [SECRET])
        database.execute("CREATE VIEW t AS SELECT abs(-9223372036854775808) AS age, day FROM kept")
    return [f"sqlite://{folder / 't.db'}", "--table", "t"]


def duckdb_view(folder: Path) -> list[str]:
    """A view that casts what cannot be cast: DuckDB's own message quotes the value."""
    import duckdb

    with duckdb.connect(str(folder / "t.duckdb")) as database:
        database.execute("CREATE TABLE kept (age VARCHAR, day VARCHAR)")
        database.execute("INSERT INTO kept VALUES (?, '2013-01-01')", [SECRET])
        database.execute("CREATE VIEW t AS SELECT CAST(age AS INTEGER) AS age, CAST(day AS DATE) AS day FROM kept")
    return [f"duckdb://{folder / 't.duckdb'}", "--table", "t"]


LONG = "\n".join(["age,day", *["1,2013-01-01"] * 30_000])
FAILURES: dict[str, Make] = {
    "text for a number": file_of("t.csv", f"age,day\n1,2013-01-01\n{SECRET},2013-01-02\n"),
    "text for a number, late": file_of("t.csv", f"{LONG}\n{SECRET},2013-01-02\n"),
    "text for a date": file_of("t.csv", f"age,day\n1,2013-01-01\n2,{SECRET}\n"),
    "text for a date, late": file_of("t.csv", f"{LONG}\n1,{SECRET}\n"),
    "a row too long": file_of("t.csv", f"{LONG}\n1,2013-01-01,{SECRET},3,4\n"),
    "an open quote": file_of("t.csv", f'age,day\n1,"{SECRET}\n'),
    "bytes that are no text": file_of("t.csv", b"age,day\n1,2013-01-01\n\xff\xfe" + SECRET.encode() + b",x\n"),
    "broken JSON": file_of("t.jsonl", f'{{"age": 1, "day": "2013-01-01"}}\n{{"age": {SECRET}}}\n'),
    "no Parquet": file_of("t.parquet", f"PAR1{SECRET}PAR1"),
    "a name that is a secret": file_of("t.csv", f"{SECRET},day\n1,2013-01-01\n"),
    "SQLite": sqlite_view,
    "DuckDB": duckdb_view,
}


def run_command(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> tuple[object, str]:
    """Exit code and output of a command, as the entry point runs it."""
    with pytest.raises(SystemExit) as ended:
        run_guarded(lambda: app(arguments, standalone_mode=False))
    captured = capfd.readouterr()
    return ended.value.code, captured.out + captured.err


@pytest.mark.parametrize("make", FAILURES.values(), ids=FAILURES)
def test_a_failed_publish_tells_nothing(make: Make, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(SCHEMA)
    source, *more = make(tmp_path)
    output = tmp_path / "v.parquet"
    arguments = ["publish", source, str(tmp_path / "s.toml"), "-e", "1", "-o", str(output), *more]
    code, text = run_command(capfd, arguments)
    assert SECRET not in text and "Traceback" not in text
    assert code in (0, 2), text  # values that are no dates may count as missing
    assert (code == 2) == (not output.exists())
    if code == 2:
        assert len(text.strip().splitlines()) == 1, text
        assert "30,00" not in text and "30000" not in text and "30001" not in text


def test_engines_print_nothing(tmp_path: Path) -> None:
    """DuckDB would draw a progress bar into standard output after two seconds."""
    from ripost.sources.duckdb_engine import connect
    from ripost.sources.readers.database import _connect

    url, *_ = duckdb_view(tmp_path)
    for backend in (connect(), _connect("duckdb", url)):
        [(on,)] = backend.raw_sql("SELECT current_setting('enable_progress_bar_print')").fetchall()
        assert not on
        backend.disconnect()


@pytest.mark.parametrize(
    "place", ["ripost.publishing.publication.Account", "ripost.data.read.decode", "ripost.release.file.write_whole"]
)
def test_a_fault_of_ripost_tells_nothing(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is raised, wherever: the type of the error is told, and not what it says."""
    table, *_ = file_of("t.csv", "age,day\n1,2013-01-01\n")(tmp_path)
    (tmp_path / "s.toml").write_text(SCHEMA)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"row 17 holds {SECRET}")

    monkeypatch.setattr(place, fail)
    output = tmp_path / "v.parquet"
    code, text = run_command(capfd, ["publish", table, str(tmp_path / "s.toml"), "-e", "1", "-o", str(output)])
    assert code in (1, 2)
    assert SECRET not in text and "row 17" not in text and "Traceback" not in text
    assert not output.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.toml", "t.csv"]
