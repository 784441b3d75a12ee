"""The README and the docs, run: commands give the output shown, snippets work, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT, Run
from tests.docs.snippets import blocks, ground, replay, run_program, run_python, shape
from tests.marks import slow

PROGRAMS = {"append", "certificate", "reestimate"}  # no other test runs these as programs
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def wide() -> dict[str, str]:
    """The environment with a terminal wide enough for every line."""
    return {**os.environ, "COLUMNS": "200"}


def execute(code: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the demo was run, and what it printed."""
    folder = tmp_path_factory.mktemp("readme")
    command = [str(Path(sys.executable).with_name("ripost")), "demo", "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=wide())
    return folder, done.stdout.replace(command[0], ".venv/bin/ripost")


def test_readme_shows_what_the_demo_prints(demo: tuple[Path, str]) -> None:
    shown = next(block for block in blocks("README.md", "console") if block.startswith("$ make demo"))
    printed = shape(shown.split("\n", 1)[1])
    assert [line for line in shape(demo[1]) if line] == [line for line in printed if line]


def test_readme_commands_work(demo: tuple[Path, str], run: Run) -> None:
    shown = next(block for block in blocks("README.md", "console") if block.startswith("$ .venv/bin/ripost"))
    commands = [line[2:] for line in shown.splitlines() if line.startswith("$ ")]
    printed = ""
    for command in commands:
        done = run(*shlex.split(command)[1:], cwd=demo[0])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape(printed) == shape(shown)


def test_readme_python_works(demo: tuple[Path, str]) -> None:
    (snippet,) = blocks("README.md", "python")
    assert len(snippet.strip().splitlines()) <= 12
    with chdir(demo[0]):
        assert run_python(snippet, {"__name__": "__main__"})


@pytest.mark.parametrize(
    "page",
    [
        slow("docs/index.md"),
        "docs/tutorial/quickstart.md",
        "docs/tutorial/messy-table.md",
        "docs/reference/query.md",
        "docs/how-to/explore.md",
        slow("docs/how-to/plot.md"),
        slow("docs/how-to/sql.md"),
        slow("docs/how-to/data-frames.md"),
        "docs/how-to/notebook.md",
        "docs/how-to/browser.md",
        "docs/how-to/without-ripost.md",
        slow("docs/how-to/measurements.md"),
        "docs/how-to/periods.md",
        "docs/how-to/levels.md",
        "docs/how-to/discover.md",
        "docs/how-to/compare-methods.md",
        "docs/how-to/measures.md",
        "docs/reference/python.md",
        "docs/how-to/prepare-a-schema.md",
        "docs/how-to/choose-epsilon.md",
        "docs/how-to/hand-over.md",
        slow("docs/how-to/choose-a-unit.md"),
        slow("docs/how-to/publish-and-verify.md"),
    ],
)
def test_a_page_shows_what_its_snippets_give(page: str, demo: tuple[Path, str], run: Run) -> None:
    """Commands run in this process, except those that tests/paths does not run as programs."""

    def run_command(command: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return (run_program if command in PROGRAMS else run)(command, *arguments, cwd=cwd)

    text = (ROOT / page).read_text("utf-8")
    assert shape(replay(text, ground(demo[0], page.replace("/", "-")), run_command)) == shape(text)


def test_a_messy_table_takes_six_commands() -> None:
    """From a fresh install to a release that a ledger paid for, and a page for its readers."""
    commands = [line for block in blocks("docs/tutorial/messy-table.md", "console") for line in block.splitlines()]
    verbs = [line.split()[2] for line in commands if line.startswith("$ ")]
    assert verbs == ["init", "check", "ledger", "publish", "query", "explore"]
    assert any(line.startswith("Debit 1 in budget.sqlite") for line in commands)


@pytest.mark.slow
def test_exports_work(demo: tuple[Path, str], run: Run) -> None:
    (shown,) = blocks("docs/how-to/export.md", "console")
    printed = ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:], cwd=demo[0])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape(printed) == shape(shown)
    (questions,) = blocks("docs/how-to/export.md", "sql")
    with duckdb.connect(demo[0] / "demo" / "flights.duckdb", read_only=True) as connection:
        one, other, bounded, *_ = (connection.execute(text).fetchall() for text in questions.split(";") if text.strip())
    wanted = pytest.approx({row[0]: row[1] for row in bounded})
    assert dict(one) == wanted and dict(other) == wanted
    (snippet,) = blocks("docs/how-to/export.md", "python")
    assert "JFK" in execute(snippet, demo[0])


@pytest.mark.slow
def test_the_example_clusters(demo: tuple[Path, str]) -> None:
    command = [sys.executable, str(ROOT / "examples" / "cluster.py"), "demo/flights.ripost.parquet"]
    done = subprocess.run(command, cwd=demo[0], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("95 %") == 5


@pytest.mark.slow
def test_scale_works(demo: tuple[Path, str], program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark: pip install 'ripost[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java 17 or newer on the path")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    _, shown = blocks("docs/how-to/scale.md", "console")
    done = program(*shlex.split(shown.splitlines()[0][2:])[1:], "--force", cwd=demo[0])
    assert done.returncode == 0, done.stderr
    assert "Published flights.ripost.parquet" in done.stdout
    (snippet,) = blocks("docs/how-to/scale.md", "python")
    execute(snippet, demo[0])
    assert (demo[0] / "demo" / "spark.ripost.parquet").exists()


def test_a_large_table_is_published_as_shown(demo: tuple[Path, str], run: Run) -> None:
    shown, _ = blocks("docs/how-to/scale.md", "console")
    done = run(*shlex.split(shown.splitlines()[0][2:])[1:], "-o", "large.ripost.parquet", "--force", cwd=demo[0])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_named_files_exist(page: Path) -> None:
    """Paths of the source named in backticks are there."""
    text = page.read_text("utf-8")
    for name in re.findall(r"`((?:src|tests|docs|privacy|tensor|methods|view|space)/[\w./-]+)`", text):
        assert (ROOT / name).exists() or (ROOT / "src" / "ripost" / name).exists(), f"{page.name} names {name}"


def test_the_ledger_page_works(demo: tuple[Path, str], tmp_path: Path, run: Run) -> None:
    """What the commands print, by its shape: noise, heads and times differ."""
    import pyarrow.parquet as pq

    pq.write_table(pq.read_table(demo[0] / "demo" / "flights.parquet").slice(0, 3000), tmp_path / "flights.parquet")
    (tmp_path / "flights.toml").write_bytes((demo[0] / "demo" / "flights.toml").read_bytes())
    (shown,) = blocks("docs/how-to/ledger.md", "console")
    printed = ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape(printed) == shape(shown)
    publish, check = blocks("docs/how-to/ledger.md", "python")
    assert execute(publish, tmp_path) == "3\n"
    assert execute(check, tmp_path).strip() in run("ledger", "status", "budget.sqlite").stdout
    refused = run("publish", "flights.parquet", "flights.toml", "-e", "2", "--ledger", "budget.sqlite", "--force")
    assert refused.stderr.removeprefix("ripost: ").strip() in (ROOT / "docs/how-to/ledger.md").read_text("utf-8")
