"""The steward's pages, run: plans and certificates look as shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.docs.snippets import blocks, shape

WARDS = ("surgery", "cardiology", "emergency")


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """The table of the quickstart with its schema."""
    rows = [f"{i % 700},{i % 90},{WARDS[i % 3]},2025-{i % 12 + 1:02d}-11" for i in range(2000)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient,age,ward,day", *rows]), "utf-8")
    (schema,) = blocks("docs/tutorial/quickstart.md", "toml")
    (tmp_path / "visits.toml").write_text(schema, "utf-8")
    return tmp_path


def shape_without_chart(text: str) -> list[str]:
    """The shape of a text without the strokes of its chart."""
    return shape(re.sub("[─●]+", "", text))


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("docs/how-to/plan.md", 0),
        pytest.param("docs/how-to/plan.md", 1, marks=pytest.mark.slow),  # a search publishes stand-ins many times
        ("docs/how-to/certificate.md", 0),
    ],
)
def test_a_page_shows_what_commands_print(page: str, number: int, run: Run, visits: Path) -> None:
    shown, printed = blocks(page, "console")[number], ""
    for command in (line[2:] for line in shown.splitlines() if line.startswith("$ ")):
        done = run(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr)
        printed += f"$ {command}\n{done.stdout}"
    assert shape_without_chart(printed) == shape_without_chart(shown)


def test_no_block_is_left_out() -> None:
    assert [len(blocks(f"docs/how-to/{name}.md", "console")) for name in ("plan", "certificate")] == [2, 1]
