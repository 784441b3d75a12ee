"""Bad input: one clear sentence, exit code 2, nothing written, no traceback, no private value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.flights import SCHEMA as GOOD
from tests.conftest import Run

SECRET = "Zaphod"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(f"hour,origin\n5,JFK\n7,{SECRET}\n", "utf-8")
    (tmp_path / "t.toml").write_text(GOOD, "utf-8")
    return tmp_path


def assert_refused(done, *words: str) -> None:  # type: ignore[no-untyped-def]
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    text = done.stderr.strip()
    assert text.startswith("ripost: ") and "\n" not in text, text
    assert "Traceback" not in text and SECRET not in text
    for word in words:
        assert word in text, text


SCHEMAS = {
    "bounds reversed": (GOOD.replace("max = 23", "max = -3"), ["hour", "min must not be above max"]),
    "duplicate attribute": (GOOD + "[attributes.hour]\ntype = 'boolean'\n", ["t.toml", "hour"]),
    "unknown key": (GOOD.replace("max = 23", "max = 23\nwidht = 2"), ["hour", "widht", "width"]),
    "unknown type": (GOOD.replace('"integer"', '"integr"'), ["hour", "integer"]),
    "no attributes": ("title = 'x'\n", ["attribute"]),
    "not TOML": ("[attributes", ["t.toml"]),
    "missing column": (GOOD.replace("attributes.hour", "attributes.hours"), ["hours", "hour"]),
    "max_rows alone": ("max_rows = 3\n" + GOOD, ["max_rows"]),
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_bad_schema_is_refused_in_one_sentence(run: Run, folder: Path, kind: str) -> None:
    text, words = SCHEMAS[kind]
    (folder / "t.toml").write_text(text, "utf-8")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1"), *words)
    assert not list(folder.glob("*.ripost.parquet"))


def test_table_and_schema_in_the_wrong_order(run: Run, folder: Path) -> None:
    for command in ("publish", "check"):
        more = ("-e", "1") if command == "publish" else ()
        assert_refused(run(command, "t.toml", "t.csv", *more), "give the table first, then the schema")


def test_delta_is_a_parameter_of_the_method(run: Run, folder: Path) -> None:
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--delta", "1e-9"), "--option delta=1e-9")


READ_AND_WRITTEN = {
    "init": ("init", "t.csv", "-o", "t.csv"),
    "init of a database": ("init", "duckdb://t.duckdb", "--table", "t", "-o", "t.duckdb"),
    "publish": ("publish", "t.parquet", "t.toml", "-e", "1", "-o", "t.parquet"),
    "publish of a glob": ("publish", "t*.parquet", "t.toml", "-e", "1", "-o", "./t.parquet"),
    "an entry beside the view": ("publish", "t.csv", "t.toml", "-e", "1", "--csvw", "t.csv"),
    "a page": ("explore", "t.parquet", "-o", "t.parquet"),
    "an export": ("export", "t.parquet", "t.parquet", "--format", "csv"),
    "a certificate": ("certificate", "t.parquet", "-o", "t.parquet"),
    "a plot": ("plan", "t.toml", "--rows", "9", "-e", "1", "--plot", "t.png"),
}


@pytest.mark.parametrize("case", READ_AND_WRITTEN)
def test_what_a_command_reads_is_not_overwritten(run: Run, folder: Path, case: str) -> None:
    """Not even with --force: it may be the only copy of the table."""
    for name in ("t.parquet", "t.duckdb"):
        (folder / name).write_bytes(b"the only copy")
    (folder / "t.png").hardlink_to(folder / "t.toml")
    files = sorted(folder.iterdir())
    before = [file.read_bytes() for file in files]
    assert_refused(run(*READ_AND_WRITTEN[case], "--force"), "this command reads it")
    assert sorted(folder.iterdir()) == files
    assert [file.read_bytes() for file in files] == before


@pytest.mark.parametrize("epsilon", ["0", "-1", "nan", "inf", "5000", "1e-30", "lots", ""])
def test_epsilon(run: Run, folder: Path, epsilon: str) -> None:
    assert_refused(run("publish", "t.csv", "t.toml", f"--epsilon={epsilon}"), "epsilon")


def test_a_bad_table_is_refused_in_one_sentence(program: Run, run: Run, folder: Path) -> None:
    assert_refused(run("publish", "nowhere.csv", "t.toml", "-e", "1"), "nowhere.csv")
    assert_refused(run("publish", "*.json", "t.toml", "-e", "1"), "*.json")
    (folder / "t.docx").write_text("x", "utf-8")
    assert_refused(run("publish", "t.docx", "t.toml", "-e", "1"), "t.docx")
    (folder / "cut.parquet").write_bytes(b"PAR1 and then nothing")
    assert_refused(program("publish", "cut.parquet", "t.toml", "-e", "1"), "cut.parquet")
    (folder / "latin.csv").write_bytes(b"hour,origin\n5,J\xe9K\n" * 5000)
    assert_refused(run("publish", "latin.csv", "t.toml", "-e", "1"), "latin.csv")
    assert not list(folder.glob("*.ripost.parquet"))


def test_a_bad_output_is_refused_in_one_sentence(run: Run, folder: Path) -> None:
    target = folder / "t.ripost.parquet"
    target.write_text("precious", "utf-8")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1"), "t.ripost.parquet", "--force")
    assert target.read_text("utf-8") == "precious"
    assert run("publish", "t.csv", "t.toml", "-e", "1", "--force").returncode == 0
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "-o", "no/such/folder.parquet"), "folder")


def test_method_and_options(run: Run, folder: Path) -> None:
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--method", "ripsot"), "ripost")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--option", "margnals=0.2"), "marginals")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--option", "marginals=7"), "marginals")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--option", "k"), "name=value")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--option", "seed=7"), "seed")
    assert_refused(run("publish", "t.csv", "t.toml", "-e", "1", "--insecure-seed=-4"), "seed")


def test_a_bad_question_is_refused_in_one_sentence(run: Run, folder: Path) -> None:
    run("publish", "t.csv", "t.toml", "-e", "1")
    view = "t.ripost.parquet"
    assert_refused(run("query", view, "huor = 3"), "hour")
    assert_refused(run("query", view, "hour = 77"), "hour", "0 to 23")
    assert_refused(run("query", view, "origin = 'JKF'"), "JFK")
    assert_refused(run("query", view, "hour between 9 and 6"), "reversed")
    assert_refused(run("query", view, "hour ="))
    assert_refused(run("query", view, "origin = 'JFK' or hour like '1%'"), "LIKE")
    assert_refused(run("query", view, "select 1; drop table x"))


def test_a_bad_view_file_is_refused_in_one_sentence(run: Run, folder: Path) -> None:
    run("publish", "t.csv", "t.toml", "-e", "1")
    whole = (folder / "t.ripost.parquet").read_bytes()
    for name, content in {
        "short.parquet": whole[:-100],
        "shorter.parquet": whole[:50],
        "empty.parquet": b"",
        "edited.parquet": whole.replace(b'"method":"ripost+"', b'"method":"ripozt+"'),
        "other.parquet": b"not a parquet file at all",
    }.items():
        assert content != whole
        (folder / name).write_bytes(content)
        for command in ("query", "info"):
            assert_refused(run(command, name), name)
        assert run("verify", name).returncode == 2
    assert_refused(run("info", "nowhere.parquet"), "nowhere.parquet")


def test_a_fault_of_ours_shows_no_traceback(program: Run, folder: Path) -> None:
    broken = "import ripost.publishing.publish, ripost.cli\n"
    broken += f"def fault(*a, **k): raise RuntimeError('{SECRET}')\nripost.publishing.publish.publish = fault\n"
    (folder / "sitecustomize.py").write_text(broken, "utf-8")
    done = program("publish", "t.csv", "t.toml", "-e", "1", PYTHONPATH=str(folder))
    assert done.returncode == 1
    assert SECRET not in done.stderr and "Traceback" not in done.stderr and "RuntimeError" in done.stderr
    debug = program("publish", "t.csv", "t.toml", "-e", "1", PYTHONPATH=str(folder), RIPOST_DEBUG="1")
    assert "Traceback" in debug.stderr
