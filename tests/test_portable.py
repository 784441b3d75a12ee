"""Other systems, as far as this one can play them: without what only POSIX has, and with a code page of Windows."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

SOURCE = ROOT / "src" / "ripost"

WITHOUT_POSIX = """
import os, platform, shutil, sys, warnings
import duckdb, ibis, numpy, opendp.prelude, pandas, pyarrow.parquet, pydantic, rich.console, sqlglot, typer
ibis.duckdb
platform.uname()
shutil._use_fd_functions = False  # so far the others, which know this system for what it is; now ours

for name in ("fcntl", "pwd", "grp", "termios", "resource", "pty", "syslog", "readline"):
    sys.modules[name] = None
missing = ("uname", "fork", "mkfifo", "geteuid", "getuid", "getpgid", "fchmod", "fchown", "chown", "setsid", "wait4",
           "statvfs", "sysconf", "register_at_fork", "O_TMPFILE", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK",
           "O_CLOEXEC", "sched_getaffinity", "WNOHANG")
for name in missing:
    if hasattr(os, name):
        delattr(os, name)


def act(process, sign):
    raise SystemExit(f"os.kill({process}, {sign}) would end a process on Windows")


def no_folders(path, flags, mode=0o777, **named):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied")  # as Windows answers
    return usual(path, flags, mode, **named)


usual, os.open, os.kill = os.open, no_folders, act
warnings.filterwarnings("ignore", "only soft file lock")  # what filelock says of a POSIX without fcntl

from pathlib import Path
import ripost
from ripost import temporary
from ripost.budget_ledger import publisher
temporary.WINDOWS = publisher.WINDOWS = True

folder = Path(sys.argv[1])
schema = ripost.Schema.from_dict({"attributes": {"x": {"type": "integer", "min": 0, "max": 9}}})
(folder / "t.csv").write_bytes(b"x\\r\\n" + b"3\\r\\n" * 1000)
view = ripost.publish(folder / "t.csv", schema, epsilon=1)
for force in (False, True):
    view.save(folder / "v.ripost.parquet", force=force)
again = ripost.open(folder / "v.ripost.parquet")
assert 900 < again.count(x=3).value < 1100 and len(again.sql("SELECT COUNT(*) FROM view")) == 1

from ripost.budget_ledger.operations import create_ledger, read_ledger
from ripost.errors import LedgerError, ReleaseError, SourceError
ledger = folder / "a budget #1 100%.sqlite"
create_ledger(ledger, dataset="trips", epsilon=2)
ripost.publish(folder / "t.csv", schema, epsilon=1, ledger=ledger, output=folder / "w.ripost.parquet")
assert [paid.state for paid in read_ledger(ledger).debits.values()] == ["released"]
try:
    view.save(folder / "w.ripost.parquet")
except ReleaseError as error:
    print(error)

from ripost.sources.readers import csv_pipe as pipe
pipe.DESCRIPTORS = folder / "nowhere"
try:
    ripost.publish("-", schema, epsilon=1)
except SourceError as error:
    print(error)

from ripost.cli import main
sys.argv = ["ripost", "verify", str(folder / "w.ripost.parquet"), "--ledger", str(ledger)]
main()
"""


def test_everything_works_without_what_only_posix_has(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8", "-c", WITHOUT_POSIX, str(tmp_path)]
    env = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, encoding="utf-8")
    assert done.returncode == 0, done.stderr + done.stdout
    taken, piped, *verified = done.stdout.splitlines()
    assert "exists already" in taken
    assert piped.startswith("-: a pipe cannot be read on this system") and piped.endswith("; give a file")
    assert verified and all(line.startswith("ok ") for line in verified)
    assert not list((tmp_path / "tmp").glob("ripost-*")), "what was spilled is gone"
    assert not list(tmp_path.glob(".ripost-*"))


SCHEMA = """
title = "Łódź → ±"
[attributes."größe"]
type = "category"
values = ["klein", "Łódź", "日本", "\U0001f600"]
"""
COMMANDS = """
import json, sys
from ripost.cli import main

codes = []
for arguments in json.load(open("commands.json", encoding="utf-8")):
    sys.argv = ["ripost", *arguments]
    try:
        main()
    except SystemExit as end:
        codes.append(end.code)
sys.stderr.write(f"codes {codes}")
"""
GROUPED = "SELECT größe, COUNT(*) FROM view GROUP BY größe"


def test_letters_that_a_code_page_lacks_are_no_fault(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8", newline="\n")
    (tmp_path / "t.csv").write_text("größe\n" + "Łódź\n日本\n" * 500, "utf-8", newline="\n")
    (tmp_path / "Ł.csv").write_text("x\n", "utf-8")
    commands = [
        ["check", "t.csv", "t.toml"],
        ["check", "Ł.csv", "t.toml"],  # which has none of the columns
        ["publish", "t.csv", "t.toml", "--epsilon", "1", "-o", "v.parquet"],
        ["info", "v.parquet"],
        ["query", "v.parquet", GROUPED],
        ["query", "v.parquet", GROUPED, "--csv"],
        ["query", "v.parquet", GROUPED, "--json"],
    ]
    (tmp_path / "commands.json").write_text(json.dumps(commands), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        encoding="cp1252",
        check=False,
    )
    assert done.stderr.endswith("codes [0, 2, 0, 0, 0, 0, 0]"), done.stderr
    assert "fault of ripost" not in done.stderr and "\\u0141" in done.stdout
    told = json.loads(done.stdout[done.stdout.rindex("\n{") :])
    assert {"klein", "Łódź", "日本", "\U0001f600"} <= set(str(told).replace("'", " ").split())


ONLY_POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


SUSPECT = re.compile(rf"\b(from\s+({'|'.join(ONLY_POSIX)})\b|import\s.*\b({'|'.join(ONLY_POSIX)})\b)")


def list_imports(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    return {str(node.module)} if isinstance(node, ast.ImportFrom) else set()


def test_nothing_that_is_imported_needs_posix() -> None:
    """Of ripost nothing at all, of the tests nothing that pytest imports to collect them."""
    ours, tests = [*SOURCE.rglob("*.py")], [*(ROOT / "tests").rglob("[!_]*.py")]
    assert len(ours) > 200 and len(tests) > 100
    faulty = []
    for path in [*ours, *tests]:
        text = path.read_text("utf-8")
        if not SUSPECT.search(text.replace("\\\n", " ")):  # most: no need to parse them
            continue
        nodes = ast.walk(ast.parse(text)) if path in ours else ast.parse(text).body
        faulty += [path for node in nodes if list_imports(node) & ONLY_POSIX]
    assert faulty == []
