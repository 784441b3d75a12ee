"""The README and the docs, run: commands give the output shown, snippets work, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT, Run

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(page: str, language: str) -> list[str]:
    """Code blocks of a language in a page."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def shape(text: str) -> list[str]:
    """Lines with every number, and the room it takes, made alike: noise changes numbers, not words."""
    text = re.sub(r"sha256 [0-9a-f]+", "sha256", text)
    lines = [re.sub(r"[\d.,]*\d", "#", line) for line in text.strip().splitlines()]
    return [re.sub(r"\s+", " ", line).strip() for line in lines]


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
    assert execute(snippet, demo[0])


def test_questions_work(demo: tuple[Path, str], run: Run) -> None:
    (shown,) = blocks("docs/query.md", "console")
    printed = ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:], cwd=demo[0])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape(re.sub("─+", "─", printed)) == shape(re.sub("─+", "─", shown))
    (snippet,) = blocks("docs/query.md", "python")
    assert execute(snippet, demo[0])


def test_exports_work(demo: tuple[Path, str], run: Run) -> None:
    (shown,) = blocks("docs/export.md", "console")
    printed = ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:], cwd=demo[0])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape(printed) == shape(shown)
    (questions,) = blocks("docs/export.md", "sql")
    with duckdb.connect(demo[0] / "demo" / "flights.duckdb", read_only=True) as connection:
        one, other, bounded, *_ = (connection.execute(text).fetchall() for text in questions.split(";") if text.strip())
    wanted = pytest.approx({row[0]: row[1] for row in bounded})
    assert dict(one) == wanted and dict(other) == wanted
    (snippet,) = blocks("docs/export.md", "python")
    assert "JFK" in execute(snippet, demo[0])


def test_quickstart_works(tmp_path: Path, run: Run) -> None:
    rows = ["patient,age,ward,day"]
    wards = ("surgery", "cardiology", "emergency")
    rows += [f"{i % 700},{i % 90},{wards[i % 3]},2025-{i % 12 + 1:02d}-11" for i in range(2000)]
    (tmp_path / "visits.csv").write_text("\n".join(rows), "utf-8")
    (schema,) = blocks("docs/quickstart.md", "toml")
    (tmp_path / "visits.toml").write_text(schema, "utf-8")
    for block in blocks("docs/quickstart.md", "console"):
        for line in block.strip().splitlines():
            done = run(*shlex.split(line)[1:])
            assert done.returncode == 0, (line, done.stderr)
    (tmp_path / "visits.ripost.parquet").unlink()
    (snippet,) = blocks("docs/quickstart.md", "python")
    assert "95 %" in execute(snippet, tmp_path)


@pytest.mark.slow
def test_scale_works(demo: tuple[Path, str], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark: pip install 'ripost[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java 17 or newer on the path")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    (shown,) = blocks("docs/scale.md", "console")
    done = run(*shlex.split(shown.splitlines()[0][2:])[1:], "--force", cwd=demo[0])
    assert done.returncode == 0, done.stderr
    assert "Published flights.ripost.parquet" in done.stdout
    (snippet,) = blocks("docs/scale.md", "python")
    execute(snippet, demo[0])
    assert (demo[0] / "demo" / "spark.ripost.parquet").exists()


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
    (shown,) = blocks("docs/ledger.md", "console")
    printed = ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    hashes = re.compile("[0-9a-f]{64}")
    assert shape(hashes.sub("HASH", printed)) == shape(hashes.sub("HASH", shown))
    publish, check = blocks("docs/ledger.md", "python")
    assert execute(publish, tmp_path) == "3\n"
    assert execute(check, tmp_path).strip() in run("ledger", "show", "budget.sqlite").stdout
    refused = run("publish", "flights.parquet", "flights.toml", "-e", "2", "--ledger", "budget.sqlite", "--force")
    assert refused.stderr.removeprefix("ripost: ").strip() in (ROOT / "docs/ledger.md").read_text("utf-8")
