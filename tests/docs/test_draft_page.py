"""The page about drafts, run: its commands print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from ripost.schema.schema import Schema
from tests.conftest import Run
from tests.docs.snippets import blocks

PAGE = "docs/how-to/draft.md"


def test_the_page_shows_what_the_commands_print(tmp_path: Path, run: Run) -> None:
    wards = ("surgery", "cardiology", "emergency")
    rows = [f"{i % 700},{i % 90},{wards[i % 3]},2025-{i % 12 + 1:02d}-11,{i * 37 % 900}" for i in range(2000)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient,age,ward,day,cost", *rows]), "utf-8")
    for block in blocks(PAGE, "console"):
        command, shown = block.split("\n", 1)
        done = run(*shlex.split(command)[2:])
        printed = (done.stdout + done.stderr).splitlines()
        assert [line.rstrip() for line in printed if line.strip()] == [
            line for line in shown.splitlines() if line.strip()
        ]
        draft = (tmp_path / "visits.toml").read_text("utf-8")
        (tmp_path / "reviewed.toml").write_text(re.sub(r"(?m)^unreviewed = .*\n", "", draft), "utf-8")
    (example,) = blocks(PAGE, "toml")
    assert example in draft and Schema.parse(example).unreviewed == {"ward": ("type", "values")}
